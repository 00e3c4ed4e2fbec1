import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findRow, listRows } from '../../../platform/db/statements.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { KnownPerson } from '../participant-slice.ts';
import { findNamed } from '../queries.ts';
import type { Enrollment, ParticipantRef, ReferralCode, ReferralLink } from '../schema.ts';
import {
  type CodeRow,
  isHeld,
  type LinkRow,
  presentCode,
  presentLink,
  readName,
  type ShareBase,
} from './names.ts';

/**
 * The code by which somebody shares a Program, if they have one and are still enrolled: what
 * `createReferralCode` would return without creating anything.
 */
export async function findOwnCode(
  db: Queryable,
  projectId: string,
  base: ShareBase,
  asked: { readonly participant: ParticipantRef; readonly programId: string },
): Promise<ReferralCode | undefined> {
  const participant = await findNamed(db, projectId, asked.participant);
  if (!participant) return undefined;
  const [enrollment, codes] = await Promise.all([
    findLatestEnrollment(db, projectId, participant.id, asked.programId),
    listCodes(db, projectId, participant.id, asked.programId),
  ]);
  const code = codes.find(isHeld);
  if (!code || enrollment?.endsAt !== null) return undefined;
  return presentCode(base, code);
}

/**
 * Finds the code or link that somebody followed or typed, ignoring case and surrounding white
 * space. Undefined for a name that does not exist, or no longer exists.
 */
export async function resolveName(
  db: Queryable,
  projectId: string,
  text: string,
): Promise<SharedName | undefined> {
  const name = readName(text);
  return name === undefined ? undefined : findSharedName(db, projectId, name);
}

const ENROLLMENT = `id, created_at as "createdAt", updated_at as "updatedAt",
  project_id as "projectId", participant_id as "participantId", program_id as "programId",
  starts_at as "startsAt", ends_at as "endsAt"`;

const CODE = `id, created_at as "createdAt", updated_at as "updatedAt",
  project_id as "projectId", code, participant_id as "participantId", program_id as "programId",
  position`;

const LINK = `l.id, l.created_at as "createdAt", l.updated_at as "updatedAt",
  l.project_id as "projectId", l.slug, l.ref_code_id as "refCodeId", l.position`;

/** The active enrollment, or else the last to end. */
export const findLatestEnrollment = findRow<
  Enrollment,
  [projectId: string, participantId: string, programId: string]
>(`select ${ENROLLMENT} from enrollments
     where project_id = $1 and participant_id = $2 and program_id = $3
     order by ends_at desc nulls first limit 1`);

export const findEnrollment = findRow<Enrollment, [projectId: string, enrollmentId: string]>(
  `select ${ENROLLMENT} from enrollments where project_id = $1 and id = $2`,
);

const listEnrollments = listRows<
  Enrollment,
  [projectId: string, participantId: string]
>(`select ${ENROLLMENT} from enrollments where project_id = $1 and participant_id = $2
     order by created_at, id`);

/** Oldest first, then those that were moved; of one program, or of all. */
export const listCodes = listRows<
  CodeRow,
  [projectId: string, participantId: string, programId: string | null]
>(`select ${CODE} from ref_codes
     where project_id = $1 and participant_id = $2 and ($3::text is null or program_id = $3)
     order by program_id, position`);

/** Whose code each is, and its id: of these participants, each given once. */
export const listCodeIds = listRows<
  { readonly id: string; readonly participantId: string },
  [projectId: string, participantIds: readonly string[]]
>(`select c.id, c.participant_id as "participantId"
     from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from ref_codes r
       where r.project_id = $1 and r.participant_id = asked_id offset 0) as c`);

export const listLinks = listRows<
  LinkRow,
  [projectId: string, refCodeIds: readonly string[]]
>(`select ${LINK} from unnest($2::text[]) with ordinality as asked (asked_id, asked_at)
     cross join lateral (select * from ref_links r
       where r.project_id = $1 and r.ref_code_id = asked_id offset 0) as l
     order by asked_at, l.position`);

