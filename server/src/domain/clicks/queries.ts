import type { Queryable } from '../../platform/db/driver.ts';
import { findRow } from '../../platform/db/statements.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import { resolveName } from '../participants/names/queries.ts';
import { findLanding } from '../programs/queries.ts';
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
  const shared = await resolveName(db, projectId, name);
  if (!shared) return undefined;
  const { code, refCodeId, linkId, programId, participantId, isTakingPart } = shared;
  const landing = await findLanding(db, projectId, programId, now);
  if (!landing) throw new Error(`Code ${refCodeId} belongs to no program.`);
  return {
    code,
    refCodeId,
    linkId,
    programId,
    referrerParticipantId: participantId,
    landingPageUrl: landing.landingPageUrl,
    isOpen: isTakingPart && landing.isActive,
  };
}

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
