import type { Queryable } from '../../../platform/db/driver.ts';
import type { Referral } from '../event-schema.ts';
import { personOfSignupId } from '../intake/normalize-event.ts';
import type { EventRow } from '../store.ts';
import {
  findEvent,
  findReferral,
  listEventIdsBySource,
  listUnnamedSignupIds,
} from './read-store.ts';

export function findEventById(
  db: Queryable,
  projectId: string,
  eventId: string,
): Promise<EventRow | undefined> {
  return findEvent(db, projectId, eventId);
}

export function findReferralById(
  db: Queryable,
  projectId: string,
  referralId: string,
): Promise<Referral | undefined> {
  return findReferral(db, projectId, referralId);
}

/** The Events with this id, at most one of each source, or the signup that shows it. */
export async function findEventsBySource(
  db: Queryable,
  projectId: string,
  sourceEventId: string,
): Promise<EventRow[]> {
  const personId = personOfSignupId(sourceEventId);
  const ids =
    personId === null
      ? await listEventIdsBySource(db, projectId, sourceEventId)
      : await listUnnamedSignupIds(db, projectId, personId);
  const rows = await Promise.all(ids.map((id) => findEvent(db, projectId, id)));
  return rows.flatMap((row) => row ?? []);
}
