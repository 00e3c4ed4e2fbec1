import { periodOf } from '../../rewards/decide/reward-figures.ts';
import { stands } from '../../rewards/decide/stands.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import type { Earning, TrackSlice } from './slice.ts';

/** So that the commands after see the Reward as it is now. */
export function keepReward(slice: TrackSlice, reward: RewardRow): void {
  keepEarning(slice, reward);
  if (reward.purchaseId === null) return;
  const known = slice.rewardsOf.get(reward.purchaseId) ?? new Map<string, RewardRow>();
  known.set(reward.id, reward);
  slice.rewardsOf.set(reward.purchaseId, known);
}

export function earningKey(ruleId: string, period: string): string {
  return `${ruleId}\n${period}`;
}

/** The earning that a rule's period begins with, for a referral or in loyalty a person. */
export function firstOf(slice: TrackSlice, ruleId: string, period: string): Earning | undefined {
  const earnings = [...(slice.earnings.get(earningKey(ruleId, period))?.values() ?? [])];
  return earnings.toSorted((a, b) => a.number - b.number)[0];
}

function keepEarning({ earnings, occurredAt }: TrackSlice, reward: RewardRow): void {
  const at = occurredAt.get(reward.eventId);
  // Of other rules nobody asks when they first earned.
  if (at === undefined) return;
  const key = earningKey(reward.ruleId, periodOf(reward));
  const known = earnings.get(key) ?? new Map<string, Earning>();
  if (stands(reward)) known.set(reward.id, { number: reward.number, occurredAt: at });
  else known.delete(reward.id);
  earnings.set(key, known);
}
