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
      'This records that you have given it; the service itself sends nothing. It cannot be unrecorded, only voided.',
      ...(rewards.some(({ delivery }) => delivery.status === 'on_hold')
        ? ['Some are held by a dispute: what you record here is taken as given all the same.']
        : []),
    ],
  },
  void: {
    verb: 'Void',
    done: 'Voided.',
    effects: (rewards) => [
      together(rewards),
      ...outcomes(rewards),
      'A void cannot be undone. Your endpoints are told (reward.voided).',
    ],
  },
  retry: {
    verb: 'Retry',
    done: 'It will be tried again.',
    effects: (rewards) => [together(rewards), 'The service tries to deliver anew.'],
  },
  revoke: {
    verb: 'Record the take-back',
    done: 'The take-back is recorded.',
    effects: (rewards) => [
      together(rewards),
      'This records that you have taken it back in your product. It cannot be unrecorded.',
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
