/** A statement with its parameters. */
export interface Statement {
  readonly text: string;
  readonly params: readonly unknown[];
}

interface Shape {
  readonly id: number;
  /** The table it writes. */
  readonly table: string;
  /** Every word in it, including every table it reads. */
  readonly words: ReadonlySet<string>;
}

const WRITE = /^\s*(?:insert into|update|delete from)\s+([a-z_]+)\b/;
const shapes = new Map<string, Shape | null>();

/** Null if it is not a plain write and must be sent separately. Texts are constants of the program. */
function shapeOf(text: string): Shape | null {
  let shape = shapes.get(text);
  if (shape === undefined) {
    const table = WRITE.exec(text)?.[1];
    shape =
      table === undefined
        ? null
        : { id: shapes.size, table, words: new Set(text.match(/[a-z_]+/g)) };
    shapes.set(text, shape);
  }
  return shape;
}

/**
 * Whether a write may be merged with the waiting ones. The parts of a statement do not see each
 * other's rows, so none may write a table that another one even names.
 */
export function canJoin(waiting: readonly Statement[], next: Statement): boolean {
  const shape = shapeOf(next.text);
  if (!shape) return false;
  return waiting.every(({ text }) => {
    const other = shapeOf(text);
    return other && !other.words.has(shape.table) && !shape.words.has(other.table);
  });
}

/**
 * Each text is prepared on every connection, so the number of combinations must be limited. Short
 * transactions have more combinations, and a separate limit.
 */
const MERGED_MAX = 200;

type Kind = 'short' | 'long';
export type MergeWrites = (statements: readonly Statement[], kind: Kind) => readonly Statement[];

/** For the writes of one database: one statement that does the same; or the given ones, once there are too many combinations. */
export function createMerger(): MergeWrites {
  const merged: Readonly<Record<Kind, Map<string, string>>> = { short: new Map(), long: new Map() };
  return (statements, kind) => {
    if (statements.length === 1) return statements;
    const key = statements.map(({ text }) => shapeOf(text)?.id).join();
    let text = merged[kind].get(key);
    if (text === undefined) {
      if (merged[kind].size >= MERGED_MAX) return statements;
      text = compose(statements);
      merged[kind].set(key, text);
    }
    return [{ text, params: statements.flatMap(({ params }) => params) }];
  };
}

function compose(statements: readonly Statement[]): string {
  let offset = 0;
  const parts = statements.map(({ text, params }) => {
    const moved = text.replaceAll(/\$(\d+)/g, (_, number) => `$${Number(number) + offset}`);
    offset += params.length;
    return moved;
  });
  const last = parts.pop();
  return `with ${parts.map((part, index) => `w${index} as (${part})`).join(', ')} ${last}`;
}
