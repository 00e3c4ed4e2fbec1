import type { FeedEventType } from '../../../platform/feed/writer/project-write.ts';
import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import type { MailData, PersonKind } from '../kinds.ts';

/** An event of the feed, as far as mails depend on it. */
export interface FollowedEvent {
  readonly type: FeedEventType;
  readonly occurredAt: Instant;
  readonly data: unknown;
}

/** A mail that a fact causes, if its kind is on. */
export interface MailDraft {
  readonly kind: PersonKind;
  readonly factId: string;
  readonly participantId: string;
  /** Null for a payout, which can cover several Programs: then that of `rewardId` applies. */
  readonly programId: string | null;
  readonly rewardId: string | null;
  readonly data: MailData;
  /** When it happened, by the Project's clock. Facts of the feed are read only once mail is set up. */
  readonly happenedAt?: Instant;
}

/** Older facts are not mailed: nobody wants to read about them that late. */
export const FACT_AGE_MAX_MS = DAY_MS;

interface Party {
  readonly $party: string;
}
interface RewardFacts {
  readonly id: string;
  readonly programId: string;
  readonly beneficiary: Party;
  readonly benefitKind: string;
  readonly money: {
    readonly netAmountMinor: string;
    readonly currency: string;
    readonly currencyExponent: number;
  } | null;
  readonly discount: { readonly rateBps: number } | null;
  readonly custom: {
    readonly quantity: number;
    readonly unitName: string;
    readonly unitNamePlural: string;
  } | null;
  readonly earnedAt: Instant;
  readonly availableAt: Instant;
  readonly delivery: { readonly method: string };
}
interface PayoutFacts {
  readonly id: string;
  readonly currency: string;
  readonly currencyExponent: number;
  readonly amountMinor: string;
  readonly rewards: readonly { readonly rewardId: string; readonly beneficiary: Party }[];
}

/** The mails that an event causes. A fact older than a day causes none. */
export function decideMails(event: FollowedEvent, now: Instant): MailDraft[] {
  if (event.occurredAt < addMs(now, -FACT_AGE_MAX_MS)) return [];
  switch (event.type) {
    case 'referral.created':
      return ofReferral(event.data as Parameters<typeof ofReferral>[0]);
    case 'reward.earned':
      return ofReward('reward_earned', (event.data as { reward: RewardFacts }).reward);
    case 'reward.fulfilled':
      return ofFulfilled((event.data as { reward: RewardFacts }).reward);
    case 'payout.paid':
      return ofPayout((event.data as { payout: PayoutFacts }).payout);
    default:
      return [];
  }
}

function ofReferral({
  referral,
}: {
  referral: { id: string; programId: string; referrer: Party };
}): MailDraft[] {
  const { id: factId, programId, referrer } = referral;
  const participantId = referrer.$party;
  return [{ kind: 'friend_joined', factId, participantId, programId, rewardId: null, data: {} }];
}

function ofReward(kind: PersonKind, reward: RewardFacts): MailDraft[] {
  if (reward.money?.netAmountMinor === '0') return [];
  const { id, programId, beneficiary } = reward;
  const data = benefitOf(reward);
  const isLater = kind === 'reward_earned' && reward.availableAt > reward.earnedAt;
  return [
    {
      kind,
      factId: id,
      participantId: beneficiary.$party,
      programId,
      rewardId: id,
      data: isLater ? { ...data, availableAt: reward.availableAt } : data,
    },
  ];
}

/** Cash that the service pays out is reported once per payout, not once per Reward. */
function ofFulfilled(reward: RewardFacts): MailDraft[] {
  return reward.delivery.method === 'payout' ? [] : ofReward('reward_paid', reward);
}

function ofPayout(payout: PayoutFacts): MailDraft[] {
  const [first] = payout.rewards;
  // A part can be negative, if another Project pays the rest.
  if (!first || payout.amountMinor === '0' || payout.amountMinor.startsWith('-')) return [];
  const { id: factId, amountMinor, currency, currencyExponent } = payout;
  return [
    {
      kind: 'reward_paid',
      factId,
      participantId: first.beneficiary.$party,
      programId: null,
      rewardId: first.rewardId,
      data: { money: { amountMinor, currency, currencyExponent } },
    },
  ];
}

function benefitOf({ benefitKind, money, discount, custom }: RewardFacts): MailData {
  if (money) {
    const { netAmountMinor: amountMinor, currency, currencyExponent } = money;
    const amount = { money: { amountMinor, currency, currencyExponent } };
    return benefitKind === 'credit' ? { ...amount, isCredit: true } : amount;
  }
  if (discount) return { discountBps: discount.rateBps };
  if (!custom) return {};
  const { quantity, unitName, unitNamePlural } = custom;
  return { custom: { quantity, unitName, unitNamePlural } };
}
