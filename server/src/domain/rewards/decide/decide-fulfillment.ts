import { conflict } from '../../../platform/kit/errors.ts';
import { type RewardRecord, type RewardRow, withDelivery } from '../reward.ts';
import {
  isGrantedByProduct,
  type Moment,
  type RewardDecision,
  unsupportedMethod,
} from './reward-decision.ts';
import { transition } from './states.ts';

export type GrantFacts = Pick<RewardRecord, 'externalReference' | 'actor'>;

/**
 * Records the product's report that it granted a Reward. The first record stays, whatever happened
 * to the Reward since. A hold or an open dispute does not prevent it: the grant has already
 * happened. A review does: nothing is granted before it is decided.
 */
export function decideFulfillment(
  row: RewardRow,
  facts: GrantFacts,
  { now, newId }: Moment,
): RewardDecision {
  if (!isGrantedByProduct(row)) {
    return {
      refused: unsupportedMethod(`This Reward is delivered by ${row.method}, not by the product.`),
    };
  }
  if (row.fulfillment !== null) return compareWithFirst(row, row.fulfillment, facts);
  const fulfillmentStatus = transition(row.fulfillmentStatus, 'record_grant');
  if (fulfillmentStatus === undefined) return { refused: whyNot(row) };
  if (row.isUnderReview) {
    return {
      refused: conflict(
        'under_review',
        'This Reward waits for the review of a referral. It cannot be granted before that is decided.',
      ),
    };
  }
  const granted: RewardRow = {
    ...row,
    fulfillmentStatus,
    fulfillment: { id: newId('ful'), ...facts, occurredAt: now },
    updatedAt: now,
  };
  return { reward: withDelivery(granted, now) };
}

/** A webhook's response contains no reference of the product's own, so any reference matches it. */
function compareWithFirst(row: RewardRow, first: RewardRecord, facts: GrantFacts): RewardDecision {
  if (first.actor === 'webhook' || first.externalReference === facts.externalReference) {
    return { reward: row };
  }
  return {
    refused: conflict(
      'fulfillment_facts_differ',
      'The grant of this Reward is already recorded with another externalReference.',
    ),
  };
}

function whyNot(row: RewardRow) {
  if (row.void !== null) {
    return conflict('reward_voided', 'This Reward was voided before it was granted.');
  }
  return row.fulfillmentStatus === 'cancelled'
    ? conflict('reward_cancelled', 'Refunds reduced this Reward to nothing.')
    : conflict('invalid_transition', `This Reward is ${row.fulfillmentStatus}.`);
}
