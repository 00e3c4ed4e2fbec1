import type { ProjectRef, WriteRequest } from '../../../platform/http/access/principal.ts';
import { decideCode, decideLink } from '../enrollments/decide-joining.ts';
import {
  loadNamedMembership,
  saveCode,
  saveEnrollment,
  saveLink,
} from '../enrollments/membership.ts';
import type { ParticipantRef, ReferralCode, ReferralLink } from '../schema.ts';
import { type ParticipantDeps, saveParticipant } from '../write-participants.ts';
import { findFreeCode, offerCode, offerName } from './find-free-name.ts';
import { presentCode, presentLink } from './names.ts';

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
