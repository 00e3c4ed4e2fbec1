import { DAY_MS, HOUR_MS, type Instant } from '../../../platform/kit/instant.ts';
import { refKey } from '../../participants/participant-slice.ts';
import type { ParticipantKind } from '../../participants/schema.ts';
import type {
  ListedThings,
  NearReferral,
  PaidAccount,
  RiskProfile,
  RiskSlice,
  Visit,
} from '../risk-slice.ts';
import type { Listed, RiskFacts } from './risk-facts.ts';

/** People in a chain of referrals that are looked at. */
export const CHAIN_MAX = 20;

interface Party {
  readonly id: string;
  readonly kind: ParticipantKind;
  readonly externalId: string | null;
}

/** The referral that is judged, with what the ledger knows. */
export interface JudgedReferral {
  readonly boundAt: Instant;
  readonly referrer: Party & { readonly createdAt: Instant };
  readonly referee: Party;
  /** All referrals of the referrer, with this one. */
  readonly referred: number;
  /** Networks of the referee's own clicks, as hashes. */
  readonly clickNetworks: readonly string[];
  readonly purchases: number;
  readonly refundedPurchases: number;
  /** The referrer of somebody as the batch knows it; undefined for somebody whose referrer was not changed by it. */
  referrerOf(participantId: string): string | undefined;
}

type Slice = Omit<RiskSlice, 'recent' | 'visits'> & {
  readonly recent: ReadonlyMap<string, readonly NearReferral[]>;
  readonly visits: ReadonlyMap<string, Visit>;
};

/** What is known of a referral, without what identifies anybody. */
export function gatherFacts(slice: Slice, judged: JudgedReferral): RiskFacts {
  const { referrer, referee, boundAt } = judged;
  const { book, accounts } = slice;
  const profile = slice.profiles.get(referee.id);
  const recent = slice.recent.get(referrer.id) ?? [];
  const clickedAt = slice.visits.get(referee.id)?.clickedAt ?? null;
  const seen = networksOf(slice, referee.id);
  const networks = judged.clickNetworks.length === 0 ? seen : [...seen, ...judged.clickNetworks];
  const { sharedNetworks, refereesOnNetwork } = compareNetworks(slice, judged, recent, networks);
  const { referralsInHour, referralsInDay, usualPerDay } = countRush(judged, recent);
  const { sameAddresses, similarAddresses } = compareAddresses(slice, judged, recent, profile);
  // Every signup makes one: fields that follow a spread cost several microseconds each.
  return {
    sharedNetworks,
    referralsInHour,
    referralsInDay,
    usualPerDay,
    secondsFromClick: clickedAt === null ? null : secondsBetween(clickedAt, boundAt),
    sameAddresses,
    similarAddresses,
    isDisposable: profile?.emailIsDisposable ?? false,
    sharedPayouts: countShared(accounts.get(referrer.id), accounts.get(referee.id)),
    sharedCards: profile?.cardOthers ?? 0,
    cycleLength: measureCycle(slice, judged),
    refereesOnNetwork,
    refereesOnPayout: countPaidAlike(accounts, recent, accounts.get(referee.id)),
    purchases: judged.purchases,
    refundedPurchases: judged.refundedPurchases,
    allowed: findListed(book.allowed, judged, profile, networks),
    watched: findListed(book.watched, judged, profile, networks),
  };
}

const NONE: readonly string[] = [];

/** Where somebody was seen by themselves, and where the click came from that made them a referee. */
function networksOf({ profiles, visits }: Slice, participantId: string): readonly string[] {
  const own = profiles.get(participantId)?.networks ?? NONE;
  const network = visits.get(participantId)?.network ?? null;
  return network === null ? own : [...own, network];
}

const NO_NETWORK = { sharedNetworks: 0, refereesOnNetwork: 0 } as const;

function compareNetworks(
  slice: Slice,
  { referrer, referee }: JudgedReferral,
  recent: readonly NearReferral[],
  seen: readonly string[],
): Pick<RiskFacts, 'sharedNetworks' | 'refereesOnNetwork'> {
  // Most people are seen in none.
  if (seen.length === 0) return NO_NETWORK;
  const { allowed } = slice.book;
  const networks = new Set(seen.filter((one) => !allowed.networks.has(one)));
  if (networks.size === 0) return NO_NETWORK;
  const isIn = (one: string) => networks.has(one);
  return {
    sharedNetworks: new Set(networksOf(slice, referrer.id).filter(isIn)).size,
    refereesOnNetwork: recent.filter(
      ({ refereeId }) => refereeId !== referee.id && networksOf(slice, refereeId).some(isIn),
    ).length,
  };
}

