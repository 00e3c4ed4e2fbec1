import {
  type Document,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  parseDocument,
  visit,
} from 'yaml';
import { isStorable } from '../../../platform/http/routes/parse-json.ts';
import type { Issue } from '../../../platform/kit/errors.ts';
import { describeFault } from './yaml-fault.ts';

/** Several times what a program with a hundred rules needs. */
export const TEXT_LENGTH_MAX = 200_000;
/** Signs, names and spaces. Parsing takes a moment for each of them, and more for each mistake. */
const LEXEMES_MAX = 80_000;
/** Levels of lists and maps, each of which the parser counts twice or so. It recurs into each of them. */
const OPEN_MAX = 64;
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
  const excess = findExcess(text);
  if (excess) return refuse(excess);
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: 'core',
    version: '1.2',
    // It compares each key with all others.
    uniqueKeys: false,
  });
  const lineAt = (offset: number | undefined) => lines.linePos(offset ?? 0).line;
  const [fault] = document.errors;
  if (fault) return refuse(describeFault(fault, lineAt(fault.pos[0])));
  const [warning] = document.warnings;
  if (warning) return refuse(`has an unknown tag in line ${lineAt(warning.pos[0])}`);
  const repeated = findRepeatedKey(document);
  if (repeated) {
    return refuse(
      `has the key ${repeated.source ?? ''} again in line ${lineAt(repeated.range?.[0])}`,
    );
  }
  const strange = findUnstorable(document);
  if (strange) {
    return refuse(`has a NUL or a lone surrogate in line ${lineAt(strange.range?.[0])}`);
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: ALIASES_MAX });
    return { value, lineOf: (path) => findLine(document, path, lines) };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return refuse('has an alias without an anchor, or too many of them');
  }
}

const refuse = (issue: string): ReadText => ({ issues: [{ path: '', issue }] });

/** What would take too long to parse, or more stack than there is. */
function findExcess(text: string): string | undefined {
  if (text.length > TEXT_LENGTH_MAX) return `must have at most ${TEXT_LENGTH_MAX} characters`;
  const parser = new Parser();
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > LEXEMES_MAX) return 'has more fields and values than any program needs';
    for (const _token of parser.next(lexeme)) if (parser.stack.length > OPEN_MAX) break;
    if (parser.stack.length > OPEN_MAX) return 'is nested too deeply';
  }
  return undefined;
}

/** A key that is twice in a map: one of the values would be lost. */
function findRepeatedKey(document: Document.Parsed) {
  let repeated: (Node & { readonly source?: string | undefined }) | undefined;
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (seen.has(name)) {
          repeated = key;
          return visit.BREAK;
        }
        seen.add(name);
      }
      return undefined;
    },
  });
  return repeated;
}

/** Escapes such as "\\0" and "\\ud800" make text that cannot be stored out of text that can. */
function findUnstorable(document: Document.Parsed): Node | undefined {
  let found: Node | undefined;
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value !== 'string' || isStorable(node.value)) return undefined;
      found = node;
      return visit.BREAK;
    },
  });
  return found;
}

/** Of the thing itself, or of the nearest one around it. */
function findLine(document: Document.Parsed, path: string, lines: LineCounter): number | undefined {
  const names = path.split('.').map((name) => (/^\d+$/.test(name) ? Number(name) : name));
  for (let length = names.length; length > 0; length -= 1) {
    const found = document.getIn(names.slice(0, length), true);
    const start = isNode(found) ? found.range?.[0] : undefined;
    if (start !== undefined) return lines.linePos(start).line;
  }
  return undefined;
}
