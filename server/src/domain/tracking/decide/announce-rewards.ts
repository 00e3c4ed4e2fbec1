import { findTerms } from '../../programs/book/program-book.ts';
import { rewardData } from '../../rewards/read/present.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import type { ExplainedRule } from '../batch/facts.ts';
import type { Ledger } from '../batch/ledger.ts';

/** Announces Rewards that rules earned, in their current state: a refund may have arrived before they were earned. */
export function announceEarned(ledger: Ledger, rules: readonly ExplainedRule[]): void {
  for (const { rewardId } of rules) {
    const reward = rewardId === null ? undefined : ledger.made.rewards.added.get(rewardId);
    if (reward) announce(ledger, 'reward.earned', reward);
  }
}

export function announceVoided(ledger: Ledger, rewards: readonly RewardRow[]): void {
  for (const reward of rewards) announce(ledger, 'reward.voided', reward);
}

/** Announces Rewards whose void was lifted: an ungranted one is to be granted as if it were new. */
export function announceRestored(ledger: Ledger, rewards: readonly RewardRow[]): void {
  for (const reward of rewards) {
    const isGranted = reward.fulfillmentStatus === 'fulfilled';
    announce(ledger, isGranted ? 'reward.restored' : 'reward.earned', reward);
  }
}

function announce(
  ledger: Ledger,
  type: 'reward.earned' | 'reward.voided' | 'reward.restored',
  reward: RewardRow,
): void {
  const { unit } = findTerms(ledger.view.book, reward);
  ledger.announce(type, { reward: rewardData(reward, unit) });
}