/** The newest referees other than the one with this account who are paid to it. */
function countPaidAlike(
  accounts: ReadonlyMap<string, PaidAccount>,
  recent: readonly NearReferral[],
  own: PaidAccount | undefined,
): number {
  if (!own) return 0;
  return recent.filter(
    ({ refereeId }) =>
      refereeId !== own.participantId && accounts.get(refereeId)?.account === own.account,
  ).length;
}

function secondsBetween(from: Instant, to: Instant): number {
  return Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 1_000));
}

/** How many referrals came in the hour and the day up to this one, and how many in a usual day before. */
function countRush(
  { boundAt, referrer, referee, referred }: JudgedReferral,
  recent: readonly NearReferral[],
): Pick<RiskFacts, 'referralsInHour' | 'referralsInDay' | 'usualPerDay'> {
  let inHour = 1;
  let inDay = 1;
  const until = Date.parse(boundAt);
  for (const { refereeId, boundAtMs } of recent) {
    const ago = until - boundAtMs;
    if (ago >= DAY_MS || ago < 0 || refereeId === referee.id) continue;
    inDay += 1;
    if (ago < HOUR_MS) inHour += 1;
  }
  return {
    referralsInHour: inHour,
    referralsInDay: inDay,
    usualPerDay: usualOf(Math.max(0, referred - inDay), referrer.createdAt, boundAt),
  };
}

/** A day, rounded up, in the time before the last day. Nothing is usual for somebody who has no full day before it. */
function usualOf(referred: number, since: Instant, until: Instant): number {
  if (referred === 0) return 0;
  const days = (Date.parse(until) - Date.parse(since)) / DAY_MS - 1;
  return days < 1 ? 0 : Math.ceil(referred / days);
}

function compareAddresses(
  { profiles }: Slice,
  { referrer, referee }: JudgedReferral,
  recent: readonly NearReferral[],
  own: RiskProfile | undefined,
): Pick<RiskFacts, 'sameAddresses' | 'similarAddresses'> {
  if (!own || own.emailKey === null) return { sameAddresses: 0, similarAddresses: 0 };
  const around = [referrer.id, ...recent.map(({ refereeId }) => refereeId)];
  const others = around.flatMap((id) => (id === referee.id ? [] : (profiles.get(id) ?? [])));
  const isSame = (other: RiskProfile) => other.emailKey === own.emailKey;
  const isSimilar = (other: RiskProfile) =>
    own.emailStem !== null && other.emailStem === own.emailStem && !isSame(other);
  return {
    sameAddresses: others.filter(isSame).length,
    similarAddresses: others.filter(isSimilar).length,
  };
}

/** Each account once, also if the referrer and the referee share it. */
function countShared(one: PaidAccount | undefined, other: PaidAccount | undefined): number {
  const first = one?.others ?? 0;
  return one && other && one.account === other.account ? first : first + (other?.others ?? 0);
}

/** How many people are in the circle if the referee is above the referrer in the chain of referrals. */
function measureCycle(
  { referrerOf }: Slice,
  { referrer, referee, referrerOf: changed }: JudgedReferral,
): number {
  let person: string | undefined = referrer.id;
  for (let length = 2; length <= CHAIN_MAX; length += 1) {
    person = changed(person) ?? referrerOf.get(person);
    if (person === undefined) return 0;
    if (person === referee.id) return length;
  }
  return 0;
}

function findListed(
  things: ListedThings,
  { referrer, referee }: JudgedReferral,
  profile: RiskProfile | undefined,
  networks: readonly string[],
): readonly Listed[] {
  const { emailDomains, networks: listed, participants } = things;
  if (emailDomains.size + listed.size + participants.size === 0) return [];
  const isNamed = ({ kind, externalId }: Party) =>
    externalId !== null && participants.has(refKey({ kind, externalId }));
  const found: Listed[] = [];
  if (emailDomains.has(profile?.emailDomain ?? '')) found.push('email_domain');
  if (networks.some((one) => listed.has(one))) found.push('network');
  if (isNamed(referrer) || isNamed(referee)) found.push('participant');
  return found;
}
