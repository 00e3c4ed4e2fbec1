import { findTerms } from '../../programs/book/program-book.ts';
import { rewardData } from '../../rewards/read/present.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import type { Recorder } from '../batch/recorder.ts';
import type { ExplainedRule, TrackSlice } from '../batch/slice.ts';

/** Tells of what rules earned, as it stands now: a refund may have come before it was earned. */
export function announceEarned(
  slice: TrackSlice,
  recorder: Recorder,
  rules: readonly ExplainedRule[],
): void {
  for (const { rewardId } of rules) {
    const reward = rewardId === null ? undefined : recorder.made.rewards.added.get(rewardId);
    if (reward) announce(slice, recorder, 'reward.earned', reward);
  }
}

export function announceVoided(
  slice: TrackSlice,
  recorder: Recorder,
  rewards: readonly RewardRow[],
): void {
  for (const reward of rewards) announce(slice, recorder, 'reward.voided', reward);
}

/** Tells of Rewards whose void was lifted: what was not granted yet is to be granted, as if new. */
export function announceRestored(
  slice: TrackSlice,
  recorder: Recorder,
  rewards: readonly RewardRow[],
): void {
  for (const reward of rewards) {
    const isGranted = reward.fulfillmentStatus === 'fulfilled';
    announce(slice, recorder, isGranted ? 'reward.restored' : 'reward.earned', reward);
  }
}

function announce(
  slice: TrackSlice,
  recorder: Recorder,
  type: 'reward.earned' | 'reward.voided' | 'reward.restored',
  reward: RewardRow,
): void {
  const { unit } = findTerms(slice.book, reward);
  recorder.announce(type, { reward: rewardData(reward, unit) });
}
