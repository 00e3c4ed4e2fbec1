import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { addToEnrollmentCounts } from '../../programs/update-counts.ts';
import { findEnrollment } from '../names/queries.ts';
import { updateEnrollmentEnd } from '../names/sharing-store.ts';
import type { Enrollment, ParticipantRef } from '../schema.ts';
import { type ParticipantDeps, saveParticipant } from '../write-participants.ts';
import { decideEnrollment } from './decide-joining.ts';
import { loadNamedMembership, saveEnrollment } from './membership.ts';

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

/** Ends an enrollment now; one that has already ended keeps its end. Fails with NOT_FOUND. */
export function endEnrollment(
  deps: Pick<ParticipantDeps, 'writer'>,
  request: WriteRequest,
  enrollmentId: string,
): Promise<Enrollment> {
  return deps.writer.run(request, async (write) => {
    const { tx, projectId, now } = write;
    const enrollment = await findEnrollment(tx, projectId, enrollmentId);
    if (!enrollment) throw notFound('enrollment');
    const { participantId, programId } = enrollment;
    if (enrollment.endsAt !== null) return { answer: enrollment, participantId };
    const ended: Enrollment = { ...enrollment, endsAt: now, updatedAt: now };
    updateEnrollmentEnd(tx, ended);
    addToEnrollmentCounts(tx, projectId, [programId], -1);
    return { answer: ended, participantId };
  });
}
