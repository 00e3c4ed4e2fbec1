import type { Tx } from '../../../../platform/db/database.ts';
import type { Queryable } from '../../../../platform/db/driver.ts';
import type { CursorPage } from '../../../../platform/http/routes/paging.ts';
import type { Instant } from '../../../../platform/kit/instant.ts';
import type { ParkedReason, ParkedRow } from '../parked/parked.ts';

/** Returns whether the event is new; a known one changes nothing. */
export async function insertEvent(
  tx: Tx,
  event: {
    readonly projectId: string;
    readonly connectionId: string;
    readonly id: string;
    readonly type: string;
    readonly receivedAt: Instant;
  },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into stripe_events (project_id, connection_id, id, type, received_at)
     values ($1, $2, $3, $4, $5)
     on conflict (project_id, connection_id, id) do nothing returning id`,
    [event.projectId, event.connectionId, event.id, event.type, event.receivedAt],
  );
  return rows.length > 0;
}

const COLUMNS = `p.project_id as "projectId", p.id, p.connection_id as "connectionId",
  p.event_id as "eventId", p.type, p.reason, p.told as fact, p.waits_for as "waitsFor",
  p.due_at as "dueAt", p.attempts, p.parked_at as "parkedAt"`;

export function insertParked(tx: Tx, row: ParkedRow): void {
  tx.send(
    `insert into stripe_parked (project_id, id, connection_id, event_id, type, reason, told,
       waits_for, due_at, attempts, parked_at)
     values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10, $11)`,
    [
      row.projectId,
      row.id,
      row.connectionId,
      row.eventId,
      row.type,
      row.reason,
      JSON.stringify(row.fact),
      row.waitsFor,
      row.dueAt,
      row.attempts,
      row.parkedAt,
    ],
  );
}

export async function findParked(db: Queryable, projectId: string, id: string) {
  const [row] = await db.query<ParkedRow>(
    `select ${COLUMNS} from stripe_parked p where p.project_id = $1 and p.id = $2`,
    [projectId, id],
  );
  return row;
}

/** Newest first, without those of deleted connections. */
export function listParked(db: Queryable, projectId: string, { limit, beforeId }: CursorPage) {
  return db.query<ParkedRow>(
    `select ${COLUMNS} from stripe_parked p
     join stripe_connections c on c.project_id = p.project_id and c.id = p.connection_id
     where p.project_id = $1 and ($2::text is null or p.id < $2) order by p.id desc limit $3`,
    [projectId, beforeId, limit + 1],
  );
}

/** How many there are; at most `most`. */
export async function countParked(db: Queryable, projectId: string, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from (select 1 from stripe_parked p
     join stripe_connections c on c.project_id = p.project_id and c.id = p.connection_id
     where p.project_id = $1 limit $2) as found`,
    [projectId, most],
  );
  return row?.count ?? 0;
}

export function deleteParked(tx: Tx, projectId: string, id: string): void {
  tx.send('delete from stripe_parked where project_id = $1 and id = $2', [projectId, id]);
}

/** The event keeps waiting, maybe for something else. */
export function updateWait(tx: Tx, row: ParkedRow, reason: ParkedReason, waitsFor: string): void {
  tx.send(
    `update stripe_parked set reason = $3, waits_for = $4, due_at = null, attempts = 0
     where project_id = $1 and id = $2`,
    [row.projectId, row.id, reason, waitsFor],
  );
}

export function postponeParked(tx: Tx, row: ParkedRow, dueAt: Instant): void {
  tx.send(`update stripe_parked set due_at = $3, attempts = $4 where project_id = $1 and id = $2`, [
    row.projectId,
    row.id,
    dueAt,
    row.attempts + 1,
  ]);
}

/** Makes events that waited for one of these due. */
export function wakeParked(
  tx: Tx,
  projectId: string,
  waitedFor: readonly string[],
  dueAt: Instant,
): void {
  tx.send(
    `with found as (
       select w.id from unnest($2::text[]) as asked (asked_for)
       cross join lateral (select p.id from stripe_parked p
         where p.project_id = $1 and p.waits_for = asked_for and p.due_at is null
         offset 0) as w)
     update stripe_parked p set due_at = $3
     from (select $1::text as project_id, f.id from found f offset 0) as f
     where p.project_id = $1 and p.project_id = f.project_id and p.id = f.id`,
    [projectId, waitedFor, dueAt],
  );
}

export async function listDue(db: Queryable, projectId: string, now: Instant, limit: number) {
  const rows = await db.query<{ id: string }>(
    `select id from stripe_parked where project_id = $1 and due_at <= $2
     order by due_at, id limit $3`,
    [projectId, now, limit],
  );
  return rows.map(({ id }) => id);
}

