import { isNode, LineCounter, type Node, parseDocument } from 'yaml';
import type { Issue } from '../../../platform/kit/errors.ts';

/** Longer than the longest file that a Program needs, and shorter than the limit of a body. */
const TEXT_LENGTH_MAX = 200_000;
/** An alias of an alias can stand for a great deal of text. */
const ALIASES_MAX = 100;

export type ReadText =
  | {
      readonly value: unknown;
      /** The line in which something is, from 1; undefined if it is not in the text. */
      readonly lineOf: (path: string) => number | undefined;
    }
  | { readonly issues: readonly Issue[] };

/** Reads YAML 1.2, of which JSON is a part. A repeated key, or a second document, is refused. */
export function readText(text: string): ReadText {
  if (text.length > TEXT_LENGTH_MAX) {
    return { issues: [{ path: '', issue: `must have at most ${TEXT_LENGTH_MAX} characters` }] };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: 'core',
    version: '1.2',
    uniqueKeys: true,
  });
  const [fault] = document.errors;
  if (fault) {
    const { line } = lines.linePos(fault.pos[0]);
    const reason = fault.message.replace(/\s+/g, ' ').replace(/\.$/, '');
    return { issues: [{ path: '', issue: `is not valid YAML in line ${line}: ${reason}` }] };
  }
  const [warning] = document.warnings;
  if (warning) {
    const { line } = lines.linePos(warning.pos[0]);
    return { issues: [{ path: '', issue: `has an unknown tag in line ${line}` }] };
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: ALIASES_MAX });
    return { value, lineOf: (path) => findLine(document, path, lines) };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return { issues: [{ path: '', issue: 'has an alias without an anchor, or too many of them' }] };
  }
}

/** Of the thing itself, or of the nearest one around it. */
function findLine(
  document: ReturnType<typeof parseDocument>,
  path: string,
  lines: LineCounter,
): number | undefined {
  const names = path.split('.').map((name) => (/^\d+$/.test(name) ? Number(name) : name));
  for (let length = names.length; length > 0; length -= 1) {
    const found = document.getIn(names.slice(0, length), true);
    const start = isNode(found) ? (found as Node).range?.[0] : undefined;
    if (start !== undefined) return lines.linePos(start).line;
  }
  return undefined;
}
