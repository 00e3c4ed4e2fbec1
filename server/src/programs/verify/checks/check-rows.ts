import { difference } from '../finding.ts';
import { LINKED_COLUMNS, listBroken } from '../stores/link-store.ts';
import { listWithoutEvent, SENT_SUBJECTS } from '../stores/page-store.ts';
import { PAYOUT_RULES } from '../stores/payout-store.ts';
import { REWARD_DELIVERY_RULES } from '../stores/reward-delivery-store.ts';
import { listBreaches, STORED_RULES } from '../stores/rule-store.ts';
import { STRIPE_RULES } from '../stores/stripe-store.ts';
import type { Look } from './look.ts';

/**
 * What waits to be sent, and what was, is an event of the feed. Of which endpoint does not matter: a
 * queue may have been given up, and a history outlives its endpoint.
 */
export async function checkDeliveries(look: Look): Promise<void> {
  for (const [index, subject] of SENT_SUBJECTS.entries()) {
    const astray = await listWithoutEvent(look.tx, look.projectId, subject);
    look.report(
      astray.map(({ id, position }) =>
        difference(subject, id, 'position', {
          stored: position,
          expected: 'that of an event in the feed',
        }),
      ),
    );
    look.progress('deliveries', index + 1, SENT_SUBJECTS.length);
  }
}

/** What a row names is there. */
export async function checkLinks(look: Look): Promise<void> {
  for (const [index, column] of LINKED_COLUMNS.entries()) {
    const broken = await listBroken(look.tx, look.projectId, column);
    look.report(
      broken.map(({ id, named }) =>
        difference(column.subject, id, column.column, {
          stored: named,
          expected: `the id of one of ${column.target}`,
        }),
      ),
    );
    look.progress('references', index + 1, LINKED_COLUMNS.length);
  }
}

/** Lines sum up, a Reward is in one open payout, and what it was paid is what its settled lines say. */
export async function checkPayouts(look: Look): Promise<void> {
  for (const [index, rule] of PAYOUT_RULES.entries()) {
    look.report(await listBreaches(look.tx, look.projectId, rule));
    look.progress('payouts', index + 1, PAYOUT_RULES.length);
  }
}

/** What the service delivered is what the lines of its Rewards say, and no more is under way. */
export async function checkRewardDeliveries(look: Look): Promise<void> {
  for (const [index, rule] of REWARD_DELIVERY_RULES.entries()) {
    look.report(await listBreaches(look.tx, look.projectId, rule));
    look.progress('reward deliveries', index + 1, REWARD_DELIVERY_RULES.length);
  }
}

/** Counts and flags agree with the rows they speak of, and rows that stand for one fact with each other. */
export async function checkRules(look: Look): Promise<void> {
  for (const [index, rule] of STORED_RULES.entries()) {
    look.report(await listBreaches(look.tx, look.projectId, rule));
    look.progress('counts and flags', index + 1, STORED_RULES.length);
  }
}

/** What is remembered of Stripe's invoices, refunds and disputes is what the facts made of them say. */
export async function checkStripe(look: Look): Promise<void> {
  for (const [index, rule] of STRIPE_RULES.entries()) {
    look.report(await listBreaches(look.tx, look.projectId, rule));
    look.progress('stripe', index + 1, STRIPE_RULES.length);
  }
}
