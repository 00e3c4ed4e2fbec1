import { formatMajor } from '../output/format-money.ts';
import { toVisible } from '../output/layout.ts';
import { describeBenefit } from '../output/present.ts';

/** An event of the feed. */
export interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly occurredAt: string;
  readonly data: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const TYPE_WIDTH = 'participant.created'.length;

/** An event in one line: time, type and participant. */
export function describeEvent(event: FeedEvent): string {
  const at = event.occurredAt.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
  const what = toVisible(detailOf(event));
  return `${at}  ${event.type.padEnd(TYPE_WIDTH)}  ${what || event.id}`;
}

function detailOf({ type, data }: FeedEvent): string {
  const { participant, referral, event, attribution, reward, payout } = fieldsOf(data);
  switch (type.split('.')[0]) {
    case 'participant':
      return nameOf(participant);
    case 'referral':
      return `${nameOf(fieldsOf(referral).referrer)} referred ${nameOf(fieldsOf(referral).referee)}`;
    case 'event':
      return describeFact(fieldsOf(event), fieldsOf(attribution));
    case 'reward':
      return describeReward(fieldsOf(reward));
    case 'payout':
      return describePayout(fieldsOf(payout));
    default:
      return '';
  }
}

function describeFact(event: Fields, attribution: Fields): string {
  const purchase = fieldsOf(event.purchase);
  const amount = amountOf(purchase, purchase.amountMinor);
  const credit = attribution.referrer
    ? `credited to ${nameOf(attribution.referrer)}`
    : attribution.reason
      ? `credited to nobody (${attribution.reason})`
      : '';
  return [`${event.type} of ${nameOf(event.participant)}`, amount, credit, String(event.id ?? '')]
    .filter((part) => part !== '')
    .join(', ');
}

function describeReward(reward: Fields): string {
  const { beneficiary, beneficiaryRole, benefitKind, id } = reward;
  const reason = fieldsOf(reward.void).reasonCode;
  const why = reason ? `, ${reason}` : '';
  return `${describeBenefit(reward)} ${benefitKind} for ${nameOf(beneficiary)} (${beneficiaryRole})${why}, ${id}`;
}

function describePayout(payout: Fields): string {
  const why = payout.failureReason ? `, ${payout.failureReason}` : '';
  const count = Array.isArray(payout.rewards) ? payout.rewards.length : 0;
  return `${amountOf(payout, payout.amountMinor)} by ${payout.method} for ${count} rewards${why}, ${payout.id}`;
}

/** By the product's own id if there is one, because that is what people know. */
function nameOf(value: unknown): string {
  const { kind, externalId, participantId } = fieldsOf(value);
  const id = String(externalId ?? participantId ?? 'somebody');
  return kind === 'group' ? `group ${id}` : id;
}

function amountOf({ currency, currencyExponent }: Fields, minor: unknown): string {
  if (typeof minor !== 'string') return '';
  if (typeof currencyExponent !== 'number') return `${minor} ${currency} (minor units)`;
  return `${formatMajor(BigInt(minor), currencyExponent)} ${currency}`;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
