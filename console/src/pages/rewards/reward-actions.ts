import type { Reward } from './explain-reward.ts';

export type RewardAction = 'grant' | 'void' | 'retry' | 'revoke';

/** The fields of a reward that decide which actions are possible. */
export type Actionable = Pick<
  Reward,
  'fulfillmentStatus' | 'benefitKind' | 'delivery' | 'void' | 'money'
>;

/** Whether the product or a person grants it, not the service. */
const isGrantedByHand = ({ delivery }: Actionable) =>
  delivery.method === 'operator' || delivery.method === 'manual';

/**
 * Whether a refund voided it, not a person. Such a void is lifted when the refund is reversed, and
 * a person's void replaces it. A person's void with this reason code and no text looks the same;
 * the service then leaves that void as it is.
 */
const isVoidedByRefund = (reward: Actionable) =>
  reward.void?.reasonCode === 'refund' && reward.void.reason === null;

const ALLOWED: Readonly<Record<RewardAction, (reward: Actionable) => boolean>> = {
  grant: (reward) => isGrantedByHand(reward) && reward.fulfillmentStatus === 'pending',
  retry: (reward) =>
    reward.fulfillmentStatus === 'failed' &&
    reward.void === null &&
    reward.money?.netAmountMinor !== '0',
  void: (reward) => reward.void === null || isVoidedByRefund(reward),
  revoke: (reward) =>
    isGrantedByHand(reward) &&
    reward.benefitKind !== 'cash' &&
    reward.fulfillmentStatus === 'revocation_pending',
};

/** Whether the service accepts this action for a reward in its state. */
export const allows = (reward: Actionable, action: RewardAction) => ALLOWED[action](reward);

export const actionsFor = (reward: Actionable): RewardAction[] =>
  (['grant', 'retry', 'revoke', 'void'] as const).filter((action) => allows(reward, action));

/** The effect of voiding this reward. */
export function voidOutcome(reward: Actionable): string {
  if (isVoidedByRefund(reward)) {
    return 'A refund voided it. If you void it, it stays void even if the refund is undone.';
  }
  switch (reward.fulfillmentStatus) {
    case 'pending':
    case 'failed':
      return 'It was not granted yet: it is cancelled, and nothing is owed.';
    case 'in_progress':
      return 'It is being delivered. If it arrives, it must be taken back; if not, it is cancelled.';
    case 'fulfilled':
      return reward.benefitKind === 'cash'
        ? 'The money was paid: it is not taken back, but subtracted from their next payout.'
        : 'It was granted and must be taken back, in your product or by the service.';
    default:
      return 'Nothing is due anyway. The void is recorded with its reason.';
  }
}

export const VOID_REASONS = [
  { value: 'fraud', label: 'Fraud' },
  { value: 'self_referral', label: 'Self-referral' },
  { value: 'duplicate', label: 'Duplicate' },
  { value: 'refund', label: 'Refund' },
  { value: 'chargeback', label: 'Chargeback' },
  { value: 'terms_violation', label: 'Against the terms' },
  { value: 'error', label: 'Our mistake' },
  { value: 'other', label: 'Something else' },
] as const;
export type VoidReason = (typeof VOID_REASONS)[number]['value'];

/** Reasons that only the service gives. */
const BY_SERVICE: Readonly<Record<string, string>> = {
  participant_deleted: 'Participant was erased',
  milestone_lost: 'Fell below the milestone',
};

export const voidReasonLabel = (code: string) =>
  VOID_REASONS.find(({ value }) => value === code)?.label ?? BY_SERVICE[code] ?? code;
