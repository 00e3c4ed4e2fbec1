import type { Tx } from '../../platform/db/database.ts';
import { sendWrite } from '../../platform/db/statements.ts';
import {
  bigint,
  boolean,
  type Columns,
  insertRows,
  text,
  timestamptz,
  updateRows,
} from '../../platform/db/write-rows.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { EmailKeys } from './email-keys.ts';
import type { Tombstone } from './names/names.ts';
import { PARTICIPANT, type PartnerParticipant } from './queries.ts';
import type { Participant, ParticipantKind, ParticipantRef } from './schema.ts';

export interface NumberedParticipant extends Participant {
  readonly number: number;
  readonly kindNumber: number;
}

export interface NewParticipant extends NumberedParticipant, EmailKeys {
  readonly isReferrer: boolean;
  readonly isReferee: boolean;
}

type Found = { readonly erasedHash: string | null } & (
  | Participant
  | { readonly [F in keyof Participant]: null }
);

/**
 * Finds which of these participants exist and which were erased. Each comes with the tombstone hash
 * of its name; `erasedHash` is that hash if a tombstone exists.
 */
export function listByRefs(
  tx: Tx,
  projectId: string,
  refs: readonly ParticipantRef[],
  hashes: readonly string[],
): Promise<Found[]> {
  return tx.query<Found>(
    `select ${PARTICIPANT}, erased_hash as "erasedHash"
     from unnest($2::text[], $3::text[], $4::text[]) as named (named_kind, named_id, named_hash)
     left join lateral (select p.* from participants p
       where p.project_id = $1 and p.kind = named_kind and p.external_id = named_id offset 0)
       as known on true
     left join lateral (select t.hash from tombstones t
       where t.project_id = $1 and t.kind = named_kind and t.hash = named_hash offset 0)
       as stone (erased_hash) on true
     where id is not null or erased_hash is not null`,
    [projectId, refs.map((ref) => ref.kind), refs.map((ref) => ref.externalId), hashes],
  );
}

const NEW: Columns<NewParticipant> = {
  id: text((row) => row.id),
  number: bigint((row) => row.number),
  kind_number: bigint((row) => row.kindNumber),
  kind: text((row) => row.kind),
  external_id: text((row) => row.externalId),
  billing_id: text((row) => row.billingId),
  name: text((row) => row.name),
  email: text((row) => row.email),
  partner_id: text((row) => row.partnerId),
  is_referrer: boolean((row) => row.isReferrer),
  is_referee: boolean((row) => row.isReferee),
  created_at: timestamptz((row) => row.createdAt),
  updated_at: timestamptz((row) => row.updatedAt),
};
const KEYS: Columns<EmailKeys> = {
  email_key: text((row) => row.emailKey),
  email_stem: text((row) => row.emailStem),
  email_is_disposable: boolean((row) => row.emailIsDisposable),
};

const insertNew = insertRows<NewParticipant>('participants', NEW);
const insertNewWithKeys = insertRows<NewParticipant>('participants', { ...NEW, ...KEYS });

/** Signups create most participants, without an address: their statement is shorter. */
export function insertParticipantRows(
  tx: Tx,
  projectId: string,
  rows: readonly NewParticipant[],
): void {
  const hasKeys = rows.some(({ emailKey }) => emailKey !== null);
  (hasKeys ? insertNewWithKeys : insertNew)(tx, projectId, rows);
}

const clearBillingIds = updateRows<string>(
  'participants',
  { id: text((id) => id) },
  { billing_id: text(() => null) },
);

export function releaseBillingIds(tx: Tx, projectId: string, ids: readonly string[]): void {
  if (ids.length > 0) clearBillingIds(tx, projectId, ids);
}

const updateParticipantRows = updateRows<Participant & EmailKeys>(
  'participants',
  { id: text((row) => row.id) },
  {
    billing_id: text((row) => row.billingId),
    name: text((row) => row.name),
    email: text((row) => row.email),
    ...KEYS,
  },
);

export function updateParticipants(
  tx: Tx,
  projectId: string,
  now: Instant,
  changed: readonly (Participant & EmailKeys)[],
): void {
  if (changed.length > 0) updateParticipantRows(tx, projectId, changed, { updated_at: now });
}

