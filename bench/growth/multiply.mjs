/**
 * Writes rows in the form that a traced call left, `count` times over, with direct SQL. Ids
 * of the trace become ids made of a number `n`, wherever they stand, also inside JSON;
 * numbers of lists and positions of the feed start above `base` and rise by `stride` with `n`.
 */
export function multiply({ made, changed }, { projectId, count, names, base, stride, ownerOf }) {
  const ids = new Map(names);
  for (const { row } of made) {
    if (typeof row.id === 'string' && !ids.has(row.id)) {
      const at = String(ids.size).padStart(2, '0');
      ids.set(row.id, `'${row.id.split('_', 1)[0]}_0${at}' || lpad(n::text, 23, '0')`);
    }
  }
  const pattern = new RegExp([...ids.keys()].map(escapePattern).join('|'), 'g');
  const sqlText = (text) => {
    const parts = [];
    let from = 0;
    for (const match of text.matchAll(pattern)) {
      parts.push(quote(text.slice(from, match.index)), `(${ids.get(match[0])})`);
      from = match.index + match[0].length;
    }
    parts.push(quote(text.slice(from)));
    return parts.join(' || ');
  };
  const column = (table, name, value, index) => {
    if (value === null) return 'null';
    if (name === 'project_id') return quote(projectId);
    if (name === 'number' || name === 'kind_number' || name === 'position') {
      return `${base(table, name)} + (n - 1) * ${stride(table)} + ${index + 1}`;
    }
    return sqlText(typeof value === 'object' ? JSON.stringify(value) : String(value));
  };
  const statements = [];
  for (const table of new Set(made.map((one) => one.table))) {
    const rows = made.filter((one) => one.table === table).map(({ row }) => row);
    for (const [index, row] of rows.entries()) {
      const columns = Object.keys(row).filter((name) => row[name] !== null);
      statements.push({
        table,
        columns,
        values: columns.map((name) => column(table, name, row[name], index)),
      });
    }
  }
  // What a call added to a row that was there, all calls together add `count` times.
  const additions = changed
    .filter(({ table, row }) => table !== 'project_heads' && !ownerOf?.(row))
    .flatMap(({ table, key, old, row }) => {
      const sets = Object.keys(row)
        .filter((name) => typeof row[name] === 'number' && row[name] !== old[name])
        .map((name) => `${name} = ${name} + ${(row[name] - old[name]) * count}`);
      const numbers = Object.entries(addedNumbers({ old, row })).map(([name, more]) => [
        name,
        String(more * BigInt(count)),
      ]);
      if (numbers.length > 0) {
        const text = JSON.stringify(Object.fromEntries(numbers));
        sets.push(`numbers = add_numbers(numbers, ${quote(text)})`);
      }
      const where = key.map((one) => `${one} = ${quote(row[one])}`).join(' and ');
      return sets.length === 0
        ? []
        : [{ text: `update ${table} set ${sets.join(', ')} where ${where}` }];
    });
  return { ids, statements, additions };
}

export async function insertMultiplied(query, types, { statements, additions }, { count, slice }) {
  for (let from = 1; from <= count; from += slice) {
    const to = Math.min(count, from + slice - 1);
    for (const { table, columns, values } of statements) {
      const cast = values.map(
        (value, index) => `(${value})::${types.get(`${table}.${columns[index]}`)}`,
      );
      await query(
        `insert into ${table} (${columns.join(', ')})
         select ${cast.join(', ')} from generate_series(${from}, ${to}) as n`,
      );
    }
  }
  for (const { text } of additions) await query(text);
}

/** By how much each of a row's figures grew. */
export function addedNumbers({ old, row }) {
  const grown = Object.entries(row.numbers ?? {}).map(([name, value]) => [
    name,
    BigInt(value) - BigInt(old.numbers[name] ?? 0),
  ]);
  return Object.fromEntries(grown.filter(([, more]) => more !== 0n));
}

const quote = (text) => `'${String(text).replaceAll("'", "''")}'`;
const escapePattern = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
