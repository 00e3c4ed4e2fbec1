import { PAYOUT_RULES } from '../stores/payout-store.ts';
import { listBreaches } from '../stores/rule-store.ts';
import type { Look } from './look.ts';

/** Lines sum up, a Reward is in one open payout, and what it was paid is what its settled lines say. */
export async function checkPayouts(look: Look): Promise<void> {
  for (const [index, rule] of PAYOUT_RULES.entries()) {
    look.report(await listBreaches(look.tx, look.projectId, rule));
    look.progress('payouts', index + 1, PAYOUT_RULES.length);
  }
}
