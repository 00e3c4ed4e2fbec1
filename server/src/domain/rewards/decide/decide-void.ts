import { conflict } from '../../../platform/kit/errors.ts';
import type { RewardRow, RewardVoid } from '../reward.ts';
import type { Moment, RewardDecision } from './reward-decision.ts';
import { voidReward } from './void-reward.ts';

export type VoidFacts = Pick<RewardVoid, 'reasonCode' | 'reason'>;

/**
 * The code alone tells one void from another: the first one's words stay. One that the system made for
 * a refund gives way to the caller's, whatever its code, so that no restoration lifts it.
 */
export function decideVoid(
  row: RewardRow,
  facts: VoidFacts,
  { now, newId }: Moment,
): RewardDecision {
  if (row.void === null) return { reward: voidReward(row, facts, now, newId) };
  if (row.void.isByRefund) {
    return {
      reward: { ...row, void: { id: newId('void'), ...facts, voidedAt: now }, updatedAt: now },
    };
  }
  if (row.void.reasonCode === facts.reasonCode) return { reward: row };
  return {
    refused: conflict(
      'void_facts_differ',
      `This Reward is voided already, with reasonCode ${row.void.reasonCode}.`,
    ),
  };
}
