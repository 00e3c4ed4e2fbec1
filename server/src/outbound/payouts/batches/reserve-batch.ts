import { findSuspended } from '../../../domain/partners/queries.ts';
import { loadRewards, saveRewardChanges } from '../../../domain/rewards/change/save-rewards.ts';
import { amountDueOf } from '../../../domain/rewards/reward.ts';
import { sqlState } from '../../../platform/db/database.ts';
import { findProjectClock } from '../../../platform/feed/writer/project-clock.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { PayeeDetails } from '../details/payee-details.ts';
import { canPayTo, type PayoutMethod } from '../methods.ts';
import { type PayoutDeps, realNow, runStep, SLICE, slicesOf } from '../payout-deps.ts';
import { batchTransition } from '../states.ts';
import { releaseLine, reserveLine } from '../transfers/pay-reward.ts';
import type { BatchRow, LineRow, PartRow } from '../transfers/payout.ts';
import {
  deletePayouts,
  insertPayouts,
  listPayoutsOfBatch,
  updateSums,
} from '../transfers/payout-store.ts';
import { findBatch, findSettings, lockBatch, updateBatch } from './batch-store.ts';
import { continueCancellation } from './cancel-batch.ts';
import {
  groupPayees,
  keyOfPayee,
  minimumOf,
  type Owed,
  payeeOf,
  type Waiting,
} from './group-payees.ts';
import { finishMove } from './move-batch.ts';
import { insertLines, listDueRewardIds, listOwed, listParts, upsertParts } from './part-store.ts';
import { sumParts, totalsOf } from './sum-parts.ts';

/** Participants whose details are loaded at once. */
const DETAILS_SLICE = 1_000;

/**
 * Reserves the rewards of a batch, project by project and each by its own clock, and makes the
 * batch a draft. A repeated call resumes where the last one stopped; it does nothing for a batch
 * that is past this stage.
 */
export async function reserveBatch(deps: PayoutDeps, batchId: string): Promise<void> {
  const batch = await findBatch(deps.database.reads, batchId);
  if (batch?.status !== 'reserving') return;
  await reserve(deps, batch).catch(async (error: unknown) => {
    if (!isOutOfRange(error)) throw error;
    await giveUp(deps, batchId);
  });
}

/** A retry is useless: the database would refuse these numbers again. */
function isOutOfRange(error: unknown): boolean {
  const code = sqlState(error);
  return code === '22003' || code === '23514';
}

/** What it reserved waits for the next batch, which may be smaller. */
async function giveUp(deps: PayoutDeps, batchId: string): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const batch = await lockBatch(tx, batchId);
    const status = batch?.status === 'reserving' ? batchTransition(batch.status, 'cancel') : null;
    if (!batch || !status) return;
    const failureReason = 'amount_out_of_range';
    updateBatch(tx, { ...batch, status, failureReason, updatedAt: realNow(deps) });
  });
  const batch = await findBatch(deps.database.reads, batchId);
  if (batch) await continueCancellation(deps, batch);
}

async function reserve(deps: PayoutDeps, batch: BatchRow): Promise<void> {
  const owed = await loadOwed(deps, batch);
  const { minimums } = await findSettings(deps.database.reads, batch.workspaceId);
  const known = await loadPayouts(deps, batch);
  const least = (currency: string) => minimumOf(minimums, currency);
  const { payable, waiting } = groupPayees(owed, least, new Set(known.keys()));
  for (const slice of slicesOf(payable)) {
    const made = slice.map(({ members: _, ...payee }) => ({ ...payee, id: deps.newId('po') }));
    const now = realNow(deps);
    await deps.database.transaction(async (tx) => insertPayouts(tx, batch, made, now));
  }
  const payouts = await loadPayouts(deps, batch);
  const members = payable.flatMap((payee) => payee.members);
  for (const [projectId, mine] of groupBy(members, (one) => one.projectId)) {
    await reserveInProject(deps, batch, projectId, { members: mine, payouts });
  }
  await recordWaiting(deps, batch, waiting);
  await finishDraft(deps, batch);
}

/** The ids of the batch's payouts by payee and currency. */
async function loadPayouts(deps: PayoutDeps, { id }: BatchRow): Promise<Map<string, string>> {
  const rows = await listPayoutsOfBatch(deps.database.reads, id);
  return new Map(rows.map((row) => [keyOfPayee(row.payee, row.currency), row.id]));
}

/** Never later than the project's own time, so that no hold is cut short. */
function cutoffOf({ cutoffAt }: BatchRow, now: Instant): Instant {
  return cutoffAt !== null && cutoffAt < now ? cutoffAt : now;
}

/** Leaves out suspended partners: what they are owed waits until they are reinstated. */
async function loadOwed(deps: PayoutDeps, batch: BatchRow): Promise<Owed[]> {
  const { reads } = deps.database;
  const owed: Owed[] = [];
  for (const projectId of batch.projectIds) {
    const { now } = await findProjectClock(reads, deps.clock, projectId);
    const due = await listOwed(reads, projectId, batch.currency, cutoffOf(batch, now));
    const partnerIds = due.flatMap(({ partnerId }) => partnerId ?? []);
    const suspended = await findSuspended(reads, partnerIds);
    const rows = due.filter(({ partnerId }) => !suspended.has(partnerId ?? ''));
    for (const slice of slicesOf(rows, DETAILS_SLICE)) {
      const ids = [...new Set(slice.map(({ participantId }) => participantId))];
      const found = await deps.findDetails(projectId, ids);
      for (const row of slice) {
        const details = judgeDetails(found.get(row.participantId), batch.method);
        owed.push({ projectId, ...row, details });
      }
    }
  }
  return owed;
}

