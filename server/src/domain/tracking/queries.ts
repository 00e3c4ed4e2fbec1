import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { FeedDeps } from '../../platform/feed/list-events.ts';
import type { CursorPage } from '../../platform/http/routes/paging.ts';
import { notFound } from '../../platform/kit/errors.ts';
import { findParticipants } from '../participants/find-participant.ts';
import { findParties } from '../participants/queries.ts';
import { listPurchasesByKey } from './batch/adjustment-store.ts';
import type { Event, ListedReferral, Referral } from './event-schema.ts';
import type { SourceRef } from './intake/normalize-billing.ts';
import { type Explanation, presentExplanation } from './read/explanation.ts';
import { presentEvent } from './read/present-event.ts';
import {
  countFailed,
  findEvent,
  isEvent,
  listEventsOf,
  listProperties,
  listReferralPage,
  listReferralsOf,
  type ReferralFilter,
} from './read/read-store.ts';
import type { Source } from './schema.ts';
import { listSources } from './sources/source-store.ts';
import { listReferralsOfReferees } from './store.ts';

/** The callers' own fields of these Events, in their current state: empty once a person was erased. */
async function findProperties(
  db: Queryable,
  projectId: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  if (eventIds.length === 0) return new Map();
  const rows = await listProperties(db, projectId, eventIds);
  return new Map(rows.map((row) => [row.id, row.properties]));
}

/** The purchase of a fact, as counted: for an invoice that was reported twice, the first. */
export async function findPurchase(
  tx: Tx,
  projectId: string,
  fact: SourceRef,
): Promise<{ readonly amountMinor: bigint } | undefined> {
  const [purchase] = await listPurchasesByKey(tx, projectId, [fact]);
  return purchase?.isCounted ? { amountMinor: BigInt(purchase.amountMinor) } : undefined;
}

const SHOWN_MAX = 50;

/** A person's referral, their referees and their Events: the newest of each. */
export async function findStory(
  db: Queryable,
  projectId: string,
  participantId: string,
): Promise<{ referredBy: Referral | null; referrals: Referral[]; events: Event[] }> {
  const [[referredBy], referrals, events] = await Promise.all([
    listReferralsOfReferees(db, projectId, [participantId]),
    listReferralsOf(db, projectId, participantId, SHOWN_MAX),
    listEventsOf(db, projectId, participantId, SHOWN_MAX),
  ]);
  return { referredBy: referredBy ?? null, referrals, events: events.map(presentEvent) };
}

/** For lower layers that only know the id of an Event. */
export function hasEvent(db: Queryable, projectId: string, eventId: string): Promise<boolean> {
  return isEvent(db, projectId, eventId);
}

/** The candidates and rules considered for an Event; empty while it waits. Fails with NOT_FOUND. */
export async function explainEvent(
  db: Queryable,
  projectId: string,
  eventId: string,
): Promise<Explanation> {
  const event = await findEvent(db, projectId, eventId);
  if (!event) throw notFound('event');
  return presentExplanation(event.explanation);
}

/** Newest first, one more than the page size; each with its sides. */
export async function listReferrals(
  db: Queryable,
  projectId: string,
  filter: ReferralFilter,
  page: CursorPage,
): Promise<ListedReferral[]> {
  const rows = await listReferralPage(db, projectId, filter, page);
  const ids = rows.flatMap((row) => [row.referrerParticipantId, row.refereeParticipantId]);
  const people = await findParticipants(db, projectId, ids);
  const sideOf = (row: Referral, id: string) => {
    const person = people.get(id);
    if (!person) throw new Error(`Referral ${row.id} names unknown ${id}.`);
    return { participantId: id, kind: person.kind, externalId: person.externalId };
  };
  return rows.map((row) => ({
    ...row,
    referrer: sideOf(row, row.referrerParticipantId),
    referee: sideOf(row, row.refereeParticipantId),
  }));
}

/** Number of Events that could not be decided; counts at most `most`. */
export function countFailedEvents(db: Queryable, projectId: string, most: number): Promise<number> {
  return countFailed(db, projectId, most);
}

/** Lookups for the fields of events that are filled in when they are read. */
export function makeFeedLookups(
  reads: Queryable,
): Pick<FeedDeps, 'findParties' | 'findProperties'> {
  return {
    findParties: (projectId, ids) => findParties(reads, projectId, ids),
    findProperties: (projectId, ids) => findProperties(reads, projectId, ids),
  };
}

/** Oldest first. */
export function showSources(db: Queryable, projectId: string): Promise<Source[]> {
  return listSources(db, projectId);
}
