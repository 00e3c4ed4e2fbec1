import { REWARD_DELIVERY_RULES } from '../stores/reward-delivery-store.ts';
import { listBreaches } from '../stores/rule-store.ts';
import type { Look } from './look.ts';

/** What the service delivered is what the lines of its Rewards say, and no more is under way. */
export async function checkRewardDeliveries(look: Look): Promise<void> {
  for (const [index, rule] of REWARD_DELIVERY_RULES.entries()) {
    look.report(await listBreaches(look.tx, look.projectId, rule));
    look.progress('reward deliveries', index + 1, REWARD_DELIVERY_RULES.length);
  }
}
