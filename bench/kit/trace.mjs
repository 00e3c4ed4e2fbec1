import { listProjectTables, writtenColumns } from './projects.mjs';

/** What a call leaves in a Project's tables: `made` rows, and `changed` ones with their `old` form. */
export async function trace(query, projectId, call) {
  const before = await photograph(query, projectId);
  await call();
  const after = await photograph(query, projectId);
  const made = [];
  const changed = [];
  for (const [table, { key, rows }] of after) {
    for (const [name, row] of rows) {
      const old = before.get(table).rows.get(name);
      if (!old) made.push({ table, row });
      else if (JSON.stringify(old) !== JSON.stringify(row)) changed.push({ table, key, old, row });
    }
  }
  return { made, changed };
}

/** Every row of a Project, as it was written, by table and then by primary key. */
async function photograph(query, projectId) {
  const photo = new Map();
  for (const table of await listProjectTables(query)) {
    const columns = await writtenColumns(query, table);
    const rows = await query(
      `select to_jsonb(t) as image
       from (select ${columns.join(', ')} from ${table} where project_id = $1) t`,
      [projectId],
    );
    const key = await primaryKey(query, table);
    photo.set(table, {
      key,
      rows: new Map(rows.map(({ image }) => [key.map((name) => image[name]).join('\n'), image])),
    });
  }
  return photo;
}

async function primaryKey(query, table) {
  const rows = await query(
    `select a.attname as name from pg_index i
     join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
     where i.indrelid = $1::regclass and i.indisprimary order by array_position(i.indkey, a.attnum)`,
    [table],
  );
  return rows.map(({ name }) => name);
}
