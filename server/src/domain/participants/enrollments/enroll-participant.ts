import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import type { ParticipantDeps } from '../participant-deps.ts';
import type { Enrollment, ParticipantRef } from '../schema.ts';
import { decideEnrollment } from './decide-joining.ts';
import { saveEnrollment, saveParticipant } from './join-steps.ts';
import { loadNamedMembership } from './membership.ts';

/**
 * Returns the active enrollment, creating it if there is none. Fails with NOT_FOUND for an unknown
 * Program, INVALID_REQUEST for an affiliate one (partners join by approval), participant_deleted,
 * program_not_open.
 */
export function enrollParticipant(
  deps: Pick<ParticipantDeps, 'writer' | 'keyring'>,
  request: WriteRequest,
  input: { readonly participant: ParticipantRef; readonly programId: string },
): Promise<Enrollment> {
  return deps.writer.run(request, async (write) => {
    const { membership, participant, isNew } = await loadNamedMembership(
      write,
      deps.keyring,
      input,
      ['referral', 'loyalty'],
    );
    const decision = decideEnrollment(membership);
    if ('refused' in decision) throw decision.refused;
    if ('give' in decision) return { answer: decision.give, participantId: participant.id };
    if (isNew) saveParticipant(write, participant);
    const place = { participantId: participant.id, programId: input.programId };
    return { answer: saveEnrollment(write, place), participantId: participant.id };
  });
}
