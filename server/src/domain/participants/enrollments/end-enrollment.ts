import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { addToEnrollmentCounts } from '../../programs/queries.ts';
import { findEnrollment, updateEnrollmentEnd } from '../names/sharing-store.ts';
import type { ParticipantDeps } from '../participant-deps.ts';
import type { Enrollment } from '../schema.ts';

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
