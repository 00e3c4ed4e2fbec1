import { conflict } from '../../../platform/kit/errors.ts';
import { type RewardRecord, type RewardRow, withDelivery } from '../reward.ts';
import {
  isGrantedByProduct,
  type Moment,
  type RewardDecision,
  unsupportedMethod,
} from './reward-decision.ts';
import { transition } from './states.ts';

/** Records the product's report that it revoked a granted Reward that was voided since. */
export function decideRevocation(
  row: RewardRow,
  facts: Pick<RewardRecord, 'externalReference' | 'actor'>,
  { now, newId }: Moment,
): RewardDecision {
  if (!isGrantedByProduct(row)) {
    return {
      refused: unsupportedMethod(`This Reward is delivered by ${row.method}, not by the product.`),
    };
  }
  if (row.benefitKind === 'cash') {
    return { refused: unsupportedMethod('A cash Reward cannot be revoked.') };
  }
  if (row.revocation !== null) {
    return row.revocation.externalReference === facts.externalReference
      ? { reward: row }
      : {
          refused: conflict(
            'revocation_facts_differ',
            'The revocation of this Reward is already recorded with another externalReference.',
          ),
        };
  }
  const fulfillmentStatus = transition(row.fulfillmentStatus, 'record_revocation');
  if (fulfillmentStatus === undefined) {
    return {
      refused: conflict(
        'revocation_not_pending',
        `This Reward is ${row.fulfillmentStatus}. Only a Reward that is revocation_pending can be revoked.`,
      ),
    };
  }
  const revoked: RewardRow = {
    ...row,
    fulfillmentStatus,
    revocation: { id: newId('rev'), ...facts, occurredAt: now },
    updatedAt: now,
  };
  return { reward: withDelivery(revoked, now) };
}
