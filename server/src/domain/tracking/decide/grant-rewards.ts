import { figureKey } from '../../../platform/figures/tally.ts';
import { DAY_MS, type Instant, toMs } from '../../../platform/kit/instant.ts';
import { type BookedProgram, findTerms, isActiveAt } from '../../programs/program-book.ts';
import type { PurchaseStanding } from '../../rewards/decide/apply-refund.ts';
import type { RewardBase } from '../../rewards/decide/calculate-reward.ts';
import {
  type AddedMeasures,
  type AskedMeasure,
  type EarnedVerdict,
  earnRewards,
  makeReward,
  type RuleTallies,
  type RuleVerdict,
} from '../../rewards/decide/earn-rewards.ts';
import { regainMilestone } from '../../rewards/decide/lose-milestone.ts';
import type { Measured } from '../../rewards/decide/measured-benefit.ts';
import {
  givenName,
  milestoneNames,
  onceName,
  periodName,
} from '../../rewards/decide/reward-figures.ts';
import { rewardData } from '../../rewards/read/present.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import type { ReviewStatus } from '../../risk/schema.ts';
import { firstOf } from '../batch/earnings.ts';
import type { EnrollmentSpan, ExplainedRule, Purchase, TrackedEvent } from '../batch/facts.ts';
import { type Ledger, type LedgerView, purchaseOf } from '../batch/ledger.ts';
import { leftOf, readMeasure } from '../batch/measures.ts';
import type { Referral } from '../event-schema.ts';
import { isFirstPurchase } from './customers.ts';
import { isMemberAt } from './decide-membership.ts';

/**
 * Announces Rewards that rules earned, in their current state: a refund may have arrived before they were earned. A
 * regained one is not new.
 */
export function announceEarned(ledger: Ledger, rules: readonly ExplainedRule[]): void {
  const { added, changed } = ledger.made.rewards;
  for (const { rewardId } of rules) {
    const reward = added.get(rewardId ?? '');
    if (reward) announce(ledger, 'reward.earned', reward);
    const regained = changed.get(rewardId ?? '');
    if (regained) announceRestored(ledger, [regained]);
  }
}

export function announceVoided(ledger: Ledger, rewards: readonly RewardRow[]): void {
  for (const reward of rewards) announce(ledger, 'reward.voided', reward);
}

/** Announces Rewards whose void was lifted: an ungranted one is to be granted as if it were new. */
export function announceRestored(ledger: Ledger, rewards: readonly RewardRow[]): void {
  for (const reward of rewards) {
    const isGranted = reward.fulfillmentStatus === 'fulfilled';
    announce(ledger, isGranted ? 'reward.restored' : 'reward.earned', reward);
  }
}

function announce(
  ledger: Ledger,
  type: 'reward.earned' | 'reward.voided' | 'reward.restored',
  reward: RewardRow,
): void {
  ledger.announce(type, () => {
    const { unit } = findTerms(ledger.view.book, reward);
    return { reward: rewardData(reward, unit) };
  });
}

/** How long before its referral a purchase may be and still earn: signups can be reported late. */
const BEFORE_REFERRAL_MS = DAY_MS;

/** Runs the rules of the referral's Program, or some of them, for an Event. Returns the verdict of each. */
export function grantReferralRewards(
  ledger: Ledger,
  event: TrackedEvent,
  referral: Referral,
  again?: JudgedAgain,
): ExplainedRule[] {
  const { view } = ledger;
  const program = view.book.programs.get(referral.programId);
  if (!program) throw new Error(`Referral ${referral.id} names an unknown Program.`);
  const { referrerParticipantId: referrer, refereeParticipantId: referee } = referral;
  const verdicts = earnRewards(
    program,
    earningEvent(view, event, again?.added ?? addedTo(view, event, referral)),
    {
      beneficiaries: {
        referrer: isThere(view, referrer) ? referrer : undefined,
        referee: isThere(view, referee) ? referee : undefined,
      },
      periodKey: referral.id,
      referrerEnrolled:
        isThere(view, referrer) &&
        enrollmentAt(view, referrer, program.id, event.occurredAt) !== undefined,
      isReferrerSuspended: isSuspended(view, referrer),
      isRejected: reviewStatusOf(view, referral) === 'rejected',
      referredAt: referral.selectedAt,
      inTime:
        event.type !== 'purchase' ||
        event.occurredAt >= referral.bindingOccurredAt ||
        toMs(event.occurredAt) >= toMs(referral.bindingOccurredAt) - BEFORE_REFERRAL_MS,
    },
    new LedgerTallies(view, program.id),
  );
  return grant(ledger, { event, referral, program }, someOf(verdicts, again));
}

/** Some rules are judged once more for an Event, of whose purchase more is left than before. */
export interface JudgedAgain {
  readonly ruleIds: ReadonlySet<string>;
  readonly added: AddedMeasures;
}

