import type { Column, Columns } from './columns.ts';
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
export function writeRows<R>(
  columns: Columns<R>,
  compose: (shared: readonly string[]) => string,
): WriteRows<R> {
  const all = Object.values(columns);
  const texts = new Map<string, string>();
  return (tx, projectId, rows, shared = {}) => {
    const names = Object.keys(shared);
    const key = names.join();
    const text = texts.get(key) ?? compose(names);
    texts.set(key, text);
    const lists = all.map(({ read }) => rows.map((row) => read(row)));
    tx.send(text, [projectId, ...Object.values(shared), ...lists]);
  };
}

/** The lists as a relation, in the form that `few-rows.ts` recognises. The first is parameter `$first`. */
export function unnestOf(columns: Columns<never>, first: number): string {
  const lists = Object.values(columns).map(
    ({ type }, index) => `$${first + index}::${type === 'json' ? 'text' : type}[]`,
  );
  return `unnest(${lists.join(', ')}) as r (${Object.keys(columns).join(', ')})`;
}

/** A column of that relation, as the table has it: arrays of JSON are sent as text. */
export function pick([name, { type }]: [string, Column<never>]): string {
  return type === 'json' ? `r.${name}::json` : `r.${name}`;
}
