// What later commands see of Rewards, and which was the first of a rule's period.

import { periodOf } from '../../rewards/decide/reward-figures.ts';
import { countsAsGiven, type RewardRow } from '../../rewards/reward.ts';
import type { Earning, LedgerState } from './facts.ts';

interface Known {
  readonly earnings: ReadonlyMap<string, ReadonlyMap<string, Earning>>;
}

export function earningKey(ruleId: string, period: string): string {
  return `${ruleId}\n${period}`;
}

/** The first earning of a rule's period, for a referral or in loyalty a person. */
export function firstOf({ earnings }: Known, ruleId: string, period: string): Earning | undefined {
  const known = [...(earnings.get(earningKey(ruleId, period))?.values() ?? [])];
  return known.toSorted((a, b) => a.number - b.number)[0];
}

/** Makes the Reward's new state visible to later commands. */
export function keepReward(
  state: Pick<LedgerState, 'earnings' | 'occurredAt' | 'rewardsOf' | 'milestones'>,
  reward: RewardRow,
): void {
  keepEarning(state, reward);
  const { rewardsOf, milestones } = state;
  if (reward.milestone !== null) milestones.set(reward.id, reward);
  if (reward.purchaseId === null) return;
  const known = new Map(rewardsOf.get(reward.purchaseId));
  rewardsOf.set(reward.purchaseId, known.set(reward.id, reward));
}

function keepEarning(
  { earnings, occurredAt }: Pick<LedgerState, 'earnings' | 'occurredAt'>,
  reward: RewardRow,
): void {
  const at = occurredAt.get(reward.eventId);
  if (at === undefined) return;
  const key = earningKey(reward.ruleId, periodOf(reward));
  const known = new Map(earnings.get(key));
  if (countsAsGiven(reward)) known.set(reward.id, { number: reward.number, occurredAt: at });
  else known.delete(reward.id);
  earnings.set(key, known);
}
