interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Whether the focus is within the rows. */
  readonly isInRows: boolean;
  /** Whether what has the focus takes letters itself: a field, a menu, a dialog. */
  readonly isTyping: boolean;
}

/** What a key means for the rows of a list: `next`, `previous`, `select` or one of its own. Null if it is not for them. */
export function readRowKey(pressed: Pressed, own: readonly string[]): string | null {
  const { key, isInRows, isTyping } = pressed;
  if (isTyping || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null;
  if (key === 'j' || (key === 'ArrowDown' && isInRows)) return 'next';
  if (key === 'k' || (key === 'ArrowUp' && isInRows)) return 'previous';
  if (key === 'x') return 'select';
  return own.includes(key) ? key : null;
}

/** The row to step to: the first if there was none; at an end it stays. Null if there are no rows. */
export function stepTo(count: number, from: number | null, step: 1 | -1) {
  if (count === 0) return null;
  if (from === null) return 0;
  return Math.min(count - 1, Math.max(0, from + step));
}

/** The row that takes the place of one that left the list. Null if there are no rows. */
export const takeOver = (count: number, at: number): number | null =>
  count === 0 ? null : Math.min(at, count - 1);
