import type { Instant } from '../kit/instant.ts';
import type { Tx } from './database.ts';

/** Times that are the same in every row, by column. */
type Times = Readonly<Record<string, Instant>>;

/** Sends a statement that writes rows of one Project. */
export type WriteRows<R> = (tx: Tx, projectId: string, rows: readonly R[], times?: Times) => void;

/** Texts of such a statement; each gets the names of the times. */
interface Forms {
  /** Its parameters are the Project's id, the times, and one list for each column. */
  one(times: readonly string[]): string;
  /** The same on Citus. */
  distributed?(times: readonly string[]): string;
  /** For rows of many Projects: one list for the ids of Projects, for each time and for each column. */
  many(times: readonly string[]): string;
}

/** Defines such a statement. Its texts are kept, because each is prepared once per connection. */
function writeRows<R>(columns: Columns<R>, forms: Forms): WriteRows<R> {
  const all = Object.values(columns);
  const texts = new Map<string, string>();
  return (tx, projectId, rows, times = {}) => {
    const names = Object.keys(times);
    const form = tx.sendLists
      ? 'many'
      : tx.isDistributed && forms.distributed
        ? 'distributed'
        : 'one';
    const key = `${form} ${names.join()}`;
    const text = texts.get(key) ?? (forms[form] as Forms['one'])(names);
    texts.set(key, text);
    const lists = all.map(({ read }) => rows.map((row) => read(row)));
    if (!tx.sendLists) return tx.send(text, [projectId, ...Object.values(times), ...lists]);
    const same = [projectId, ...Object.values(times)].map((value) => rows.map(() => value));
    tx.sendLists(text, [...same, ...lists]);
  };
}

/** Columns that the rows of many Projects have in addition. */
function ownColumns(times: readonly string[]): Columns<never> {
  return {
    project_id: text(() => null),
    ...Object.fromEntries(times.map((name) => [name, timestamptz(() => null)])),
  };
}

/** The lists as a relation, in the form that `few-rows.ts` recognises. The first is parameter `$first`. */
function unnestOf(columns: Columns<never>, first: number): string {
  const lists = Object.values(columns).map(
    ({ type }, index) => `$${first + index}::${isJson(type) ? 'text' : type}[]`,
  );
  return `unnest(${lists.join(', ')}) as r (${Object.keys(columns).join(', ')})`;
}

/** The columns of a row `name` of such a table, named as the fields of the program. */
export function selectColumns(name: string, columns: Columns<never>): string {
  return ['project_id', ...Object.keys(columns)]
    .map((column) => `${name}.${column} as "${toCamelCase(column)}"`)
    .join(', ');
}

function toCamelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A column of that relation, as the table has it: arrays of JSON are sent as text. */
function pick([name, { type }]: [string, Column<never>]): string {
  return isJson(type) ? `r.${name}::${type}` : `r.${name}`;
}

function isJson(type: string): boolean {
  return type === 'json' || type === 'jsonb';
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

/** The same for a column that the database looks into. */
export const jsonbText = ofType<string>('jsonb');

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
 * `r` in it: `order by r.id`, `on conflict …`. Citus may need another one.
 */
export function insertRows<R>(
  table: string,
  columns: Columns<R>,
  tail = '',
  distributedTail = tail,
): WriteRows<R> {
  const insertInto = (times: readonly string[]) =>
    `insert into ${table} (${['project_id', ...times, ...Object.keys(columns)].join(', ')})`;
  const insertSelect = (times: readonly string[], project: string, from: string) => {
    const values = [
      project,
      ...times.map((_, index) => `$${index + 2}`),
      ...Object.entries(columns).map(pick),
    ];
    const rows = unnestOf(columns, times.length + 2);
    return `${insertInto(times)} select ${values.join(', ')} from ${from}${rows}`;
  };
  const insertLists = writeRows(columns, {
    one: (times) => `${insertSelect(times, '$1', '')} ${tail}`,
    distributed: (times) =>
      `${insertSelect(times, 'h.project_id', `${HEAD} cross join `)} ${distributedTail}`,
    many: (times) => {
      const all = { ...ownColumns(times), ...columns };
      const values = Object.entries(all).map(pick).join(', ');
      return `${insertInto(times)} select ${values} from ${unnestOf(all, 1)} ${tail}`;
    },
  });
  if (/\br\./.test(tail)) return insertLists;
  const all = Object.values(columns);
  const texts = new Map<string, string>();
  return (tx, projectId, rows, times = {}) => {
    const isFew = tx.isShort && rows.length > 0 && rows.length <= FEW;
    if (!tx.isDistributed || !isFew) return insertLists(tx, projectId, rows, times);
    const names = Object.keys(times);
    const key = `${names.join()} ${rows.length}`;
    const text =
      texts.get(key) ??
      `${insertInto(names)} values ${rowsOf(names.length, all, rows.length)} ${distributedTail}`;
    texts.set(key, text);
    const values = rows.flatMap((row) => all.map(({ read }) => read(row)));
    tx.send(text, [projectId, ...Object.values(times), ...values]);
  };
}

/** Rows of parameters: the times are the same in each. */
function rowsOf(times: number, columns: readonly Column<never>[], count: number): string {
  const same = ['$1', ...Array.from({ length: times }, (_, index) => `$${index + 2}`)];
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
  const changes = Object.entries(columns).map((column) => `${column[0]} = ${pick(column)}`);
  const matches = ['project_id', ...Object.keys(keys)].map((name) => `t.${name} = r.${name}`);
  return writeRows(all, {
    one: (times) => {
      const moved = times.map((name, index) => `${name} = $${index + 2}`);
      return `update ${table} t set ${[...moved, ...changes].join(', ')}
      from (select $1::text as project_id, r.* from ${unnestOf(all, times.length + 2)}
        offset 0) as r
      where t.project_id = $1 and ${matches.join(' and ')}`;
    },
    many: (times) => {
      const moved = times.map((name) => `${name} = r.${name}`);
      return `update ${table} t set ${[...moved, ...changes].join(', ')}
      from (select r.* from ${unnestOf({ ...ownColumns(times), ...all }, 1)} offset 0) as r
      where ${matches.join(' and ')}`;
    },
  });
}