/** Removes everything about a person except the ids. A partner never had an external id. */
export function eraseParticipantRow(
  tx: Tx,
  projectId: string,
  participantId: string,
  left: {
    readonly externalId: string | null;
    readonly tombstoneHash: string | null;
    readonly now: Instant;
  },
): void {
  tx.send(
    `update participants
     set name = null, email = null, email_key = null, email_stem = null,
       email_is_disposable = null, billing_id = null, starting_measures = null,
       external_id = $4, tombstone_hash = $5, deleted_at = $3, updated_at = $3
     where project_id = $1 and id = $2`,
    [projectId, participantId, left.now, left.externalId, left.tombstoneHash],
  );
}

/**
 * The tombstone hash of an erased participant's external id. If an earlier version erased the
 * participant, it is known only if nobody else of their kind was erased at the same moment.
 */
export async function findTombstoneHash(
  tx: Tx,
  projectId: string,
  erased: { readonly id: string; readonly kind: ParticipantKind; readonly deletedAt: Instant },
): Promise<string | undefined> {
  const [kept] = await tx.query<{ hash: string | null }>(
    'select tombstone_hash as hash from participants where project_id = $1 and id = $2',
    [projectId, erased.id],
  );
  if (kept?.hash) return kept.hash;
  const { kind, deletedAt } = erased;
  const stones = await tx.query<{ hash: string }>(
    `select t.hash from tombstones t
     where t.project_id = $1 and t.kind = $2 and t.created_at = $3
       and not exists (select 1 from participants p
         where p.project_id = $1 and p.tombstone_hash = t.hash)
     limit 2`,
    [projectId, kind, deletedAt],
  );
  const others = await tx.query(
    `select 1 from participants
     where project_id = $1 and kind = $2 and deleted_at = $3 and id <> $4
       and tombstone_hash is null and external_id is not null limit 1`,
    [projectId, kind, deletedAt, erased.id],
  );
  return stones.length === 1 && others.length === 0 ? stones[0]?.hash : undefined;
}

export function deleteTombstone(tx: Tx, projectId: string, { kind, hash }: Tombstone): void {
  tx.send('delete from tombstones where project_id = $1 and kind = $2 and hash = $3', [
    projectId,
    kind,
    hash,
  ]);
}

export const markReadmitted = sendWrite<
  [projectId: string, id: string, now: Instant]
>(`update participants set readmitted_at = $3, updated_at = $3
     where project_id = $1 and id = $2`);

/** Those of these hashes that have a tombstone. */
export async function findTombstones(
  tx: Tx,
  projectId: string,
  stones: readonly Tombstone[],
): Promise<Set<string>> {
  const rows = await tx.query<{ hash: string }>(
    `select hash from unnest($2::text[], $3::text[]) as asked (asked_kind, asked_hash)
     cross join lateral (select r.hash from tombstones r
       where r.project_id = $1 and r.kind = asked_kind and r.hash = asked_hash offset 0) as stone`,
    [projectId, stones.map((stone) => stone.kind), stones.map((stone) => stone.hash)],
  );
  return new Set(rows.map((row) => row.hash));
}

const insertTombstoneRows = insertRows<Tombstone>(
  'tombstones',
  { kind: text((stone) => stone.kind), hash: text((stone) => stone.hash) },
  'on conflict (project_id, kind, hash) do nothing',
);

export function insertTombstones(
  tx: Tx,
  projectId: string,
  now: Instant,
  stones: readonly Tombstone[],
): void {
  if (stones.length > 0) insertTombstoneRows(tx, projectId, stones, { created_at: now });
}

export function updateReferredFlags(
  tx: Tx,
  projectId: string,
  referrerIds: readonly string[],
  refereeIds: readonly string[],
): void {
  tx.send(
    `update participants set is_referrer = is_referrer or id = any($2::text[]),
       is_referee = is_referee or id = any($3::text[])
     from (select $1::text as asked_project, asked_id from unnest($4::text[]) as u (asked_id)
       offset 0) as asked
     where project_id = $1 and project_id = asked_project and id = asked_id
       and ((id = any($2::text[]) and not is_referrer) or (id = any($3::text[]) and not is_referee))`,
    [projectId, referrerIds, refereeIds, [...new Set([...referrerIds, ...refereeIds])]],
  );
}

/** A participant who is already suspended keeps the original time. */
export function updateSuspended(
  tx: Tx,
  { projectId, participantId }: PartnerParticipant,
  now: Instant,
  isSuspended: boolean,
): void {
  tx.send(
    `update participants set suspended_at = $4, updated_at = $3
     where project_id = $1 and id = $2 and (suspended_at is null) = ($4::timestamptz is not null)`,
    [projectId, participantId, now, isSuspended ? now : null],
  );
}
