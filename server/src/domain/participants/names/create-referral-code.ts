import type { ProjectRef, WriteRequest } from '../../../platform/http/access/principal.ts';
import { decideCode } from '../enrollments/decide-joining.ts';
import { saveCode, saveEnrollment, saveParticipant } from '../enrollments/join-steps.ts';
import { loadNamedMembership } from '../enrollments/membership.ts';
import type { ParticipantDeps } from '../participant-deps.ts';
import type { ParticipantRef, ReferralCode } from '../schema.ts';
import { offerCode } from './offer-name.ts';
import { presentCode } from './present-sharing.ts';

/**
 * Returns a participant's code in the Program: the requested one, or else the oldest. Creates it if
 * there is none, or moves it here from a Program of theirs that is over. Enrolls a participant who
 * was never enrolled. Fails with NOT_FOUND for an unknown Program, INVALID_REQUEST for one that is
 * not of kind referral, participant_deleted, program_not_open, enrollment_ended, limit_reached,
 * code_taken.
 */
export function createReferralCode(
  deps: Pick<ParticipantDeps, 'writer' | 'keyring' | 'baseUrl'>,
  project: Pick<ProjectRef, 'projectKey'>,
  request: WriteRequest,
  input: {
    readonly participant: ParticipantRef;
    readonly programId: string;
    readonly code?: string | null;
  },
): Promise<ReferralCode> {
  const base = { baseUrl: deps.baseUrl, projectKey: project.projectKey };
  const asked = input.code?.toLowerCase() ?? null;
  return deps.writer.run(request, async (write) => {
    const named = await loadNamedMembership(write, deps.keyring, input, ['referral']);
    const { membership, participant } = named;
    const participantId = participant.id;
    const hasCode = membership.codes.length > 0;
    const offer = await offerCode(write, deps.keyring, { participantId, asked, hasCode });
    const decision = decideCode(membership, asked, offer);
    if ('refused' in decision) throw decision.refused;
    if ('give' in decision) return { answer: presentCode(base, decision.give), participantId };
    if (named.isNew) saveParticipant(write, participant);
    const place = { participantId, programId: input.programId };
    if (decision.make.enroll) saveEnrollment(write, place);
    const code = saveCode(write, place, decision.make.code, decision.make);
    return { answer: presentCode(base, code), participantId };
  });
}
