import type { Tx } from '../db/database.ts';
import type { Queryable } from '../db/driver.ts';
import type { Instant } from '../kit/instant.ts';
import type {
  Enrollment,
  ListedParticipant,
  Participant,
  ParticipantKind,
  ParticipantRef,
  ReferralCode,
  ReferralLink,
} from './schema.ts';
import type { Tombstone } from './tombstone.ts';

const PARTICIPANT = `id, created_at as "createdAt", updated_at as "updatedAt",
  project_id as "projectId", kind, external_id as "externalId", billing_id as "billingId", name,
  email, partner_id as "partnerId", deleted_at as "deletedAt"`;
const LISTED = `${PARTICIPANT}, is_referrer as "isReferrer", is_referee as "isReferee"`;
const ENROLLMENT = `id, created_at as "createdAt", updated_at as "updatedAt",
  project_id as "projectId", participant_id as "participantId", program_id as "programId",
  starts_at as "startsAt", ends_at as "endsAt"`;
const CODE = `id, created_at as "createdAt", updated_at as "updatedAt",
  project_id as "projectId", code, participant_id as "participantId", program_id as "programId",
  position`;
const LINK = `l.id, l.created_at as "createdAt", l.updated_at as "updatedAt",
  l.project_id as "projectId", l.slug, l.ref_code_id as "refCodeId", l.position`;

export interface NumberedParticipant extends Participant {
  readonly number: number;
  readonly kindNumber: number;
}

/** A code or link as it is stored; its address is made when it is shown. */
export type CodeRow = Omit<ReferralCode, 'url'> & { readonly position: number };
export type LinkRow = Omit<ReferralLink, 'url'> & { readonly position: number };

type Found = { readonly erasedHash: string | null } & (
  | Participant
  | { readonly [F in keyof Participant]: null }
);

/**
 * Who of these is there, and who was erased: each comes with the hash that would stand for its
 * name, and `erasedHash` is that hash if it does.
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

/** Undefined for somebody who was erased. */
export async function findByRef(
  source: Queryable,
  projectId: string,
  ref: ParticipantRef,
): Promise<Participant | undefined> {
  const [row] = await source.query<Participant>(
    `select ${PARTICIPANT} from participants
     where project_id = $1 and kind = $2 and external_id = $3 and deleted_at is null`,
    [projectId, ref.kind, ref.externalId],
  );
  return row;
}

export function listByBillingIds(
  source: Queryable,
  projectId: string,
  billingIds: readonly string[],
): Promise<Participant[]> {
  return source.query<Participant>(
    `select ${PARTICIPANT} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from participants r
       where r.project_id = $1 and r.billing_id = asked_id offset 0) as p`,
    [projectId, billingIds],
  );
}

