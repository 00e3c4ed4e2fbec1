interface Sum {
  readonly currency: string;
  readonly netAmountMinor: string;
}

/** Compares amounts of rows; undefined if they are in several currencies, which have no order. */
export function compareSums<T>(
  rows: readonly T[],
  sumsOf: (row: T) => readonly Sum[],
): ((row: T) => bigint | null) | undefined {
  const currencies = new Set(rows.flatMap((row) => sumsOf(row).map(({ currency }) => currency)));
  if (currencies.size !== 1) return undefined;
  return (row) => {
    const [sum] = sumsOf(row);
    return sum ? BigInt(sum.netAmountMinor) : null;
  };
}
