/** A value that changed. `before` is undefined if it was not recorded. */
export interface Difference {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Values = Readonly<Record<string, unknown>>;

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What an entry changed, value by value: inside of objects by path (`config.brandConfig.logoUrl`). With previous
 * values, what stayed the same is left out.
 */
export function findDifferences(changes: Values, before: Values | null): Difference[] {
  return Object.entries(changes).flatMap(([name, after]) => {
    const isKnown = before !== null && Object.hasOwn(before, name);
    return compare(name, isKnown ? before[name] : undefined, after, isKnown);
  });
}

function compare(name: string, before: unknown, after: unknown, isKnown: boolean): Difference[] {
  if (!isKnown || !isValues(before) || !isValues(after)) {
    const isSame = isKnown && JSON.stringify(before) === JSON.stringify(after);
    return isSame ? [] : [{ name, before, after }];
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((part) =>
    compare(`${name}.${part}`, before[part] ?? null, after[part] ?? null, true),
  );
}

/** A value as text. */
export function sayValue(value: unknown): string {
  if (value === undefined) return 'not recorded';
  if (value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(sayValue).join(', ');
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}
