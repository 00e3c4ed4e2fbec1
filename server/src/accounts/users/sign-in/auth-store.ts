import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable, Row } from '../../../platform/db/driver.ts';
import type { Instant } from '../../../platform/kit/instant.ts';

/** The library's tables, and the columns that it may name: nothing else reaches a statement. */
const COLUMNS = {
  users: [
    'id',
    'email',
    'name',
    'image',
    'email_verified',
    'two_factor_enabled',
    'created_at',
    'updated_at',
  ],
  user_sessions: [
    'id',
    'user_id',
    'token_hash',
    'method',
    'ip_address',
    'user_agent',
    'created_at',
    'updated_at',
    'seen_at',
    'expires_at',
  ],
  user_accounts: [
    'id',
    'user_id',
    'provider_id',
    'account_id',
    'password',
    'created_at',
    'updated_at',
  ],
  user_verifications: ['id', 'identifier', 'value', 'expires_at', 'created_at', 'updated_at'],
  user_two_factors: [
    'id',
    'user_id',
    'secret',
    'backup_codes',
    'verified',
    'failed_verification_count',
    'locked_until',
  ],
} as const;

export type AuthTable = keyof typeof COLUMNS;

export function isAuthTable(name: string): name is AuthTable {
  return Object.hasOwn(COLUMNS, name);
}

const OPERATORS = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** One of several conditions, all of which must be true. */
export interface Condition {
  readonly column: string;
  readonly operator: keyof typeof OPERATORS | 'in';
  readonly value: unknown;
}

export interface Selection {
  readonly table: AuthTable;
  readonly where: readonly Condition[];
  /** Sessions that began or were last seen before these times count as missing. */
  readonly liveSince?: { readonly createdAfter: Instant; readonly seenAfter: Instant };
}

function hasColumn(table: AuthTable, name: string): boolean {
  return (COLUMNS[table] as readonly string[]).includes(name);
}

function columnOf(table: AuthTable, name: string): string {
  if (!hasColumn(table, name)) throw new Error(`There is no column ${name} in ${table}.`);
  return name;
}

/** Writes the conditions, adding their values to `params`. */
function conditionsOf({ table, where, liveSince }: Selection, params: unknown[]): string {
  const add = (value: unknown) => `$${params.push(value)}`;
  const parts = where.map(({ column, operator, value }) => {
    const name = columnOf(table, column);
    if (operator === 'in') return `${name} = any(${add(value)})`;
    if (value === null) return `${name} is ${operator === 'ne' ? 'not ' : ''}null`;
    return `${name} ${OPERATORS[operator]} ${add(value)}`;
  });
  if (liveSince) {
    parts.push(`created_at > ${add(liveSince.createdAfter)}`);
    parts.push(`seen_at > ${add(liveSince.seenAfter)}`);
  }
  if (parts.length === 0) throw new Error(`A statement on ${table} has no condition.`);
  return parts.join(' and ');
}

export async function insertAuthRow(tx: Tx, table: AuthTable, row: Row): Promise<Row> {
  const names = Object.keys(row).filter((name) => hasColumn(table, name));
  const values = names.map((_, index) => `$${index + 1}`);
  const [inserted] = await tx.query(
    `insert into ${table} (${names.join(', ')}) values (${values.join(', ')}) returning *`,
    names.map((name) => row[name]),
  );
  return inserted as Row;
}

export function listAuthRows(
  db: Queryable,
  selection: Selection,
  { limit, newestFirst }: { readonly limit: number; readonly newestFirst: boolean },
): Promise<Row[]> {
  const params: unknown[] = [];
  const where = conditionsOf(selection, params);
  const order = newestFirst ? ' order by created_at desc, id desc' : '';
  return db.query(
    `select * from ${selection.table} where ${where}${order} limit $${params.push(limit)}`,
    params,
  );
}

export async function countAuthRows(db: Queryable, selection: Selection): Promise<number> {
  const params: unknown[] = [];
  const [row] = await db.query<{ count: bigint }>(
    `select count(*) as count from ${selection.table} where ${conditionsOf(selection, params)}`,
    params,
  );
  return Number(row?.count ?? 0n);
}

/** All matching rows. */
export async function updateAuthRows(tx: Tx, selection: Selection, changes: Row): Promise<Row[]> {
  const { table } = selection;
  const params: unknown[] = [];
  const changed = Object.entries(changes)
    .filter(([name]) => hasColumn(table, name))
    .map(([name, value]) => `${name} = $${params.push(value)}`);
  if (changed.length === 0) return listAuthRows(tx, selection, { limit: 1, newestFirst: false });
  return tx.query(
    `update ${table} set ${changed.join(', ')} where ${conditionsOf(selection, params)} returning *`,
    params,
  );
}

/** At most one row that matches once it is locked: of two concurrent calls, the second sees the result of the first. */
export async function incrementAuthRow(
  tx: Tx,
  selection: Selection,
  increments: Readonly<Record<string, number>>,
  changes: Row,
): Promise<Row | undefined> {
  const { table } = selection;
  const params: unknown[] = [];
  const changed = [
    ...Object.entries(increments).map(([name, by]) => {
      const column = columnOf(table, name);
      return `${column} = coalesce(${column}, 0) + $${params.push(by)}::integer`;
    }),
    ...Object.entries(changes).map(
      ([name, value]) => `${columnOf(table, name)} = $${params.push(value)}`,
    ),
  ];
  const [row] = await tx.query(
    `update ${table} set ${changed.join(', ')} where id =
       (select id from ${table} where ${conditionsOf(selection, params)} limit 1 for update)
     returning *`,
    params,
  );
  return row;
}

/** At most one matching row; of two concurrent calls, only the first gets it. */
export async function consumeAuthRow(tx: Tx, selection: Selection): Promise<Row | undefined> {
  const { table } = selection;
  const params: unknown[] = [];
  const [row] = await tx.query(
    `delete from ${table} where id =
       (select id from ${table} where ${conditionsOf(selection, params)} limit 1 for update)
     returning *`,
    params,
  );
  return row;
}

export async function deleteAuthRows(tx: Tx, selection: Selection): Promise<Row[]> {
  const params: unknown[] = [];
  return tx.query(
    `delete from ${selection.table} where ${conditionsOf(selection, params)} returning *`,
    params,
  );
}
