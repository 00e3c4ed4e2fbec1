/** OIDs of PostgreSQL types whose default JavaScript form differs between the two engines. */
const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** `2026-11-15 02:39:25.12+00` (session time zone UTC) → `2026-11-15T02:39:25.120Z`. */
export function parseTimestamptz(text: string): string {
  if (!text.endsWith('+00')) throw new Error(`The database session is not in UTC: ${text}.`);
  const fraction = text.slice(19, text.length - 3).slice(1, 4);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`;
}

export const valueParsers: ReadonlyMap<number, (text: string) => unknown> = new Map<
  number,
  (text: string) => unknown
>([
  [INT8, (text) => BigInt(text)],
  [TIMESTAMPTZ, parseTimestamptz],
]);
