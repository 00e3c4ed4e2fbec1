import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { findProgram } from '../../programs/queries.ts';
import { findFreeCode, findFreeName, makeCode } from '../names/find-free-name.ts';
import { slugCandidates } from '../names/names.ts';
import { makeParticipant, participantDeleted } from '../participant-slice.ts';
import { findByPartner } from '../queries.ts';
import type { Participant, ParticipantKind } from '../schema.ts';
import { insertSearchKeys } from '../search-key-store.ts';
import { saveParticipant } from '../write-participants.ts';
import { loadMembership, noMembership, saveCode, saveEnrollment, saveLink } from './membership.ts';

interface JoinedPartner {
  readonly participantId: string;
  readonly enrollmentId: string;
  readonly code: string;
  readonly slug: string;
}

/**
 * Creates what a Partner needs in a Program, in the caller's transaction, and reuses what exists: a
 * repeat changes nothing. The caller decides whether the Program accepts partners. Fails with
 * NOT_FOUND for an unknown Program, participant_deleted.
 */
export async function joinAsPartner(
  write: ProjectWrite,
  deps: { readonly keyring: Keyring },
  input: {
    readonly partnerId: string;
    /** What the Partner is found by. */
    readonly searched: Pick<Participant, 'name' | 'email'>;
    readonly kind: ParticipantKind;
    readonly programId: string;
    readonly slugHint: string;
  },
): Promise<JoinedPartner> {
  const { programId, partnerId } = input;
  const program = await findProgram(write.tx, write.projectId, programId, write.now);
  if (!program) throw notFound('program');
  const known = await findByPartner(write.tx, write.projectId, partnerId);
  if (known && known.deletedAt !== null) throw participantDeleted();
  const participant = known ?? makeParticipant(write, input.kind, { partnerId });
  const membership = known ? await loadMembership(write, program, known.id) : noMembership(program);
  const [oldestCode] = membership.codes;
  const [oldestLink] = membership.links;
  const codeName = oldestCode?.code ?? (await findFreeCode(write, deps.keyring));
  const slug = oldestLink?.slug ?? (await findFreeSlug(write, deps.keyring, input.slugHint));

  if (!known) {
    saveParticipant(write, participant);
    const { name, email } = input.searched;
    insertSearchKeys(write.tx, write.projectId, [{ ...participant, name, email }]);
  }
  const place = { participantId: participant.id, programId };
  const enrollment =
    membership.enrollment?.endsAt === null ? membership.enrollment : saveEnrollment(write, place);
  const code = oldestCode ?? saveCode(write, place, codeName);
  if (!oldestLink) saveLink(write, code.id, slug);
  return {
    participantId: participant.id,
    enrollmentId: enrollment.id,
    code: codeName,
    slug,
  };
}

async function findFreeSlug(write: ProjectWrite, keyring: Keyring, hint: string): Promise<string> {
  const slug = await findFreeName(write, keyring, slugCandidates(hint, makeCode()));
  if (slug === null) throw new Error('A slug with a random end was taken.');
  return slug;
}
