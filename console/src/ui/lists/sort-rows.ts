/** What a row is sorted by; null if it has no value. */
export type SortValue = string | number | bigint | null;

export type Direction = 'asc' | 'desc';

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function compare(one: Exclude<SortValue, null>, other: Exclude<SortValue, null>): number {
  if (typeof one === 'string' || typeof other === 'string') {
    return collator.compare(String(one), String(other));
  }
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Sorted by a value; rows without one come last in both directions, and equal rows keep their order. */
export function sortRows<T>(
  rows: readonly T[],
  readValue: (row: T) => SortValue,
  direction: Direction,
): T[] {
  const keyed = rows.map((row) => ({ row, value: readValue(row) }));
  const sign = direction === 'asc' ? 1 : -1;
  return keyed
    .toSorted(({ value: one }, { value: other }) => {
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return sign * compare(one, other);
    })
    .map(({ row }) => row);
}
