import type { Reward } from '../../domain/rewards/schema.ts';
import type { Transfer } from '../../outbound/payouts/queries.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { Formats } from './formats.ts';

/** How good the news is; pages colour it accordingly. */
type Tone = 'good' | 'wait' | 'bad' | 'off';

export interface Words {
  readonly tone: Tone;
  readonly label: string;
  /** What it waits for, or what happened; null if the label is enough. */
  readonly note: string | null;
}

type RewardState = Pick<
  Reward,
  'fulfillmentStatus' | 'benefitKind' | 'void' | 'delivery' | 'availableAt'
>;

/** What a reward waits for, in words for its beneficiary; by the reason of its delivery. */
const WAITING: Readonly<Partial<Record<NonNullable<Reward['delivery']['reason']>, string>>> = {
  dispute_open: 'The purchase is disputed.',
  awaiting_payout_details: 'Add your payout details to be paid.',
  awaiting_payout: 'It is included in the next payout.',
  above_maximum: 'It is above the maximum of one payout. Contact the people who run the program.',
  below_minimum: 'It is paid when the minimum payout amount is reached.',
  payout_failed: 'The last payout failed. It is included in the next one.',
  payout_returned: 'The last payout was returned. It is included in the next one.',
};

/** The state of a reward in words for its beneficiary. */
export function describeReward(reward: RewardState, isSuspended: boolean, formats: Formats): Words {
  const { fulfillmentStatus: status, benefitKind, delivery } = reward;
  const isCash = benefitKind === 'cash';
  switch (status) {
    case 'fulfilled':
      if (reward.void !== null)
        return off('Cancelled', 'The amount paid for it is deducted from later payouts.');
      return { tone: 'good', label: isCash ? 'Paid' : 'Granted', note: null };
    case 'in_progress':
      return { tone: 'wait', label: 'On its way', note: null };
    case 'failed':
      return {
        tone: 'bad',
        label: 'Failed',
        note: 'It could not be delivered. Contact the people who run the program.',
      };
    case 'cancelled':
      return off('Cancelled', delivery.reason === 'refunded' ? 'The purchase was refunded.' : null);
    case 'revocation_pending':
    case 'revoked':
      return off('Taken back', null);
    case 'pending':
      return describePending(reward, isSuspended, formats);
  }
}

function describePending(
  { delivery, availableAt }: RewardState,
  isSuspended: boolean,
  formats: Formats,
): Words {
  if (isSuspended) return { tone: 'wait', label: 'On hold', note: 'You are suspended.' };
  if (delivery.reason === 'hold_period') return onHoldUntil(availableAt, formats);
  const note = delivery.reason === null ? null : (WAITING[delivery.reason] ?? null);
  const isHeld = delivery.status === 'on_hold';
  return { tone: 'wait', label: isHeld ? 'On hold' : 'Pending', note };
}

function onHoldUntil(availableAt: Instant, formats: Formats): Words {
  return { tone: 'wait', label: 'On hold', note: `Until ${formats.day(availableAt)}.` };
}

function off(label: string, note: string | null): Words {
  return { tone: 'off', label, note };
}

/** Its value: money, a discount or units. */
export function describeBenefit(reward: Reward, formats: Formats): string {
  const { money, discount, custom } = reward;
  if (money) return formats.money(BigInt(money.netAmountMinor), money.currency);
  if (discount) return `${formats.percent(discount.rateBps)} off`;
  if (custom) {
    const name = custom.quantity === 1 ? custom.unitName : custom.unitNamePlural;
    return `${formats.count(custom.quantity)} ${name}`;
  }
  throw new Error(`Reward ${reward.id} has no benefit.`);
}

const METHODS: Readonly<Record<Transfer['method'], string>> = {
  manual_export: 'Bank or wallet transfer',
  paypal: 'PayPal',
  wise: 'Wise',
  stripe_connect: 'Stripe',
};

export function nameMethod(method: Transfer['method']): string {
  return METHODS[method];
}

/** Only the reasons that the payee can resolve. */
const TO_MEND: readonly Transfer['failureReason'][] = [
  'invalid_details',
  'account_closed',
  'unclaimed',
  'recipient_refused',
];

/** The state of a transfer in words for its payee. */
export function describeTransfer({ status, failureReason }: Transfer): Words {
  const again = TO_MEND.includes(failureReason)
    ? 'Check your payout details. The amount is included in the next payout.'
    : 'The amount is included in the next payout.';
  switch (status) {
    case 'paid':
      return { tone: 'good', label: 'Paid', note: null };
    case 'failed':
      return { tone: 'bad', label: 'Failed', note: again };
    case 'returned':
      return { tone: 'bad', label: 'Returned', note: again };
    default:
      return { tone: 'wait', label: 'On its way', note: null };
  }
}
