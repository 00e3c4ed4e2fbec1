import { difference } from '../finding.ts';
import { LINKED_COLUMNS, listBroken } from '../stores/link-store.ts';
import { listWithoutEvent, SENT_SUBJECTS } from '../stores/page-store.ts';
import { PAYOUT_RULES } from '../stores/payout-store.ts';
import { REWARD_DELIVERY_RULES } from '../stores/reward-delivery-store.ts';
import { listBreaches, STORED_RULES } from '../stores/rule-store.ts';
import { STRIPE_RULES } from '../stores/stripe-store.ts';
import type { CheckContext } from './check-context.ts';

/**
 * What waits to be sent, and what was, is an event of the feed. Of which endpoint does not matter: a
 * queue may have been given up, and a history outlives its endpoint.
 */
export async function checkDeliveries(context: CheckContext): Promise<void> {
  for (const [index, subject] of SENT_SUBJECTS.entries()) {
    const astray = await listWithoutEvent(context.tx, context.projectId, subject);
    context.report(
      astray.map(({ id, position }) =>
        difference(subject, id, 'position', {
          stored: position,
          expected: 'that of an event in the feed',
        }),
      ),
    );
    context.progress('deliveries', index + 1, SENT_SUBJECTS.length);
  }
}

/** What a row names is there. */
export async function checkLinks(context: CheckContext): Promise<void> {
  for (const [index, column] of LINKED_COLUMNS.entries()) {
    const broken = await listBroken(context.tx, context.projectId, column);
    context.report(
      broken.map(({ id, named }) =>
        difference(column.subject, id, column.column, {
          stored: named,
          expected: `the id of one of ${column.target}`,
        }),
      ),
    );
    context.progress('references', index + 1, LINKED_COLUMNS.length);
  }
}

/** Lines sum up, a Reward is in one open payout, and what it was paid is what its settled lines say. */
export async function checkPayouts(context: CheckContext): Promise<void> {
  for (const [index, rule] of PAYOUT_RULES.entries()) {
    context.report(await listBreaches(context.tx, context.projectId, rule));
    context.progress('payouts', index + 1, PAYOUT_RULES.length);
  }
}

/** What the service delivered is what the lines of its Rewards say, and no more is under way. */
export async function checkRewardDeliveries(context: CheckContext): Promise<void> {
  for (const [index, rule] of REWARD_DELIVERY_RULES.entries()) {
    context.report(await listBreaches(context.tx, context.projectId, rule));
    context.progress('reward deliveries', index + 1, REWARD_DELIVERY_RULES.length);
  }
}

/** Counts and flags agree with the rows they speak of, and rows that stand for one fact with each other. */
export async function checkRules(context: CheckContext): Promise<void> {
  for (const [index, rule] of STORED_RULES.entries()) {
    context.report(await listBreaches(context.tx, context.projectId, rule));
    context.progress('counts and flags', index + 1, STORED_RULES.length);
  }
}

/** What is remembered of Stripe's invoices, refunds and disputes is what the facts made of them say. */
export async function checkStripe(context: CheckContext): Promise<void> {
  for (const [index, rule] of STRIPE_RULES.entries()) {
    context.report(await listBreaches(context.tx, context.projectId, rule));
    context.progress('stripe', index + 1, STRIPE_RULES.length);
  }
}
