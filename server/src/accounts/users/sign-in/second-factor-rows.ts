import type { Database, Tx } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/driver.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import {
  incrementAuthRow,
  insertAuthRow,
  listAuthRows,
  type Selection,
  updateAuthRows,
} from './auth-store.ts';
import { bindSecondFactor, isUnbound, unbindSecondFactor } from './bind-second-factor.ts';

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
