/** A piece of a line; `null` for signs and plain text. */
export interface Piece {
  readonly text: string;
  readonly kind: 'key' | 'text' | 'value' | 'comment' | null;
}

const LINE = /^(\s*(?:- )*)(?:("[^"]*"|[^\s#"'[\]{}:][^:#]*)(:)(?=\s|$))?(.*)$/;
const VALUE = /^(\s*)(true|false|null|-?\d+(?:\.\d+)?)(\s*)$/;

/** The pieces of a line of YAML, as the service writes it. Together they are the line. */
export function highlightLine(line: string): readonly Piece[] {
  if (/^\s*#/.test(line)) return [{ text: line, kind: 'comment' }];
  const [, indent = '', key = '', colon = '', rest = ''] = LINE.exec(line) ?? [
    '',
    '',
    '',
    '',
    line,
  ];
  const comment = /\s#.*$/.exec(rest)?.[0] ?? '';
  const value = rest.slice(0, rest.length - comment.length);
  const pieces: Piece[] = [
    { text: indent, kind: null },
    { text: key, kind: 'key' },
    { text: colon, kind: null },
    { text: value, kind: VALUE.test(value) ? 'value' : 'text' },
    { text: comment, kind: 'comment' },
  ];
  return pieces.filter(({ text }) => text !== '');
}
