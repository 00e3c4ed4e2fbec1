import { toArrayLiteral } from './array-literal.ts';

type Row = Record<string, unknown>;

interface Combined {
  readonly text: string;
  readonly params: readonly unknown[];
  /** The rows of each. */
  split(rows: readonly Row[]): Row[][];
}

/** The column with the number of the call that a row belongs to. */
const CALL = 'of call';

/** A name that no statement uses for itself. */
const CALLS = 'every_call';

const texts = new Map<string, string | null>();

/**
 * One statement for several calls of a statement that reads: it is run for each, by a plan made for one.
 * Null for a statement that writes, locks, or has parameters of unknown type: all but the first, which is
 * the Project's id, must be followed by their type.
 */
export function combineReads(
  text: string,
  calls: readonly (readonly unknown[])[],
): Combined | null {
  const count = (calls[0] as readonly unknown[]).length;
  let combined = texts.get(text);
  if (combined === undefined) {
    combined = compose(text, count);
    texts.set(text, combined);
  }
  if (combined === null) return null;
  const columns = Array.from({ length: count }, (_, index) =>
    calls.map((params) => toText(params[index])),
  );
  return {
    text: combined,
    params: [calls.map((_, index) => index), ...columns],
    split: (rows) => {
      const found: Row[][] = calls.map(() => []);
      for (const { [CALL]: call, ...row } of rows) found[call as number]?.push(row);
      return found;
    },
  };
}

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return toArrayLiteral(value);
  if (typeof value === 'object') throw new Error('Only plain values can be combined.');
  return String(value);
}

function compose(text: string, count: number): string | null {
  const isRead =
    /^\s*(?:select|with)\b/.test(text) &&
    !/\b(?:insert|update|delete|share|nextval|set_config)\b|lock/.test(text);
  const isTyped = [...text.matchAll(/\$(\d+)(::)?/g)].every(
    ([, number, type]) => number === '1' || type !== undefined,
  );
  if (!isRead || !isTyped) return null;
  const own = text.replaceAll(/\$(\d+)/g, (_, number) => `${CALLS}.p${number}`);
  const names = Array.from({ length: count }, (_, index) => `p${index + 1}`);
  const lists = names.map((_, index) => `$${index + 2}::text[]`);
  return `select ${CALLS}.n as "${CALL}", answers.* from unnest(${['$1::integer[]', ...lists].join(', ')})
      as ${CALLS} (${['n', ...names].join(', ')})
    cross join lateral (select * from (${own}) as answers offset 0) as answers`;
}
