import type { RiskChoice, RiskSignal } from '../../programs/policies/risk-policy.ts';

/** What a list of the Project can be about. */
export const LISTED = ['email_domain', 'network', 'participant'] as const;
export type Listed = (typeof LISTED)[number];

/**
 * What is known of a referral when it is judged. Counts, seconds and booleans only: it is stored with the verdict, so it
 * has no addresses and no hashes.
 */
export interface RiskFacts {
  /** Networks in which both the referrer and the referee were seen; allowed ones do not count. */
  readonly sharedNetworks: number;
  /** Referrals of the referrer in the hour and in the day up to this one, which is included; 30 at most. */
  readonly referralsInHour: number;
  readonly referralsInDay: number;
  /** How many the referrer had a day before that, rounded up. */
  readonly usualPerDay: number;
  /** From the click to the signup; null if a code was typed. */
  readonly secondsFromClick: number | null;
  /** Of the referrer and their newest referees, those with the referee's e-mail address, but for tags and dots. */
  readonly sameAddresses: number;
  /** Those whose address differs by digits only. */
  readonly similarAddresses: number;
  readonly isDisposable: boolean;
  /** Other people who are paid to an account of the referrer or the referee. */
  readonly sharedPayouts: number;
  /** Other people who paid with a card of the referee. */
  readonly sharedCards: number;
  /** People in the circle of referrals that this one closes; 0 if it closes none. */
  readonly cycleLength: number;
  /** Other newest referees of the referrer in a network of the referee; allowed networks do not count. */
  readonly refereesOnNetwork: number;
  /** Other newest referees of the referrer who are paid to the referee's account. */
  readonly refereesOnPayout: number;
  /** Purchases of the referrer's referees in this Program, and how many of them were refunded in full. */
  readonly purchases: number;
  readonly refundedPurchases: number;
  readonly allowed: readonly Listed[];
  readonly watched: readonly Listed[];
}

/** Nothing speaks against it. */
export const NO_RISK: RiskFacts = {
  sharedNetworks: 0,
  referralsInHour: 1,
  referralsInDay: 1,
  usualPerDay: 0,
  secondsFromClick: null,
  sameAddresses: 0,
  similarAddresses: 0,
  isDisposable: false,
  sharedPayouts: 0,
  sharedCards: 0,
  cycleLength: 0,
  refereesOnNetwork: 0,
  refereesOnPayout: 0,
  purchases: 0,
  refundedPurchases: 0,
  allowed: [],
  watched: [],
};

/** A signal that fired: what was found, and the points for it. */
export interface PinnedSignal {
  readonly signal: RiskSignal;
  readonly value: string;
  readonly points: number;
}

/** How the referral of an Event was judged, as stored with the Event: enough to judge it again. */
export interface PinnedVerdict {
  readonly referralId: string;
  /** Null for the default policy. */
  readonly policyVersionId: string | null;
  readonly mode: RiskChoice['mode'];
  readonly reviewAt: number;
  readonly score: number;
  /** Those that differ from `NO_RISK`. */
  readonly facts: Partial<RiskFacts>;
  readonly signals: readonly PinnedSignal[];
  /** The version of the signals: only the same one gives the same score. */
  readonly model: number;
  /** The review that it opened. */
  readonly reviewId?: string;
}

/** Changes with the meaning of facts and signals, the thresholds and the default points. */
export const RISK_MODEL = 1;

const NAMES = Object.keys(NO_RISK) as (keyof RiskFacts)[];

/** Most facts are those of `NO_RISK`, and are not stored with every Event. */
export function packFacts(facts: RiskFacts): Partial<RiskFacts> {
  const packed: Partial<Record<keyof RiskFacts, unknown>> = {};
  for (const name of NAMES) {
    const fact = facts[name];
    const isPlain = Array.isArray(fact) ? fact.length === 0 : fact === NO_RISK[name];
    if (!isPlain) packed[name] = fact;
  }
  return packed as Partial<RiskFacts>;
}

export function unpackFacts(facts: Partial<RiskFacts>): RiskFacts {
  return Object.keys(facts).length === 0 ? NO_RISK : Object.assign({ ...NO_RISK }, facts);
}