function someOf(verdicts: readonly RuleVerdict[], again?: JudgedAgain) {
  return again ? verdicts.filter(({ rule }) => again.ruleIds.has(rule.id)) : verdicts;
}

/** As it is now: this Event may have opened the review. */
function reviewStatusOf({ referrals }: LedgerView, referral: Referral): ReviewStatus | null {
  return referrals.get(referral.refereeParticipantId)?.reviewStatus ?? null;
}

/** Nobody earns after they were erased. */
export function isThere({ people }: LedgerView, participantId: string): boolean {
  return people.get(participantId)?.deletedAt === null;
}

/** Nobody earns for referrals while their Partner is suspended. */
export function isSuspended({ people }: LedgerView, participantId: string): boolean {
  return (people.get(participantId)?.suspendedAt ?? null) !== null;
}

/** Runs the rules, or some, of every active loyalty Program; a first match enrolls the person. */
export function grantLoyaltyRewards(
  ledger: Ledger,
  event: TrackedEvent,
  again?: JudgedAgain,
): ExplainedRule[] {
  const { view } = ledger;
  const explained: ExplainedRule[] = [];
  for (const program of view.book.programs.values()) {
    if (program.kind !== 'loyalty' || !isActiveAt(program, event.occurredAt)) continue;
    if (!program.rules.some((rule) => rule.eventType === event.type)) continue;
    const subject = event.participantId;
    const isMember = joinLoyalty(ledger, program, event);
    const bought = isMember ? purchaseOf(view, event) : null;
    if (bought) ledger.addLoyalty(bought, program.id);
    const verdicts = earnRewards(
      program,
      earningEvent(view, event, again?.added ?? addedBy(bought)),
      {
        beneficiaries: { subject: isMember ? subject : undefined },
        periodKey: subject,
        referrerEnrolled: false,
        isReferrerSuspended: false,
        isRejected: false,
        referredAt: null,
        inTime: true,
      },
      new LedgerTallies(view, program.id),
    );
    const source = { event, referral: null, program };
    explained.push(...grant(ledger, source, someOf(verdicts, again)));
  }
  return explained;
}

/** Enrolls on the first match, and returns whether the person was a member at the time of the fact. */
function joinLoyalty(
  ledger: Ledger,
  program: BookedProgram,
  { participantId, occurredAt }: TrackedEvent,
): boolean {
  const spans = ledger.view.enrollments.filter(
    (span) => span.participantId === participantId && span.programId === program.id,
  );
  if (spans.length > 0) return isMemberAt(spans, occurredAt);
  const span: EnrollmentSpan = {
    id: ledger.newId('enr'),
    participantId,
    programId: program.id,
    startsAt: ledger.now,
    endsAt: null,
  };
  ledger.addEnrollment(span);
  return true;
}

export function enrollmentAt(
  view: LedgerView,
  participantId: string,
  programId: string,
  at: string,
): EnrollmentSpan | undefined {
  return view.enrollments.find(
    (span) =>
      span.participantId === participantId &&
      span.programId === programId &&
      span.startsAt <= at &&
      (span.endsAt === null || at < span.endsAt),
  );
}

/** What a purchase with so much left counts for the measures of its beneficiaries. */
export function addedBy(purchase: Purchase | null): AddedMeasures {
  if (!purchase) return { referrals: 0n, purchases: 0n, revenue: 0n, currency: null };
  const { netMinor, howMany, currency } = leftOf(purchase);
  return { referrals: 0n, purchases: howMany, revenue: netMinor, currency };
}

/** What an Event counts for the measures of a referral's sides. An import has counted its referral before the signup. */
function addedTo(view: LedgerView, event: TrackedEvent, referral: Referral): AddedMeasures {
  const { purchases, revenue, currency } = addedBy(purchaseOf(view, event));
  const { bindingEventId, bindingSubscriptionFactId } = referral;
  const isMade = bindingEventId === event.id || bindingSubscriptionFactId !== null;
  const referrals = event.type === 'signup' && isMade ? 1n : 0n;
  return { referrals, purchases, revenue, currency };
}

function earningEvent(view: LedgerView, event: TrackedEvent, added: AddedMeasures) {
  const purchase = purchaseOf(view, event);
  return {
    type: event.type,
    occurredAt: event.occurredAt,
    receivedAt: event.receivedAt,
    facts: {
      purchase: purchase && {
        amountMinor: purchase.amountMinor,
        currency: purchase.currency,
        billingReason: purchase.billingReason,
        isFirst: isFirstPurchase(view, event, purchase),
      },
      properties: event.facts.properties,
      participantKind: view.people.get(event.participantId)?.kind ?? '',
    },
    base: purchase && toBase(purchase),
    added,
    standing: purchase && toStanding(purchase),
    personId: personOf(event),
  };
}

