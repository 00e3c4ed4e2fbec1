import { conflict } from '../../../platform/kit/errors.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { participantDeleted } from '../../participants/participant-slice.ts';
import type { RewardDecision } from '../decide/reward-decision.ts';
import { transition } from '../decide/states.ts';
import { countsAsGiven, type RewardRow, withDelivery } from '../reward.ts';

/**
 * Makes a failed delivery pending again. One that is already pending stays unchanged, so repeating
 * is harmless. A Reward that is no longer owed, or whose beneficiary was erased, is refused.
 */
export function decideRetry(row: RewardRow, isErased: boolean, now: Instant): RewardDecision {
  if (row.fulfillmentStatus === 'pending') return { reward: row };
  const fulfillmentStatus = transition(row.fulfillmentStatus, 'retry');
  if (fulfillmentStatus === undefined) {
    return {
      refused: conflict(
        'invalid_transition',
        `This Reward is ${row.fulfillmentStatus}. Only a failed delivery can be retried.`,
      ),
    };
  }
  if (row.void !== null) return { refused: conflict('reward_voided', 'This Reward is voided.') };
  if (!countsAsGiven(row)) {
    return {
      refused: conflict('reward_cancelled', 'Refunds reduced this Reward to nothing.'),
    };
  }
  if (isErased) return { refused: participantDeleted() };
  // The reason of the last failure says nothing about the next attempt.
  const waiting: RewardRow = { ...row, fulfillmentStatus, deliveryReason: null, updatedAt: now };
  return { reward: withDelivery(waiting, now) };
}
