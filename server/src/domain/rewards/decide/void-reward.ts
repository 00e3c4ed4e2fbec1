import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { type RewardRow, type RewardVoid, withDelivery } from '../reward.ts';
import { transition } from './states.ts';

/** "This was not due": what was not granted is cancelled, what was is to be taken back; cash stays paid. */
export function voidReward(
  row: RewardRow,
  why: Pick<RewardVoid, 'reasonCode' | 'reason' | 'isByRefund'>,
  now: Instant,
  newId: NewId,
): RewardRow {
  if (row.void !== null) throw new Error(`Reward ${row.id} is voided already.`);
  const trigger = row.benefitKind === 'cash' ? 'void_cash' : 'void';
  const voided: RewardRow = {
    ...row,
    // One that a refund has cancelled stays so.
    fulfillmentStatus: transition(row.fulfillmentStatus, trigger) ?? row.fulfillmentStatus,
    void: { id: newId('void'), ...why, voidedAt: now },
    updatedAt: now,
  };
  return withDelivery(voided, now);
}
