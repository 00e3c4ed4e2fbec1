/** What another company's service answered may be of any shape. */
export function fieldOf(value: unknown, ...path: (string | number)[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<string | number, unknown>)[name];
  }
  return found;
}

export function textOf(value: unknown, ...path: (string | number)[]): string | null {
  const found = fieldOf(value, ...path);
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found !== '' ? found : null;
}

export function listOf(value: unknown, ...path: (string | number)[]): readonly unknown[] {
  const found = fieldOf(value, ...path);
  return Array.isArray(found) ? found : [];
}
