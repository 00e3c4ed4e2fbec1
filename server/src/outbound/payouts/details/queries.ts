import type { Database, Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { purgeEach } from '../../../platform/db/purge-each.ts';
import { listCutoffs } from '../../../platform/feed/writer/project-clock.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { addMs, HOUR_MS, type Instant } from '../../../platform/kit/instant.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { clearAccountsOf } from '../advances/advance-store.ts';
import { listPayees } from '../batches/part-store.ts';
import { type PayoutDeps, runStep, slicesOf } from '../payout-deps.ts';
import type { BatchRow, PayoutRow } from '../transfers/payout.ts';
import type { DetailsOwner } from './details.ts';
import {
  deleteDetailsOf,
  deleteReplaced,
  listDetails,
  listProjectsWithReplaced,
  updateUse,
} from './details-store.ts';
import { isPayable, type PayeeDetails } from './payee-details.ts';
import { openDetails } from './seal-details.ts';

/** Erases a participant's details. Payouts stay, under ids alone. */
export async function eraseParticipantDetails(
  write: ProjectWrite,
  participantId: string,
): Promise<void> {
  const { tx, projectId } = write;
  const records = await listDetails(tx, projectId, 'participant', [participantId]);
  const fingerprints = records.map(({ fingerprint }) => fingerprint);
  clearAccountsOf(tx, `${projectId}:${participantId}`, fingerprints);
  deleteDetailsOf(tx, { kind: 'participant', projectId, id: participantId });
}

/** A partner's details are erased with the partner, not with its participant in one project. */
export async function erasePartnerDetails(tx: Tx, partnerId: string): Promise<void> {
  const records = await listDetails(tx, '', 'partner', [partnerId]);
  const fingerprints = records.map(({ fingerprint }) => fingerprint);
  clearAccountsOf(tx, partnerId, fingerprints);
  deleteDetailsOf(tx, { kind: 'partner', projectId: '', id: partnerId });
}

/** The account at a provider that a participant saved last; null if there is none. */
export async function findPayeeAccount(
  db: Queryable,
  keyring: Keyring,
  projectId: string,
  participantId: string,
): Promise<string | null> {
  const owner = { kind: 'participant', projectId, id: participantId } as const;
  const records = await listDetails(db, projectId, owner.kind, [participantId]);
  const last = records.findLast(({ type }) => type === 'stripe_connect');
  if (!last) return null;
  const details = openDetails(keyring, owner, last.id, last);
  return details.type === 'stripe_connect' ? details.accountId : null;
}

/** The usable details for each of these payouts of a batch; payouts without any are left out. */
export async function findUsableDetails(
  deps: Pick<PayoutDeps, 'database' | 'findDetails'>,
  batch: BatchRow,
  payouts: readonly PayoutRow[],
): Promise<Map<string, PayeeDetails>> {
  const usable = new Map<string, PayeeDetails>();
  for (const projectId of batch.projectIds) {
    const mine = payouts.filter(({ projectIds }) => projectIds.includes(projectId));
    for (const slice of slicesOf(mine.map(({ id }) => id))) {
      const payees = await listPayees(deps.database.reads, projectId, slice);
      const participantIds = new Set(payees.map(({ participantId }) => participantId));
      const found = await deps.findDetails(projectId, [...participantIds]);
      for (const { payoutId, participantId } of payees) {
        const details = found.get(participantId);
        if (details && isPayable(batch.method, details)) usable.set(payoutId, details);
      }
    }
  }
  return usable;
}

/**
 * Longer than the clocks of two processes differ: no process may miss a record that it still
 * considers in use.
 */
const KEPT_MS = HOUR_MS;

/** Deletes a slice of the replaced details: nobody is paid to them again. */
export async function purgeReplaced(
  database: Database,
  now: Instant,
  limit: number,
): Promise<number> {
  const before = addMs(now, -KEPT_MS);
  const cutoffs = await listCutoffs(database.reads, before, listProjectsWithReplaced);
  return purgeEach(database, cutoffs, (tx, id, cutoff) => deleteReplaced(tx, id, cutoff, limit));
}

/**
 * Records whether a participant's account at a provider can be paid to; until then the details need
 * an update. Does nothing if the participant has other details by now.
 */
export function noteReadiness(
  deps: Pick<PayoutDeps, 'writer' | 'newId'> & { readonly keyring: Keyring },
  payee: { readonly projectId: string; readonly participantId: string; readonly accountId: string },
  isReady: boolean,
): Promise<void> {
  const { projectId, participantId, accountId } = payee;
  const owner: DetailsOwner = { kind: 'participant', projectId, id: participantId };
  return runStep(deps, projectId, async ({ tx, now }) => {
    for (const record of await listDetails(tx, projectId, owner.kind, [participantId])) {
      if (record.type !== 'stripe_connect' || isReady === (record.failedAt === null)) continue;
      const details = openDetails(deps.keyring, owner, record.id, record);
      const isIt = details.type === 'stripe_connect' && details.accountId === accountId;
      if (isIt) updateUse(tx, owner, { ...record, failedAt: isReady ? null : now });
    }
  });
}
