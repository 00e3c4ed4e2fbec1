import {
  RISK_SIGNALS,
  type RiskChoice,
  type RiskSignal,
} from '../../programs/policies/risk-policy.ts';
import { RECENT_MAX } from '../risk-slice.ts';
import type { Listed, PinnedSignal, RiskFacts } from './risk-facts.ts';

/** From what on a signal fires. */
export const THRESHOLDS = {
  /** Referrals of one referrer within an hour, and within a day. */
  inHour: 20,
  inDay: 30,
  /** As many within an hour are a rush whatever is usual: that is all of the newest that are compared. */
  always: RECENT_MAX,
  /** As many times the usual number of a day are no surprise. */
  timesUsual: 3,
  /** A person needs longer than this from the click to the signup. */
  quickSeconds: 5,
  /** Other referees of the same referrer who share a network or an account. */
  ringOthers: 2,
  /** Others whose address differs by digits only: brothers and sisters may be two. */
  alikeOthers: 2,
  /** Other people with the same card: a couple has one in common. */
  cardOthers: 2,
  /** Purchases from which on their refunds say something, and the share of refunds in percent. */
  purchases: 4,
  refundedPercent: 75,
} as const;

/** What a signal found; null if it does not fire. */
type Signal = (facts: RiskFacts) => string | null;

const atLeast = (count: number, minimum = 1) => (count >= minimum ? String(count) : null);

/** `watched` stands for a count: the list says it all. */
const WATCHED = 'watched';

function isWatched({ watched }: RiskFacts, what: Listed): boolean {
  return watched.includes(what);
}

const SIGNALS: Readonly<Record<RiskSignal, Signal>> = {
  same_network: (facts) =>
    atLeast(facts.sharedNetworks) ?? (isWatched(facts, 'network') ? WATCHED : null),
  velocity: (facts) =>
    atLeast(findRush(facts)?.count ?? 0) ?? (isWatched(facts, 'participant') ? WATCHED : null),
  quick_signup: ({ secondsFromClick }) =>
    secondsFromClick !== null && secondsFromClick < THRESHOLDS.quickSeconds
      ? String(secondsFromClick)
      : null,
  email_alias: ({ sameAddresses }) => atLeast(sameAddresses),
  email_similar: ({ similarAddresses }) => atLeast(similarAddresses, THRESHOLDS.alikeOthers),
  email_disposable: (facts) => {
    if (isWatched(facts, 'email_domain')) return WATCHED;
    return facts.isDisposable ? '1' : null;
  },
  shared_payout: ({ sharedPayouts }) => atLeast(sharedPayouts),
  shared_payment: ({ sharedCards }) => atLeast(sharedCards, THRESHOLDS.cardOthers),
  ring: ({ cycleLength, refereesOnNetwork, refereesOnPayout }) =>
    atLeast(cycleLength) ??
    atLeast(Math.max(refereesOnNetwork, refereesOnPayout), THRESHOLDS.ringOthers),
  refund_rate: ({ purchases, refundedPurchases }) => {
    const percent = purchases === 0 ? 0 : Math.floor((refundedPurchases * 100) / purchases);
    return purchases >= THRESHOLDS.purchases ? atLeast(percent, THRESHOLDS.refundedPercent) : null;
  },
};

interface Rush {
  readonly count: number;
  readonly within: 'hour' | 'day';
}

/** More referrals than usual within an hour or a day. */
export function findRush({ referralsInHour, referralsInDay, usualPerDay }: RiskFacts): Rush | null {
  const isRush = (count: number, minimum: number) =>
    count >= minimum && count > THRESHOLDS.timesUsual * usualPerDay;
  if (referralsInHour >= THRESHOLDS.always || isRush(referralsInHour, THRESHOLDS.inHour)) {
    return { count: referralsInHour, within: 'hour' };
  }
  return isRush(referralsInDay, THRESHOLDS.inDay) ? { count: referralsInDay, within: 'day' } : null;
}

/** The signals about e-mail addresses, which an allowed domain switches off. */
const EMAIL_SIGNALS: readonly RiskSignal[] = ['email_alias', 'email_similar', 'email_disposable'];

function isAllowed({ allowed }: RiskFacts, signal: RiskSignal): boolean {
  if (allowed.includes('participant')) return true;
  return allowed.includes('email_domain') && EMAIL_SIGNALS.includes(signal);
}

/** Whether a signal fired because the Project's list names somebody or something. */
export function isByList({ value }: PinnedSignal): boolean {
  return value === WATCHED;
}

/**
 * Whether a ring of referees in one network stands for the network that they share with the referrer: one network
 * counts once, or an office would look like a fraud.
 */
function isCountedAsRing(
  { cycleLength, refereesOnNetwork, refereesOnPayout, watched }: RiskFacts,
  points: RiskChoice['points'],
): boolean {
  return (
    refereesOnNetwork >= THRESHOLDS.ringOthers &&
    cycleLength === 0 &&
    refereesOnPayout < THRESHOLDS.ringOthers &&
    points.ring >= points.same_network &&
    !watched.includes('network')
  );
}

/** How a referral is judged. */
export interface Judgement {
  /** The sum of the points, 100 at most. */
  readonly score: number;
  readonly signals: readonly PinnedSignal[];
}

const SCORE_MAX = 100;

/** The signals that fire for these facts, and their score. A signal without points does not count. */
export function judgeRisk(facts: RiskFacts, { points }: Pick<RiskChoice, 'points'>): Judgement {
  const signals: PinnedSignal[] = [];
  let sum = 0;
  // A plain loop: every signup takes it.
  for (const signal of RISK_SIGNALS) {
    const worth = points[signal];
    if (worth === 0 || isAllowed(facts, signal)) continue;
    const value = SIGNALS[signal](facts);
    if (value === null || (signal === 'same_network' && isCountedAsRing(facts, points))) continue;
    signals.push({ signal, value, points: worth });
    sum += worth;
  }
  return { score: Math.min(SCORE_MAX, sum), signals };
}
