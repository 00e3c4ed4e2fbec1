import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { listRows, listValues } from '../../platform/db/statements.ts';
import {
  bigint,
  date,
  insertRows,
  json,
  text,
  timestamptz,
  updateRows,
} from '../../platform/db/write-rows.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { HandleExtension, NewHandle, NewTouch } from './landings/decide-landings.ts';
import type { ClickCount } from './links/click-counter.ts';

/**
 * The ids of those tokens that were not spent before, in one order everywhere: two processes with the
 * same tokens do not lock each other out. Citus finds the shard by the head.
 */
export const spendClicks = listValues<
  string,
  [projectId: string, ids: readonly string[], expiresAt: readonly Instant[]],
  Tx
>(`insert into spent_clicks (project_id, id, expires_at)
     select h.project_id, r.id, r.expires_at
     from (select project_id from project_heads where project_id = $1) as h
     cross join unnest($2::text[], $3::timestamptz[]) as r (id, expires_at)
     order by r.id
     on conflict (project_id, id) do nothing returning id`);

const LOCK_OPEN = `select id, expires_at as "expiresAt" from handles
     where project_id = $1 and id = any($2::text[]) and identified_at is null
     order by id for update`;

/** Locks those of the handles that are not identified. */
export const lockHandles = listRows<
  HandleExtension,
  [projectId: string, ids: readonly string[]],
  Tx
>(LOCK_OPEN);

/** The same, except those that others have locked. */
export const lockFreeHandles = listRows<
  HandleExtension,
  [projectId: string, ids: readonly string[]],
  Tx
>(`${LOCK_OPEN} skip locked`);

/** Those of the handles that are not identified. */
export const listOpenHandles = listValues<
  string,
  [projectId: string, ids: readonly string[]]
>(`select id from handles
     where project_id = $1 and id = any($2::text[]) and identified_at is null`);

/** The last touch of each handle and code later than `since`. */
export const listTouchesSince = listRows<
  Pick<NewTouch, 'handleId' | 'refCodeId' | 'occurredAt'>,
  [projectId: string, handleIds: readonly string[], since: Instant]
>(`select handle_id as "handleId", ref_code_id as "refCodeId", max(occurred_at) as "occurredAt"
     from touches
     where project_id = $1 and handle_id = any($2::text[]) and occurred_at > $3::timestamptz
     group by handle_id, ref_code_id`);

export const insertHandles = insertRows<NewHandle>('handles', {
  id: text((handle) => handle.id),
  created_at: timestamptz((handle) => handle.createdAt),
  expires_at: timestamptz((handle) => handle.expiresAt),
});

export const extendHandles = updateRows<HandleExtension>(
  'handles',
  { id: text((handle) => handle.id) },
  { expires_at: timestamptz((handle) => handle.expiresAt) },
);

export const insertTouches = insertRows<NewTouch>('touches', {
  id: text((touch) => touch.id),
  program_id: text((touch) => touch.programId),
  handle_id: text((touch) => touch.handleId),
  ref_code_id: text((touch) => touch.refCodeId),
  link_id: text((touch) => touch.linkId),
  referrer_participant_id: text((touch) => touch.referrerParticipantId),
  source: text((touch) => touch.source),
  occurred_at: timestamptz((touch) => touch.occurredAt),
  expires_at: timestamptz((touch) => touch.expiresAt),
  landing_url: text((touch) => touch.landingUrl),
  referrer_origin: text((touch) => touch.referrerOrigin),
  utm: json((touch) => touch.utm),
  ip_hash: text((touch) => touch.networkHash),
  created_at: timestamptz((touch) => touch.occurredAt),
  updated_at: timestamptz((touch) => touch.occurredAt),
});

/** In one order everywhere, so that two processes that save the same days do not lock each other out. */
export const addToClickCounts = insertRows<ClickCount>(
  'click_counts',
  {
    shared_id: text((count) => count.sharedId),
    program_id: text((count) => count.programId),
    day: date((count) => count.day),
    clicks: bigint((count) => count.clicks),
  },
  `order by r.shared_id, r.day
   on conflict (project_id, shared_id, day) do update
     set clicks = click_counts.clicks + excluded.clicks`,
);

// Retention

async function listProjectIds(db: Queryable, text: string, before: Instant): Promise<string[]> {
  const rows = await db.query<{ projectId: string }>(text, [before]);
  return rows.map((row) => row.projectId);
}

export function listProjectsWithEndedHandles(db: Queryable, before: Instant): Promise<string[]> {
  return listProjectIds(
    db,
    `select distinct project_id as "projectId" from handles
     where expires_at < $1 and identified_at is null`,
    before,
  );
}

/** Handles that were never identified, with their touches; returns the number of handles. */
export async function deleteEndedHandles(
  tx: Tx,
  projectId: string,
  before: Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.query<{ id: string }>(
    `select id from handles
     where project_id = $1 and expires_at < $2 and identified_at is null
     order by id limit $3 for update skip locked`,
    [projectId, before, limit],
  );
  const ids = rows.map((row) => row.id);
  tx.send('delete from touches where project_id = $1 and handle_id = any($2::text[])', [
    projectId,
    ids,
  ]);
  tx.send('delete from handles where project_id = $1 and id = any($2::text[])', [projectId, ids]);
  return ids.length;
}

export function listProjectsWithNetworkHashes(db: Queryable, before: Instant): Promise<string[]> {
  return listProjectIds(
    db,
    `select distinct project_id as "projectId" from touches
     where created_at < $1 and ip_hash is not null`,
    before,
  );
}

export async function clearNetworkHashes(
  tx: Tx,
  projectId: string,
  before: Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.query(
    `update touches set ip_hash = null where project_id = $1 and id in
       (select id from touches where project_id = $1 and created_at < $2
          and ip_hash is not null limit $3)
     returning 1`,
    [projectId, before, limit],
  );
  return rows.length;
}

export function listProjectsWithSpentClicks(db: Queryable, before: Instant): Promise<string[]> {
  return listProjectIds(
    db,
    'select distinct project_id as "projectId" from spent_clicks where expires_at <= $1',
    before,
  );
}

export async function deleteSpentClicks(
  tx: Tx,
  projectId: string,
  before: Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.query(
    `delete from spent_clicks where project_id = $1 and id in
       (select id from spent_clicks where project_id = $1 and expires_at <= $2 limit $3)
     returning 1`,
    [projectId, before, limit],
  );
  return rows.length;
}

// Erasure

const EMPTY_UTM = JSON.stringify({
  source: null,
  medium: null,
  campaign: null,
  term: null,
  content: null,
});

/** Clears where the participant's touches came from. That they happened, when, and for which referrer stays. */
export function blankVisitsOf(
  tx: Tx,
  projectId: string,
  participantId: string,
  now: Instant,
): void {
  tx.send(
    `update touches t
     set landing_url = null, referrer_origin = null, utm = $4::json, ip_hash = null,
       updated_at = $3
     from (select project_id, id from touches where project_id = $1 and participant_id = $2
       union
       select r.project_id, r.id from
         (select id from handles
          where project_id = $1 and identified_participant_id = $2 offset 0) as h
       cross join lateral (select * from touches r
         where r.project_id = $1 and r.handle_id = h.id offset 0) as r) as own
     where t.project_id = $1 and t.project_id = own.project_id and t.id = own.id`,
    [projectId, participantId, now, EMPTY_UTM],
  );
}