/** Each must be named once. */
export function listParticipantsById(
  source: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Participant[]> {
  return source.query<Participant>(
    `select ${PARTICIPANT} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from participants r
       where r.project_id = $1 and r.id = asked_id offset 0) as p`,
    [projectId, ids],
  );
}

export async function findByPartner(
  tx: Tx,
  projectId: string,
  partnerId: string,
): Promise<Participant | undefined> {
  const [row] = await tx.query<Participant>(
    `select ${PARTICIPANT} from participants where project_id = $1 and partner_id = $2`,
    [projectId, partnerId],
  );
  return row;
}

/** Numbers above `above` up to `upTo`, the highest first. */
export function listByNumber(
  source: Queryable,
  projectId: string,
  range: { readonly above: number; readonly upTo: number },
): Promise<ListedParticipant[]> {
  return source.query<ListedParticipant>(
    `select ${LISTED} from participants
     where project_id = $1 and number > $2 and number <= $3 order by number desc`,
    [projectId, range.above, range.upTo],
  );
}

export function listByKindNumber(
  source: Queryable,
  projectId: string,
  kind: ParticipantKind,
  range: { readonly above: number; readonly upTo: number },
): Promise<ListedParticipant[]> {
  return source.query<ListedParticipant>(
    `select ${LISTED} from participants
     where project_id = $1 and kind = $2 and kind_number > $3 and kind_number <= $4
     order by kind_number desc`,
    [projectId, kind, range.above, range.upTo],
  );
}

/** At most one of each kind. */
export function listByExternalId(
  source: Queryable,
  projectId: string,
  kinds: readonly ParticipantKind[],
  externalId: string,
): Promise<ListedParticipant[]> {
  return source.query<ListedParticipant>(
    `select ${LISTED} from unnest($2::text[]) as asked (asked_kind)
     cross join lateral (select * from participants r
       where r.project_id = $1 and r.kind = asked_kind and r.external_id = $3 offset 0) as p
     order by number desc`,
    [projectId, kinds, externalId],
  );
}

export function insertParticipantRows(
  tx: Tx,
  projectId: string,
  rows: readonly NumberedParticipant[],
  referrerIds: readonly string[],
  refereeIds: readonly string[],
): void {
  tx.send(
    `insert into participants (project_id, id, number, kind_number, kind, external_id, billing_id,
       name, email, partner_id, is_referrer, is_referee, created_at, updated_at)
     select $1, p.id, p.number, p.kind_number, p.kind, p.external_id, p.billing_id, p.name, p.email,
       p.partner_id, p.id = any($13::text[]), p.id = any($14::text[]), p.created_at, p.updated_at
     from unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[],
         $8::text[], $9::text[], $10::text[], $11::timestamptz[], $12::timestamptz[])
       as p (id, number, kind_number, kind, external_id, billing_id, name, email, partner_id,
         created_at, updated_at)`,
    [
      projectId,
      rows.map((row) => row.id),
      rows.map((row) => row.number),
      rows.map((row) => row.kindNumber),
      rows.map((row) => row.kind),
      rows.map((row) => row.externalId),
      rows.map((row) => row.billingId),
      rows.map((row) => row.name),
      rows.map((row) => row.email),
      rows.map((row) => row.partnerId),
      rows.map((row) => row.createdAt),
      rows.map((row) => row.updatedAt),
      referrerIds,
      refereeIds,
    ],
  );
}

export function releaseBillingIds(tx: Tx, projectId: string, ids: readonly string[]): void {
  if (ids.length === 0) return;
  tx.send(
    `update participants p set billing_id = null
     from (select $1::text as project_id, asked_id from unnest($2::text[]) as u (asked_id)
       offset 0) as asked
     where p.project_id = asked.project_id and p.id = asked_id`,
    [projectId, ids],
  );
}

export function updateParticipants(
  tx: Tx,
  projectId: string,
  now: Instant,
  changed: readonly Participant[],
): void {
  if (changed.length === 0) return;
  tx.send(
    `update participants p
     set billing_id = c.billing_id, name = c.name, email = c.email, updated_at = $2
     from (select $1::text as project_id, u.*
       from unnest($3::text[], $4::text[], $5::text[], $6::text[])
         as u (id, billing_id, name, email) offset 0) as c
     where p.project_id = c.project_id and p.id = c.id`,
    [
      projectId,
      now,
      changed.map((row) => row.id),
      changed.map((row) => row.billingId),
      changed.map((row) => row.name),
      changed.map((row) => row.email),
    ],
  );
}

/** Leaves nothing of a person but the ids. A partner never had an external id. */
export function eraseParticipantRow(
  tx: Tx,
  projectId: string,
  participantId: string,
  now: Instant,
  externalId: string | null,
): void {
  tx.send(
    `update participants
     set name = null, email = null, billing_id = null, external_id = $4, deleted_at = $3,
       updated_at = $3
     where project_id = $1 and id = $2`,
    [projectId, participantId, now, externalId],
  );
}

/** The hashes, of those asked about, that stand for something erased. */
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

export function insertTombstones(
  tx: Tx,
  projectId: string,
  now: Instant,
  stones: readonly Tombstone[],
): void {
  if (stones.length === 0) return;
  tx.send(
    `insert into tombstones (project_id, kind, hash, created_at)
     select $1, t.kind, t.hash, $2 from unnest($3::text[], $4::text[]) as t (kind, hash)
     on conflict (project_id, kind, hash) do nothing`,
    [projectId, now, stones.map((stone) => stone.kind), stones.map((stone) => stone.hash)],
  );
}

/** The active enrollment, or else the one that ended last. */
export async function findLatestEnrollment(
  source: Queryable,
  projectId: string,
  participantId: string,
  programId: string,
): Promise<Enrollment | undefined> {
  const [row] = await source.query<Enrollment>(
    `select ${ENROLLMENT} from enrollments
     where project_id = $1 and participant_id = $2 and program_id = $3
     order by ends_at desc nulls first limit 1`,
    [projectId, participantId, programId],
  );
  return row;
}

export async function findEnrollment(
  tx: Tx,
  projectId: string,
  enrollmentId: string,
): Promise<Enrollment | undefined> {
  const [row] = await tx.query<Enrollment>(
    `select ${ENROLLMENT} from enrollments where project_id = $1 and id = $2`,
    [projectId, enrollmentId],
  );
  return row;
}

export function listEnrollments(
  source: Queryable,
  projectId: string,
  participantId: string,
): Promise<Enrollment[]> {
  return source.query<Enrollment>(
    `select ${ENROLLMENT} from enrollments where project_id = $1 and participant_id = $2
     order by created_at, id`,
    [projectId, participantId],
  );
}

export function insertEnrollment(tx: Tx, enrollment: Enrollment): void {
  tx.send(
    `insert into enrollments (project_id, id, participant_id, program_id, starts_at, ends_at,
       created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      enrollment.projectId,
      enrollment.id,
      enrollment.participantId,
      enrollment.programId,
      enrollment.startsAt,
      enrollment.endsAt,
      enrollment.createdAt,
      enrollment.updatedAt,
    ],
  );
}

export function updateEnrollmentEnd(tx: Tx, enrollment: Enrollment): void {
  tx.send(
    'update enrollments set ends_at = $3, updated_at = $4 where project_id = $1 and id = $2',
    [enrollment.projectId, enrollment.id, enrollment.endsAt, enrollment.updatedAt],
  );
}

export async function hasLivingPartner(
  source: Queryable,
  projectIds: readonly string[],
  partnerId: string,
): Promise<boolean> {
  const rows = await source.query(
    `select 1 from participants
     where project_id = any($1::text[]) and partner_id = $2 and deleted_at is null limit 1`,
    [projectIds, partnerId],
  );
  return rows.length > 0;
}

/** Ends what is active of a participant; returns the program of each. */
export async function endEnrollmentsOf(
  tx: Tx,
  projectId: string,
  participantId: string,
  now: Instant,
): Promise<string[]> {
  const rows = await tx.query<{ programId: string }>(
    `update enrollments set ends_at = $3, updated_at = $3
     where project_id = $1 and participant_id = $2 and ends_at is null
     returning program_id as "programId"`,
    [projectId, participantId, now],
  );
  return rows.map((row) => row.programId);
}

/** The oldest first; of one program, or of all. */
export function listCodes(
  source: Queryable,
  projectId: string,
  participantId: string,
  programId: string | null,
): Promise<CodeRow[]> {
  return source.query<CodeRow>(
    `select ${CODE} from ref_codes
     where project_id = $1 and participant_id = $2 and ($3::text is null or program_id = $3)
     order by program_id, position`,
    [projectId, participantId, programId],
  );
}

export function listLinks(
  source: Queryable,
  projectId: string,
  refCodeIds: readonly string[],
): Promise<LinkRow[]> {
  return source.query<LinkRow>(
    `select ${LINK} from unnest($2::text[]) with ordinality as asked (asked_id, asked_at)
     cross join lateral (select * from ref_links r
       where r.project_id = $1 and r.ref_code_id = asked_id offset 0) as l
     order by asked_at, l.position`,
    [projectId, refCodeIds],
  );
}

/** The names, of those asked about, that a code or link has. */
export async function findNames(
  tx: Tx,
  projectId: string,
  names: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ name: string }>(
    `select name from unnest($2::text[]) as asked (asked_name)
     cross join lateral (select r.name from ref_names r
       where r.project_id = $1 and r.name = asked_name offset 0) as taken`,
    [projectId, names],
  );
  return new Set(rows.map((row) => row.name));
}

export function insertCode(tx: Tx, row: CodeRow): void {
  tx.send(
    `insert into ref_codes (project_id, id, code, participant_id, program_id, position, created_at,
       updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      row.projectId,
      row.id,
      row.code,
      row.participantId,
      row.programId,
      row.position,
      row.createdAt,
      row.updatedAt,
    ],
  );
  insertName(tx, row.projectId, row.code, row.id, null);
}

export function insertLink(tx: Tx, row: LinkRow): void {
  tx.send(
    `insert into ref_links (project_id, id, slug, ref_code_id, position, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [row.projectId, row.id, row.slug, row.refCodeId, row.position, row.createdAt, row.updatedAt],
  );
  insertName(tx, row.projectId, row.slug, row.refCodeId, row.id);
}

function insertName(
  tx: Tx,
  projectId: string,
  name: string,
  refCodeId: string,
  refLinkId: string | null,
): void {
  tx.send(
    'insert into ref_names (project_id, name, ref_code_id, ref_link_id) values ($1, $2, $3, $4)',
    [projectId, name, refCodeId, refLinkId],
  );
}

/** What a name in a shared link stands for. */
export interface SharedName {
  readonly code: string;
  readonly refCodeId: string;
  /** Null when the name is the code itself. */
  readonly linkId: string | null;
  readonly programId: string;
  readonly participantId: string;
  /** Whether the owner still takes part in the Program, and is not suspended. */
  readonly isTakingPart: boolean;
}

export async function findSharedName(
  source: Queryable,
  projectId: string,
  name: string,
): Promise<SharedName | undefined> {
  const [row] = await source.query<SharedName>(
    `select c.code, c.id as "refCodeId", n.ref_link_id as "linkId",
       c.program_id as "programId", c.participant_id as "participantId",
       exists (select 1 from enrollments e where e.project_id = $1
         and e.participant_id = c.participant_id and e.program_id = c.program_id
         and e.ends_at is null) and p.suspended_at is null as "isTakingPart"
     from ref_names n
     join ref_codes c on c.project_id = $1 and c.id = n.ref_code_id
     join participants p on p.project_id = $1 and p.id = c.participant_id
     where n.project_id = $1 and n.name = $2`,
    [projectId, name],
  );
  return row;
}

interface NameRow {
  readonly name: string;
  readonly refCodeId: string;
  /** Null when the name is the code itself. */
  readonly refLinkId: string | null;
}

/** From then on no shared link leads to the participant; returns what was deleted. */
export function deleteNamesOf(
  tx: Tx,
  projectId: string,
  participantId: string,
): Promise<NameRow[]> {
  return tx.query<NameRow>(
    `delete from ref_names n
     using (select project_id, id from ref_codes
       where project_id = $1 and participant_id = $2 offset 0) as c
     where n.project_id = c.project_id and n.ref_code_id = c.id
     returning n.name, n.ref_code_id as "refCodeId", n.ref_link_id as "refLinkId"`,
    [projectId, participantId],
  );
}

interface Renaming {
  readonly id: string;
  readonly name: string;
}

export function updateCodeNames(
  tx: Tx,
  projectId: string,
  now: Instant,
  codes: readonly Renaming[],
): void {
  if (codes.length === 0) return;
  tx.send(
    `update ref_codes c set code = n.name, updated_at = $2
     from (select $1::text as project_id, u.*
       from unnest($3::text[], $4::text[]) as u (id, name) offset 0) as n
     where c.project_id = n.project_id and c.id = n.id`,
    [projectId, now, codes.map(({ id }) => id), codes.map(({ name }) => name)],
  );
}

export function updateLinkNames(
  tx: Tx,
  projectId: string,
  now: Instant,
  links: readonly Renaming[],
): void {
  if (links.length === 0) return;
  tx.send(
    `update ref_links l set slug = n.name, updated_at = $2
     from (select $1::text as project_id, u.*
       from unnest($3::text[], $4::text[]) as u (id, name) offset 0) as n
     where l.project_id = n.project_id and l.id = n.id`,
    [projectId, now, links.map(({ id }) => id), links.map(({ name }) => name)],
  );
}

// For facts about many people at once. Each is looked up by its whole key, one by one: `offset 0`
// keeps the planner from reading all of a Project instead, which it takes to be of average size.

export interface NamedCodeRow {
  readonly name: string;
  readonly refCodeId: string;
  readonly linkId: string | null;
  readonly programId: string;
  readonly participantId: string;
}

/** With whose it is. */
export type OwnedCodeRow = NamedCodeRow & Omit<KnownPerson, 'id'>;

export function listNamedCodes(
  source: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<OwnedCodeRow[]> {
  return source.query<OwnedCodeRow>(
    `select n.name, n.ref_code_id as "refCodeId", n.ref_link_id as "linkId",
       c.program_id as "programId", c.participant_id as "participantId",
       p.kind, p.external_id as "externalId", p.created_at as "createdAt",
       p.deleted_at as "deletedAt", p.suspended_at as "suspendedAt",
       p.is_referrer as "isReferrer", p.is_referee as "isReferee"
     from unnest($2::text[]) as asked (name)
     cross join lateral (select * from ref_names r
       where r.project_id = $1 and r.name = asked.name offset 0) as n
     cross join lateral (select * from ref_codes r
       where r.project_id = $1 and r.id = n.ref_code_id offset 0) as c
     cross join lateral (select * from participants r
       where r.project_id = $1 and r.id = c.participant_id offset 0) as p`,
    [projectId, names],
  );
}

/** Of those whose names these are. */
export function listEnrollmentsOfOwners(
  source: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<Enrollment[]> {
  return source.query<Enrollment>(
    `select ${ENROLLMENT} from
       (select distinct c.participant_id as owner_id from unnest($2::text[]) as asked (name)
        cross join lateral (select r.ref_code_id from ref_names r
          where r.project_id = $1 and r.name = asked.name offset 0) as n
        cross join lateral (select r.participant_id from ref_codes r
          where r.project_id = $1 and r.id = n.ref_code_id offset 0) as c) as owners
     cross join lateral (select * from enrollments r
       where r.project_id = $1 and r.participant_id = owner_id offset 0) as e`,
    [projectId, names],
  );
}

export function listEnrollmentsOf(
  source: Queryable,
  projectId: string,
  participantIds: readonly string[],
): Promise<Enrollment[]> {
  return source.query<Enrollment>(
    `select ${ENROLLMENT} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from enrollments r
       where r.project_id = $1 and r.participant_id = asked_id offset 0) as e`,
    [projectId, participantIds],
  );
}

/** What a decision asks about somebody. */
export interface KnownPerson {
  readonly id: string;
  readonly kind: ParticipantKind;
  readonly externalId: string | null;
  readonly createdAt: Instant;
  readonly deletedAt: Instant | null;
  /** Of one who stands for a Partner that is suspended. */
  readonly suspendedAt: Instant | null;
  readonly isReferrer: boolean;
  readonly isReferee: boolean;
}

export function listPeople(
  source: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<KnownPerson[]> {
  return source.query<KnownPerson>(
    `select id, kind, external_id as "externalId", created_at as "createdAt",
       deleted_at as "deletedAt", suspended_at as "suspendedAt", is_referrer as "isReferrer",
       is_referee as "isReferee"
     from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from participants r
       where r.project_id = $1 and r.id = asked_id offset 0) as p`,
    [projectId, ids],
  );
}

export function insertEnrollments(
  tx: Tx,
  projectId: string,
  rows: readonly { id: string; participantId: string; programId: string; startsAt: Instant }[],
): void {
  tx.send(
    `insert into enrollments (project_id, id, participant_id, program_id, starts_at, created_at,
       updated_at)
     select $1, e.id, e.participant_id, e.program_id, e.starts_at, e.starts_at, e.starts_at
     from unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[])
       as e (id, participant_id, program_id, starts_at)`,
    [
      projectId,
      rows.map((row) => row.id),
      rows.map((row) => row.participantId),
      rows.map((row) => row.programId),
      rows.map((row) => row.startsAt),
    ],
  );
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
     where project_id = asked_project and id = asked_id
       and ((id = any($2::text[]) and not is_referrer) or (id = any($3::text[]) and not is_referee))`,
    [projectId, referrerIds, refereeIds, [...new Set([...referrerIds, ...refereeIds])]],
  );
}

