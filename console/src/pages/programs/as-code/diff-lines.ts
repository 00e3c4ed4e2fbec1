export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** The lines of two texts, with the most that they have in common. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const same = (lines: readonly string[]) =>
    lines.map((text): DiffLine => ({ kind: 'same', text }));
  return [
    ...same(a.slice(0, start)),
    ...diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ];
}

function diffMiddle(a: readonly string[], b: readonly string[]): DiffLine[] {
  // How many lines the rests from there on have in common.
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  const at = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = common[i];
      if (!row) continue;
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [old, next] = [a[i], b[j]];
    if (old !== undefined && old === next) {
      lines.push({ kind: 'same', text: old });
      i += 1;
      j += 1;
    } else if (old !== undefined && (next === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'removed', text: old });
      i += 1;
    } else {
      lines.push({ kind: 'added', text: next ?? '' });
      j += 1;
    }
  }
  return lines;
}

export interface Hunk {
  /** Lines left out before it. */
  readonly skipped: number;
  /** The number of its first line among all. */
  readonly start: number;
  readonly lines: readonly DiffLine[];
}

/** What differs, with a few lines around it; empty if nothing does. */
export function foldSame(lines: readonly DiffLine[], around = 3): Hunk[] {
  const isNear = lines.map((_, index) =>
    lines
      .slice(Math.max(0, index - around), index + around + 1)
      .some(({ kind }) => kind !== 'same'),
  );
  const hunks: Hunk[] = [];
  let skipped = 0;
  for (let index = 0; index < lines.length; index += 1) {
    if (!isNear[index]) {
      skipped += 1;
      continue;
    }
    let end = index;
    while (isNear[end]) end += 1;
    hunks.push({ skipped, start: index, lines: lines.slice(index, end) });
    skipped = 0;
    index = end - 1;
  }
  return hunks;
}
