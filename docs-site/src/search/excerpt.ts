const LENGTH = 160;
const BEFORE = 40;

/** A part of a text, around the first place that will be marked. */
export function cutExcerpt(text: string, marks: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = marks.map((mark) => lower.indexOf(mark)).filter((at) => at >= 0);
  const from = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - BEFORE);
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const end = start + LENGTH;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${text.length > end ? ' …' : ''}`;
}

export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** A text in pieces, at the marks. Where two marks begin together, the longer one counts. */
export function splitAtMarks(text: string, marks: readonly string[]): Piece[] {
  const longestFirst = marks.toSorted((one, other) => other.length - one.length);
  const pattern = new RegExp(`(${longestFirst.map(escapePattern).join('|')})`, 'giu');
  // Every second piece is what the group matched.
  return text
    .split(pattern)
    .map((piece, at) => ({ text: piece, isMarked: at % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
