import { listBreaches } from '../stores/rule-store.ts';
import { STRIPE_RULES } from '../stores/stripe-store.ts';
import type { Look } from './look.ts';

/** What is remembered of Stripe's invoices, refunds and disputes is what the facts made of them say. */
export async function checkStripe(look: Look): Promise<void> {
  for (const [index, rule] of STRIPE_RULES.entries()) {
    look.report(await listBreaches(look.tx, look.projectId, rule));
    look.progress('stripe', index + 1, STRIPE_RULES.length);
  }
}
