import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { emailKeysOf, readAddress } from '../../participants/email-keys.ts';
import { CHAIN_MAX } from '../../risk/decide/gather-facts.ts';
import type {
  NearReferral,
  PaidAccount,
  RiskBook,
  RiskProfile,
  RiskSlice,
  Visit,
} from '../../risk/risk-slice.ts';
import {
  type CircleRow,
  listChain,
  listCircle,
  listRecentOfOwners,
  type RecentRow,
} from './circle-store.ts';

/** Whose accounts are asked for: the owners of names, or people and the newest referees of referrers. */
type AskedAccounts =
  | { readonly names: readonly string[] }
  | { readonly participantIds: readonly string[]; readonly referrerIds: readonly string[] };

/** Where people are paid. Injected, because payouts are a higher layer. */
export type ListAccounts = (
  db: Queryable,
  projectId: string,
  asked: AskedAccounts,
) => Promise<PaidAccount[]>;

export interface RiskSources {
  readonly keyring: Keyring;
  readonly listAccounts: ListAccounts;
}

/** Who is judged and compared: participants, and referrers with their newest referees. */
export interface AskedCircle {
  readonly referees: readonly string[];
  readonly referrers: readonly string[];
}

/** What people of a batch may share with those around them. Nothing is read if nobody is asked for. */
export async function loadCircle(
  { tx, projectId }: { readonly tx: Tx; readonly projectId: string },
  { keyring, listAccounts }: RiskSources,
  { referees, referrers }: AskedCircle,
) {
  if (referrers.length === 0) return { circle: [], chain: [], accounts: [] };
  const people = [...new Set([...referees, ...referrers])];
  const [rows, chain, accounts] = await Promise.all([
    listCircle(tx, projectId, people, referrers),
    listChain(tx, projectId, referrers, CHAIN_MAX),
    listAccounts(tx, projectId, { participantIds: people, referrerIds: referrers }),
  ]);
  return { circle: rows.map((row) => withKeys(keyring, projectId, row)), chain, accounts };
}

/** What signals compare of people and may be known of them at any time. */
export type Traits = Pick<RiskSlice, 'profiles' | 'accounts'>;

/** Traits as they are now. */
export async function loadTraits(
  { db, projectId }: { readonly db: Queryable; readonly projectId: string },
  { keyring, listAccounts }: RiskSources,
  participantIds: readonly string[],
): Promise<Traits> {
  const [rows, accounts] = await Promise.all([
    listCircle(db, projectId, participantIds, []),
    listAccounts(db, projectId, { participantIds, referrerIds: [] }),
  ]);
  const profileOf = (row: CircleRow) => toProfile(withKeys(keyring, projectId, row));
  return {
    profiles: new Map(rows.map((row) => [row.participantId, profileOf(row)])),
    accounts: new Map(accounts.map((one) => [one.participantId, one])),
  };
}

/** Addresses that earlier versions stored have no keys. */
function withKeys(keyring: Keyring, projectId: string, row: CircleRow): CircleRow {
  const isKnown = row.email === null || row.emailKey !== null;
  return isKnown ? row : { ...row, ...emailKeysOf(keyring, projectId, row.email) };
}

type Circle = Awaited<ReturnType<typeof loadCircle>>;

export async function loadOwnersRisk(
  { tx, projectId }: { readonly tx: Tx; readonly projectId: string },
  { listAccounts }: Pick<RiskSources, 'listAccounts'>,
  names: readonly string[],
): Promise<OwnersRisk> {
  if (names.length === 0) return { recent: [], accounts: [] };
  const [recent, accounts] = await Promise.all([
    listRecentOfOwners(tx, projectId, names),
    listAccounts(tx, projectId, { names }),
  ]);
  return { recent, accounts };
}

/** What is known of the owners of the codes and links of a batch. */
export interface OwnersRisk {
  readonly recent: readonly RecentRow[];
  readonly accounts: readonly PaidAccount[];
}

export function toRiskSlice(book: RiskBook, owners: OwnersRisk, loaded: Circle): RiskSlice {
  const { chain } = loaded;
  // Who is also one of the newest referees is known better by themselves.
  const isNear = (row: CircleRow) => row.referrerId !== null;
  const circle = [...loaded.circle.filter(isNear), ...loaded.circle.filter((row) => !isNear(row))];
  const recent = new Map<string, Map<string, NearReferral>>();
  const near = (referrerId: string, one: NearReferral) =>
    recent.set(referrerId, (recent.get(referrerId) ?? new Map()).set(one.refereeId, one));
  for (const row of owners.recent) {
    for (const one of readRecent(row)) near(row.referrerId, one);
  }
  for (const { referrerId, participantId: refereeId, boundAt } of circle) {
    if (referrerId === null || boundAt === null) continue;
    near(referrerId, { refereeId, boundAtMs: Date.parse(boundAt) });
  }
  return {
    book,
    profiles: new Map(circle.map((row) => [row.participantId, toProfile(row)])),
    accounts: new Map(
      [...owners.accounts, ...loaded.accounts].map((one) => [one.participantId, one]),
    ),
    recent: new Map(
      [...recent].map(([id, referrals]) => [id, [...referrals.values()].sort(byTime)]),
    ),
    visits: new Map(circle.map((row) => [row.participantId, toVisit(row)])),
    referrerOf: new Map(chain.map((one) => [one.refereeId, one.referrerId])),
  };
}

const byTime = (a: NearReferral, b: NearReferral) => a.boundAtMs - b.boundAtMs;

function readRecent({ recent }: RecentRow): NearReferral[] {
  const parts = recent?.split(' ') ?? [];
  return parts.flatMap((refereeId, at) =>
    at % 2 === 0 ? [{ refereeId, boundAtMs: Number(parts[at + 1]) }] : [],
  );
}

function toProfile(row: CircleRow): RiskProfile {
  return {
    emailKey: row.emailKey,
    emailStem: row.emailStem,
    emailDomain: row.email === null ? null : readAddress(row.email).domain,
    emailIsDisposable: row.emailIsDisposable ?? false,
    networks: row.networks === null ? [] : row.networks.split(' '),
    cardOthers: row.cardOthers,
  };
}

function toVisit({ clickedAt, clickNetwork }: CircleRow): Visit {
  return { clickedAt, network: clickNetwork };
}
