import { DAY_MS, type Instant, MINUTE_MS, toMs } from '../../platform/kit/instant.ts';
import {
  type BookedProgram,
  isActiveAt,
  type ProgramBook,
  versionAt,
} from '../programs/program-book.ts';
import type { AttributionPolicy } from '../programs/schema.ts';

/** Clock skew: how much later a touch may seem than its fact, or a signup than its subscription. */
export const CLOCKS_DIFFER_MS = 5 * MINUTE_MS;

/** A possible cause of a signup: a click, a code, or the referral of the person who created a group. */
export interface Candidate {
  readonly touchId: string;
  readonly programId: string;
  readonly referrerParticipantId: string;
  readonly occurredAt: Instant;
}

/** What a decision needs to know about a candidate's referrer. */
export interface ReferrerFacts {
  /** The enrollment that was active at that time; null if there was none. */
  enrollmentAt(referrerId: string, programId: string, at: Instant): string | null;
  /** False for a participant who was erased or who belongs to a suspended Partner. */
  isAvailable(referrerId: string): boolean;
  readonly creatorOf: CreatorOf;
}

export interface AttributionCase {
  readonly participantId: string;
  readonly actorParticipantId: string | null;
  readonly occurredAt: Instant;
  readonly trigger: AttributionPolicy['bindingTrigger'];
  /** Typed codes first, then by descending priority; a group counts only if no earlier one gave a referral. */
  readonly groups: readonly (readonly Candidate[])[];
  /** Already a customer: has paid something that was not fully refunded. */
  readonly isExistingCustomer: boolean;
}

/** Why a candidate is not eligible by itself. The Event shows the reason of the latest candidate. */
const FAULTS = [
  'outside_window',
  'self_referral',
  'existing_customer',
  'program_not_active',
  'enrollment_not_active',
  'referrer_unavailable',
  'awaiting_subscription',
  /** A subscription began, but the Program binds by signup. */
  'not_applicable',
] as const;

/** Stored with every Event: never remove one. */
export const REJECT_REASONS = [
  ...FAULTS,
  /** Eligible, but another candidate was better. */
  'outranked',
  /** Eligible, but the person already had a referral. */
  'already_referred',
] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];

/** `attributed`, or why not. Stored: never remove one. */
export const ATTRIBUTION_REASONS = ['attributed', 'no_candidate', ...FAULTS] as const;
type AttributionReason = (typeof ATTRIBUTION_REASONS)[number];

export interface JudgedCandidate extends Candidate {
  readonly verdict: 'selected' | 'rejected';
  readonly reason: RejectReason | null;
}

interface Selection {
  readonly candidate: Candidate;
  readonly enrollmentId: string;
  readonly policy: AttributionPolicy;
}

export interface AttributionDecision {
  readonly selected: Selection | null;
  /** What the Event shows. */
  readonly reason: AttributionReason;
  readonly candidates: readonly JudgedCandidate[];
}

/** A selection has all that a candidate without a fault needs. */
interface Judged {
  readonly candidate: Candidate;
  readonly reason: RejectReason | null;
  readonly selection: Selection | null;
}

/** Each field by its name: a field that is added to a spread object takes a hundred times as long as any other. */
function toVerdict(
  { touchId, programId, referrerParticipantId, occurredAt }: Candidate,
  verdict: JudgedCandidate['verdict'],
  reason: RejectReason | null,
): JudgedCandidate {
  return { touchId, programId, referrerParticipantId, occurredAt, verdict, reason };
}

const NOBODY: readonly Judged[] = [];

/** Decides which candidate caused the fact, if any, and why each of the others did not. */
export function decideAttribution(
  book: ProgramBook,
  referrers: ReferrerFacts,
  input: AttributionCase,
): AttributionDecision {
  const judgedGroups = input.groups.map((group) =>
    group.length === 0
      ? NOBODY
      : group.map((candidate) => judge(book, referrers, input, candidate)),
  );
  const judged: Judged[] = [];
  for (const group of judgedGroups) judged.push(...group);
  const [typed = NOBODY] = judgedGroups;
  // A typed code wins over every click, even while it waits for a subscription.
  const isPromised = typed.some(({ reason }) => reason === 'awaiting_subscription');
  let selected: Selection | null = null;
  for (const group of isPromised ? [typed] : judgedGroups) selected ??= pick(group);
  return {
    selected,
    reason: selected ? 'attributed' : latestReason(isPromised ? typed : judged),
    candidates: oncePerTouch(
      judged.map(({ candidate, reason, selection }) => {
        if (selection === null) return toVerdict(candidate, 'rejected', reason);
        return selection === selected
          ? toVerdict(candidate, 'selected', null)
          : toVerdict(candidate, 'rejected', 'outranked');
      }),
    ),
  };
}

/** A touch of the actor may also have caused the actor's referral: the better of the two verdicts counts. */
function oncePerTouch(candidates: readonly JudgedCandidate[]): readonly JudgedCandidate[] {
  if (candidates.length < 2) return candidates;
  const isBetterThan = (one: JudgedCandidate, other: JudgedCandidate) =>
    one.verdict === 'selected' ||
    (other.verdict !== 'selected' &&
      one.reason === 'awaiting_subscription' &&
      other.reason !== 'awaiting_subscription');
  const best = new Map<string, JudgedCandidate>();
  for (const candidate of candidates) {
    const known = best.get(candidate.touchId);
    if (!known || isBetterThan(candidate, known)) best.set(candidate.touchId, candidate);
  }
  return [...best.values()];
}

