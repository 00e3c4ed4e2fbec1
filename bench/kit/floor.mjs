import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signUp } from './projects.mjs';
import { trace } from './trace.mjs';

const run = promisify(execFile);

/** The id of a Project that `copyProject` made for the floor. */
const PROJECT = `'prj_f${'0'.repeat(20)}' || :project`;

/** What a signup with a code is by the contract: everything else is how the service keeps it. */
const CONTRACT = ['participants', 'touches', 'events', 'referrals', 'rewards', 'feed_events'];

/**
 * Two transactions for pgbench. `same` writes exactly the rows that one signup leaves: found by
 * comparing a Project before and after one. `contract` writes only those of the contract. Ids and
 * numbers are new each time, everything else is what the service wrote.
 */
export async function deriveFloors(query, service, template) {
  // The first signup makes rows that later ones only add to.
  await signUp(service, template, 'floor-first');
  const { made, changed } = await trace(query, template.projectId, () =>
    signUp(service, template, 'floor-second'),
  );
  const types = await columnTypes(query);
  const newIds = new Map();
  for (const { row } of made) {
    if (typeof row.id === 'string') newIds.set(row.id, newIds.size);
  }
  const valueAfter = (position) => (table, name, content, index) => {
    if (content === null) return 'null';
    if (name === 'project_id') return PROJECT;
    if (name === 'number' || name === 'kind_number') return `${position}::bigint + ${index}`;
    if (name === 'position') return `${position}::bigint - ${index}`;
    if (newIds.has(content)) return idExpression(content, newIds.get(content));
    if (content === 'floor-second') return `'floor-' || :unique`;
    return literal(content, types.get(`${table}.${name}`));
  };
  const insertInto = (table, rows, position) => {
    const value = valueAfter(position);
    const tuples = rows.map(
      (row, index) =>
        `(${Object.keys(row)
          .map((name) => value(table, name, row[name], index))
          .join(', ')})`,
    );
    return `insert into ${table} (${Object.keys(rows[0]).join(', ')}) values ${tuples.join(', ')}`;
  };
  const inserts = (tables, position) =>
    tables.map((table) => {
      const rows = made.filter((one) => one.table === table).map(({ row }) => row);
      return `${insertInto(table, rows, position)};`;
    });

  const tables = [...new Set(made.map(({ table }) => table))].filter((one) => one !== 'figures');
  const figures = [...made, ...changed].filter(({ table }) => table === 'figures');
  const same = [
    headStatement(changed),
    ...inserts(tables, ':position'),
    `${insertInto(
      'figures',
      figures.map(({ row }) => row),
      ':position',
    )} on conflict (project_id, subject, part) do update set numbers = excluded.numbers,
      referred = figures.referred + 1;`,
  ];
  const value = valueAfter(':position');
  for (const { table, key, old, row } of changed) {
    if (table === 'figures' || table === 'project_heads') continue;
    const sets = Object.keys(row)
      .filter((name) => typeof row[name] === 'number' && row[name] !== old[name])
      .map((name) => `${name} = ${name} + ${row[name] - old[name]}`);
    const where = key.map((name) => `${name} = ${value(table, name, row[name], 0)}`);
    same.push(`update ${table} set ${sets.join(', ')} where ${where.join(' and ')};`);
  }
  const contract = made.filter(({ table }) => CONTRACT.includes(table));
  return {
    same: toFloor(same, [...made, ...changed]),
    contract: toFloor(
      inserts(
        tables.filter((table) => CONTRACT.includes(table)),
        ':positions',
      ),
      contract,
    ),
  };
}

function toFloor(statements, rows) {
  return {
    rows: rows.length,
    tables: new Set(rows.map(({ table }) => table)).size,
    statements: statements.length,
    script: [
      '\\set project random(:low, :high)',
      '\\set n :n + 1',
      '\\set unique 1000000000000000000 + :n * 64 + :client_id',
      // Of a signup without a head. It has fewer than eight, and they are still within a bigint.
      '\\set positions :unique * 8',
      'begin;',
      ...statements.map((one) => one.replaceAll(/\s*\n\s*/g, ' ')),
      'end;',
      '',
    ].join('\n'),
  };
}