function judgeDetails(found: PayeeDetails | undefined, method: PayoutMethod): Owed['details'] {
  if (!found || found.status === 'needs_update') return 'missing';
  return canPayTo(method, found.type) ? 'usable' : 'of_other_method';
}

interface Reservation {
  readonly members: readonly Owed[];
  /** Ids by payee and currency. */
  readonly payouts: ReadonlyMap<string, string>;
}

async function reserveInProject(
  deps: PayoutDeps,
  batch: BatchRow,
  projectId: string,
  { members, payouts }: Reservation,
): Promise<void> {
  for (const [currency, mine] of groupBy(members, (one) => one.currency)) {
    for (const slice of slicesOf(mine)) {
      const idOf = (one: Owed) => payouts.get(keyOfPayee(payeeOf(one), currency)) as string;
      const payoutOf = new Map(slice.map((one) => [one.participantId, idOf(one)]));
      const reserve = () =>
        runStep(deps, projectId, (write) => reserveSlice(write, batch, currency, payoutOf));
      while ((await reserve()) === SLICE);
    }
  }
}

/** Returns how many rewards it reserved; 0 if the batch was cancelled meanwhile. */
async function reserveSlice(
  write: ProjectWrite,
  batch: BatchRow,
  currency: string,
  payoutOf: ReadonlyMap<string, string>,
): Promise<number> {
  const { tx, projectId, now } = write;
  if ((await findBatch(tx, batch.id))?.status !== 'reserving') return 0;
  const ids = await listDueRewardIds(tx, projectId, {
    currency,
    participantIds: [...payoutOf.keys()],
    cutoff: cutoffOf(batch, now),
    limit: SLICE,
  });
  if (ids.length === 0) return 0;
  const rewards = [...(await loadRewards(tx, projectId, ids)).values()];
  const lines = rewards.map(
    (reward): LineRow => ({
      payoutId: payoutOf.get(reward.beneficiaryParticipantId) as string,
      rewardId: reward.id,
      amountMinor: amountDueOf(reward),
      state: 'reserved',
    }),
  );
  const there = await listParts(tx, projectId, [...new Set(lines.map((one) => one.payoutId))]);
  const known = new Map(there.map((part) => [part.payoutId, part]));
  const participantOf = new Map([...payoutOf].map(([person, payoutId]) => [payoutId, person]));
  const parts = [...groupBy(lines, (one) => one.payoutId)].map(
    ([payoutId, mine]): PartRow => ({
      projectId,
      payoutId,
      number: known.get(payoutId)?.number ?? write.nextNumber('payouts'),
      batchId: batch.id,
      participantId: participantOf.get(payoutId) as string,
      method: batch.method,
      currency,
      currencyExponent: rewards[0]?.currencyExponent as number,
      amountMinor: mine.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
      status: 'draft',
      providerReference: null,
      failureReason: null,
      failureMessage: null,
      paidAt: null,
      createdAt: now,
      updatedAt: now,
    }),
  );
  insertLines(tx, projectId, lines);
  upsertParts(tx, projectId, parts);
  const reserved = rewards.map((reward, index) =>
    reserveLine(reward, lines[index]?.payoutId as string, now),
  );
  saveRewardChanges(write, rewards, reserved);
  return ids.length;
}

/** Records on rewards outside the batch why they are not in it. */
async function recordWaiting(
  deps: PayoutDeps,
  batch: BatchRow,
  waiting: readonly Waiting[],
): Promise<void> {
  const groups = groupBy(waiting, ({ owed, reason }) =>
    [owed.projectId, owed.currency, reason].join(' '),
  );
  for (const group of groups.values()) {
    const [{ owed, reason }] = group as [Waiting, ...Waiting[]];
    for (const slice of slicesOf(group)) {
      const participantIds = slice.map((one) => one.owed.participantId);
      const { currency } = owed;
      const record = () =>
        runStep(deps, owed.projectId, (write) =>
          recordSlice(write, batch, { currency, participantIds, reason }),
        );
      while ((await record()) === SLICE);
    }
  }
}

interface WaitingSlice {
  readonly currency: string;
  readonly participantIds: readonly string[];
  readonly reason: Waiting['reason'];
}

async function recordSlice(
  write: ProjectWrite,
  batch: BatchRow,
  { currency, participantIds, reason }: WaitingSlice,
): Promise<number> {
  const { tx, projectId, now } = write;
  const cutoff = cutoffOf(batch, now);
  const due = { currency, participantIds, cutoff, limit: SLICE };
  const ids = await listDueRewardIds(tx, projectId, due, reason);
  const before = [...(await loadRewards(tx, projectId, ids)).values()];
  const after = before.map((reward) => releaseLine(reward, reason, now));
  saveRewardChanges(write, before, after);
  return ids.length;
}

async function finishDraft(deps: PayoutDeps, batch: BatchRow): Promise<void> {
  const sums = await sumParts(deps.database.reads, batch);
  const now = realNow(deps);
  await finishMove(deps, { batchId: batch.id, from: 'reserving', now }, async (tx) => {
    const rows = await listPayoutsOfBatch(tx, batch.id);
    const empty = rows.filter(({ id }) => !sums.has(id)).map(({ id }) => id);
    deletePayouts(tx, empty);
    updateSums(tx, [...sums.values()], now);
    return { totals: totalsOf(rows, sums) };
  });
}