/** The person behind an Event: the actor, or else the participant. */
function personOf({ actorParticipantId, participantId }: TrackedEvent): string {
  return actorParticipantId ?? participantId;
}

function toStanding(purchase: Purchase): PurchaseStanding {
  return {
    amountMinor: BigInt(purchase.amountMinor),
    refundedTotalMinor: purchase.refundedMinor,
    disputedTotalMinor: purchase.disputedMinor,
  };
}

function toBase(purchase: Purchase): RewardBase {
  return {
    amountMinor: BigInt(purchase.amountMinor),
    currency: purchase.currency,
    currencyExponent: purchase.currencyExponent,
  };
}

/** What a Reward is earned by. */
interface EarningSource {
  readonly event: TrackedEvent;
  readonly referral: Referral | null;
  readonly program: BookedProgram;
}

function grant(
  ledger: Ledger,
  { event, referral, program }: EarningSource,
  verdicts: readonly RuleVerdict[],
): ExplainedRule[] {
  return verdicts.map((verdict): ExplainedRule => {
    // Without spreading what is always there: a replay runs this for every rule of every Event.
    const { rule, terms } = verdict;
    const termsVersionId = terms?.id ?? null;
    if (verdict.verdict === 'skipped') {
      const { reason, condition, milestone } = verdict;
      const skipped: ExplainedRule = {
        ruleId: rule.id,
        termsVersionId,
        beneficiaryRole: rule.beneficiaryRole,
        verdict: 'skipped',
        reason,
        rewardId: null,
        calculation: null,
      };
      return condition || milestone
        ? { ...skipped, ...(condition ? { condition } : {}), ...(milestone ? { milestone } : {}) }
        : skipped;
    }
    const reward =
      verdict.verdict === 'regained'
        ? regain(ledger, verdict.reward, program)
        : earn(ledger, verdict, { event, referral, program });
    const earned: ExplainedRule = {
      ruleId: rule.id,
      termsVersionId,
      beneficiaryRole: rule.beneficiaryRole,
      verdict: 'earned',
      reason: null,
      rewardId: reward.id,
      calculation: reward.arithmetic,
    };
    if (verdict.verdict !== 'regained') return earned;
    const calculation = { ...reward.arithmetic, milestone: verdict.milestone };
    return { ...earned, isRegained: true, calculation };
  });
}

function regain(ledger: Ledger, lost: RewardRow, { delivery }: BookedProgram): RewardRow {
  const reward = regainMilestone(lost, ledger.now, delivery.holdDays * DAY_MS);
  ledger.changeReward(lost, reward);
  return reward;
}

function earn(
  ledger: Ledger,
  verdict: EarnedVerdict,
  { event, referral, program }: EarningSource,
): RewardRow {
  const reward = makeReward(ledger, verdict, {
    number: ledger.nextNumber('rewards'),
    programId: program.id,
    eventId: event.id,
    referralId: referral?.id ?? null,
    isUnderReview: referral !== null && reviewStatusOf(ledger.view, referral) === 'open',
    purchaseId: purchaseOf(ledger.view, event)?.id ?? null,
    signupPersonId: event.type === 'signup' ? personOf(event) : null,
    delivery: program.delivery,
  });
  ledger.addReward(reward, event);
  return reward;
}

/** What the rules of a Program have given so far, as the ledger has it. A class, because functions would be made for each Event. */
class LedgerTallies implements RuleTallies {
  readonly #view: LedgerView;
  readonly #programId: string;

  constructor(view: LedgerView, programId: string) {
    this.#view = view;
    this.#programId = programId;
  }

  #read(subject: string, name: string): bigint {
    const { figures } = this.#view;
    return figures.get(figureKey({ subject, part: this.#programId, name }))?.value ?? 0n;
  }

  countOf(ruleId: string, beneficiaryId: string): number {
    return Number(this.#read(beneficiaryId, givenName(ruleId)));
  }

  hasEarned(ruleId: string, period: string): boolean {
    return this.#read(period, periodName(ruleId)) > 0n;
  }

  firstEarnedAt(ruleId: string, period: string): Instant | null {
    return firstOf(this.#view, ruleId, period)?.occurredAt ?? null;
  }

  hasEarnedOnce(ruleId: string, personId: string): boolean {
    return this.#read(personId, onceName(ruleId)) > 0n;
  }

  countMilestones(ruleId: string, beneficiaryId: string): number {
    return Number(this.#read(beneficiaryId, milestoneNames(ruleId).reached));
  }

  milestonesOf(ruleId: string, beneficiaryId: string): readonly RewardRow[] {
    return [...this.#view.milestones.values()].filter(
      (one) => one.ruleId === ruleId && one.beneficiaryParticipantId === beneficiaryId,
    );
  }

  measure(asked: AskedMeasure): Measured {
    return readMeasure(this.#view.figures, this.#programId, asked);
  }
}
