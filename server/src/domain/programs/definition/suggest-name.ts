/** The known name that somebody most likely meant; undefined if none is close. */
export function suggestName(given: string, known: readonly string[]): string | undefined {
  const wanted = normalize(given);
  const atMost = Math.max(1, Math.floor(wanted.length / 3));
  const ranked = known
    .map((name) => ({ name, distance: editDistance(wanted, normalize(name)) }))
    .filter(({ distance }) => distance <= atMost)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.name;
}

/** Ways of writing the same name: `rate_bps`, `RateBps`, `rate-bps`. */
function normalize(name: string): string {
  return name
    .slice(0, 80)
    .toLowerCase()
    .replace(/[_\s-]/g, '');
}

/** Insertions, deletions, replacements and swaps of neighbours that make one text of the other. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
