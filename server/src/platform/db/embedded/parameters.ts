/**
 * The text form of a parameter, by the rules of the `pg` driver, so that a call means the same on
 * both engines: arrays become PostgreSQL array literals, other objects JSON, and strings stay
 * unchanged (JSON must already be stringified).
 */
export function toParameter(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `{${value.map(toElement).join(',')}}`;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

function toElement(value: unknown): string {
  const text = toParameter(value);
  if (text === null) return 'NULL';
  return Array.isArray(value) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}
