import type { Instant } from '../../platform/kit/instant.ts';
import type { RiskFacts } from './decide/risk-facts.ts';

/** The newest referrals of a referrer that signals compare. */
export const RECENT_MAX = 30;

/** What is known of somebody that another person may share. Hashes, which only comparisons read. */
export interface RiskProfile {
  readonly emailKey: string | null;
  readonly emailStem: string | null;
  /** In plain text, for the lists of the Project. */
  readonly emailDomain: string | null;
  readonly emailIsDisposable: boolean;
  /** Networks in which they were seen by themselves, not those of clicks. */
  readonly networks: readonly string[];
  /** Other people who paid with one of their cards. */
  readonly cardOthers: number;
}

/** Where somebody is paid. */
export interface PaidAccount {
  readonly participantId: string;
  readonly account: string;
  /** Other people who are paid to it. */
  readonly others: number;
}

/** The click that led to a referral; nothing is known of a typed code. */
export interface Visit {
  readonly clickedAt: Instant | null;
  readonly network: string | null;
}

export const NO_VISIT: Visit = { clickedAt: null, network: null };

/** One of the newest referrals of a referrer. */
export interface NearReferral {
  readonly refereeId: string;
  /** In milliseconds: each judgement compares all of them with its own. */
  readonly boundAtMs: number;
}

/** Entries of one of the Project's lists. */
export interface ListedThings {
  readonly emailDomains: ReadonlySet<string>;
  /** As hashes. */
  readonly networks: ReadonlySet<string>;
  /** By `refKey`. */
  readonly participants: ReadonlySet<string>;
}

export interface RiskBook {
  readonly allowed: ListedThings;
  readonly watched: ListedThings;
}

/** What a batch needs to judge referrals, as loaded and then changed by its commands. */
export interface RiskSlice {
  readonly book: RiskBook;
  readonly profiles: ReadonlyMap<string, RiskProfile>;
  readonly accounts: ReadonlyMap<string, PaidAccount>;
  /** By referrer. */
  readonly recent: Map<string, NearReferral[]>;
  /** By referee: who has a referral has one. */
  readonly visits: Map<string, Visit>;
  /** The referrer of each referee above the referrers of the batch. */
  readonly referrerOf: ReadonlyMap<string, string>;
  /**
   * By Event: set for Events that were judged before, and are decided again with the facts of that time. One whose
   * facts are forgotten is not judged again.
   */
  readonly judged?: ReadonlyMap<string, JudgedFacts | 'forgotten'>;
}

/** What the referral of an Event to this referrer was judged by. */
export interface JudgedFacts {
  readonly referrerId: string;
  readonly facts: RiskFacts;
  /** The same as they are stored. */
  readonly packed: Partial<RiskFacts>;
}

const NOTHING_LISTED: ListedThings = {
  emailDomains: new Set(),
  networks: new Set(),
  participants: new Set(),
};

export function emptyRisk(
  book: RiskBook = { allowed: NOTHING_LISTED, watched: NOTHING_LISTED },
): RiskSlice {
  return {
    book,
    profiles: new Map(),
    accounts: new Map(),
    recent: new Map(),
    visits: new Map(),
    referrerOf: new Map(),
  };
}
