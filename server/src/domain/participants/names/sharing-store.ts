import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import {
  type Columns,
  insertRows,
  text,
  timestamptz,
  updateRows,
} from '../../../platform/db/write-rows.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { KnownPerson } from '../participant-slice.ts';
import type { Enrollment } from '../schema.ts';
import type { CodeRow, LinkRow } from './names.ts';

const ENROLLMENT = `id, created_at as "createdAt", updated_at as "updatedAt",
  project_id as "projectId", participant_id as "participantId", program_id as "programId",
  starts_at as "startsAt", ends_at as "endsAt"`;

const CODE = `id, created_at as "createdAt", updated_at as "updatedAt",
  project_id as "projectId", code, participant_id as "participantId", program_id as "programId",
  position`;

const LINK = `l.id, l.created_at as "createdAt", l.updated_at as "updatedAt",
  l.project_id as "projectId", l.slug, l.ref_code_id as "refCodeId", l.position`;

/** The active enrollment, or else the last to end. */
export async function findLatestEnrollment(
  db: Queryable,
  projectId: string,
  participantId: string,
  programId: string,
): Promise<Enrollment | undefined> {
  const [row] = await db.query<Enrollment>(
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
  db: Queryable,
  projectId: string,
  participantId: string,
): Promise<Enrollment[]> {
  return db.query<Enrollment>(
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

/** Ends a participant's active enrollments; returns the program of each. */
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

/** Oldest first, then those that were moved; of one program, or of all. */
export function listCodes(
  db: Queryable,
  projectId: string,
  participantId: string,
  programId: string | null,
): Promise<CodeRow[]> {
  return db.query<CodeRow>(
    `select ${CODE} from ref_codes
     where project_id = $1 and participant_id = $2 and ($3::text is null or program_id = $3)
     order by program_id, position`,
    [projectId, participantId, programId],
  );
}

export function listLinks(
  db: Queryable,
  projectId: string,
  refCodeIds: readonly string[],
): Promise<LinkRow[]> {
  return db.query<LinkRow>(
    `select ${LINK} from unnest($2::text[]) with ordinality as asked (asked_id, asked_at)
     cross join lateral (select * from ref_links r
       where r.project_id = $1 and r.ref_code_id = asked_id offset 0) as l
     order by asked_at, l.position`,
    [projectId, refCodeIds],
  );
}

/** Those of these names that a code or link has. */
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
}

export function insertLink(tx: Tx, row: LinkRow): void {
  tx.send(
    `insert into ref_links (project_id, id, slug, ref_code_id, position, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [row.projectId, row.id, row.slug, row.refCodeId, row.position, row.createdAt, row.updatedAt],
  );
}

export interface NameRow {
  readonly name: string;
  readonly refCodeId: string;
  /** Null when the name is the code itself. */
  readonly refLinkId: string | null;
}

export function insertName(tx: Tx, projectId: string, row: NameRow): void {
  tx.send(
    'insert into ref_names (project_id, name, ref_code_id, ref_link_id) values ($1, $2, $3, $4)',
    [projectId, row.name, row.refCodeId, row.refLinkId],
  );
}

/** Points a name to another code or link. */
export function updateName(tx: Tx, projectId: string, row: NameRow): void {
  tx.send(
    'update ref_names set ref_code_id = $3, ref_link_id = $4 where project_id = $1 and name = $2',
    [projectId, row.name, row.refCodeId, row.refLinkId],
  );
}

export function markCodeMoved(tx: Tx, projectId: string, id: string, now: Instant): void {
  tx.send(
    `update ref_codes set position = null, moved_at = $3, updated_at = $3
     where project_id = $1 and id = $2`,
    [projectId, id, now],
  );
}

export function markLinkMoved(tx: Tx, projectId: string, id: string, now: Instant): void {
  tx.send(
    `update ref_links set position = null, moved_at = $3, updated_at = $3
     where project_id = $1 and id = $2`,
    [projectId, id, now],
  );
}

/** What a name in a shared link points to. */
export interface SharedName {
  /** The code for the address; the name itself if it is a link whose code was moved. */
  readonly code: string;
  readonly refCodeId: string;
  /** Null when the name is the code itself. */
  readonly linkId: string | null;
  readonly programId: string;
  readonly participantId: string;
  /** Whether the owner is still enrolled in the Program and not suspended. */
  readonly isTakingPart: boolean;
}

export async function findSharedName(
  db: Queryable,
  projectId: string,
  name: string,
): Promise<SharedName | undefined> {
  const [row] = await db.query<SharedName>(
    `select case when c.moved_at is null then c.code else n.name end as code,
       c.id as "refCodeId", n.ref_link_id as "linkId",
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

/** Afterwards no shared link leads to the participant; returns the names. */
export async function deleteNamesOf(
  tx: Tx,
  projectId: string,
  participantId: string,
): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `delete from ref_names n
     using (select project_id, id from ref_codes
       where project_id = $1 and participant_id = $2 offset 0) as c
     where n.project_id = c.project_id and n.ref_code_id = c.id
     returning n.name`,
    [projectId, participantId],
  );
  return rows.map(({ name }) => name);
}

interface Renaming {
  readonly id: string;
  readonly name: string;
}

const RENAMED: Columns<Renaming> = { id: text(({ id }) => id) };
const updateCodeRows = updateRows('ref_codes', RENAMED, { code: text(({ name }) => name) });
const updateLinkRows = updateRows('ref_links', RENAMED, { slug: text(({ name }) => name) });

export function updateCodeNames(
  tx: Tx,
  projectId: string,
  now: Instant,
  codes: readonly Renaming[],
): void {
  if (codes.length > 0) updateCodeRows(tx, projectId, codes, { updated_at: now });
}

export function updateLinkNames(
  tx: Tx,
  projectId: string,
  now: Instant,
  links: readonly Renaming[],
): void {
  if (links.length > 0) updateLinkRows(tx, projectId, links, { updated_at: now });
}

// For facts about many people at once. Each is looked up separately by its full key: `offset 0`
// keeps the planner, which assumes a Project of average size, from reading a whole Project instead.

export interface NamedCodeRow {
  readonly name: string;
  readonly refCodeId: string;
  readonly linkId: string | null;
  readonly programId: string;
  readonly participantId: string;
  /** When the name was moved away from this row; null for the current holder. */
  readonly movedAt: Instant | null;
}

/** Includes the owner. */
export type OwnedCodeRow = NamedCodeRow & Omit<KnownPerson, 'id'>;

/** The current holders of these names and the former ones from before they were moved; oldest first. */
export function listNamedCodes(
  db: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<OwnedCodeRow[]> {
  return db.query<OwnedCodeRow>(
    `select asked.name, n.ref_code_id as "refCodeId", n.ref_link_id as "linkId",
       n.moved_at as "movedAt", c.program_id as "programId", c.participant_id as "participantId",
       p.kind, p.external_id as "externalId", p.created_at as "createdAt",
       p.deleted_at as "deletedAt", p.suspended_at as "suspendedAt",
       p.is_referrer as "isReferrer", p.is_referee as "isReferee"
     from unnest($2::text[]) as asked (name)
     cross join lateral (
       (select r.ref_code_id, r.ref_link_id, null::timestamptz as moved_at from ref_names r
        where r.project_id = $1 and r.name = asked.name offset 0)
       union all
       (select r.id, null, r.moved_at from ref_codes r
        where r.project_id = $1 and r.code = asked.name and r.moved_at is not null offset 0)
       union all
       (select r.ref_code_id, r.id, r.moved_at from ref_links r
        where r.project_id = $1 and r.slug = asked.name and r.moved_at is not null offset 0)) as n
     cross join lateral (select * from ref_codes r
       where r.project_id = $1 and r.id = n.ref_code_id offset 0) as c
     cross join lateral (select * from participants r
       where r.project_id = $1 and r.id = c.participant_id offset 0) as p
     order by n.moved_at nulls last`,
    [projectId, names],
  );
}

/** Enrollments of the owners of these names. */
export function listEnrollmentsOfOwners(
  db: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<Enrollment[]> {
  return db.query<Enrollment>(
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
  db: Queryable,
  projectId: string,
  participantIds: readonly string[],
): Promise<Enrollment[]> {
  return db.query<Enrollment>(
    `select ${ENROLLMENT} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from enrollments r
       where r.project_id = $1 and r.participant_id = asked_id offset 0) as e`,
    [projectId, participantIds],
  );
}

interface NewEnrollment {
  readonly id: string;
  readonly participantId: string;
  readonly programId: string;
  readonly startsAt: Instant;
}

export const insertEnrollments = insertRows<NewEnrollment>('enrollments', {
  id: text((row) => row.id),
  participant_id: text((row) => row.participantId),
  program_id: text((row) => row.programId),
  starts_at: timestamptz((row) => row.startsAt),
  created_at: timestamptz((row) => row.startsAt),
  updated_at: timestamptz((row) => row.startsAt),
});