/** The slug and the owner of each link, by id; each is given once. */
export async function findLinksById(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly slug: string; readonly participantId: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; slug: string; participantId: string }>(
    `select l.id, l.slug, c.participant_id as "participantId"
     from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from ref_links r
       where r.project_id = $1 and r.id = asked_id offset 0) as l
     cross join lateral (select * from ref_codes r
       where r.project_id = $1 and r.id = l.ref_code_id offset 0) as c`,
    [projectId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
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

/** What is read of a shared name, and where; `$1` is its Project. */
export const SHARED_NAME = `case when c.moved_at is null then c.code else n.name end as code,
       c.id as "refCodeId", n.ref_link_id as "linkId",
       c.program_id as "programId", c.participant_id as "participantId",
       enrolled.is_enrolled and p.suspended_at is null as "isTakingPart"`;
/**
 * `offset 0` has the planner look them up one by one: it takes every Project to be of average size. The count does so for
 * enrollments: of an `exists`, it may hash all of the Project.
 */
export const SHARED_NAMES = `ref_names n
     cross join lateral (select r.id, r.code, r.moved_at, r.program_id, r.participant_id
       from ref_codes r where r.project_id = $1 and r.id = n.ref_code_id offset 0) as c
     cross join lateral (select r.suspended_at from participants r
       where r.project_id = $1 and r.id = c.participant_id offset 0) as p
     cross join lateral (select count(*) > 0 as is_enrolled from (select 1 from enrollments r
       where r.project_id = $1 and r.participant_id = c.participant_id
         and r.program_id = c.program_id and r.ends_at is null limit 1) as one) as enrolled`;

export const findSharedName = findRow<SharedName, [projectId: string, name: string]>(
  `select ${SHARED_NAME} from ${SHARED_NAMES} where n.project_id = $1 and n.name = $2`,
);

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
type OwnedCodeRow = NamedCodeRow & Omit<KnownPerson, 'id'>;

/** The current holders of these names and the former ones from before they were moved; oldest first. */
const listNamedCodes = listRows<
  OwnedCodeRow,
  [projectId: string, names: readonly string[]]
>(`select asked.name, n.ref_code_id as "refCodeId", n.ref_link_id as "linkId",
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
     order by n.moved_at nulls last`);

/** Enrollments of the owners of these names. */
const listEnrollmentsOfOwners = listRows<
  Enrollment,
  [projectId: string, names: readonly string[]]
>(`select ${ENROLLMENT} from
       (select distinct c.participant_id as owner_id from unnest($2::text[]) as asked (name)
        cross join lateral (select r.ref_code_id from ref_names r
          where r.project_id = $1 and r.name = asked.name offset 0) as n
        cross join lateral (select r.participant_id from ref_codes r
          where r.project_id = $1 and r.id = n.ref_code_id offset 0) as c) as owners
     cross join lateral (select * from enrollments r
       where r.project_id = $1 and r.participant_id = owner_id offset 0) as e`);

export const listEnrollmentsOf = listRows<
  Enrollment,
  [projectId: string, participantIds: readonly string[]]
>(`select ${ENROLLMENT} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from enrollments r
       where r.project_id = $1 and r.participant_id = asked_id offset 0) as e`);

/** All enrollments, codes and links of a participant, oldest first; moved names appear in their new Program. */
export async function findSharing(
  db: Queryable,
  base: ShareBase,
  projectId: string,
  participantId: string,
): Promise<{ enrollments: Enrollment[]; refCodes: ReferralCode[]; links: ReferralLink[] }> {
  const [enrollments, codes] = await Promise.all([
    listEnrollments(db, projectId, participantId),
    listCodes(db, projectId, participantId, null),
  ]);
  const links = await listLinks(
    db,
    projectId,
    codes.map((code) => code.id),
  );
  return {
    enrollments,
    refCodes: codes.filter(isHeld).map((code) => presentCode(base, code)),
    links: links.filter(isHeld).map((link) => presentLink(base, link)),
  };
}

/** Codes and links by name, with their owners. */
export interface NamedCodes {
  /** The current holder of each name and the former ones from before it was moved; oldest first. */
  readonly codes: ReadonlyMap<string, readonly NamedCodeRow[]>;
  readonly owners: readonly KnownPerson[];
  /** All enrollments of the owners, including ended ones. */
  readonly enrollments: readonly Enrollment[];
}

const NO_CODES: NamedCodes = { codes: new Map(), owners: [], enrollments: [] };

/** The codes and links of these names, with their owners; unknown names are omitted. */
export async function findNamedCodes(
  db: Queryable,
  projectId: string,
  names: readonly string[],
): Promise<NamedCodes> {
  if (names.length === 0) return NO_CODES;
  const [rows, enrollments] = await Promise.all([
    listNamedCodes(db, projectId, names),
    listEnrollmentsOfOwners(db, projectId, names),
  ]);
  const owners = new Map(rows.map((row) => [row.participantId, { ...row, id: row.participantId }]));
  return {
    codes: groupBy(rows, (row) => row.name),
    owners: [...owners.values()],
    enrollments,
  };
}
