import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { invalid, notFound } from '../../../platform/kit/errors.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { findProgram, isOpenForJoining, type ProgramState } from '../../programs/find-program.ts';
import { findLatestEnrollment, isHeld, listCodes, listLinks } from '../names/sharing-store.ts';
import { ensureParticipant } from '../participant-slice.ts';
import { loadParticipants } from '../queries.ts';
import type { Participant, ParticipantRef } from '../schema.ts';
import type { Membership } from './decide-joining.ts';

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
    throw invalid('programId', `is a program of kind ${program.kind}: only ${kinds.join(' and ')}`);
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
