export type Scalar = string | number | boolean;

/**
 * The value of a property as one types it: numbers, true and false are what they look like, the rest is
 * text. Text that looks like one of them has quotation marks.
 */
export function readScalar(typed: string): Scalar {
  const text = typed.trim();
  if (text === 'true' || text === 'false') return text === 'true';
  if (looksLikeNumber(text)) return Number(text);
  return readQuoted(text) ?? text;
}

export function writeScalar(value: Scalar): string {
  if (typeof value !== 'string') return String(value);
  return readScalar(value) === value ? value : JSON.stringify(value);
}

function looksLikeNumber(text: string): boolean {
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text;
}

function readQuoted(text: string): string | undefined {
  if (!/^".*"$/s.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
