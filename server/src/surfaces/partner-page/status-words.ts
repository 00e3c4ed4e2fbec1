import type { Reward } from '../../domain/rewards/schema.ts';
import type { Transfer } from '../../outbound/payouts/queries.ts';
import type { Reader } from './reader.ts';
import { fill } from './texts/fill.ts';
import type { TextName } from './texts/texts.ts';

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
const WAITING: Readonly<Partial<Record<NonNullable<Reward['delivery']['reason']>, TextName>>> = {
  risk_review: 'noteChecking',
  dispute_open: 'noteDisputed',
  awaiting_payout_details: 'noteAddDetails',
  awaiting_payout: 'noteNextPayout',
  above_maximum: 'noteAboveMaximum',
  below_minimum: 'noteBelowMinimum',
  payout_failed: 'notePayoutFailed',
  payout_returned: 'notePayoutReturned',
};

/** The state of a reward in words for its beneficiary. */
export function describeReward(reward: RewardState, isSuspended: boolean, reader: Reader): Words {
  const { fulfillmentStatus: status, benefitKind, delivery } = reward;
  const { texts } = reader;
  switch (status) {
    case 'fulfilled': {
      if (reward.void !== null) return off(texts.stateCancelled, texts.noteDeducted);
      const label = benefitKind === 'cash' ? texts.statePaid : texts.stateGranted;
      return { tone: 'good', label, note: null };
    }
    case 'in_progress':
      return { tone: 'wait', label: texts.stateOnItsWay, note: null };
    case 'failed':
      return { tone: 'bad', label: texts.stateFailed, note: texts.noteUndelivered };
    case 'cancelled':
      return off(texts.stateCancelled, delivery.reason === 'refunded' ? texts.noteRefunded : null);
    case 'revocation_pending':
    case 'revoked':
      return off(texts.stateTakenBack, null);
    case 'pending':
      return describePending(reward, isSuspended, reader);
  }
}

function describePending(
  { delivery, availableAt }: RewardState,
  isSuspended: boolean,
  { texts, formats }: Reader,
): Words {
  const onHold = { tone: 'wait', label: texts.stateOnHold } as const;
  if (isSuspended) return { ...onHold, note: texts.noteSuspended };
  if (delivery.reason === 'hold_period') {
    return { ...onHold, note: fill(texts.noteUntil, { day: formats.day(availableAt) }) };
  }
  const name = delivery.reason === null ? undefined : WAITING[delivery.reason];
  const note = name === undefined ? null : texts[name];
  if (delivery.status === 'on_hold') return { ...onHold, note };
  return { tone: 'wait', label: texts.statePending, note };
}

function off(label: string, note: string | null): Words {
  return { tone: 'off', label, note };
}

/** Its value: money, a discount or units. */
export function describeBenefit(reward: Reward, { texts, formats }: Reader): string {
  const { money, discount, custom } = reward;
  if (money) return formats.money(BigInt(money.netAmountMinor), money.currency);
  if (discount) return fill(texts.off, { rate: formats.percent(discount.rateBps) });
  if (custom) {
    const name = custom.quantity === 1 ? custom.unitName : custom.unitNamePlural;
    return `${formats.count(custom.quantity)} ${name}`;
  }
  throw new Error(`Reward ${reward.id} has no benefit.`);
}

const METHODS: Readonly<Record<Exclude<Transfer['method'], 'manual_export'>, string>> = {
  paypal: 'PayPal',
  wise: 'Wise',
  stripe_connect: 'Stripe',
};

export function nameMethod(method: Transfer['method'], { texts }: Reader): string {
  return method === 'manual_export' ? texts.methodTransfer : METHODS[method];
}

/** Only the reasons that the payee can resolve. */
const TO_MEND: readonly Transfer['failureReason'][] = [
  'invalid_details',
  'account_closed',
  'unclaimed',
  'recipient_refused',
];

/** The state of a transfer in words for its payee. */
export function describeTransfer({ status, failureReason }: Transfer, { texts }: Reader): Words {
  const again = TO_MEND.includes(failureReason) ? texts.noteCheckDetails : texts.noteAmountNext;
  switch (status) {
    case 'paid':
      return { tone: 'good', label: texts.statePaid, note: null };
    case 'failed':
      return { tone: 'bad', label: texts.stateFailed, note: again };
    case 'returned':
      return { tone: 'bad', label: texts.stateReturned, note: again };
    default:
      return { tone: 'wait', label: texts.stateOnItsWay, note: null };
  }
}
