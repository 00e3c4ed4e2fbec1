import type { Columns } from './columns.ts';
import { pick, unnestOf, type WriteRows, writeRows } from './write-rows.ts';

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
      where ${matches.join(' and ')}`;
  });
}
