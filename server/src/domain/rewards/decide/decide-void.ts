import { conflict } from '../../../platform/kit/errors.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { type RewardRow, type RewardVoid, withDelivery } from '../reward.ts';
import type { Moment, RewardDecision } from './reward-decision.ts';
import { transition } from './states.ts';

/** "This was not due": an ungranted Reward is cancelled, a granted one must be revoked; cash stays paid. */
export function voidReward(
  row: RewardRow,
  why: Pick<RewardVoid, 'reasonCode' | 'reason' | 'isByRefund'>,
  now: Instant,
  newId: NewId,
): RewardRow {
  if (row.void !== null) throw new Error(`Reward ${row.id} is already voided.`);
  const trigger = row.benefitKind === 'cash' ? 'void_cash' : 'void';
  const voided: RewardRow = {
    ...row,
    // A Reward that a refund has cancelled stays cancelled.
    fulfillmentStatus: transition(row.fulfillmentStatus, trigger) ?? row.fulfillmentStatus,
    void: { id: newId('void'), ...why, voidedAt: now },
    updatedAt: now,
  };
  return withDelivery(voided, now);
}

export type VoidFacts = Pick<RewardVoid, 'reasonCode' | 'reason'>;

/**
 * Voids are compared by code only: the first one's text stays. A void that the system made for a
 * refund or a lost milestone is replaced by the caller's, whatever its code, so that nothing lifts it.
 */
export function decideVoid(
  row: RewardRow,
  facts: VoidFacts,
  { now, newId }: Moment,
): RewardDecision {
  if (row.void === null) return { reward: voidReward(row, facts, now, newId) };
  if (row.void.isByRefund || row.void.reasonCode === 'milestone_lost') {
    return {
      reward: { ...row, void: { id: newId('void'), ...facts, voidedAt: now }, updatedAt: now },
    };
  }
  if (row.void.reasonCode === facts.reasonCode) return { reward: row };
  return {
    refused: conflict(
      'void_facts_differ',
      `This Reward is already voided, with reasonCode ${row.void.reasonCode}.`,
    ),
  };
}
