import { difference } from '../findings.ts';
import { LINKED_COLUMNS, listBroken } from '../stores/link-store.ts';
import { listWithoutEvent, SENT_SUBJECTS } from '../stores/page-store.ts';
import { PAYOUT_RULES } from '../stores/payout-store.ts';
import { REVIEW_RULES } from '../stores/review-store.ts';
import { REWARD_DELIVERY_RULES } from '../stores/reward-delivery-store.ts';
import { listBreaches, STORED_RULES, type StoredRule } from '../stores/rule-store.ts';
import { STRIPE_RULES } from '../stores/stripe-store.ts';
import type { Check, CheckContext } from './check-context.ts';

/**
 * Everything that is queued or was sent is an event of the feed. The endpoint does not matter: a
 * queue may have been abandoned, and the history outlives its endpoint.
 */
export async function checkDeliveries(context: CheckContext): Promise<void> {
  for (const [index, subject] of SENT_SUBJECTS.entries()) {
    const astray = await listWithoutEvent(context.tx, context.projectId, subject);
    context.report(
      astray.map(({ id, position }) =>
        difference([subject, id], 'position', position, 'that of an event in the feed'),
      ),
    );
    context.progress('deliveries', index + 1, SENT_SUBJECTS.length);
  }
}

/** Every row that is referred to exists. */
export async function checkLinks(context: CheckContext): Promise<void> {
  for (const [index, column] of LINKED_COLUMNS.entries()) {
    const broken = await listBroken(context.tx, context.projectId, column);
    context.report(
      broken.map(({ id, named }) =>
        difference([column.subject, id], column.column, named, `the id of one of ${column.target}`),
      ),
    );
    context.progress('references', index + 1, LINKED_COLUMNS.length);
  }
}

function makeRuleCheck(what: string, rules: readonly StoredRule[]): Check {
  return async (context) => {
    for (const [index, rule] of rules.entries()) {
      context.report(await listBreaches(context.tx, context.projectId, rule));
      context.progress(what, index + 1, rules.length);
    }
  };
}

/** Lines add up, a reward is in at most one open payout, and its paid amount is that of its settled lines. */
export const checkPayouts = makeRuleCheck('payouts', PAYOUT_RULES);

/** The Rewards of a referral are held exactly while it is under review. */
export const checkReviews = makeRuleCheck('reviews', REVIEW_RULES);

/** Deliveries by the service match the lines of their rewards, and nothing else is under way. */
export const checkRewardDeliveries = makeRuleCheck('reward deliveries', REWARD_DELIVERY_RULES);

/** Counts and flags match their rows, and rows that represent one fact match each other. */
export const checkRules = makeRuleCheck('counts and flags', STORED_RULES);

/** The stored invoices, refunds and disputes of Stripe match the facts made from them. */
export const checkStripe = makeRuleCheck('stripe', STRIPE_RULES);
