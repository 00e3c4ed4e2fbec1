import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { addToEnrollmentCounts } from '../../programs/queries.ts';
import { insertParticipants, introduceParticipant } from '../insert-participants.ts';
import {
  type CodeRow,
  insertCode,
  insertEnrollment,
  insertLink,
  insertName,
  type LinkRow,
  markCodeMoved,
  markLinkMoved,
  type NameRow,
  updateName,
} from '../names/sharing-store.ts';
import type { Enrollment, Participant } from '../schema.ts';
import type { NewName } from './decide-joining.ts';

interface Place {
  readonly participantId: string;
  readonly programId: string;
}

/** A new name for a participant who has none yet. */
const FIRST: NewName = { position: 1, moved: null };

export function saveParticipant(write: ProjectWrite, participant: Participant): void {
  insertParticipants(write, [introduceParticipant(write, participant)]);
}

export function saveEnrollment(
  write: ProjectWrite,
  { participantId, programId }: Place,
): Enrollment {
  const enrollment: Enrollment = {
    id: write.newId('enr'),
    createdAt: write.now,
    updatedAt: write.now,
    projectId: write.projectId,
    participantId,
    programId,
    startsAt: write.now,
    endsAt: null,
  };
  insertEnrollment(write.tx, enrollment);
  addToEnrollmentCounts(write.tx, write.projectId, [programId], 1);
  return enrollment;
}

export function saveCode(
  write: ProjectWrite,
  { participantId, programId }: Place,
  code: string,
  { position, moved }: NewName = FIRST,
): CodeRow {
  const row: CodeRow = {
    id: write.newId('cod'),
    createdAt: write.now,
    updatedAt: write.now,
    projectId: write.projectId,
    code,
    participantId,
    programId,
    position,
  };
  insertCode(write.tx, row);
  saveName(write, { name: code, refCodeId: row.id, refLinkId: null }, moved);
  return row;
}

export function saveLink(
  write: ProjectWrite,
  refCodeId: string,
  slug: string,
  { position, moved }: NewName = FIRST,
): LinkRow {
  const row: LinkRow = {
    id: write.newId('lnk'),
    createdAt: write.now,
    updatedAt: write.now,
    projectId: write.projectId,
    slug,
    refCodeId,
    position,
  };
  insertLink(write.tx, row);
  saveName(write, { name: slug, refCodeId, refLinkId: row.id }, moved);
  return row;
}

/** A moved name points to the new code or link; the old row keeps its history. */
function saveName(
  { tx, projectId, now }: ProjectWrite,
  row: NameRow,
  moved: NewName['moved'],
): void {
  if (moved === null) {
    insertName(tx, projectId, row);
    return;
  }
  updateName(tx, projectId, row);
  if (moved.linkId === null) markCodeMoved(tx, projectId, moved.refCodeId, now);
  else markLinkMoved(tx, projectId, moved.linkId, now);
}
