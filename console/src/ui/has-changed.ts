/** Whether a form differs from what is saved: both are plain values of the same shape. */
export function hasChanged<T>(saved: T, now: T): boolean {
  return JSON.stringify(sorted(saved)) !== JSON.stringify(sorted(now));
}

/** The order in which fields were written makes no difference; that of a list does. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, part]) => [name, sorted(part)]),
  );
}
