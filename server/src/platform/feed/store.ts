import type { Tx } from '../db/database.ts';
import type { Queryable } from '../db/driver.ts';
import { sendWrite } from '../db/statements.ts';
import {
  bigint,
  insertRows,
  json,
  jsonbText,
  jsonText,
  text,
  timestamptz,
  updateRows,
} from '../db/write-rows.ts';
import type { Instant } from '../kit/instant.ts';
import type { FeedRow } from './render-event.ts';
import type { NewFeedEvent } from './writer/project-write.ts';

export interface Head {
  readonly feedPosition: number;
  readonly lastAt: Instant;
  readonly numbers: Readonly<Record<string, number>>;
  readonly configNumber: number;
  /** How far the Project's clock is ahead of real time. */
  readonly clockOffsetMs: number;
}

interface HeadRow {
  feed_position: bigint;
  last_at: string;
  numbers: Record<string, number>;
  config_number: bigint;
  clock_offset_ms: bigint;
}

const HEAD = 'feed_position, last_at, numbers, config_number, clock_offset_ms';

export async function insertHead(tx: Tx, projectId: string, now: Instant): Promise<void> {
  await tx.query(
    `insert into project_heads (project_id, feed_position, last_at, numbers)
     values ($1, 0, $2, '{}')`,
    [projectId, now],
  );
}

/**
 * A separate statement: one that locked and loaded at once would return rows from before the wait.
 * NO KEY UPDATE, because nothing references the head.
 */
export async function lockHead(tx: Tx, projectId: string): Promise<Head | undefined> {
  const [row] = await tx.query<HeadRow>(
    `select ${HEAD} from project_heads where project_id = $1 for no key update`,
    [projectId],
  );
  return row && toHead(row);
}

/** The heads of these Projects, without those that another transaction has locked or that do not exist. */
export async function lockFreeHeads(
  tx: Tx,
  projectIds: readonly string[],
): Promise<Map<string, Head>> {
  const rows = await tx.query<HeadRow & { project_id: string }>(
    `select project_id, ${HEAD} from project_heads where project_id = any($1::text[])
     for no key update skip locked`,
    [projectIds],
  );
  return new Map(rows.map((row) => [row.project_id, toHead(row)]));
}

export async function findHead(db: Queryable, projectId: string): Promise<Head | undefined> {
  const [row] = await db.query<HeadRow>(`select ${HEAD} from project_heads where project_id = $1`, [
    projectId,
  ]);
  return row && toHead(row);
}

function toHead(row: HeadRow): Head {
  return {
    feedPosition: Number(row.feed_position),
    lastAt: row.last_at,
    numbers: row.numbers,
    configNumber: Number(row.config_number),
    clockOffsetMs: Number(row.clock_offset_ms),
  };
}

/** The positions of these Projects' feeds. */
export async function listFeedPositions(
  db: Queryable,
  projectIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ project_id: string; feed_position: bigint }>(
    'select project_id, feed_position from project_heads where project_id = any($1::text[])',
    [projectIds],
  );
  return new Map(rows.map((row) => [row.project_id, Number(row.feed_position)]));
}

const updateHeads = updateRows<Omit<Head, 'clockOffsetMs'>>(
  'project_heads',
  {},
  {
    feed_position: bigint((head) => head.feedPosition),
    last_at: timestamptz((head) => head.lastAt),
    numbers: jsonbText((head) => JSON.stringify(head.numbers)),
    config_number: bigint((head) => head.configNumber),
  },
);

export function updateHead(tx: Tx, projectId: string, head: Omit<Head, 'clockOffsetMs'>): void {
  updateHeads(tx, projectId, [head]);
}

export const updateClockOffset = sendWrite<[projectId: string, offsetMs: number]>(
  'update project_heads set clock_offset_ms = $2 where project_id = $1',
);

/** Of the Projects whose clock was moved. */
export async function listClockOffsets(
  db: Queryable,
): Promise<{ projectId: string; offsetMs: number }[]> {
  const rows = await db.query<{ project_id: string; clock_offset_ms: bigint }>(
    'select project_id, clock_offset_ms from project_heads where clock_offset_ms > 0',
  );
  return rows.map((row) => ({
    projectId: row.project_id,
    offsetMs: Number(row.clock_offset_ms),
  }));
}

const insertEventRows = insertRows<NewFeedEvent & { readonly position: number }>('feed_events', {
  position: bigint((event) => event.position),
  id: text((event) => event.id),
  type: text((event) => event.type),
  data: json((event) => event.data),
});

export function insertFeedEvents(
  tx: Tx,
  projectId: string,
  events: readonly NewFeedEvent[],
  { firstPosition, occurredAt }: { readonly firstPosition: number; readonly occurredAt: Instant },
): void {
  const rows = events.map((event, index) => ({ position: firstPosition + index, ...event }));
  insertEventRows(tx, projectId, rows, { occurred_at: occurredAt });
}

