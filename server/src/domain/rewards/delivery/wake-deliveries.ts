import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { findBillingIds, findParticipant, listByBillingIds } from '../../participants/queries.ts';
import { deleteAdvancesOf, deleteAskedOf } from '../advances/advance-store.ts';
import { saveRewardChanges } from '../change/save-rewards.ts';
import { type RewardDeps, showRewards } from '../queries.ts';
import type { Reward } from '../schema.ts';
import { findRewardRow } from '../store.ts';
import { decideRetry } from './decide-retry.ts';
import { clearAccounts, listAccountsOf, wakeWaiting } from './delivery-store.ts';

/** Fails with NOT_FOUND or CONFLICT. Adds no event to the feed: the delivery reports its outcome. */
export function retryReward(
  { writer }: RewardDeps,
  request: WriteRequest,
  rewardId: string,
): Promise<Reward> {
  return writer.run(request, async (write) => {
    const { tx, projectId, now } = write;
    const before = await findRewardRow(tx, projectId, rewardId);
    if (!before) throw notFound('reward');
    const participantId = before.beneficiaryParticipantId;
    const beneficiary = await findParticipant(tx, projectId, participantId);
    const isErased = beneficiary === undefined || beneficiary.deletedAt !== null;
    const decision = decideRetry(before, isErased, now);
    if ('refused' in decision) throw decision.refused;
    saveRewardChanges(write, [before], [decision.reward]);
    const [answer] = await showRewards(tx, projectId, [decision.reward], now);
    return { answer: answer as Reward, participantId };
  });
}

/** Call when these participants have got an account at the billing provider. */
export function wakeDeliveries(
  { tx, projectId, now }: ProjectWrite,
  participantIds: readonly string[],
): void {
  wakeWaiting(tx, projectId, participantIds, now);
}

/** Clears the accounts of an erased participant's Rewards. Deliveries that still need one are completed first. */
export async function eraseDeliveryAccounts(
  { tx, projectId }: ProjectWrite,
  participantId: string,
): Promise<void> {
  const [billed, credited] = await Promise.all([
    findBillingIds(tx, projectId, [participantId]),
    listAccountsOf(tx, projectId, participantId),
  ]);
  const accounts = [...new Set([...billed.values(), ...credited])];
  const holders = await listByBillingIds(tx, projectId, accounts);
  // One that they had before may be somebody else's now.
  const others = new Set(holders.flatMap((one) => (one.id === participantId ? [] : one.billingId)));
  const theirs = accounts.filter((account) => !others.has(account));
  deleteAdvancesOf(tx, projectId, theirs);
  deleteAskedOf(tx, projectId, theirs);
  clearAccounts(tx, projectId, participantId);
}
