import type { Queryable } from '../../platform/db/driver.ts';
import { findRow, hasRow, listRows } from '../../platform/db/statements.ts';
import type { Party } from '../../platform/feed/render-event.ts';
import type { KnownPerson } from './participant-slice.ts';
import type {
  ListedParticipant,
  Participant,
  ParticipantKind,
  ParticipantRef,
  ProgramStart,
} from './schema.ts';

export const PARTICIPANT = `id, created_at as "createdAt", updated_at as "updatedAt",
  project_id as "projectId", kind, external_id as "externalId", billing_id as "billingId", name,
  email, partner_id as "partnerId", deleted_at as "deletedAt", readmitted_at as "readmittedAt"`;

/** The participant with this billing id. */
export async function findBilled(
  db: Queryable,
  projectId: string,
  billingId: string,
): Promise<Participant | undefined> {
  const [participant] = await listByBillingIds(db, projectId, [billingId]);
  return participant;
}

/** The billing ids of these participants, each named once. Participants without one are omitted. */
export async function findBillingIds(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await listParticipantsById(db, projectId, ids);
  return new Map(
    rows.flatMap(({ id, billingId }) => (billingId === null ? [] : [[id, billingId]])),
  );
}

/** Those of these participants, each named once, that were erased. */
export async function findErased(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await listParticipantsById(db, projectId, ids);
  return new Set(rows.flatMap(({ id, deletedAt }) => (deletedAt === null ? [] : [id])));
}

/** The participants of these ids as events show them. */
export async function findParties(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Party>> {
  if (ids.length === 0) return new Map();
  const rows = await listParticipantsById(db, projectId, [...new Set(ids)]);
  return new Map(
    rows.map(({ id, kind, externalId }) => [id, { participantId: id, kind, externalId }]),
  );
}

const LISTED = `${PARTICIPANT}, is_referrer as "isReferrer", is_referee as "isReferee",
  coalesce(starting_measures, '[]') as "startingMeasures"`;

/** The starting measures of a participant, ordered by Program. */
export async function findStarts(
  db: Queryable,
  projectId: string,
  participantId: string,
): Promise<readonly ProgramStart[]> {
  const [row] = await db.query<{ starts: readonly ProgramStart[] | null }>(
    'select starting_measures as starts from participants where project_id = $1 and id = $2',
    [projectId, participantId],
  );
  return row?.starts ?? [];
}

/** Undefined for somebody who was erased. */
export async function findNamed(
  db: Queryable,
  projectId: string,
  ref: ParticipantRef,
): Promise<Participant | undefined> {
  const [row] = await db.query<Participant>(
    `select ${PARTICIPANT} from participants
     where project_id = $1 and kind = $2 and external_id = $3 and deleted_at is null`,
    [projectId, ref.kind, ref.externalId],
  );
  return row;
}

export const listByBillingIds = listRows<
  Participant,
  [projectId: string, billingIds: readonly string[]]
>(`select ${PARTICIPANT} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from participants r
       where r.project_id = $1 and r.billing_id = asked_id offset 0) as p`);

/** Each id must be given once. */
const listParticipantsById = listRows<
  Participant,
  [projectId: string, ids: readonly string[]]
>(`select ${PARTICIPANT} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from participants r
       where r.project_id = $1 and r.id = asked_id offset 0) as p`);

export const findByPartner = findRow<Participant, [projectId: string, partnerId: string]>(
  `select ${PARTICIPANT} from participants where project_id = $1 and partner_id = $2`,
);

/** The participants of these Partners in one Project; each id must be given once. */
export const listByPartners = listRows<
  Participant,
  [projectId: string, partnerIds: readonly string[]]
>(`select ${PARTICIPANT} from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from participants r
       where r.project_id = $1 and r.partner_id = asked_id offset 0) as p`);

/** Whether this Partner has a participant, not erased, in any of these Projects. */
export const isPartnerIn = hasRow<
  [projectIds: readonly string[], partnerId: string]
>(`select 1 from participants
     where project_id = any($1::text[]) and partner_id = $2 and deleted_at is null limit 1`);

/** Numbers above `above` and up to `upTo`, descending. */
export function listByNumber(
  db: Queryable,
  projectId: string,
  range: { readonly above: number; readonly upTo: number },
): Promise<ListedParticipant[]> {
  return db.query<ListedParticipant>(
    `select ${LISTED} from participants
     where project_id = $1 and number > $2 and number <= $3 order by number desc`,
    [projectId, range.above, range.upTo],
  );
}

export function listByKindNumber(
  db: Queryable,
  projectId: string,
  kind: ParticipantKind,
  range: { readonly above: number; readonly upTo: number },
): Promise<ListedParticipant[]> {
  return db.query<ListedParticipant>(
    `select ${LISTED} from participants
     where project_id = $1 and kind = $2 and kind_number > $3 and kind_number <= $4
     order by kind_number desc`,
    [projectId, kind, range.above, range.upTo],
  );
}

/** At most one of each kind. */
export const listByExternalId = listRows<
  ListedParticipant,
  [projectId: string, kinds: readonly ParticipantKind[], externalId: string]
>(`select ${LISTED} from unnest($2::text[]) as asked (asked_kind)
     cross join lateral (select * from participants r
       where r.project_id = $1 and r.kind = asked_kind and r.external_id = $3 offset 0) as p
     order by number desc`);

export const listPeople = listRows<
  KnownPerson,
  [projectId: string, ids: readonly string[]]
>(`select id, kind, external_id as "externalId", created_at as "createdAt",
       deleted_at as "deletedAt", suspended_at as "suspendedAt", is_referrer as "isReferrer",
       is_referee as "isReferee"
     from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from participants r
       where r.project_id = $1 and r.id = asked_id offset 0) as p`);

export async function findParticipant(
  db: Queryable,
  projectId: string,
  participantId: string,
): Promise<Participant | undefined> {
  const [participant] = await listParticipantsById(db, projectId, [participantId]);
  return participant;
}

/** The existing participants of these ids, by id. */
export async function findParticipants(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Participant>> {
  if (ids.length === 0) return new Map();
  const rows = await listParticipantsById(db, projectId, [...new Set(ids)]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A Partner's participant in one Project. */
export interface PartnerParticipant {
  readonly projectId: string;
  readonly participantId: string;
}

/** Without erased participants. */
export const findPartnerParticipants = listRows<
  PartnerParticipant,
  [projectIds: readonly string[], partnerId: string]
>(`select p.project_id as "projectId", p.id as "participantId"
     from participants p
     where p.project_id = any($1::text[]) and p.partner_id = $2 and p.deleted_at is null
     order by p.project_id`);

/** The Partners of those participants that belong to one; erased participants have none. */
export async function findPartnerIds(
  db: Queryable,
  projectId: string,
  participantIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (participantIds.length === 0) return new Map();
  const rows = await listParticipantsById(db, projectId, [...new Set(participantIds)]);
  return new Map(
    rows.flatMap(({ id, partnerId, deletedAt }): [string, string][] =>
      partnerId === null || deletedAt !== null ? [] : [[id, partnerId]],
    ),
  );
}
