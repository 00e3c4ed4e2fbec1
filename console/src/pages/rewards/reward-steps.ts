import type { Step } from '../../ui/step-line.tsx';
import type { Reward } from './explain-reward.ts';

type Shown = Pick<
  Reward,
  | 'benefitKind'
  | 'fulfillmentStatus'
  | 'earnedAt'
  | 'availableAt'
  | 'delivery'
  | 'void'
  | 'fulfillment'
  | 'revocation'
>;

/** The progress of a reward: earned, held, due, delivered; or where it left this way. */
export function rewardSteps(reward: Shown): Step[] {
  const { fulfillmentStatus: status, void: voided } = reward;
  const given = reward.benefitKind === 'cash' ? 'Paid' : 'Granted';
  const isGiven = ['fulfilled', 'revocation_pending', 'revoked'].includes(status);
  const steps: Step[] = [
    { label: 'Earned', state: 'done', at: reward.earnedAt },
    ...held(reward, status === 'cancelled' || isGiven || status === 'in_progress'),
  ];
  if (isGiven) {
    const at = reward.fulfillment?.occurredAt ?? null;
    return [...steps, { label: given, state: 'done', at }, ...takenBack(reward)];
  }
  switch (status) {
    case 'cancelled':
      return [...steps, { label: 'Cancelled', state: 'bad', at: voided?.voidedAt ?? null }];
    case 'failed':
      return [...steps, { label: 'Failed', state: 'bad' }, { label: given, state: 'next' }];
    case 'in_progress':
      return [...steps, { label: 'On its way', state: 'now' }, { label: given, state: 'next' }];
    default: {
      const isHeld = reward.delivery.reason === 'hold_period';
      return [
        ...steps,
        { label: 'Due', state: isHeld ? 'next' : 'now' },
        { label: given, state: 'next' },
      ];
    }
  }
}

/** The hold, if there is one. Once it was delivered or cancelled, it does not matter how long the hold was. */
function held({ earnedAt, availableAt, delivery }: Shown, isOver: boolean): Step[] {
  if (availableAt <= earnedAt) return [];
  const isHeld = !isOver && delivery.reason === 'hold_period';
  return [
    isHeld
      ? { label: 'Held until', state: 'now', at: availableAt }
      : { label: 'Held', state: 'done' },
  ];
}

function takenBack({ fulfillmentStatus, revocation, void: voided }: Shown): Step[] {
  if (fulfillmentStatus === 'revocation_pending') {
    return [{ label: 'To be taken back', state: 'now' }];
  }
  if (fulfillmentStatus === 'revoked') {
    return [{ label: 'Taken back', state: 'bad', at: revocation?.occurredAt ?? null }];
  }
  return voided ? [{ label: 'Voided', state: 'bad', at: voided.voidedAt }] : [];
}
