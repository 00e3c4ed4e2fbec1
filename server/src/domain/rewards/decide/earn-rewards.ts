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
import type { Measure, MeasureWindow, Milestone, Tiers } from '../../programs/rules/measures.ts';
import { isAfter } from '../../programs/rules/window-days.ts';
import { type RewardRow, withDelivery } from '../reward.ts';
import { isRefundedAway, type PurchaseStanding } from './apply-refund.ts';
import {
  type Arithmetic,
  calculateReward,
  calculateStep,
  type MoneyBenefit,
  type RewardBase,
} from './calculate-reward.ts';
import { type ConditionFacts, findUnmet, type UnmetCondition } from './check-conditions.ts';
import { isLostMilestone, milestoneAt } from './lose-milestone.ts';
import {
  type Measured,
  milestoneKey,
  nextMilestone,
  type PinnedMilestone,
  pinMilestone,
  reachMilestone,
} from './measured-benefit.ts';
import type { DeliveryMethod } from './states.ts';

/** Why a rule gave nothing. Stored with every Event: never remove one. */
export const SKIP_REASONS = [
  'no_referral',
  'terms_not_effective',
  'terms_disabled',
  'duration_over',
  'cap_reached',
  'zero_amount',
  /** What the step gives rounds to nothing. Refunds that are undone do not bring another step. */
  'step_without_reward',
  'amount_missing',
  'enrollment_not_active',
  /** The referrer belongs to a suspended Partner. */
  'referrer_unavailable',
  'program_not_active',
  /** A person decided, in a review, that the referral earns nothing more. */
  'referral_rejected',
  'already_earned',
  'condition_not_met',
  'milestone_not_reached',
  /** The measure had reached the milestone before these terms, or by an Event that could not earn. */
  'milestone_passed',
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
  /** How many Rewards of milestones the beneficiary ever earned, in whatever state they are now. */
  countMilestones(ruleId: string, beneficiaryId: string): number;
  /** Those of them that the measure may fall below or reach again. */
  milestonesOf(ruleId: string, beneficiaryId: string): readonly RewardRow[];
  /** The measure of a beneficiary with this Event. Called only for terms with tiers or a milestone. */
  measure(asked: AskedMeasure): Measured;
}

/** What to measure, up to an Event. */
export interface AskedMeasure {
  readonly beneficiaryId: string;
  readonly role: BookedRule['beneficiaryRole'];
  readonly measure: Measure;
  readonly window: MeasureWindow;
  /** Of revenue. */
  readonly currency: string | null;
  /** When the Event was received: a window ends with that day, or is that month. */
  readonly receivedAt: Instant;
}

export interface AddedMeasures {
  readonly referrals: bigint;
  readonly purchases: bigint;
  readonly revenue: bigint;
  /** Of the revenue. */
  readonly currency: string | null;
}

/** An Event with everything that its rules need. */
export interface EarningEvent {
  readonly type: string;
  readonly occurredAt: Instant;
  readonly receivedAt: Instant;
  readonly facts: ConditionFacts;
  readonly base: RewardBase | null;
  /** What it has added to the measures of its beneficiaries. */
  readonly added: AddedMeasures;
  /** Current state of its purchase, which may have been refunded before the Event is judged. */
  readonly standing: PurchaseStanding | null;
  /** The person behind a signup: the individual, a group's creator, or the group itself. */
  readonly personId: string;
}

/** The two sides of a referral, or in loyalty the person who acts. */
export interface Sides {
  readonly beneficiaries: Readonly<Record<string, string | undefined>>;
  /** The referral or person that the earning period applies to. */
  readonly periodKey: string;
  readonly referrerEnrolled: boolean;
  /** Whether the referrer belongs to a suspended Partner. */
  readonly isReferrerSuspended: boolean;
  /** Whether the review of the referral ended with its rejection. */
  readonly isRejected: boolean;
  /** When the referral was made; null in loyalty. */
  readonly referredAt: Instant | null;
  /** False for a purchase that is too long before its referral. */
  readonly inTime: boolean;
}

export interface EarnedVerdict {
  readonly verdict: 'earned';
  readonly rule: BookedRule;
  /** With the size of the step that applied. */
  readonly terms: TermsVersion;
  readonly beneficiaryId: string;
  readonly money: MoneyBenefit | null;
  readonly arithmetic: Arithmetic;
}

/** A milestone that was lost is reached again: the same Reward is due. */
interface RegainedVerdict {
  readonly verdict: 'regained';
  readonly rule: BookedRule;
  readonly terms: TermsVersion;
  readonly reward: RewardRow;
  /** With the measure that reached it again. */
  readonly milestone: PinnedMilestone;
}

