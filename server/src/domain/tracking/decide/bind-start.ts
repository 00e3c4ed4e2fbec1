import type { AttributionDecision } from '../../attribution/decide-attribution.ts';
import type { Ledger } from '../batch/ledger.ts';
import type { Referral } from '../event-schema.ts';
import { referralData } from '../read/event-data.ts';
import { presentCandidate } from '../read/explanation.ts';
import type { SubscriptionFact } from '../subscription-schema.ts';
import { attribute, bind } from './attribute.ts';
import { isCustomerOutside } from './customers.ts';
import { decideWaiting } from './decide-waiting.ts';
import { isAwaitedBy, settleSignup } from './settle-signup.ts';

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
  if (referral) ledger.announce('referral.created', referralData(referral));
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