/** Behind all that begins with a text: nothing is written with this last of all signs. */
function endOf(text: string): string {
  return `${text}\u{10ffff}`;
}

/** Whose own id begins so; those of which it is the whole come first. */
export function listByBeginning(
  source: Queryable,
  projectId: string,
  text: string,
  limit: number,
): Promise<Participant[]> {
  return source.query<Participant>(
    `select ${PARTICIPANT} from participants p
     where p.project_id = $1 and p.external_id ~>=~ $2
       and p.external_id ~<~ $3 and p.deleted_at is null
     order by p.external_id using ~<~ limit $4`,
    [projectId, text, endOf(text), limit],
  );
}

/** A code or a slug, and whose it is. */
export interface FoundName {
  readonly name: string;
  readonly refCodeId: string;
  readonly linkId: string | null;
  readonly programId: string;
  readonly participantId: string;
}

const FOUND_NAME = `n.name, n.ref_code_id as "refCodeId", n.ref_link_id as "linkId",
  c.program_id as "programId", c.participant_id as "participantId"`;

/** Codes and slugs that begin so; the one of which it is the whole comes first. */
export function listNamesByBeginning(
  source: Queryable,
  projectId: string,
  text: string,
  limit: number,
): Promise<FoundName[]> {
  return source.query<FoundName>(
    `select ${FOUND_NAME}
     from (select * from ref_names n where n.project_id = $1 and n.name ~>=~ $2
       and n.name ~<~ $3 order by n.name using ~<~ limit $4) as n
     cross join lateral (select * from ref_codes r
       where r.project_id = $1 and r.id = n.ref_code_id offset 0) as c
     order by n.name using ~<~`,
    [projectId, text, endOf(text), limit],
  );
}

/** The code or the link of this id; nobody's name any more once its owner is erased. */
export function listNamesById(
  source: Queryable,
  projectId: string,
  id: string,
): Promise<FoundName[]> {
  return source.query<FoundName>(
    `select ${FOUND_NAME}
     from (select r.id from ref_codes r where r.project_id = $1 and r.id = $2
       union all select r.ref_code_id from ref_links r where r.project_id = $1 and r.id = $2) as asked
     cross join lateral (select * from ref_codes r
       where r.project_id = $1 and r.id = asked.id offset 0) as c
     cross join lateral (select * from ref_names r
       where r.project_id = $1 and r.ref_code_id = c.id offset 0) as n
     where $2 = coalesce(n.ref_link_id, n.ref_code_id)`,
    [projectId, id],
  );
}
