import type { ProjectWrite } from '../feed/project-write.ts';
import { addToEnrollmentCounts } from '../programs/count-enrollments.ts';
import { insertParticipants, introduceParticipant } from './insert-participants.ts';
import type { Enrollment, Participant } from './schema.ts';
import {
  type CodeRow,
  insertCode,
  insertEnrollment,
  insertLink,
  type LinkRow,
} from './sharing-store.ts';

interface Place {
  readonly participantId: string;
  readonly programId: string;
}

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
  position: number,
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
  return row;
}

export function saveLink(
  write: ProjectWrite,
  refCodeId: string,
  slug: string,
  position: number,
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
  return row;
}
