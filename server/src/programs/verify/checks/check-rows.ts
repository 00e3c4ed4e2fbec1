import { difference } from '../findings.ts';
import { LINKED_COLUMNS, listBroken } from '../stores/link-store.ts';
import { listWithoutEvent, SENT_SUBJECTS } from '../stores/page-store.ts';
import { PAYOUT_RULES } from '../stores/payout-store.ts';
import { REWARD_DELIVERY_RULES } from '../stores/reward-delivery-store.ts';
import { listBreaches, STORED_RULES } from '../stores/rule-store.ts';
import { STRIPE_RULES } from '../stores/stripe-store.ts';
import type { CheckContext } from './check-context.ts';

/**
 * Everything that is queued or was sent is an event of the feed. The endpoint does not matter: a
 * queue may have been abandoned, and the history outlives its endpoint.
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

/** Every row that is referred to exists. */
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

/**
 * Lines add up, a reward is in at most one open payout, and its paid amount is that of its settled
 * lines.
 */
export async function checkPayouts(context: CheckContext): Promise<void> {
  for (const [index, rule] of PAYOUT_RULES.entries()) {
    context.report(await listBreaches(context.tx, context.projectId, rule));
    context.progress('payouts', index + 1, PAYOUT_RULES.length);
  }
}

/** Deliveries by the service match the lines of their rewards, and nothing else is under way. */
export async function checkRewardDeliveries(context: CheckContext): Promise<void> {
  for (const [index, rule] of REWARD_DELIVERY_RULES.entries()) {
    context.report(await listBreaches(context.tx, context.projectId, rule));
    context.progress('reward deliveries', index + 1, REWARD_DELIVERY_RULES.length);
  }
}

/** Counts and flags match their rows, and rows that represent one fact match each other. */
export async function checkRules(context: CheckContext): Promise<void> {
  for (const [index, rule] of STORED_RULES.entries()) {
    context.report(await listBreaches(context.tx, context.projectId, rule));
    context.progress('counts and flags', index + 1, STORED_RULES.length);
  }
}

/** The stored invoices, refunds and disputes of Stripe match the facts made from them. */
export async function checkStripe(context: CheckContext): Promise<void> {
  for (const [index, rule] of STRIPE_RULES.entries()) {
    context.report(await listBreaches(context.tx, context.projectId, rule));
    context.progress('stripe', index + 1, STRIPE_RULES.length);
  }
}
