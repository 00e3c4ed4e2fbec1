import { APIError } from 'better-auth/api';
import type { Database, Tx } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/driver.ts';
import { systemClock } from '../../../platform/kit/clock.ts';
import { addMs, toInstant } from '../../../platform/kit/instant.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { insertOnce } from '../store.ts';
import type { UserDeps } from '../user-deps.ts';
import { currentAuthCall } from './auth-call.ts';
import {
  incrementAuthRow,
  insertAuthRow,
  listAuthRows,
  type Selection,
  updateAuthRows,
} from './auth-store.ts';
import { hashToken } from './session-rules.ts';

const TABLE = 'user_two_factors';
const ONE = { limit: 1, newestFirst: false };

/** The rows of second factors as the library sees them; in the table they are bound to their user. */
export function createSecondFactorRows(database: Database, keyring: Keyring) {
  const open = (row: Row) => unbindSecondFactor(keyring, row);

  /** Values from before they were bound are bound when they are used. */
  async function bindNow(row: Row): Promise<void> {
    const bound = bindSecondFactor(keyring, row.user_id as string, open(row));
    const where = ['id', 'secret', 'backup_codes'].map((column) => ({
      column,
      operator: 'eq' as const,
      value: row[column],
    }));
    const { secret, backup_codes } = bound;
    await database.transaction((tx) =>
      updateAuthRows(tx, { table: TABLE, where }, { secret, backup_codes }),
    );
  }

  return {
    async insert(tx: Tx, row: Row): Promise<Row> {
      const bound = bindSecondFactor(keyring, row.user_id as string, row);
      return open(await insertAuthRow(tx, TABLE, bound));
    },

    async list(selection: Selection, options: Parameters<typeof listAuthRows>[2]): Promise<Row[]> {
      const rows = await listAuthRows(database.reads, selection, options);
      for (const row of rows) if (isUnbound(row)) await bindNow(row);
      return rows.map(open);
    },

    /** Of one user only: the library changes no others. */
    async update(tx: Tx, selection: Selection, changes: Row): Promise<Row[]> {
      const [row] = await listAuthRows(tx, selection, ONE);
      if (!row) return [];
      const bound = bindSecondFactor(keyring, row.user_id as string, changes);
      return (await updateAuthRows(tx, selection, bound)).map(open);
    },

    /** The library passes the codes that it read: of two concurrent uses of one, the second must fail. */
    async increment(
      tx: Tx,
      { where, ...selection }: Selection,
      increments: Readonly<Record<string, number>>,
      changes: Row,
    ): Promise<Row | undefined> {
      const others = where.filter(({ column }) => column !== 'backup_codes');
      const seen = where.find(({ column }) => column === 'backup_codes');
      const [row] = await listAuthRows(tx, { ...selection, where: others }, ONE);
      if (!row || (seen && open(row).backup_codes !== seen.value)) return undefined;
      const kept = seen ? [{ ...seen, value: row.backup_codes }] : [];
      const bound = bindSecondFactor(keyring, row.user_id as string, changes);
      const changed = await incrementAuthRow(
        tx,
        { ...selection, where: [...others, ...kept] },
        increments,
        bound,
      );
      return changed && open(changed);
    },
  };
}

/** Columns that the library encrypts, but does not bind to their row. */
const SEALED = ['secret', 'backup_codes'] as const;
/** The library's own format is hexadecimal: none of its values begins like this. */
const BOUND = 'v1.';

const contextOf = (userId: string, column: string) => `${userId}/${column}`;

/** Seals the library's values for this user and this column only. */
export function bindSecondFactor(keyring: Keyring, userId: string, row: Row): Row {
  const bound = SEALED.flatMap((column) =>
    typeof row[column] === 'string'
      ? [[column, keyring.seal('second-factor', row[column], contextOf(userId, column))]]
      : [],
  );
  return { ...row, ...Object.fromEntries(bound) };
}

/**
 * The library's values. Throws for a value of another user or another column. Values of an earlier
 * version are not bound, and are read unchanged.
 */
export function unbindSecondFactor(keyring: Keyring, row: Row): Row {
  const userId = row.user_id as string;
  const opened = SEALED.flatMap((column) => {
    const value = row[column];
    if (typeof value !== 'string' || !value.startsWith(BOUND)) return [];
    return [[column, keyring.open('second-factor', value, contextOf(userId, column))]];
  });
  return { ...row, ...Object.fromEntries(opened) };
}

/** Whether any of its values was written by an earlier version. */
export function isUnbound(row: Row): boolean {
  return SEALED.some((column) => !String(row[column]).startsWith(BOUND));
}

/** A code is valid for its half minute, and those before and after. */
const CODE_KEPT_MS = 5 * 60_000;

/** A code of a second factor opens one session: anyone who saw it being typed cannot use it again. */
export async function spendCode(
  { database }: Pick<UserDeps, 'database'>,
  userId: string,
): Promise<void> {
  const call = currentAuthCall();
  if (!call) return;
  // By the library's clock, which codes and the deletion of expired rows also use.
  const now = toInstant(systemClock.nowMs());
  const id = `code_${hashToken(`${userId} ${call.code}`)}`;
  const isFirst = await database.transaction((tx) =>
    insertOnce(tx, id, now, addMs(now, CODE_KEPT_MS)),
  );
  if (isFirst) return;
  call.wrongCodeOf = userId;
  throw new APIError('UNAUTHORIZED', {
    code: 'INVALID_CODE',
    message: 'This code was already used. Wait for the next one.',
  });
}
