import { addMs, type Instant } from '../../../platform/kit/instant.ts';
import {
  type AttributionDecision,
  CLOCKS_DIFFER_MS,
  refuseReferred,
} from '../../attribution/decide-attribution.ts';
import type { TrackedEvent } from '../batch/facts.ts';
import type { Ledger } from '../batch/ledger.ts';
import type { SubscriptionFact } from '../billing-schema.ts';
import type { Referral } from '../event-schema.ts';
import { presentCandidate } from '../read/explanation.ts';
import { referralData } from '../read/present-event.ts';
import { attribute, bind } from './attribute.ts';
import { isCustomerOutside } from './customers.ts';
import { decideWaiting } from './decide-waiting.ts';
import { announceEarned, grantReferralRewards } from './grant-rewards.ts';
import { judgeReferral } from './judge-referral.ts';
import { settleSides } from './settle-milestones.ts';

/** The start of a subscription. */
type Start = Pick<SubscriptionFact, 'id' | 'participantId' | 'subscriptionId' | 'occurredAt'>;

export type Binding = Pick<AttributionDecision, 'reason' | 'candidates'> & {
  readonly referral: Referral | null;
};

export const NOT_BINDING: Binding = { referral: null, reason: 'not_applicable', candidates: [] };

/** Binds a referral if the Program waits for a subscription, and decides what waited for it. */
export function bindStart(ledger: Ledger, start: Start, leavesWaiting: boolean): Binding {
  const { view } = ledger;
  const { participantId, occurredAt } = start;
  if (view.referrals.has(participantId)) return NOT_BINDING;
  const fact = {
    eventId: null,
    subscriptionFactId: start.id,
    participantId,
    actorParticipantId: view.creatorOf.get(participantId) ?? null,
    occurredAt,
  };
  // A person whose signup waits for this was no customer at that time; later purchases do not
  // prevent it.
  const signup = view.promised.get(participantId);
  const decision = attribute(view, fact, {
    trigger: 'subscription',
    codeTouches: view.codeTouchesOf.get(participantId) ?? [],
    isExistingCustomer: !signup && isCustomerOutside(view, participantId, start.subscriptionId),
  });
  const referral = bind(ledger, fact, decision);
  if (referral) ledger.announce('referral.created', () => referralData(referral));
  const isSettled = signup && isAwaitedBy(signup, occurredAt, referral !== null);
  if (isSettled) settleSignup(ledger, signup, decision, referral);
  // Otherwise purchases still wait: for the signup, or for the start that the signup waits for.
  if ((referral || isSettled) && !leavesWaiting) decideWaiting(ledger, participantId);
  return { referral, reason: decision.reason, candidates: decision.candidates };
}

/**
 * Decides a person's subscriptions that were reported before their signup, once the signup arrives
 * and waits for one: as if they were reported now, earliest first, until one binds. A repeat of
 * such a fact still gets its first answer.
 */
export function bindEarlierStarts(
  ledger: Ledger,
  participantId: string,
  leavesWaiting: boolean,
): void {
  const { view } = ledger;
  const starts = view.starts.get(participantId) ?? [];
  for (const start of starts.toSorted(compareStarts)) {
    if (view.referrals.has(participantId)) return;
    const { reason, candidates } = bindStart(ledger, start, leavesWaiting);
    const decided = { ...start, reason, candidates: candidates.map(presentCandidate) };
    ledger.changeSubscriptionFact(decided);
  }
}

function compareStarts(one: Start, other: Start): number {
  const [a, b] = [one, other].map(({ occurredAt, id }) => `${occurredAt} ${id}`) as [
    string,
    string,
  ];
  return a < b ? -1 : 1;
}

/**
 * Whether the start of a subscription is the one that a signup waits for: it bound a referral, or
 * it occurred after the signup. An old one that was reported late says nothing about the signup.
 */
export function isAwaitedBy(
  signup: Pick<TrackedEvent, 'occurredAt'>,
  startedAt: Instant,
  hasBound: boolean,
): boolean {
  return hasBound || addMs(startedAt, CLOCKS_DIFFER_MS) >= signup.occurredAt;
}

/**
 * Settles a signup that waited for its subscription, now that one has started: it is credited to
 * the referral that the start bound and earns by its own time, or records why there is none. Its
 * loyalty rules ran when it arrived; a repeat of it still gets the first answer.
 */
function settleSignup(
  ledger: Ledger,
  signup: TrackedEvent,
  decision: AttributionDecision,
  referral: Referral | null,
): void {
  // Touches that were too late for a start before the signup.
  const weighed = new Set(decision.candidates.map(({ touchId }) => touchId));
  const before = signup.explanation?.candidates ?? [];
  const notWeighed = before.filter(({ touchId }) => !weighed.has(touchId));
  const earned = referral ? grantReferralRewards(ledger, signup, referral) : [];
  const risk = referral && judgeReferral(ledger, signup, { referral, rules: earned, isNew: true });
  if (referral) settleSides(ledger, referral);
  announceEarned(ledger, earned);
  const settled: TrackedEvent = {
    ...signup,
    processingReason: decision.reason,
    programId: referral?.programId ?? null,
    referralId: referral?.id ?? null,
    explanation: {
      candidates: referral
        ? [...decision.candidates, ...refuseReferred(notWeighed, referral.touchId)]
        : decision.candidates,
      rules: [...earned, ...(signup.explanation?.rules ?? [])],
      ...(risk ? { risk } : {}),
    },
  };
  ledger.changeEvent(signup, settled);
  ledger.removePromised(signup);
}
