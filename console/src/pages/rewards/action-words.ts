import { countOf } from '../../ui/words.ts';
import { totalText } from '../people/reward-benefit.ts';
import type { Reward } from './explain-reward.ts';
import { type RewardAction, voidOutcome } from './reward-actions.ts';

interface ActionWords {
  /** On a button next to one reward. */
  readonly verb: string;
  readonly done: string;
  /** Its effects, in numbers. */
  readonly effects: (rewards: readonly Reward[]) => string[];
}

const together = (rewards: readonly Reward[]) =>
  rewards.length === 1
    ? `${totalText(rewards)}.`
    : `${countOf(rewards.length, 'reward')}: ${totalText(rewards)} in all.`;

export const ACTION_WORDS: Readonly<Record<RewardAction, ActionWords>> = {
  grant: {
    verb: 'Record the grant',
    done: 'The grant is recorded.',
    effects: (rewards) => [
      together(rewards),
      'This records that you have granted it. The service itself sends nothing. You cannot undo this, only void the reward.',
      ...(rewards.some(({ delivery }) => delivery.status === 'on_hold')
        ? ['Some are on hold because of a dispute. They will still be recorded as granted.']
        : []),
    ],
  },
  void: {
    verb: 'Void',
    done: 'Voided.',
    effects: (rewards) => [
      together(rewards),
      ...outcomes(rewards),
      'A void cannot be undone. Your endpoints receive reward.voided.',
    ],
  },
  retry: {
    verb: 'Retry',
    done: 'It will be tried again.',
    effects: (rewards) => [together(rewards), 'The service tries to deliver it again.'],
  },
  revoke: {
    verb: 'Record the take-back',
    done: 'The take-back is recorded.',
    effects: (rewards) => [
      together(rewards),
      'This records that you have taken it back in your product. You cannot undo this.',
    ],
  },
};

/** Each outcome once, with its count if they differ. */
function outcomes(rewards: readonly Reward[]): string[] {
  const counts = new Map<string, number>();
  for (const reward of rewards) {
    const outcome = voidOutcome(reward);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  if (counts.size === 1) return [...counts.keys()];
  return [...counts].map(([outcome, count]) => `${count} of them: ${outcome}`);
}