interface SkippedVerdict {
  readonly verdict: 'skipped';
  readonly rule: BookedRule;
  readonly terms: TermsVersion | null;
  readonly reason: SkipReason;
  /** Set for `condition_not_met`. */
  readonly condition?: UnmetCondition;
  /** The next one for `milestone_not_reached`; the one that was passed or earned before. */
  readonly milestone?: PinnedMilestone;
}

export type RuleVerdict = EarnedVerdict | RegainedVerdict | SkippedVerdict;

/** Judges every rule of a Program for this type of Event, each independently. A milestone may be earned several times. */
export function earnRewards(
  program: BookedProgram,
  event: EarningEvent,
  sides: Sides,
  tallies: RuleTallies,
): RuleVerdict[] {
  const occasion: Occasion = { event, sides, tallies };
  const verdicts: RuleVerdict[] = [];
  for (const rule of program.rules) {
    if (rule.eventType === event.type) verdicts.push(...judgeRule(program, rule, occasion));
  }
  return verdicts;
}

/** The inputs of judging a rule, besides its terms. */
interface Occasion {
  readonly event: EarningEvent;
  readonly sides: Sides;
  readonly tallies: RuleTallies;
}

function judgeRule(program: BookedProgram, rule: BookedRule, occasion: Occasion): RuleVerdict[] {
  const { event, sides } = occasion;
  const terms = versionAt(rule.terms, event.occurredAt) ?? null;
  const skip = (reason: SkipReason): RuleVerdict[] => [{ verdict: 'skipped', rule, terms, reason }];
  if (sides.isRejected) return skip('referral_rejected');
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
  const condition = findUnmet(terms.conditions ?? [], event.facts);
  if (condition) {
    return [{ verdict: 'skipped', rule, terms, reason: 'condition_not_met', condition }];
  }
  const judged = { rule, terms, beneficiaryId };
  return terms.milestone
    ? judgeMilestone(judged, terms.milestone, occasion)
    : [judgeBenefit(judged, occasion)];
}

/** A rule that could earn, for whom, and by which terms. */
interface Judged {
  readonly rule: BookedRule;
  readonly terms: TermsVersion;
  readonly beneficiaryId: string;
}

/** Terms without tiers need no measure. */
const NOTHING: Measured = { value: 0n, carried: 0n, rejected: 0n, underReview: 0n };

function judgeBenefit(judged: Judged, occasion: Occasion): RuleVerdict {
  const { rule, terms, beneficiaryId } = judged;
  const { event } = occasion;
  const skip = (reason: SkipReason): RuleVerdict => ({ verdict: 'skipped', rule, terms, reason });
  const over = periodFault(rule, terms, occasion);
  if (over) return skip(over);
  if (leftUnderCap(judged, occasion) === 0) return skip('cap_reached');
  // A percentage of an unknown amount cannot be promised, not even as a discount on later purchases.
  if (event.type === 'purchase' && event.base === null && terms.calculation === 'percentage') {
    return skip('amount_missing');
  }
  const value = terms.tiers ? measured(judged, terms.tiers, occasion) : NOTHING;
  const { calculated, terms: sized } = calculateStep(terms, event.base, value);
  if ('skipped' in calculated) {
    const isOfStep = terms.tiers !== null && calculated.skipped === 'zero_amount';
    return skip(isOfStep ? 'step_without_reward' : calculated.skipped);
  }
  const amountMinor = calculated.money?.amountMinor ?? null;
  if (event.standing && isRefundedAway(amountMinor, terms, event.standing)) {
    return skip('zero_amount');
  }
  const { money, arithmetic } = calculated;
  return { verdict: 'earned', rule, terms: sized, beneficiaryId, money, arithmetic };
}

/**
 * Earned with the Event that brings the measure to the milestone, once. Refunds do not change the benefit, but whether
 * the measure is reached.
 */
