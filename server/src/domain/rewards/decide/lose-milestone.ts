import { addMs, type Instant, laterOf } from '../../../platform/kit/instant.ts';
import { type RewardRow, withDelivery } from '../reward.ts';
import { voidReward } from './decide-void.ts';
import type { Moment } from './reward-decision.ts';
import { type FulfillmentStatus, transition } from './states.ts';

/** The measure that a milestone had to reach. */
export function milestoneAt({ id, arithmetic }: RewardRow): bigint {
  if (!arithmetic.milestone) throw new Error(`Reward ${id} is not of a milestone.`);
  return BigInt(arithmetic.milestone.at);
}

/**
 * The Reward of a milestone once its measure has fallen. Below the milestone it is voided, unless it was granted.
 * What is under way is voided too: its outcome decides. The same row if nothing changes.
 */
export function loseMilestone(reward: RewardRow, value: bigint, { now, newId }: Moment): RewardRow {
  const isOpen = OPEN.has(reward.fulfillmentStatus);
  if (value >= milestoneAt(reward) || reward.void !== null || !isOpen) return reward;
  const why = { reasonCode: 'milestone_lost', reason: null } as const;
  return voidReward({ ...reward, isDisputed: false }, why, now, newId);
}

const OPEN: ReadonlySet<FulfillmentStatus> = new Set(['pending', 'in_progress', 'failed']);

/** Whether it was lost, and can still be regained. What the product has taken back cannot. */
export function isLostMilestone({
  void: voided,
  fulfillmentStatus,
}: Pick<RewardRow, 'fulfillmentStatus'> & {
  readonly void: { readonly reasonCode?: string } | null;
}): boolean {
  return voided?.reasonCode === 'milestone_lost' && fulfillmentStatus !== 'revoked';
}

/**
 * A lost Reward whose milestone is reached again: its void is lifted, and nothing new is earned. It is held as if it
 * were earned now. One that was granted meanwhile stays granted.
 */
export function regainMilestone(reward: RewardRow, now: Instant, holdMs: number): RewardRow {
  const fulfillmentStatus =
    transition(reward.fulfillmentStatus, 'restore') ?? reward.fulfillmentStatus;
  const held = addMs(now, holdMs);
  const availableAt = laterOf(held, reward.availableAt);
  return withDelivery(
    { ...reward, void: null, fulfillmentStatus, availableAt, updatedAt: now },
    now,
  );
}
