import type { Row } from '../../api/client.ts';
import type { Tone } from '../../ui/status-badge.tsx';

export type Reward = Row<'/v1/rewards'>;
type Status = Reward['fulfillmentStatus'];
type Reason = NonNullable<Reward['delivery']['reason']>;

/** What the sentence about a reward's state depends on. */
export type RewardState = Pick<
  Reward,
  'fulfillmentStatus' | 'benefitKind' | 'delivery' | 'void' | 'availableAt'
>;

export interface ExplainedState {
  readonly tone: Tone;
  readonly label: string;
  /** What it means, and what comes next. */
  readonly sentence: string;
}

/** What a `pending` reward waits for. */
const WAITING: Readonly<Record<Reason, readonly [Tone, string, string]>> = {
  hold_period: [
    'waits',
    'On hold',
    'The hold period is not over. The service delivers it afterwards; your product may grant it sooner.',
  ],
  risk_review: [
    'care',
    'Being checked',
    'It waits until its referral, or one that its milestone counts, is approved or rejected under Reviews.',
  ],
  dispute_open: [
    'care',
    'Held by a dispute',
    'The purchase behind it is disputed. It waits until the dispute is settled.',
  ],
  awaiting_operator: [
    'care',
    'To be granted',
    'Your product grants it and reports this, or a person records the grant here.',
  ],
  awaiting_manual: ['care', 'To be granted', 'A person grants it by hand and records this here.'],
  awaiting_payout_details: [
    'waits',
    'Needs payout details',
    'They have not entered payout details yet. It is paid out once they have.',
  ],
  awaiting_payout: ['waits', 'For the next payout', 'It is ready and goes into the next payout.'],
  below_minimum: [
    'waits',
    'Carried over',
    'Their balance is below the minimum payout, or they owe more than they have earned since. Their page says which.',
  ],
  above_maximum: [
    'care',
    'Above the maximum',
    'The amount is too large for one payout. Check the amounts and void what is wrong.',
  ],
  awaiting_billing_account: [
    'waits',
    'Needs a billing account',
    'The service does not know their customer at Stripe yet. It is delivered once it does.',
  ],
  provider_pending: [
    'waits',
    'Being delivered soon',
    'It is next in line to be sent to the provider.',
  ],
  provider_error: [
    'care',
    'Will be tried again',
    'The provider could not be reached or had an error. It is retried automatically.',
  ],
  provider_rejected: [
    'care',
    'Refused before',
    'The provider refused it the last time. It is tried again.',
  ],
  payout_failed: [
    'care',
    'Payout failed',
    'The payout it was in failed before anything was paid. It goes into the next one.',
  ],
  payout_returned: [
    'care',
    'Payout returned',
    'The money was returned. It goes into the next payout. The payout details may be wrong.',
  ],
  voided: ['waits', 'Waiting', 'It waits to be delivered.'],
  refunded: ['waits', 'Waiting', 'It waits to be delivered.'],
};

const GRANTED: Readonly<Record<Reward['benefitKind'], readonly [string, string]>> = {
  cash: ['Paid', 'The money was paid.'],
  credit: ['Granted', 'The credit was granted.'],
  discount: ['Granted', 'The discount was granted.'],
  custom: ['Granted', 'It was granted.'],
};

/** Every state of a reward as a sentence: what it means, and what comes next. */
export function explainReward(reward: RewardState): ExplainedState {
  const { delivery } = reward;
  const isVoided = reward.void !== null;
  const states: Record<Status, () => ExplainedState> = {
    pending: () => {
      const [tone, label, sentence] = delivery.reason
        ? WAITING[delivery.reason]
        : (['waits', 'Waiting', 'It waits to be delivered.'] as const);
      return { tone, label, sentence };
    },
    in_progress: () => ({
      tone: isVoided ? 'care' : 'waits',
      label: 'Under way',
      sentence: isVoided
        ? 'It was voided during its delivery. If it arrives, it is treated as voided; if not, it is cancelled.'
        : `It was passed to ${delivery.method === 'payout' ? 'a payout' : 'the provider'}; the outcome is not known yet.`,
    }),
    fulfilled: () => fulfilled(reward),
    failed: () => ({
      tone: 'bad',
      label: 'Failed',
      sentence:
        delivery.reason === 'provider_rejected'
          ? 'The provider refused it. Fix the cause and retry, or void it.'
          : 'The provider could not deliver it in ten attempts. Retry later, or void it.',
    }),
    cancelled: () => cancelled(reward),
    revocation_pending: () => ({
      tone: delivery.reason ? 'bad' : 'care',
      label: 'To be taken back',
      sentence: takingBack(reward),
    }),
    revoked: () => ({
      tone: 'over',
      label: 'Taken back',
      sentence: 'It was voided after the grant, and was taken back.',
    }),
  };
  return states[reward.fulfillmentStatus]();
}

function cancelled({ void: voided }: RewardState): ExplainedState {
  if (voided === null) {
    return {
      tone: 'over',
      label: 'Refunded',
      sentence:
        'Refunds reduced it to nothing before it was granted. If the refund is undone, it is due again.',
    };
  }
  return {
    tone: 'over',
    label: 'Voided',
    sentence:
      voided.reasonCode === 'milestone_lost'
        ? 'The count fell below the milestone before it was granted. If it is reached again, the reward is due again.'
        : 'It was voided before it was granted. Nothing is owed.',
  };
}

function fulfilled({ benefitKind, delivery, void: voided }: RewardState): ExplainedState {
  const [label, done] = GRANTED[benefitKind];
  if (voided !== null) {
    return {
      tone: 'care',
      label: `${label}, then voided`,
      sentence:
        benefitKind === 'cash'
          ? 'The money was paid and is not taken back. It is deducted from their next payout.'
          : `${done} It was voided before this was known, and is not taken back.`,
    };
  }
  if (delivery.reason) {
    return {
      tone: 'care',
      label: `${label}, correction failed`,
      sentence: `${done} A refund changed the amount, but the provider did not accept the correction. It is retried.`,
    };
  }
  return { tone: 'good', label, sentence: `${done} Nothing is left to do.` };
}

function takingBack({ delivery }: RewardState): string {
  if (delivery.method === 'operator' || delivery.method === 'manual') {
    return 'It was voided after the grant. Take it back in your product, then record that here.';
  }
  return delivery.reason
    ? 'It was voided after the grant, but the provider did not take it back. This is retried automatically.'
    : 'It was voided after the grant. The service takes it back automatically.';
}