export async function listFeedEvents(
  db: Queryable,
  projectId: string,
  afterPosition: number,
  limit: number,
): Promise<FeedRow[]> {
  const rows = await db.query<Omit<FeedRow, 'position'> & { position: bigint }>(
    `select position, id, type, occurred_at as "occurredAt", data::text as data from feed_events
     where project_id = $1 and position > $2 order by position limit $3`,
    [projectId, afterPosition, limit],
  );
  return rows.map(({ position, id, type, occurredAt, data }) => ({
    position: Number(position),
    id,
    type,
    occurredAt,
    data,
  }));
}

/** Notifies the channel of each payload. It may be lost in a crash, so it does not wait for the disk. */
export async function notifyAll(
  db: Queryable,
  channel: string,
  payloads: readonly string[],
): Promise<void> {
  await db.query(
    `select set_config('synchronous_commit', 'off', true), pg_notify($1, payload)
     from unnest($2::text[]) as payload`,
    [channel, payloads],
  );
}

export interface KeptAnswer {
  readonly bodyHash: string;
  readonly answer: unknown;
}

export async function listKeptAnswers(
  db: Queryable,
  projectId: string,
  keyHashes: readonly string[],
  notBefore: Instant,
): Promise<Map<string, KeptAnswer>> {
  const rows = await db.query<{ key_hash: string; body_hash: string; answer: unknown }>(
    `select key_hash, body_hash, answer from unnest($2::text[]) as asked (asked_hash)
     cross join lateral (select * from idempotency_keys r
       where r.project_id = $1 and r.key_hash = asked_hash offset 0) as kept
     where created_at > $3`,
    [projectId, keyHashes, notBefore],
  );
  return new Map(
    rows.map((row) => [row.key_hash, { bodyHash: row.body_hash, answer: row.answer }]),
  );
}

export interface AnswerToKeep extends KeptAnswer {
  readonly keyHash: string;
  readonly participantId: string | null;
}

const upsertAnswerRows = insertRows<AnswerToKeep>(
  'idempotency_keys',
  {
    key_hash: text((kept) => kept.keyHash),
    body_hash: text((kept) => kept.bodyHash),
    answer: jsonText((kept) => JSON.stringify(kept.answer)),
    participant_id: text((kept) => kept.participantId),
  },
  `on conflict (project_id, key_hash) do update set
     body_hash = excluded.body_hash, answer = excluded.answer,
     participant_id = excluded.participant_id, created_at = excluded.created_at`,
);

/** An older row under the same key has outlived its day: `listKeptAnswers` did not see it. */
export function upsertKeptAnswers(
  tx: Tx,
  projectId: string,
  now: Instant,
  answers: readonly AnswerToKeep[],
): void {
  upsertAnswerRows(tx, projectId, answers, { created_at: now });
}

export function deleteKeptAnswersOf(tx: Tx, projectId: string, participantId: string): void {
  tx.send('delete from idempotency_keys where project_id = $1 and participant_id = $2', [
    projectId,
    participantId,
  ]);
}

export async function listProjectsWithOldAnswers(
  db: Queryable,
  before: Instant,
): Promise<string[]> {
  const rows = await db.query<{ projectId: string }>(
    'select distinct project_id as "projectId" from idempotency_keys where created_at < $1',
    [before],
  );
  return rows.map((row) => row.projectId);
}

/** The age is also checked outside: a key that is reused while this waits for its row must stay. */
export async function deleteOldKeptAnswers(
  tx: Tx,
  projectId: string,
  before: Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.query(
    `delete from idempotency_keys
     where project_id = $1 and created_at < $2 and key_hash in
       (select key_hash from idempotency_keys where project_id = $1 and created_at < $2 limit $3)
     returning 1`,
    [projectId, before, limit],
  );
  return rows.length;
}

/** As in the index `feed_events_with_free_text`. The types that have none are not parsed when they are written. */
const SUBJECT = `coalesce(f.data->'reward'->>'id', f.data->'payout'->>'id')`;
const HAS_TEXT = `f.type not in ('participant.created', 'referral.created', 'event.recorded', 'reward.earned')
  and coalesce(f.data->'reward'->'void'->>'reason', f.data->'payout'->>'failureMessage') is not null`;

/**
 * Clears free text in events about these Rewards and payouts. All other bytes of an event stay:
 * parties are filled into its text when it is read.
 */
export function clearTexts(tx: Tx, projectId: string, ids: readonly string[]): void {
  tx.send(
    `with named as materialized (
       select e.* from unnest($2::text[]) as asked (id)
       cross join lateral (select f.position, f.data from feed_events f
         where f.project_id = $1 and ${SUBJECT} = asked.id and ${HAS_TEXT} offset 0) as e)
     update feed_events f set data = case when t.data->'reward' is not null
         then replace(t.data::text, (t.data->'reward'->'void')::text,
           replace((t.data->'reward'->'void')::text,
             '"reason":' || (t.data->'reward'->'void'->'reason')::text, '"reason":null'))
         else replace(t.data::text,
           '"failureMessage":' || (t.data->'payout'->'failureMessage')::text,
           '"failureMessage":null') end::json
     from (select $1::text as project_id, t.* from named t offset 0) as t
     where f.project_id = $1 and f.project_id = t.project_id and f.position = t.position`,
    [projectId, ids],
  );
}