/**
 * Whether a subscription may still bind one of these. The Event's reason does not show it: a later
 * candidate may have been rejected for another reason.
 */
export function awaitsSubscription(candidates: readonly JudgedCandidate[]): boolean {
  return (
    candidates.every(({ verdict }) => verdict !== 'selected') &&
    candidates.some(({ reason }) => reason === 'awaiting_subscription')
  );
}

/** Final verdicts for somebody who has a referral by this touch: nobody else is selected or waited for. */
export function refuseReferred(
  candidates: readonly JudgedCandidate[],
  touchId: string,
): JudgedCandidate[] {
  return candidates.map((candidate) => {
    if (candidate.touchId === touchId) return { ...candidate, verdict: 'selected', reason: null };
    const isGood =
      candidate.verdict === 'selected' ||
      candidate.reason === 'awaiting_subscription' ||
      candidate.reason === 'outranked';
    return isGood ? { ...candidate, verdict: 'rejected', reason: 'already_referred' } : candidate;
  });
}

function judge(
  book: ProgramBook,
  referrers: ReferrerFacts,
  input: AttributionCase,
  candidate: Candidate,
): Judged {
  const reject = (reason: RejectReason): Judged => ({ candidate, reason, selection: null });
  const { occurredAt } = input;
  const referrerId = candidate.referrerParticipantId;
  const program = book.programs.get(candidate.programId);
  if (!program || program.kind === 'loyalty' || !isActiveAt(program, occurredAt)) {
    return reject('program_not_active');
  }
  if (isSelfReferral(referrerId, input, referrers.creatorOf)) return reject('self_referral');
  if (!referrers.isAvailable(referrerId)) return reject('referrer_unavailable');
  const enrollmentId = referrers.enrollmentAt(referrerId, program.id, occurredAt);
  if (enrollmentId === null) return reject('enrollment_not_active');
  const policy = policyAt(program, occurredAt);
  if (!policy || !isInWindow(candidate, policy, occurredAt)) return reject('outside_window');
  if (input.isExistingCustomer) return reject('existing_customer');
  if (policy.bindingTrigger !== input.trigger) {
    return reject(input.trigger === 'signup' ? 'awaiting_subscription' : 'not_applicable');
  }
  return { candidate, reason: null, selection: { candidate, enrollmentId, policy } };
}

function policyAt(program: BookedProgram, at: Instant): AttributionPolicy | undefined {
  return versionAt(program.policies, at);
}

/**
 * From the touch to the end of its window, both inclusive. A touch after the fact did not cause it,
 * but clocks differ slightly.
 */
function isInWindow(candidate: Candidate, policy: AttributionPolicy, at: Instant): boolean {
  const later = toMs(candidate.occurredAt) - toMs(at);
  return later <= CLOCKS_DIFFER_MS && later + policy.windowDays * DAY_MS >= 0;
}

/** Each Program's model picks its touch. Among Programs the latest touch wins; ties go to the smaller id. */
function pick(group: readonly Judged[]): Selection | null {
  if (group.length < 2) return group[0]?.selection ?? null;
  const perProgram = new Map<string, Selection>();
  for (const { selection } of group) {
    if (!selection) continue;
    const { programId } = selection.candidate;
    const best = perProgram.get(programId);
    if (!best || isBetter(selection, best, selection.policy.model)) {
      perProgram.set(programId, selection);
    }
  }
  let winner: Selection | null = null;
  for (const selection of perProgram.values()) {
    if (!winner || isBetter(selection, winner, 'last_touch')) winner = selection;
  }
  return winner;
}

function isBetter(one: Selection, other: Selection, model: AttributionPolicy['model']): boolean {
  const [a, b] = [one.candidate, other.candidate];
  if (a.occurredAt === b.occurredAt) return a.touchId < b.touchId;
  return model === 'last_touch' ? a.occurredAt > b.occurredAt : a.occurredAt < b.occurredAt;
}

/** The reason of the latest candidate, if all were rejected. */
function latestReason(judged: readonly Judged[]): AttributionReason {
  let latest: Judged | undefined;
  for (const one of judged) {
    if (!latest || one.candidate.occurredAt > latest.candidate.occurredAt) latest = one;
  }
  return (latest?.reason as (typeof FAULTS)[number] | undefined) ?? 'no_candidate';
}

/** The participant of a fact, and who acted. */
export interface Parties {
  readonly participantId: string;
  readonly actorParticipantId: string | null;
}

/** The creator of a group: the actor of its signup. Null for a person, and if the creator is unknown. */
export type CreatorOf = (participantId: string) => string | null;

/**
 * Whether somebody would refer themselves: the referrer is the participant, the actor, the creator
 * of the participant, or a group that one of these created (D-ATTR-4).
 */
export function isSelfReferral(
  referrerId: string,
  { participantId, actorParticipantId }: Parties,
  creatorOf: CreatorOf,
): boolean {
  const creator = creatorOf(participantId);
  const isOwn = (id: string) => id === participantId || id === actorParticipantId || id === creator;
  const creatorId = creatorOf(referrerId);
  return isOwn(referrerId) || (creatorId !== null && isOwn(creatorId));
}