function judgeMilestone(judged: Judged, milestone: Milestone, occasion: Occasion): RuleVerdict[] {
  const { rule, terms, beneficiaryId } = judged;
  const { event, tallies } = occasion;
  const skip = (reason: SkipReason, next?: PinnedMilestone | null): RuleVerdict[] => [
    { verdict: 'skipped', rule, terms, reason, ...(next ? { milestone: next } : {}) },
  ];
  const { measure } = milestone;
  const found = measured(judged, { measure, window: 'all_time' }, occasion);
  const isOther = measure === 'revenue' && event.added.currency !== terms.currency;
  const before = found.value - (isOther ? 0n : event.added[measure]);
  const reached = reachMilestone(milestone, before, found);
  const next = nextMilestone(milestone, found);
  if (reached.length === 0) {
    if (next) return skip('milestone_not_reached', next);
    const hasEarned = tallies.countMilestones(rule.id, beneficiaryId) > 0;
    const passed = pinMilestone(milestone, found, 1n);
    return skip(hasEarned ? 'already_earned' : 'milestone_passed', passed);
  }
  const key = milestoneKey(milestone, terms.currency);
  const known = new Map(
    tallies
      .milestonesOf(rule.id, beneficiaryId)
      .flatMap((reward) => (reward.milestone === key ? [[milestoneAt(reward), reward]] : [])),
  );
  const regained = [...known.values()].filter(isLostMilestone).flatMap((reward) => {
    const at = milestoneAt(reward);
    const [pinned] = at > before ? reachMilestone(milestone, at - 1n, found) : [];
    return pinned?.at === String(at) ? [{ pinned, reward }] : [];
  });
  const isNew = ({ at }: PinnedMilestone) => !known.has(BigInt(at));
  const earned = reached.filter(isNew).map((pinned) => ({ pinned, reward: null }));
  const due = [...regained, ...earned];
  if (due.length === 0) return skip('already_earned', reached[0]);
  const left = leftUnderCap(judged, occasion);
  if (left === 0) return skip('cap_reached');
  return due.slice(0, left).map(({ pinned, reward }): RuleVerdict => {
    if (reward) return { verdict: 'regained', rule, terms, reward, milestone: pinned };
    const calculated = calculateReward(terms, null);
    if ('skipped' in calculated) throw new Error('A milestone has a benefit of its own.');
    const arithmetic: Arithmetic = { ...calculated.arithmetic, milestone: pinned };
    return { verdict: 'earned', rule, terms, beneficiaryId, ...calculated, arithmetic };
  });
}

function measured(
  { rule, terms, beneficiaryId }: Judged,
  { measure, window }: Pick<Tiers, 'measure' | 'window'>,
  { event, sides, tallies }: Occasion,
): Measured {
  const { currency } = terms;
  const { beneficiaryRole: role } = rule;
  const { receivedAt } = event;
  const found = tallies.measure({ beneficiaryId, role, measure, window, currency, receivedAt });
  if (measure !== 'referrals' || window === 'all_time' || sides.referredAt === null) return found;
  // A purchase may have waited for its referral, which then was made after the window.
  const isLater = isAfter(window, receivedAt, sides.referredAt);
  return isLater ? { ...found, value: found.value + 1n } : found;
}

/** How many more Rewards of the rule the beneficiary can have. */
function leftUnderCap({ rule, terms, beneficiaryId }: Judged, { tallies }: Occasion): number {
  const cap = terms.maxRewardsPerBeneficiary;
  if (cap === null) return Number.POSITIVE_INFINITY;
  return Math.max(0, cap - tallies.countOf(rule.id, beneficiaryId));
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
  /** Whether its referral is under review. */
  readonly isUnderReview: boolean;
  readonly purchaseId: string | null;
  readonly signupPersonId: string | null;
  readonly delivery: DeliveryChoice;
}

/** Creates the Reward of a rule's verdict, earned now. */
export function makeReward(
  maker: Maker,
  { rule, terms, beneficiaryId, money, arithmetic }: EarnedVerdict,
  earning: Earning,
): RewardRow {
  const { benefitKind } = terms;
  const { delivery } = earning;
  const benefit = benefitFields(terms, money);
  const { plan, periods } = planFields(terms, delivery);
  // A milestone is not of one purchase or signup, and does not change with it.
  const isMilestone = arithmetic.milestone !== undefined;
  return withDelivery(
    {
      id: maker.newId('rwd'),
      projectId: maker.projectId,
      number: earning.number,
      programId: earning.programId,
      eventId: earning.eventId,
      referralId: earning.referralId,
      isUnderReview: !isMilestone && earning.isUnderReview,
      purchaseId: isMilestone ? null : earning.purchaseId,
      signupPersonId: isMilestone ? null : earning.signupPersonId,
      milestone: arithmetic.milestone ? milestoneKey(arithmetic.milestone, terms.currency) : null,
      ruleId: rule.id,
      termsVersionId: terms.id,
      beneficiaryRole: rule.beneficiaryRole,
      beneficiaryParticipantId: beneficiaryId,
      benefitKind,
      netAmountMinor: money?.amountMinor ?? null,
      amountMinor: benefit.amountMinor,
      currency: benefit.currency,
      currencyExponent: benefit.currencyExponent,
      rateBps: benefit.rateBps,
      durationMode: benefit.durationMode,
      durationMonths: benefit.durationMonths,
      quantity: benefit.quantity,
      unitId: benefit.unitId,
      validityDays: benefit.validityDays,
      plan,
      periods,
      // Delivery settings accept no other values than these.
      method: delivery[`${benefitKind}Method`] as DeliveryMethod,
      earnedAt: maker.now,
      availableAt: addMs(maker.now, delivery.holdDays * DAY_MS),
      fulfillmentStatus: 'pending',
      deliveryStatus: 'pending',
      deliveryReason: null,
      providerReference: null,
      isDisputed: false,
      answeredEventId: null,
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
