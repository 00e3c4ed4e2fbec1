import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { hasRow } from '../../platform/db/statements.ts';
import { bigint, date, insertRows, text } from '../../platform/db/write-rows.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { ClickCount } from './links/click-counter.ts';
import type { Touch } from './schema.ts';

/** False if the token was already spent. */
export const spendClick = hasRow<
  [projectId: string, id: string, expiresAt: Instant],
  Tx
>(`insert into spent_clicks (project_id, id, expires_at) values ($1, $2, $3)
     on conflict (project_id, id) do nothing returning 1`);

export interface NewHandle {
  readonly projectId: string;
  readonly id: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export function insertHandle(tx: Tx, handle: NewHandle): void {
  tx.send('insert into handles (project_id, id, created_at, expires_at) values ($1, $2, $3, $4)', [
    handle.projectId,
    handle.id,
    handle.createdAt,
    handle.expiresAt,
  ]);
}

export interface HandleExtension {
  readonly id: string;
  readonly now: Instant;
  readonly expiresAt: Instant;
}

/** Locks the handle and extends it; false if it does not exist, has expired or is identified. */
export async function extendOpenHandle(
  tx: Tx,
  projectId: string,
  { id, now, expiresAt }: HandleExtension,
): Promise<boolean> {
  const rows = await tx.query(
    `update handles set expires_at = $4
     where project_id = $1 and id = $2 and identified_at is null and expires_at > $3
     returning 1`,
    [projectId, id, now, expiresAt],
  );
  return rows.length > 0;
}

/** Whether the handle has a touch of this code later than `since`. */
export async function hasTouchSince(
  tx: Tx,
  projectId: string,
  { handleId, refCodeId }: Pick<NewTouch, 'handleId' | 'refCodeId'>,
  since: Instant,
): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from touches
     where project_id = $1 and handle_id = $2 and occurred_at > $4 and ref_code_id = $3 limit 1`,
    [projectId, handleId, refCodeId, since],
  );
  return rows.length > 0;
}

/** A touch of a browser; its handle identifies the person. */
export interface NewTouch
  extends Omit<
    Touch,
    'createdAt' | 'updatedAt' | 'handleId' | 'identifiedParticipantId' | 'identifiedAt'
  > {
  readonly handleId: string;
  readonly networkHash: string | null;
}

export function insertTouch(tx: Tx, touch: NewTouch): void {
  tx.send(
    `insert into touches (project_id, id, program_id, handle_id, ref_code_id, link_id,
       referrer_participant_id, source, occurred_at, expires_at, landing_url, referrer_origin,
       utm, ip_hash, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::json, $14, $9, $9)`,
    [
      touch.projectId,
      touch.id,
      touch.programId,
      touch.handleId,
      touch.refCodeId,
      touch.linkId,
      touch.referrerParticipantId,
      touch.source,
      touch.occurredAt,
      touch.expiresAt,
      touch.landingUrl,
      touch.referrerOrigin,
      JSON.stringify(touch.utm),
      touch.networkHash,
    ],
  );
}

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
