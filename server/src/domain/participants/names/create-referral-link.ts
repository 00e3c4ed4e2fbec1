import type { ProjectRef, WriteRequest } from '../../../platform/http/access/principal.ts';
import { decideLink } from '../enrollments/decide-joining.ts';
import { saveCode, saveEnrollment, saveLink, saveParticipant } from '../enrollments/join-steps.ts';
import { loadNamedMembership } from '../enrollments/membership.ts';
import type { ParticipantDeps } from '../participant-deps.ts';
import type { ParticipantRef, ReferralLink } from '../schema.ts';
import { findFreeCode } from './find-free-name.ts';
import { offerName } from './offer-name.ts';
import { presentLink } from './present-sharing.ts';

/**
 * Returns the participant's link with that slug in the Program. Creates it on their oldest code if
 * there is none, or moves it here from a Program of theirs that is over. Fails with NOT_FOUND for
 * an unknown Program, INVALID_REQUEST for one that is not of kind referral, participant_deleted,
 * program_not_open, enrollment_ended, limit_reached, slug_taken.
 */
export function createReferralLink(
  deps: Pick<ParticipantDeps, 'writer' | 'keyring' | 'baseUrl'>,
  project: Pick<ProjectRef, 'projectKey'>,
  request: WriteRequest,
  input: {
    readonly participant: ParticipantRef;
    readonly programId: string;
    readonly slug: string;
  },
): Promise<ReferralLink> {
  const base = { baseUrl: deps.baseUrl, projectKey: project.projectKey };
  const slug = input.slug.toLowerCase();
  return deps.writer.run(request, async (write) => {
    const named = await loadNamedMembership(write, deps.keyring, input, ['referral']);
    const { membership, participant } = named;
    const participantId = participant.id;
    const wish = { name: slug, kind: 'link', participantId } as const;
    const decision = decideLink(membership, slug, await offerName(write, deps.keyring, wish));
    if ('refused' in decision) throw decision.refused;
    if ('give' in decision) return { answer: presentLink(base, decision.give), participantId };
    const { on, enroll } = decision.make;
    const codeName = on?.code ?? (await findFreeCode(write, deps.keyring));
    if (named.isNew) saveParticipant(write, participant);
    const place = { participantId, programId: input.programId };
    if (enroll) saveEnrollment(write, place);
    const code = on ?? saveCode(write, place, codeName);
    const link = saveLink(write, code.id, slug, decision.make);
    return { answer: presentLink(base, link), participantId };
  });
}
