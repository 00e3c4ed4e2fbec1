import { type CleanedWhere, createAdapterFactory } from 'better-auth/adapters';
import type { Database } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/driver.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import { toInstant } from '../../../platform/kit/instant.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { updateUserSeen } from '../store.ts';
import {
  type AuthTable,
  type Condition,
  consumeAuthRow,
  countAuthRows,
  deleteAuthRows,
  incrementAuthRow,
  insertAuthRow,
  isAuthTable,
  listAuthRows,
  type Selection,
  updateAuthRows,
} from './auth-store.ts';
import { createSecondFactorRows } from './second-factor.ts';
import { hashToken, liveSince, readHandle, toHandle } from './session-rules.ts';

export interface AuthAdapterDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly keyring: Keyring;
  /** Called after a user's data changed, or a session of theirs ended. */
  readonly forgetUser: (userId: string) => void;
  /** Called for every wrong second factor. */
  readonly onWrongCode: (userId: string) => void;
}

/**
 * Connects the library to our database. Only the hash of a session's token is stored, so a list of
 * sessions has handles in place of the tokens; their start and end use our clock, not the
 * library's.
 */
export function createAuthAdapter({
  database,
  clock,
  keyring,
  forgetUser,
  onWrongCode,
}: AuthAdapterDeps) {
  const { reads } = database;
  const now = () => toInstant(clock.nowMs());
  const factors = createSecondFactorRows(database, keyring);
  const list = (selection: Selection, options: { limit: number; newestFirst: boolean }) =>
    selection.table === 'user_two_factors'
      ? factors.list(selection, options)
      : listAuthRows(reads, selection, options);
  const change = (selection: Selection, changes: Row) =>
    database.transaction((tx) =>
      selection.table === 'user_two_factors'
        ? factors.update(tx, selection, changes)
        : updateAuthRows(tx, selection, changes),
    );

  const select = (model: string, where: readonly CleanedWhere[] = []): Selection => {
    const table = tableOf(model);
    const conditions = where.map((one) => toCondition(table, one));
    return table === 'user_sessions'
      ? { table, where: conditions, liveSince: liveSince(now()) }
      : { table, where: conditions };
  };
  /** Expired sessions can also be ended. */
  const selectAll = (model: string, where: readonly CleanedWhere[]): Selection => {
    const { table, where: conditions } = select(model, where);
    return { table, where: conditions };
  };
  const forgetUsersOf = (table: AuthTable, rows: readonly Row[]) => {
    for (const row of rows) {
      const userId = table === 'users' ? row.id : row.user_id;
      if (typeof userId === 'string') forgetUser(userId);
    }
  };

  return createAdapterFactory({
    config: {
      adapterId: 'goodword',
      adapterName: 'Goodword',
      supportsDates: false,
      supportsJSON: false,
      supportsArrays: false,
      transaction: false,
    },
    adapter: () => ({
      async create({ model, data }) {
        const table = tableOf(model);
        if (table !== 'user_sessions') {
          const row = await database.transaction((tx) =>
            table === 'user_two_factors'
              ? factors.insert(tx, data)
              : insertAuthRow(tx, table, data),
          );
          forgetUsersOf(table, [row]);
          return row as typeof data;
        }
        const token = String(data.token_hash);
        const at = now();
        const session = {
          ...data,
          token_hash: hashToken(token),
          created_at: at,
          updated_at: at,
          seen_at: at,
        };
        const row = await database.transaction((tx) => {
          updateUserSeen(tx, String(data.user_id), at);
          return insertAuthRow(tx, table, session);
        });
        return { ...row, token_hash: token } as unknown as typeof data;
      },
      async findOne<T>({ model, where }: { model: string; where: CleanedWhere[] }) {
        const [row] = await list(select(model, where), {
          limit: 1,
          newestFirst: false,
        });
        return (row ? withToken(model, row, where) : null) as T | null;
      },
      async findMany<T>({
        model,
        where = [],
        limit,
        sortBy,
      }: {
        model: string;
        where?: CleanedWhere[] | undefined;
        limit: number;
        sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined;
      }) {
        const newestFirst = sortBy?.direction === 'desc';
        const rows = await list(select(model, where), { limit, newestFirst });
        return rows.map((row) => withToken(model, row, where)) as T[];
      },
      count: ({ model, where }) => countAuthRows(reads, select(model, where)),
      async update<T>({
        model,
        where,
        update,
      }: {
        model: string;
        where: CleanedWhere[];
        update: T;
      }) {
        const selection = select(model, where);
        const rows = await change(selection, update as Row);
        forgetUsersOf(selection.table, rows);
        return (rows[0] ? withToken(model, rows[0], where) : null) as T | null;
      },
      async updateMany({ model, where, update }) {
        const selection = select(model, where);
        const rows = await change(selection, update);
        forgetUsersOf(selection.table, rows);
        return rows.length;
      },
      async delete({ model, where }) {
        const selection = selectAll(model, where);
        forgetUsersOf(
          selection.table,
          await database.transaction((tx) => deleteAuthRows(tx, selection)),
        );
      },
      async deleteMany({ model, where }) {
        const selection = selectAll(model, where);
        const rows = await database.transaction((tx) => deleteAuthRows(tx, selection));
        forgetUsersOf(selection.table, rows);
        return rows.length;
      },
      async consumeOne<T>({ model, where }: { model: string; where: CleanedWhere[] }) {
        const selection = select(model, where);
        const row = await database.transaction((tx) => consumeAuthRow(tx, selection));
        return (row ?? null) as T | null;
      },
      async incrementOne<T>({
        model,
        where,
        increment,
        set = {},
      }: {
        model: string;
        where: CleanedWhere[];
        increment: Record<string, number>;
        set?: Record<string, unknown> | undefined;
      }) {
        const selection = select(model, where);
        const row = await database.transaction((tx) =>
          selection.table === 'user_two_factors'
            ? factors.increment(tx, selection, increment, set)
            : incrementAuthRow(tx, selection, increment, set),
        );
        if (row && (increment.failed_verification_count ?? 0) > 0) {
          onWrongCode(row.user_id as string);
        }
        return (row ?? null) as T | null;
      },
    }),
  });
}

function tableOf(model: string): AuthTable {
  if (!isAuthTable(model))
    throw new Error(`The sign-in library asks for ${model}, which is not stored.`);
  return model;
}

function toCondition(table: AuthTable, clause: CleanedWhere): Condition {
  const { field, operator, value, connector } = clause;
  if (connector === 'OR')
    throw new Error(`The sign-in library uses OR in a condition on ${table}.`);
  switch (operator) {
    case 'eq':
    case 'ne':
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
    case 'in':
      break;
    default:
      throw new Error(`The sign-in library compares ${field} of ${table} by ${operator}.`);
  }
  if (table !== 'user_sessions' || field !== 'token_hash')
    return { column: field, operator, value };
  const token = String(value);
  const sessionId = readHandle(token);
  return sessionId === undefined
    ? { column: field, operator: 'eq', value: hashToken(token) }
    : { column: 'id', operator: 'eq', value: sessionId };
}

/** If a session was looked up by its token, the token is known; else a handle replaces it. */
function withToken(model: string, row: Row, where: readonly CleanedWhere[]): Row {
  if (model !== 'user_sessions') return row;
  const asked = where.find(({ field }) => field === 'token_hash')?.value;
  return { ...row, token_hash: asked ?? toHandle(row.id as string) };
}
