import type { ProjectRef, WriteRequest } from '../../../platform/http/access/principal.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { findProgram } from '../../programs/queries.ts';
import { loadMembership, saveCode, saveLink } from '../enrollments/membership.ts';
import { participantDeleted } from '../participant-slice.ts';
import { listPeople } from '../queries.ts';
import type { ReferralLink } from '../schema.ts';
import type { ParticipantDeps } from '../write-participants.ts';
import { decidePartnerLink } from './decide-partner-link.ts';
import { findFreeCode, offerName } from './find-free-name.ts';
import { presentLink } from './names.ts';

/**
 * Returns a Partner's link with that slug in a Program it joined, and creates it if there is none.
 * Fails with NOT_FOUND for an unknown Program or participant, participant_deleted,
 * invalid_transition (suspended), enrollment_ended, program_not_open, limit_reached, slug_taken.
 */
export function createPartnerLink(
  deps: Pick<ParticipantDeps, 'writer' | 'keyring' | 'baseUrl'>,
  project: Pick<ProjectRef, 'projectKey'>,
  request: WriteRequest,
  input: { readonly participantId: string; readonly programId: string; readonly slug: string },
): Promise<ReferralLink> {
  const base = { baseUrl: deps.baseUrl, projectKey: project.projectKey };
  const slug = input.slug.toLowerCase();
  const { participantId, programId } = input;
  return deps.writer.run(request, async (write) => {
    const { tx, projectId, now } = write;
    const [program, [person]] = await Promise.all([
      findProgram(tx, projectId, programId, now),
      listPeople(tx, projectId, [participantId]),
    ]);
    if (!program) throw notFound('program');
    if (!person) throw notFound('participant');
    if (person.deletedAt !== null) throw participantDeleted();
    const membership = await loadMembership(write, program, participantId);
    const wish = { name: slug, kind: 'link', participantId } as const;
    const offer = await offerName(write, deps.keyring, wish);
    const decision = decidePartnerLink(membership, person.suspendedAt !== null, slug, offer);
    if ('refused' in decision) throw decision.refused;
    if ('give' in decision) return { answer: presentLink(base, decision.give) };
    // A code that was moved to another Program leaves none here.
    const code =
      decision.make.on ??
      saveCode(write, { participantId, programId }, await findFreeCode(write, deps.keyring));
    return { answer: presentLink(base, saveLink(write, code.id, slug, decision.make)) };
  });
}
