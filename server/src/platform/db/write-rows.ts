import type { Instant } from '../kit/instant.ts';
import type { Tx } from './database.ts';

/** Columns that have the same value in every row, by name. */
type SharedColumns = Readonly<Record<string, string | number | bigint | boolean | null>>;

/** Sends a statement that writes rows of one Project. */
export type WriteRows<R> = (
  tx: Tx,
  projectId: string,
  rows: readonly R[],
  shared?: SharedColumns,
) => void;

/**
 * Defines such a statement. Its parameters are the Project's id, the values of the shared columns and
 * one list for each column. `compose` gets the names of the shared columns; its text is kept, because
 * each text is prepared once per connection.
 */
function writeRows<R>(
  columns: Columns<R>,
  compose: (shared: readonly string[], isDistributed: boolean) => string,
): WriteRows<R> {
  const all = Object.values(columns);
  const texts = new Map<string, string>();
  return (tx, projectId, rows, shared = {}) => {
    const names = Object.keys(shared);
    const key = `${names.join()} ${tx.isDistributed}`;
    const text = texts.get(key) ?? compose(names, tx.isDistributed);
    texts.set(key, text);
    const lists = all.map(({ read }) => rows.map((row) => read(row)));
    tx.send(text, [projectId, ...Object.values(shared), ...lists]);
  };
}

/** The lists as a relation, in the form that `few-rows.ts` recognises. The first is parameter `$first`. */
function unnestOf(columns: Columns<never>, first: number): string {
  const lists = Object.values(columns).map(
    ({ type }, index) => `$${first + index}::${type === 'json' ? 'text' : type}[]`,
  );
  return `unnest(${lists.join(', ')}) as r (${Object.keys(columns).join(', ')})`;
}

/** A column of that relation, as the table has it: arrays of JSON are sent as text. */
function pick([name, { type }]: [string, Column<never>]): string {
  return type === 'json' ? `r.${name}::json` : `r.${name}`;
}

/** A column of many rows: its type in the database, and its value in each row. */
export interface Column<R> {
  readonly type: string;
  readonly read: (row: R) => unknown;
}

/** The columns of a statement, by their names in the table. */
export type Columns<R> = Readonly<Record<string, Column<R>>>;

function ofType<V>(type: string) {
  return <R>(read: (row: R) => V | null): Column<R> => ({ type, read });
}

export const text = ofType<string>('text');
export const boolean = ofType<boolean>('boolean');
export const smallint = ofType<number>('smallint');
export const integer = ofType<number>('integer');
/** Amounts come as strings where they go out as such. */
export const bigint = ofType<number | bigint | string>('bigint');
export const numeric = ofType<string>('numeric');
export const date = ofType<string>('date');
export const timestamptz = ofType<Instant>('timestamptz');
/** JSON that is written already. */
export const jsonText = ofType<string>('json');

/** Any value, written as JSON; null stays the null of SQL. */
export function json<R>(read: (row: R) => unknown): Column<R> {
  return jsonText((row) => {
    const value = read(row);
    return value === null ? null : JSON.stringify(value);
  });
}

/**
 * Citus sends such a statement to the one shard of the Project only if it selects from there. Otherwise it would
 * carry the rows to the shard apart from the statement, and commit in two phases.
 */
const HEAD = '(select project_id from project_heads where project_id = $1) as h';

/**
 * In a short transaction on Citus so many rows are written one by one: their shard is then found without planning
 * a query for it. A signup counts in about twenty figures. Each number of rows is a statement of its own, which a
 * connection keeps.
 */
const FEW = 24;

/**
 * Defines a statement that inserts many rows of one Project. `tail` follows the rows, which are called
 * `r` in it: `order by r.id`, `on conflict …`.
 */
export function insertRows<R>(table: string, columns: Columns<R>, tail = ''): WriteRows<R> {
  const insertInto = (shared: readonly string[]) =>
    `insert into ${table} (${['project_id', ...shared, ...Object.keys(columns)].join(', ')})`;
  const insertLists = writeRows(columns, (shared, isDistributed) => {
    const values = [
      isDistributed ? 'h.project_id' : '$1',
      ...shared.map((_, index) => `$${index + 2}`),
      ...Object.entries(columns).map(pick),
    ];
    const rows = unnestOf(columns, shared.length + 2);
    return `${insertInto(shared)} select ${values.join(', ')}
      from ${isDistributed ? `${HEAD} cross join ${rows}` : rows} ${tail}`;
  });
  if (/\br\./.test(tail)) return insertLists;
  const all = Object.values(columns);
  const texts = new Map<string, string>();
  return (tx, projectId, rows, shared = {}) => {
    const isFew = tx.isShort && rows.length > 0 && rows.length <= FEW;
    if (!tx.isDistributed || !isFew) return insertLists(tx, projectId, rows, shared);
    const names = Object.keys(shared);
    const key = `${names.join()} ${rows.length}`;
    const text =
      texts.get(key) ??
      `${insertInto(names)} values ${rowsOf(names.length, all, rows.length)} ${tail}`;
    texts.set(key, text);
    const values = rows.flatMap((row) => all.map(({ read }) => read(row)));
    tx.send(text, [projectId, ...Object.values(shared), ...values]);
  };
}

/** Rows of parameters: those of the shared columns are the same in each. */
function rowsOf(shared: number, columns: readonly Column<never>[], count: number): string {
  const same = ['$1', ...Array.from({ length: shared }, (_, index) => `$${index + 2}`)];
  let used = same.length;
  const rows = Array.from({ length: count }, () => {
    const own = columns.map(({ type }) => {
      used += 1;
      return `$${used}::${type}`;
    });
    return `(${[...same, ...own].join(', ')})`;
  });
  return rows.join(', ');
}

/**
 * Defines a statement that updates many rows of one Project, each found by its `keys`. `offset 0` has
 * the planner look them up one by one: it takes every Project to be of average size.
 */
export function updateRows<R>(table: string, keys: Columns<R>, columns: Columns<R>): WriteRows<R> {
  const all = { ...keys, ...columns };
  return writeRows(all, (shared) => {
    const changes = [
      ...shared.map((name, index) => `${name} = $${index + 2}`),
      ...Object.entries(columns).map((column) => `${column[0]} = ${pick(column)}`),
    ];
    const matches = ['project_id', ...Object.keys(keys)].map((name) => `t.${name} = r.${name}`);
    return `update ${table} t set ${changes.join(', ')}
      from (select $1::text as project_id, r.* from ${unnestOf(all, shared.length + 2)}
        offset 0) as r
      where t.project_id = $1 and ${matches.join(' and ')}`;
  });
}
