import type { Answer } from '../../api/client.ts';
import { formatRate } from '../../ui/format-rate.ts';
import { formatMinor } from '../../ui/money.tsx';
import { humanize } from '../../ui/words.ts';

export type FeedEvent = Answer<'/v1/webhook-events'>['events'][number];

interface Party {
  readonly participantId: string;
  readonly externalId: string | null;
}

interface MoneyFields {
  readonly amountMinor: string;
  readonly currency: string;
  readonly currencyExponent: number;
}

/** The fields of known events that are shown here. */
interface Data {
  readonly participant?: Party;
  readonly referral?: { readonly id: string; readonly referrer: Party; readonly referee: Party };
  readonly event?: {
    readonly id: string;
    readonly type: string;
    readonly participant: Party;
    readonly purchase: MoneyFields | null;
  };
  readonly attribution?: { readonly status: string; readonly referrer: Party | null } | null;
  readonly reward?: {
    readonly id: string;
    readonly beneficiary: Party;
    readonly money: MoneyFields | null;
    readonly discount: { readonly rateBps: number } | null;
    readonly custom: {
      readonly quantity: number;
      readonly unitName: string;
      readonly unitNamePlural: string;
    } | null;
  };
  readonly review?: {
    readonly id: string;
    readonly referrer: Party;
    readonly referee: Party;
    readonly status: string;
    readonly score: number;
  };
  readonly payout?: MoneyFields & {
    readonly id: string;
    readonly failureReason: string | null;
  };
}

const dataOf = (event: FeedEvent) => (event.data ?? {}) as Data;

/** By participant: names that are not part of an event. */
type Names = ReadonlyMap<string, string>;

const namesIn = (names: Names) => (party: Party | null | undefined) =>
  names.get(party?.participantId ?? '') ?? party?.externalId ?? 'a partner';

/** Those whom the sentence about an event names. */
export function partiesOf(event: FeedEvent): string[] {
  const { participant, referral, event: fact, attribution, reward, review } = dataOf(event);
  const sides = [referral, review].flatMap((one) => (one ? [one.referrer, one.referee] : []));
  const all = [
    participant,
    ...sides,
    fact?.participant,
    attribution?.referrer,
    reward?.beneficiary,
  ];
  return [...new Set(all.flatMap((party) => party?.participantId ?? []))];
}

const sayMoney = ({ amountMinor, currency, currencyExponent }: MoneyFields) =>
  formatMinor(amountMinor, currency, currencyExponent);

function sayBenefit({ money, discount, custom }: NonNullable<Data['reward']>): string {
  if (money) return sayMoney(money);
  if (discount) return `a discount of ${formatRate(discount.rateBps)}`;
  if (!custom) return 'a reward';
  return `${custom.quantity} ${custom.quantity === 1 ? custom.unitName : custom.unitNamePlural}`;
}

const REWARD_VERBS: Readonly<Record<string, (who: string, what: string) => string>> = {
  'reward.earned': (who, what) => `${who} earned ${what}`,
  'reward.voided': (who, what) => `${what} of ${who} was voided`,
  'reward.restored': (who, what) => `${what} of ${who} counts again`,
  'reward.fulfilled': (who, what) => `${who} got ${what}`,
  'reward.revoked': (who, what) => `${what} was taken back from ${who}`,
};

/** What happened, in a sentence with the names that are known; the type itself if it is unknown here. */
export function sayEvent(event: FeedEvent, names: Names): string {
  const nameOf = namesIn(names);
  const { participant, referral, event: fact, attribution, reward, payout, review } = dataOf(event);
  // External ids stay as they are: they are case-sensitive.
  const sentence = (text: string) => text.replace(/^a /, 'A ');
  if (reward) {
    const say = REWARD_VERBS[event.type];
    return sentence(say?.(nameOf(reward.beneficiary), sayBenefit(reward)) ?? event.type);
  }
  if (review) {
    const whom = `${nameOf(review.referrer)} brought ${nameOf(review.referee)}`;
    if (review.status === 'open') return sentence(`${whom}: to be reviewed, score ${review.score}`);
    return sentence(`${whom}: ${review.status}`);
  }
  if (payout) {
    const [, verb = ''] = event.type.split('.');
    const why = payout.failureReason ? `: ${payout.failureReason.replaceAll('_', ' ')}` : '';
    return `A transfer of ${sayMoney(payout)} was ${verb}${why}`.replace('was failed', 'failed');
  }
  if (referral) return sentence(`${nameOf(referral.referrer)} brought ${nameOf(referral.referee)}`);
  if (fact) {
    const what = fact.purchase ? `Purchase of ${sayMoney(fact.purchase)}` : humanize(fact.type);
    const whose =
      attribution?.status === 'attributed' ? `, credited to ${nameOf(attribution.referrer)}` : '';
    return `${what} by ${nameOf(fact.participant)}${whose}`;
  }
  if (participant) return sentence(`${nameOf(participant)} is here for the first time`);
  return event.type;
}

export interface Thing {
  readonly type: string;
  readonly id: string;
  readonly label: string;
}

/** The objects of an event, for links. */
export function thingsOf(event: FeedEvent, names: Names): Thing[] {
  const nameOf = namesIn(names);
  const { participant, referral, event: fact, reward, payout, review } = dataOf(event);
  const sides = referral ?? review;
  const party = participant ?? fact?.participant ?? reward?.beneficiary ?? sides?.referee;
  return [
    ...(reward ? [{ type: 'reward', id: reward.id, label: 'The reward' }] : []),
    ...(payout ? [{ type: 'payout', id: payout.id, label: 'The payout' }] : []),
    ...(referral ? [{ type: 'referral', id: referral.id, label: 'The referral' }] : []),
    ...(fact ? [{ type: 'event', id: fact.id, label: 'The event, and why' }] : []),
    ...(party
      ? [{ type: 'participant', id: party.participantId, label: sentenceOf(nameOf(party)) }]
      : []),
  ];
}

const sentenceOf = (text: string) => (text === 'a partner' ? 'The partner' : text);
