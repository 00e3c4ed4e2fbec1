import type { RestoreRow } from '../../accounts/workspaces/payment-hold/restore.ts';
import {
  findRestore,
  listRestores as listRows,
} from '../../accounts/workspaces/payment-hold/restore-queries.ts';
import { findProjectIds } from '../../accounts/workspaces/queries.ts';
import { sumCredits } from '../../domain/rewards/advances/queries.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { exponentOf } from '../../platform/kit/currencies.ts';
import { noSuch } from '../../platform/kit/errors.ts';
import { sumAdvances } from '../payouts/advances/queries.ts';
import { listUnsettledFiles } from '../payouts/queries.ts';
import type { Account, CheckRow } from './checks/check.ts';
import { listChecks } from './checks/check-store.ts';
import { listAccounts } from './checks/list-accounts.ts';
import { openChecks, type Standing } from './decide-release.ts';
import type { Restore } from './schema.ts';

const RESTORES_MAX = 50;
const FILES_MAX = 50;

/** Fails with NOT_FOUND. */
export async function getRestore(
  db: Queryable,
  workspaceId: string,
  restoreId: string,
): Promise<RestoreRow> {
  const row = await findRestore(db, workspaceId, restoreId);
  if (!row) throw noSuch('restore in this workspace');
  return row;
}

/** The restores of a workspace, newest first. */
export async function showRestores(db: Queryable, workspaceId: string): Promise<Restore[]> {
  const rows = await listRows(db, workspaceId, RESTORES_MAX);
  return Promise.all(rows.map((row) => showRestore(db, row)));
}

export async function showRestore(db: Queryable, row: RestoreRow): Promise<Restore> {
  const { workspaceId, createdAt, releasedAt } = row;
  const [checks, transfers, projectIds, files] = await Promise.all([
    findChecks(db, row),
    sumAdvances(db, workspaceId, row.id),
    listProjectIds(db, workspaceId),
    listUnsettledFiles(db, workspaceId, createdAt, FILES_MAX),
  ]);
  const standing = standingOf(checks, transfers);
  return {
    ...row,
    status: releasedAt === null ? 'held' : 'released',
    checks: checks.map(toCheck),
    transfers: transfers.map(({ amountMinor, leftMinor, unassigned, ...sum }) => ({
      ...sum,
      amountMinor: String(amountMinor),
      leftMinor: String(leftMinor),
      unassignedCount: unassigned,
    })),
    credits: (await sumCredits(db, projectIds, row.id)).map(
      ({ currency, count, amountMinor, leftMinor }) => ({
        currency,
        currencyExponent: exponentOf(currency),
        count,
        amountMinor: String(amountMinor),
        leftMinor: String(leftMinor),
        unassignedCount: 0,
      }),
    ),
    files: files.map(({ id, environment, projectIds, status, totals }) => ({
      batchId: id,
      environment,
      projectIds: [...projectIds],
      status,
      totals: [...totals],
    })),
    canRelease: releasedAt === null && openChecks(standing).length === 0,
  };
}

async function listProjectIds(db: Queryable, workspaceId: string): Promise<string[]> {
  const ids = await Promise.all(
    (['live', 'sandbox'] as const).map((one) => findProjectIds(db, workspaceId, one)),
  );
  return ids.flat();
}

/** Those of connected accounts that nobody has begun to ask, too; of a released restore, as they were. */
export async function findChecks(db: Queryable, restore: RestoreRow): Promise<CheckRow[]> {
  const rows = await listChecks(db, restore.id);
  if (restore.releasedAt !== null) return rows;
  const accounts = await listAccounts(db, restore.workspaceId);
  const known = new Set(rows.map(({ connectionId }) => connectionId));
  const missing = accounts.filter(({ connectionId }) => !known.has(connectionId));
  // What was asked for less than is unknown now was not asked.
  const isShort = (row: CheckRow) => row.since > restore.since && row.status === 'asked';
  return [
    ...rows.map((row) => (isShort(row) ? { ...row, status: 'asking' as const } : row)),
    ...missing.map((account) => unasked(restore, account)),
  ];
}

function unasked(restore: RestoreRow, account: Account): CheckRow {
  return {
    ...account,
    restoreId: restore.id,
    since: restore.since,
    status: 'asking',
    place: null,
    adopted: 0,
    message: null,
    tries: 0,
    askedAt: null,
    overrideReason: null,
    overriddenBy: null,
    overriddenAt: null,
  };
}

export function standingOf(
  checks: readonly CheckRow[],
  transfers: readonly { readonly unassigned: number }[],
): Standing {
  return { checks, unassigned: transfers.reduce((sum, { unassigned }) => sum + unassigned, 0) };
}

function toCheck(row: CheckRow): Restore['checks'][number] {
  const { connectionId, method, environment, projectId, status, adopted, message, askedAt } = row;
  const { overrideReason: reason, overriddenBy: by, overriddenAt: at } = row;
  const override = reason === null || by === null || at === null ? null : { reason, by, at };
  return {
    connectionId,
    method,
    environment,
    projectId,
    status,
    adopted,
    message,
    askedAt,
    override,
  };
}
