import type { Columns } from './columns.ts';
import { pick, unnestOf, type WriteRows, writeRows } from './write-rows.ts';

/**
 * Defines a statement that inserts many rows of one Project. `tail` follows the rows, which are called
 * `r` in it: `order by r.id`, `on conflict …`.
 */
export function insertRows<R>(table: string, columns: Columns<R>, tail = ''): WriteRows<R> {
  return writeRows(columns, (shared) => {
    const fixed = ['project_id', ...shared];
    const names = [...fixed, ...Object.keys(columns)];
    const values = [
      ...fixed.map((_, index) => `$${index + 1}`),
      ...Object.entries(columns).map(pick),
    ];
    return `insert into ${table} (${names.join(', ')}) select ${values.join(', ')}
      from ${unnestOf(columns, fixed.length + 1)} ${tail}`;
  });
}
