import type { WriteRequest } from '../http/principal.ts';
import { notFound } from '../kit/errors.ts';
import { addToEnrollmentCounts } from '../programs/count-enrollments.ts';
import type { ParticipantDeps } from './participant-deps.ts';
import type { Enrollment } from './schema.ts';
import { findEnrollment, updateEnrollmentEnd } from './sharing-store.ts';

/** Ends it now; one that has ended keeps its end. Ends with NOT_FOUND. */
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
