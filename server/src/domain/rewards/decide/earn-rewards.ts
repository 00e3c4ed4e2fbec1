import { addMonths, addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import type { Maker } from '../../participants/participant-slice.ts';
import type { DeliveryChoice } from '../../programs/delivery-methods.ts';
import {
  type BookedProgram,
  type BookedRule,
  isActiveAt,
  statusAt,
  type TermsVersion,
  versionAt,
} from '../../programs/program-book.ts';
import { type RewardRow, withDelivery } from '../reward.ts';
import { isRefundedAway, type PurchaseStanding } from './apply-refund.ts';
import {
  type Arithmetic,
  calculateReward,
  type MoneyBenefit,
  type RewardBase,
} from './calculate-reward.ts';
import type { DeliveryMethod } from './states.ts';

/** Why a rule gave nothing. Stored with every Event: never remove one. */
export const SKIP_REASONS = [
  'no_referral',
  'terms_not_effective',
  'terms_disabled',
  'duration_over',
  'cap_reached',
  'zero_amount',
  'amount_missing',
  'enrollment_not_active',
  /** The referrer belongs to a suspended Partner. */
  'referrer_unavailable',
  'program_not_active',
  'already_earned',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/**
 * What a rule has given so far, to a beneficiary and for a person or referral, without Rewards that
 * do not count as given.
 */
export interface RuleTallies {
  /** Number of Rewards of this rule that the beneficiary has. */
  countOf(ruleId: string, beneficiaryId: string): number;
  /** Whether the rule has earned for this referral (or, in loyalty, this person). */
  hasEarned(ruleId: string, periodKey: string): boolean;
  /** When it first did; null if never. Called only for rules that earn for some months. */
  firstEarnedAt(ruleId: string, periodKey: string): Instant | null;
  /** Whether a signup rule has earned for this person. */
  hasEarnedOnce(ruleId: string, personId: string): boolean;
}

/** An Event with everything that its rules need. */
export interface EarningEvent {
  readonly type: string;
  readonly occurredAt: Instant;
  readonly base: RewardBase | null;
  /** Current state of its purchase, which may have been refunded before the Event is judged. */
  readonly standing: PurchaseStanding | null;
  /** The person behind a signup: the individual, a group's creator, or the group itself. */
  readonly personId: string;
}

/** The two sides of a referral, or in loyalty the person who acts. */
export interface Sides {
  readonly beneficiaries: Readonly<Record<string, string>>;
  /** The referral or person that the earning period applies to. */
  readonly periodKey: string;
  readonly referrerEnrolled: boolean;
  /** Whether the referrer belongs to a suspended Partner. */
  readonly isReferrerSuspended: boolean;
  /** False for a purchase that is too long before its referral. */
  readonly inTime: boolean;
}

export interface EarnedVerdict {
  readonly verdict: 'earned';
  readonly rule: BookedRule;
  readonly terms: TermsVersion;
  readonly beneficiaryId: string;
  readonly money: MoneyBenefit | null;
  readonly arithmetic: Arithmetic;
}

export type RuleVerdict =
  | EarnedVerdict
  | {
      readonly verdict: 'skipped';
      readonly rule: BookedRule;
      readonly terms: TermsVersion | null;
      readonly reason: SkipReason;
    };

/** Judges every rule of a Program for this type of Event, each independently. */
export function earnRewards(
  program: BookedProgram,
  event: EarningEvent,
  sides: Sides,
  tallies: RuleTallies,
): RuleVerdict[] {
  return program.rules
    .filter((rule) => rule.eventType === event.type)
    .map((rule) => judgeRule(program, rule, { event, sides, tallies }));
}

/** The inputs of judging a rule, besides its terms. */
interface Occasion {
  readonly event: EarningEvent;
  readonly sides: Sides;
  readonly tallies: RuleTallies;
}

function judgeRule(program: BookedProgram, rule: BookedRule, occasion: Occasion): RuleVerdict {
  const { event, sides, tallies } = occasion;
  const terms = versionAt(rule.terms, event.occurredAt) ?? null;
  const skip = (reason: SkipReason): RuleVerdict => ({ verdict: 'skipped', rule, terms, reason });
  if (!earnsAt(program, event.occurredAt)) return skip('program_not_active');
  if (!sides.inTime) return skip('no_referral');
  if (terms === null) return skip('terms_not_effective');
  if (!terms.enabled) return skip('terms_disabled');
  if (rule.beneficiaryRole === 'referrer') {
    if (sides.isReferrerSuspended) return skip('referrer_unavailable');
    if (!sides.referrerEnrolled) return skip('enrollment_not_active');
  }
  const beneficiaryId = sides.beneficiaries[rule.beneficiaryRole];
  if (beneficiaryId === undefined) {
    // Loyalty has no referral that could be missing: its subject left the Program.
    return skip(rule.beneficiaryRole === 'subject' ? 'enrollment_not_active' : 'no_referral');
  }
  const over = periodFault(rule, terms, occasion);
  if (over) return skip(over);
  const cap = terms.maxRewardsPerBeneficiary;
  if (cap !== null && tallies.countOf(rule.id, beneficiaryId) >= cap) return skip('cap_reached');
  // A percentage of an unknown amount cannot be promised, not even as a discount on later purchases.
  if (event.type === 'purchase' && event.base === null && terms.calculation === 'percentage') {
    return skip('amount_missing');
  }
  const calculated = calculateReward(terms, event.base);
  if ('skipped' in calculated) return skip(calculated.skipped);
  const amountMinor = calculated.money?.amountMinor ?? null;
  if (event.standing && isRefundedAway(amountMinor, terms, event.standing)) {
    return skip('zero_amount');
  }
  return { verdict: 'earned', rule, terms, beneficiaryId, ...calculated };
}

/** A paused Program makes no new referrals, but its existing ones keep earning; loyalty has none. */
function earnsAt(program: BookedProgram, at: Instant): boolean {
  if (isActiveAt(program, at)) return true;
  const hasStarted = program.startDate === null || program.startDate <= at;
  return program.kind !== 'loyalty' && hasStarted && statusAt(program, at) === 'paused';
}

/** Whether the time of the first earning matters. */
export function earnsForMonths(terms: Pick<TermsVersion, 'durationMode' | 'benefitKind'>): boolean {
  return terms.durationMode === 'months' && terms.benefitKind !== 'discount';
}

function periodFault(
  rule: BookedRule,
  terms: TermsVersion,
  { event, sides, tallies }: Occasion,
): SkipReason | undefined {
  if (event.type === 'signup') {
    return tallies.hasEarnedOnce(rule.id, event.personId) ? 'already_earned' : undefined;
  }
  // A discount is given once; its duration is its own lifetime.
  if (terms.durationMode === 'once' || terms.benefitKind === 'discount') {
    return tallies.hasEarned(rule.id, sides.periodKey) ? 'already_earned' : undefined;
  }
  if (!earnsForMonths(terms)) return undefined;
  const firstAt = tallies.firstEarnedAt(rule.id, sides.periodKey);
  if (firstAt === null) return undefined;
  const endsAt = addMonths(firstAt, terms.durationMonths ?? 0);
  return event.occurredAt < endsAt ? undefined : 'duration_over';
}

/** What earned a Reward, and the Program's delivery settings at that time. */
export interface Earning {
  /** The next number in the Project's list of Rewards. */
  readonly number: number;
  readonly programId: string;
  readonly eventId: string;
  readonly referralId: string | null;
  readonly purchaseId: string | null;
  readonly signupPersonId: string | null;
  readonly delivery: DeliveryChoice;
}

/** Creates the Reward of a rule's verdict, earned now. */
export function makeReward(
  maker: Maker,
  { rule, terms, beneficiaryId, money, arithmetic }: EarnedVerdict,
  { delivery, ...earning }: Earning,
): RewardRow {
  const { benefitKind } = terms;
  return withDelivery(
    {
      id: maker.newId('rwd'),
      projectId: maker.projectId,
      ...earning,
      ruleId: rule.id,
      termsVersionId: terms.id,
      beneficiaryRole: rule.beneficiaryRole,
      beneficiaryParticipantId: beneficiaryId,
      benefitKind,
      netAmountMinor: money?.amountMinor ?? null,
      ...benefitFields(terms, money),
      ...planFields(terms, delivery),
      // Delivery settings accept no other values than these.
      method: delivery[`${benefitKind}Method`] as DeliveryMethod,
      earnedAt: maker.now,
      availableAt: addMs(maker.now, delivery.holdDays * DAY_MS),
      fulfillmentStatus: 'pending',
      deliveryStatus: 'pending',
      deliveryReason: null,
      providerReference: null,
      isDisputed: false,
      paidMinor: 0n,
      payoutId: null,
      fulfillment: null,
      revocation: null,
      void: null,
      arithmetic,
      createdAt: maker.now,
      updatedAt: maker.now,
    },
    maker.now,
  );
}

/** The fields of a Reward that depend only on its terms and amounts, not on the time. */
export function benefitFields(terms: TermsVersion, money: MoneyBenefit | null) {
  const isDiscount = terms.benefitKind === 'discount';
  const unit = unitOf(terms);
  return {
    amountMinor: money?.amountMinor ?? null,
    currency: money?.currency ?? null,
    currencyExponent: money?.currencyExponent ?? null,
    rateBps: isDiscount ? terms.rateBps : null,
    durationMode: isDiscount ? terms.durationMode : null,
    durationMonths: isDiscount ? terms.durationMonths : null,
    quantity: unit && terms.quantity,
    unitId: unit?.id ?? null,
    validityDays: unit && terms.validityDays,
  };
}

/** A unit that represents a plan includes the plan, for the product to apply. */
function planFields(terms: TermsVersion, delivery: DeliveryChoice) {
  const unit = unitOf(terms);
  const upgrade = delivery.planUpgrades.find(({ unitKey }) => unitKey === unit?.key);
  return { plan: upgrade?.plan ?? null, periods: upgrade?.periods ?? null };
}

function unitOf({ benefitKind, unit }: TermsVersion): TermsVersion['unit'] {
  return benefitKind === 'custom' ? unit : null;
}
