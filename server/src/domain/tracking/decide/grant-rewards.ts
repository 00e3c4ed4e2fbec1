import { figureKey } from '../../../platform/figures/tally.ts';
import { addMs, DAY_MS } from '../../../platform/kit/instant.ts';
import { isActiveAt } from '../../programs/book/program-activity.ts';
import type { BookedProgram } from '../../programs/book/program-book.ts';
import type { PurchaseStanding } from '../../rewards/decide/apply-refund.ts';
import type { RewardBase } from '../../rewards/decide/calculate-reward.ts';
import {
  earnRewards,
  type RuleTallies,
  type RuleVerdict,
} from '../../rewards/decide/earn-rewards.ts';
import { makeReward } from '../../rewards/decide/make-reward.ts';
import { beginningOf, figuresOf } from '../../rewards/decide/reward-figures.ts';
import { count } from '../batch/count.ts';
import { firstOf, keepReward } from '../batch/keep-reward.ts';
import { addRow, type Recorder } from '../batch/recorder.ts';
import type {
  EnrollmentSpan,
  ExplainedRule,
  Purchase,
  TrackedEvent,
  TrackSlice,
} from '../batch/slice.ts';
import type { Referral } from '../event-schema.ts';
import { isMemberAt } from './decide-membership.ts';

/** A purchase may lie this long before its referral and still earn: signups can be told late. */
const BEFORE_REFERRAL_MS = DAY_MS;

/** Runs the rules of the referral's Program, or some of them, over an Event. Returns what each said. */
export function grantReferralRewards(
  slice: TrackSlice,
  recorder: Recorder,
  event: TrackedEvent,
  purchase: Purchase | null,
  referral: Referral,
  only?: ReadonlySet<string>,
): ExplainedRule[] {
  const program = slice.book.programs.get(referral.programId);
  if (!program) throw new Error(`Referral ${referral.id} names an unknown Program.`);
  const { referrerParticipantId: referrer, refereeParticipantId: referee } = referral;
  const verdicts = earnRewards(
    program,
    earningEvent(event, purchase),
    {
      beneficiaries: {
        ...(isThere(slice, referrer) ? { referrer } : {}),
        ...(isThere(slice, referee) ? { referee } : {}),
      },
      periodKey: referral.id,
      referrerEnrolled:
        isThere(slice, referrer) &&
        enrollmentAt(slice, referrer, program.id, event.occurredAt) !== undefined,
      isReferrerSuspended: isSuspended(slice, referrer),
      inTime:
        event.type !== 'purchase' ||
        event.occurredAt >= addMs(referral.bindingOccurredAt, -BEFORE_REFERRAL_MS),
    },
    talliesOf(slice),
  );
  return grant(slice, recorder, event, purchase, referral, program, someOf(verdicts, only));
}

function someOf(verdicts: readonly RuleVerdict[], only?: ReadonlySet<string>) {
  return only ? verdicts.filter(({ rule }) => only.has(rule.id)) : verdicts;
}

/** Nobody earns after they were erased. */
export function isThere({ people }: TrackSlice, participantId: string): boolean {
  return people.get(participantId)?.deletedAt === null;
}

/** Nobody earns for bringing people while their Partner is suspended. */
export function isSuspended({ people }: TrackSlice, participantId: string): boolean {
  return (people.get(participantId)?.suspendedAt ?? null) !== null;
}

/** Runs the rules, or some, of every active loyalty Program; a first match enrols the person. */
export function grantLoyaltyRewards(
  slice: TrackSlice,
  recorder: Recorder,
  event: TrackedEvent,
  purchase: Purchase | null,
  only?: ReadonlySet<string>,
): ExplainedRule[] {
  const explained: ExplainedRule[] = [];
  for (const program of slice.book.programs.values()) {
    if (program.kind !== 'loyalty' || !isActiveAt(program, event.occurredAt)) continue;
    if (!program.rules.some((rule) => rule.eventType === event.type)) continue;
    const subject = event.participantId;
    const isMember = joinLoyalty(slice, recorder, program, event);
    const verdicts = earnRewards(
      program,
      earningEvent(event, purchase),
      {
        beneficiaries: isMember ? { subject } : {},
        periodKey: subject,
        referrerEnrolled: false,
        isReferrerSuspended: false,
        inTime: true,
      },
      talliesOf(slice),
    );
    const some = someOf(verdicts, only);
    explained.push(...grant(slice, recorder, event, purchase, null, program, some));
  }
  return explained;
}

