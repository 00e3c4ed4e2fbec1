import type { Tx } from '../../../platform/db/database.ts';
import { listValues, sendWrite } from '../../../platform/db/statements.ts';
import {
  type Columns,
  insertRows,
  text,
  timestamptz,
  updateRows,
} from '../../../platform/db/write-rows.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Enrollment } from '../schema.ts';
import type { CodeRow, LinkRow } from './names.ts';

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
export const endEnrollmentsOf = listValues<
  string,
  [projectId: string, participantId: string, now: Instant],
  Tx
>(`update enrollments set ends_at = $3, updated_at = $3
     where project_id = $1 and participant_id = $2 and ends_at is null
     returning program_id as "programId"`);

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

export const markCodeMoved = sendWrite<
  [projectId: string, id: string, now: Instant]
>(`update ref_codes set position = null, moved_at = $3, updated_at = $3
     where project_id = $1 and id = $2`);

export const markLinkMoved = sendWrite<
  [projectId: string, id: string, now: Instant]
>(`update ref_links set position = null, moved_at = $3, updated_at = $3
     where project_id = $1 and id = $2`);

/** Afterwards no shared link leads to the participant; returns the names. */
export const deleteNamesOf = listValues<
  string,
  [projectId: string, participantId: string],
  Tx
>(`delete from ref_names n
     using (select project_id, id from ref_codes
       where project_id = $1 and participant_id = $2 offset 0) as c
     where n.project_id = $1 and n.project_id = c.project_id and n.ref_code_id = c.id
     returning n.name`);

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

type NewEnrollment = Pick<Enrollment, 'id' | 'participantId' | 'programId' | 'startsAt'>;

export const insertEnrollments = insertRows<NewEnrollment>('enrollments', {
  id: text((row) => row.id),
  participant_id: text((row) => row.participantId),
  program_id: text((row) => row.programId),
  starts_at: timestamptz((row) => row.startsAt),
  created_at: timestamptz((row) => row.startsAt),
  updated_at: timestamptz((row) => row.startsAt),
});
