import type { Queryable } from '../../platform/db/driver.ts';
import { findRow } from '../../platform/db/statements.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import { readName } from '../participants/names/names.ts';
import { SHARED_NAME, SHARED_NAMES, type SharedName } from '../participants/names/queries.ts';
import { landingAt } from '../programs/queries.ts';
import type { Touch } from './schema.ts';

/** Includes whose touch it is: known from the handle, or from the touch itself if a code came with a signup. */
export async function findTouch(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<Touch | undefined> {
  const row = await findTouchRow(db, projectId, id);
  if (!row) return undefined;
  const { participantId, handleParticipantId, handleIdentifiedAt, ...touch } = row;
  if (participantId !== null) {
    return { ...touch, identifiedParticipantId: participantId, identifiedAt: touch.createdAt };
  }
  return {
    ...touch,
    identifiedParticipantId: handleParticipantId,
    // An erased person's handle stays closed, but has no participant.
    identifiedAt: handleParticipantId === null ? null : handleIdentifiedAt,
  };
}

/** What a shared name leads to. */
export interface Target {
  readonly code: string;
  readonly refCodeId: string;
  /** Null when the name is the code itself. */
  readonly linkId: string | null;
  readonly programId: string;
  readonly referrerParticipantId: string;
  /** Empty while the Program has no page yet. */
  readonly landingPageUrl: string;
  /** Whether following it counts: the Program is active and the owner is enrolled in it. */
  readonly isOpen: boolean;
}

/** Undefined for a name that does not exist, or no longer exists. */
export async function findTarget(
  db: Queryable,
  projectId: string,
  name: string,
  now: Instant,
): Promise<Target | undefined> {
  const known = readName(name);
  const shared = known === undefined ? undefined : await findSharedProgram(db, projectId, known);
  if (!shared) return undefined;
  const { code, refCodeId, linkId, programId, participantId, isTakingPart } = shared;
  const { landingPageUrl, isActive } = landingAt(shared, now);
  return {
    code,
    refCodeId,
    linkId,
    programId,
    referrerParticipantId: participantId,
    landingPageUrl,
    isOpen: isTakingPart && isActive,
  };
}

/** A shared name with its Program. */
type SharedProgram = SharedName & Parameters<typeof landingAt>[0];

const findSharedProgram = findRow<
  SharedProgram,
  [projectId: string, name: string]
>(`select ${SHARED_NAME}, g.status, g.created_at as "createdAt", g.start_date as "startDate",
       g.end_date as "endDate", g.config->'brandConfig'->>'landingPageUrl' as "landingPageUrl"
     from ${SHARED_NAMES}
     cross join lateral (select r.status, r.created_at, r.start_date, r.end_date, r.config
       from programs r where r.project_id = $1 and r.id = c.program_id offset 0) as g
     where n.project_id = $1 and n.name = $2::text`);

/** A row of the table, with what its handle knows about the person. */
interface TouchRow extends Omit<Touch, 'identifiedParticipantId' | 'identifiedAt'> {
  /** Set on a touch without a handle: a code that came with a signup. */
  readonly participantId: string | null;
  readonly handleParticipantId: string | null;
  readonly handleIdentifiedAt: Instant | null;
}

const findTouchRow = findRow<
  TouchRow,
  [projectId: string, id: string]
>(`select t.id, t.created_at as "createdAt", t.updated_at as "updatedAt",
       t.project_id as "projectId", t.program_id as "programId", t.handle_id as "handleId",
       t.ref_code_id as "refCodeId", t.link_id as "linkId",
       t.referrer_participant_id as "referrerParticipantId", t.source,
       t.occurred_at as "occurredAt", t.expires_at as "expiresAt",
       t.landing_url as "landingUrl", t.referrer_origin as "referrerOrigin", t.utm,
       t.participant_id as "participantId",
       h.identified_participant_id as "handleParticipantId",
       h.identified_at as "handleIdentifiedAt"
     from touches t
     left join handles h on h.project_id = t.project_id and h.project_id = $1
       and h.id = t.handle_id
     where t.project_id = $1 and t.id = $2`);

/** Days are `YYYY-MM-DD`, both included. */
interface DayRange {
  readonly from: string;
  readonly to: string;
}

const CLICKS_OF_DAYS = `from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from click_counts r
       where r.project_id = $1 and r.shared_id = asked_id and r.day >= $3::date
         and r.day <= $4::date offset 0) as c`;

/** Clicks on codes and links by day; each id is given once. */
export function listClicksByDay(
  db: Queryable,
  projectId: string,
  sharedIds: readonly string[],
  range: DayRange,
): Promise<{ sharedId: string; programId: string; day: string; clicks: bigint }[]> {
  return db.query(
    `select c.shared_id as "sharedId", c.program_id as "programId", c.day::text as day,
       c.clicks::bigint as clicks ${CLICKS_OF_DAYS}`,
    [projectId, sharedIds, range.from, range.to],
  );
}

/** The same added up over the days. */
export function sumClicks(
  db: Queryable,
  projectId: string,
  sharedIds: readonly string[],
  range: DayRange,
): Promise<{ sharedId: string; programId: string; clicks: bigint }[]> {
  return db.query(
    `select c.shared_id as "sharedId", c.program_id as "programId", sum(c.clicks)::bigint as clicks
     ${CLICKS_OF_DAYS} group by c.shared_id, c.program_id`,
    [projectId, sharedIds, range.from, range.to],
  );
}