export async function listDueProjects(db: Queryable, now: Instant, limit: number) {
  const rows = await db.query<{ projectId: string }>(
    `select distinct project_id as "projectId" from
       (select project_id from stripe_parked where due_at <= $1 order by due_at limit $2) due`,
    [now, limit],
  );
  return rows.map(({ projectId }) => projectId);
}

export function deleteParkedOf(tx: Tx, projectId: string, waitedFor: string): void {
  tx.send('delete from stripe_parked where project_id = $1 and waits_for = $2', [
    projectId,
    waitedFor,
  ]);
}

/** Deletes the parked cards that wait for this, and returns each of them once. */
export async function takeParkedCards(
  tx: Tx,
  projectId: string,
  waitedFor: string,
): Promise<string[]> {
  const rows = await tx.query<{ cardHash: string }>(
    `delete from stripe_parked where project_id = $1 and waits_for = $2 and told ->> 'kind' = 'card'
     returning told ->> 'cardHash' as "cardHash"`,
    [projectId, waitedFor],
  );
  return [...new Set(rows.map(({ cardHash }) => cardHash))];
}

export function deleteParkedByConnection(tx: Tx, projectId: string, connectionId: string): void {
  tx.send('delete from stripe_parked where project_id = $1 and connection_id = $2', [
    projectId,
    connectionId,
  ]);
}

/** If two participants had the same customer one after the other, the last one counts. */
export function insertErasedCustomer(
  tx: Tx,
  projectId: string,
  customerHash: string,
  participantId: string,
): void {
  tx.send(
    `insert into stripe_erased_customers (project_id, customer_hash, participant_id)
     values ($1, $2, $3)
     on conflict (project_id, customer_hash) do update set participant_id = excluded.participant_id`,
    [projectId, customerHash, participantId],
  );
}

export function deleteErasedCustomer(tx: Tx, projectId: string, participantId: string): void {
  tx.send('delete from stripe_erased_customers where project_id = $1 and participant_id = $2', [
    projectId,
    participantId,
  ]);
}

export async function isErasedCustomer(tx: Tx, projectId: string, customerHash: string) {
  const rows = await tx.query(
    'select 1 from stripe_erased_customers where project_id = $1 and customer_hash = $2',
    [projectId, customerHash],
  );
  return rows.length > 0;
}

export interface EventKey {
  readonly projectId: string;
  readonly connectionId: string;
  readonly id: string;
}

/** Of all projects, oldest first. */
export function listOldEvents(db: Queryable, before: Instant, limit: number): Promise<EventKey[]> {
  return db.query<EventKey>(
    `select project_id as "projectId", connection_id as "connectionId", id from stripe_events
     where received_at < $1 order by received_at limit $2`,
    [before, limit],
  );
}

/** Returns how many were still there. */
export async function deleteEvents(tx: Tx, projectId: string, keys: readonly EventKey[]) {
  const rows = await tx.query(
    `delete from stripe_events e
     using (select $1::text as project_id, k.* from unnest($2::text[], $3::text[])
       as k (connection_id, id)) as old
     where e.project_id = $1 and e.project_id = old.project_id
       and e.connection_id = old.connection_id and e.id = old.id
     returning 1`,
    [projectId, keys.map(({ connectionId }) => connectionId), keys.map(({ id }) => id)],
  );
  return rows.length;
}

/**
 * Of all projects, oldest first. Events about a known purchase that wait for the end of a dispute
 * or refund are old only `longBefore`, because those can take longest.
 */
export function listOldParked(db: Queryable, before: Instant, longBefore: Instant, limit: number) {
  return db.query<Omit<EventKey, 'connectionId'>>(
    `select project_id as "projectId", id from stripe_parked
     where parked_at < $1
       and (parked_at < $2 or reason not in ('exceeds_purchase', 'reversal_unknown'))
     order by parked_at limit $3`,
    [before, longBefore, limit],
  );
}

/** Returns how many were still there. */
export async function deleteParkedRows(
  tx: Tx,
  projectId: string,
  keys: readonly Pick<EventKey, 'id'>[],
): Promise<number> {
  const rows = await tx.query(
    `delete from stripe_parked p
     using (select $1::text as project_id, k.* from unnest($2::text[]) as k (id)) as old
     where p.project_id = $1 and p.project_id = old.project_id and p.id = old.id
     returning 1`,
    [projectId, keys.map(({ id }) => id)],
  );
  return rows.length;
}
