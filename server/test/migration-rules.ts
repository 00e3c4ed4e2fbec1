/**
 * What is wrong with a migration, if versions are to run side by side while it is rolled out: see
 * docs/upgrades.md. Empty if nothing is.
 */
export function objectionsTo(sql: string, before: readonly string[]): string[] {
  const runsBeside = header(sql, 'Runs beside');
  if (runsBeside === null) return ['has no line "-- Runs beside: …"'];
  // Everything is stopped for it, so it may do anything.
  if (runsBeside === 'none') return [];
  if (!before.includes(runsBeside)) return [`runs beside ${runsBeside}, which is not before it`];
  const made = [...code(sql).matchAll(/\bcreate table (?:if not exists )?(\w+)/g)].map(
    ([, table]) => table,
  );
  return code(sql)
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '' && !made.includes(tableOf(statement)))
    .flatMap((statement) => [
      ...(hasContract(sql, before, runsBeside) || widens(sql, statement)
        ? []
        : contractions(statement)),
      ...(header(sql, 'Takes long') === null ? slowness(statement) : []),
      ...impossible(statement),
    ]);
}

function header(sql: string, name: string): string | null {
  return new RegExp(`^-- ${name}: (.+)$`, 'm').exec(sql)?.[1] ?? null;
}

function code(sql: string): string {
  return sql
    .replace(/--.*$/gm, '')
    .replace(/'[^']*'/g, "''")
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

function tableOf(statement: string): string | undefined {
  return /^(?:alter table|update|delete from|create (?:unique )?index .*? on|create table(?: if not exists)?|insert into) (?:only )?(\w+)/.exec(
    statement,
  )?.[1];
}

/** A contraction is allowed once no program that may still run uses what it takes away. */
function hasContract(sql: string, before: readonly string[], runsBeside: string): boolean {
  const since = /unused since (\S+)$/.exec(header(sql, 'Contracts') ?? '')?.[1];
  return since !== undefined && before.includes(since) && since <= runsBeside;
}

/** A unique index that takes the place of a stricter one refuses nothing that was not refused before. */
function widens(sql: string, statement: string): boolean {
  const stricter = header(sql, 'Widens');
  return (
    stricter !== null &&
    statement.startsWith('create unique index') &&
    code(sql).includes(`drop index ${stricter};`)
  );
}

function contractions(statement: string): string[] {
  const found: [RegExp, string][] = [
    [/\bdrop (table|column|view|type)\b/, 'takes away what older programs use'],
    [/\brename\b/, 'renames what older programs use'],
    [/\balter column \w+ (set data )?type\b/, 'changes a type'],
    [/\bset not null\b/, 'refuses nulls that older programs write'],
    [/\bcreate unique index\b/, 'refuses rows that older programs write'],
    [/\badd (constraint \w+ )?unique\b/, 'refuses rows that older programs write'],
    [/\bdrop default\b/, 'takes away a default that older programs rely on'],
  ];
  const isStrict = /\badd (column )?(if not exists )?\w+ [^,]*\bnot null\b/.test(statement);
  const hasDefault = /\bdefault\b|\bgenerated\b/.test(statement);
  return [
    ...found.filter(([pattern]) => pattern.test(statement)).map(([, why]) => why),
    ...(isStrict && !hasDefault ? ['adds a column that older programs do not fill'] : []),
  ];
}

function slowness(statement: string): string[] {
  const found: [RegExp, string][] = [
    [/^(update|delete from|truncate|lock table|cluster|vacuum)\b/, 'works through a whole table'],
    [/\bstored\b/, 'writes a whole table anew'],
    [/\bvalidate constraint\b/, 'reads a whole table'],
    [
      /^create (unique )?index (?!if not exists)/,
      'cannot be made ahead: say "create index if not exists"',
    ],
  ];
  const constrains = /\badd (constraint|check|foreign key)\b/.test(statement);
  return [
    ...found.filter(([pattern]) => pattern.test(statement)).map(([, why]) => why),
    ...(constrains && !/\bnot valid\b/.test(statement)
      ? ['checks a whole table under a lock: say "not valid"']
      : []),
  ];
}

function impossible(statement: string): string[] {
  return /\bconcurrently\b/.test(statement) ? ['cannot run in its transaction'] : [];
}