/** Takes the head's lock, and with it the positions of this signup's feed events. */
function headStatement(changed) {
  const { old, row } = changed.find(({ table }) => table === 'project_heads');
  const step = row.feed_position - old.feed_position;
  return `update project_heads set feed_position = feed_position + ${step},
    last_at = ${literal(row.last_at, 'timestamptz')}, numbers = ${literal(row.numbers, 'jsonb')}
    where project_id = ${PROJECT}
    returning feed_position as position \\gset`;
}

/** As long as the ids of the service. */
function idExpression(id, index) {
  const [prefix] = id.split('_', 1);
  return `'${prefix}_${String(index).padStart(7, '0')}' || :unique`;
}

function literal(content, type) {
  const text = typeof content === 'object' ? JSON.stringify(content) : String(content);
  if (type === 'timestamptz') return `'${text.replaceAll(/[-:]/g, '')}'`;
  // A colon before a letter or digit would be a variable to pgbench, even inside quotes. The
  // planner computes such a constant once.
  const quoted = `'${text.replaceAll("'", "''")}'`.replaceAll(/:(?=\w)/g, "' || chr(58) || '");
  return quoted.includes('chr(58)') ? `(${quoted})::${type}` : quoted;
}

export async function columnTypes(query) {
  const rows = await query(
    `select table_name || '.' || column_name as name, udt_name as type
     from information_schema.columns where table_schema = 'public'`,
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/** Of the transactions in pgbench's logs, whose third column is the time of each in microseconds. */
async function readMedianMs(folder) {
  const names = (await readdir(folder)).filter((name) => name.startsWith('log'));
  const logs = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const times = logs.flatMap((log) =>
    log
      .trimEnd()
      .split('\n')
      .map((line) => Number(line.split(' ')[2])),
  );
  return times.sort((a, b) => a - b)[times.length >> 1] / 1_000;
}

let runs = 0;

/** CPU seconds of the shell's children: the last line that `times` prints, such as `0m1.5s 0m2.0s`. */
function readTimes(stdout) {
  const [minutes, seconds, moreMinutes, moreSeconds] = stdout
    .trimEnd()
    .split('\n')
    .at(-1)
    .match(/[\d.]+/g)
    .map(Number);
  return (minutes + moreMinutes) * 60 + seconds + moreSeconds;
}

/**
 * What pgbench reaches with so many clients over the floor's Projects `low` to `high`: signups
 * per second, and the CPU in ms that it and the database spend on one.
 */
export async function runFloor(cluster, floor, { clients, seconds, low, high }) {
  runs += 1;
  const folder = await mkdtemp(join(tmpdir(), 'goodword-floor-'));
  try {
    const file = join(folder, 'signup.sql');
    await writeFile(file, floor.script);
    const databaseBefore = cluster.cpuSeconds();
    const { stdout, stderr } = await run(
      'bash',
      [
        ...['-c', '"$@"; times', 'floor', join(cluster.bin, 'pgbench')],
        ...['-n', '-M', 'prepared', '-f', file, '-c', String(clients), '-j', '1'],
        ...['-T', String(seconds), '-D', `low=${low}`, '-D', `high=${high}`],
        ...['-l', '--log-prefix', join(folder, 'log')],
        ...['-D', `n=${runs * 10_000_000}`, cluster.url],
      ],
      { env: { PATH: process.env.PATH } },
    );
    const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? '0';
    if (failed !== '0' || !/tps = \d/.test(stdout))
      throw new Error(`The floor failed: ${stdout}${stderr}`);
    const databaseSeconds = cluster.cpuSeconds() - databaseBefore;
    const count = Number(/actually processed: (\d+)/.exec(stdout)[1]);
    return {
      perSecond: Number(/tps = ([\d.]+)/.exec(stdout)[1]),
      p50: await readMedianMs(folder),
      cpuMs: ((databaseSeconds + readTimes(stdout)) * 1_000) / count,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