/** Enrols on the first match, and tells whether the person was in the Program when this happened. */
function joinLoyalty(
  slice: TrackSlice,
  recorder: Recorder,
  program: BookedProgram,
  { participantId, occurredAt }: TrackedEvent,
): boolean {
  const spans = slice.enrollments.filter(
    (span) => span.participantId === participantId && span.programId === program.id,
  );
  if (spans.length > 0) return isMemberAt(spans, occurredAt);
  const span: EnrollmentSpan = {
    id: recorder.newId('enr'),
    participantId,
    programId: program.id,
    startsAt: recorder.now,
    endsAt: null,
  };
  slice.enrollments.push(span);
  recorder.made.enrollments.push(span);
  return true;
}

export function enrollmentAt(
  slice: TrackSlice,
  participantId: string,
  programId: string,
  at: string,
): EnrollmentSpan | undefined {
  return slice.enrollments.find(
    (span) =>
      span.participantId === participantId &&
      span.programId === programId &&
      span.startsAt <= at &&
      (span.endsAt === null || at < span.endsAt),
  );
}

function earningEvent(event: TrackedEvent, purchase: Purchase | null) {
  return {
    type: event.type,
    occurredAt: event.occurredAt,
    base: purchase && toBase(purchase),
    standing: purchase && toStanding(purchase),
    personId: personOf(event),
  };
}

/** The human behind an Event: who acted, or whose it is. */
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

function grant(
  slice: TrackSlice,
  recorder: Recorder,
  event: TrackedEvent,
  purchase: Purchase | null,
  referral: Referral | null,
  program: BookedProgram,
  verdicts: readonly RuleVerdict[],
): ExplainedRule[] {
  return verdicts.map((verdict): ExplainedRule => {
    const common = {
      ruleId: verdict.rule.id,
      termsVersionId: verdict.terms?.id ?? null,
      beneficiaryRole: verdict.rule.beneficiaryRole,
    };
    if (verdict.verdict === 'skipped') {
      const { reason } = verdict;
      return { ...common, verdict: 'skipped', reason, rewardId: null, calculation: null };
    }
    const reward = makeReward(recorder, verdict, {
      number: recorder.nextNumber('rewards'),
      programId: program.id,
      eventId: event.id,
      referralId: referral?.id ?? null,
      purchaseId: purchase?.id ?? null,
      signupPersonId: event.type === 'signup' ? personOf(event) : null,
      delivery: program.delivery,
    });
    addRow(recorder.made.rewards, reward);
    slice.occurredAt.set(event.id, event.occurredAt);
    keepReward(slice, reward);
    count(slice, recorder, [...figuresOf(reward), beginningOf(reward, event.occurredAt)]);
    return {
      ...common,
      verdict: 'earned',
      reason: null,
      rewardId: reward.id,
      calculation: verdict.arithmetic,
    };
  });
}

function talliesOf(slice: TrackSlice): RuleTallies {
  const read = (subject: string, name: string) => slice.figures.get(figureKey(subject, name));
  return {
    countOf: (ruleId, beneficiaryId) =>
      Number(read(beneficiaryId, `earned:${ruleId}`)?.value ?? 0n),
    hasEarned: (ruleId, period) => (read(period, `period:${ruleId}`)?.value ?? 0n) > 0n,
    firstEarnedAt: (ruleId, period) => firstOf(slice, ruleId, period)?.occurredAt ?? null,
    hasEarnedOnce: (ruleId, person) => (read(person, `once:${ruleId}`)?.value ?? 0n) > 0n,
  };
}
