import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { invalid, notFound } from '../../../platform/kit/errors.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { findProgram, isOpenForJoining, type ProgramState } from '../../programs/queries.ts';
import { addToEnrollmentCounts } from '../../programs/update-counts.ts';
import { type CodeRow, isHeld, type LinkRow } from '../names/names.ts';
import { findLatestEnrollment, listCodes, listLinks } from '../names/queries.ts';
import {
  insertCode,
  insertEnrollment,
  insertLink,
  insertName,
  markCodeMoved,
  markLinkMoved,
  type NameRow,
  updateName,
} from '../names/sharing-store.ts';
import { ensureParticipant } from '../participant-slice.ts';
import type { Enrollment, Participant, ParticipantRef } from '../schema.ts';
import { loadParticipants } from '../write-participants.ts';
import type { Membership, NewName } from './decide-joining.ts';

interface NamedMembership {
  readonly membership: Membership;
  readonly participant: Participant;
  /** Not saved yet: the caller saves it after the last check that can refuse. */
  readonly isNew: boolean;
}

type ProgramKind = ProgramState['kind'];

/**
 * The membership of a participant, existing or new, in a Program named by a caller. Fails with
 * NOT_FOUND for an unknown Program, INVALID_REQUEST for a Program of the wrong kind,
 * participant_deleted.
 */
export async function loadNamedMembership(
  write: ProjectWrite,
  keyring: Keyring,
  input: { readonly participant: ParticipantRef; readonly programId: string },
  kinds: readonly ProgramKind[],
): Promise<NamedMembership> {
  const program = await findProgram(write.tx, write.projectId, input.programId, write.now);
  if (!program) throw notFound('program');
  if (!kinds.includes(program.kind)) {
    throw invalid(
      'programId',
      `must be a program of kind ${kinds.join(' or ')}, not ${program.kind}`,
    );
  }
  const slice = await loadParticipants(write.tx, keyring, write.projectId, {
    refs: [input.participant],
  });
  const ensured = ensureParticipant(slice, input.participant, write);
  if ('refused' in ensured) throw ensured.refused;
  const { participant, isNew } = ensured;
  const membership = isNew
    ? noMembership(program)
    : await loadMembership(write, program, participant.id);
  return { participant, isNew, membership };
}

export function noMembership(program: ProgramState): Membership {
  return { isOpen: isOpenForJoining(program), enrollment: null, codes: [], links: [] };
}

export async function loadMembership(
  write: ProjectWrite,
  program: ProgramState,
  participantId: string,
): Promise<Membership> {
  const { tx, projectId } = write;
  const [enrollment, codes] = await Promise.all([
    findLatestEnrollment(tx, projectId, participantId, program.id),
    listCodes(tx, projectId, participantId, program.id),
  ]);
  // A link stays in its Program when its code is moved.
  const links = await listLinks(
    tx,
    projectId,
    codes.map((code) => code.id),
  );
  return {
    ...noMembership(program),
    enrollment: enrollment ?? null,
    codes: codes.filter(isHeld),
    links: links.filter(isHeld),
  };
}

interface Place {
  readonly participantId: string;
  readonly programId: string;
}

/** A new name for a participant who has none yet. */
const FIRST: NewName = { position: 1, moved: null };

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
