import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import type { ProgramState } from '../../programs/find-program.ts';
import {
  decideCode,
  decideLink,
  type Membership,
  type NewName,
} from '../enrollments/decide-joining.ts';
import { saveCode, saveEnrollment, saveLink } from '../enrollments/join-steps.ts';
import { loadMembership, noMembership } from '../enrollments/membership.ts';
import { type CodeWish, offerCode, offerName } from './offer-name.ts';

/** What somebody is to have in a Program: decided, and not saved yet. */
export interface SharingPlan {
  /** False if all of it is there. */
  readonly isChange: boolean;
  /** Saves it, and returns the oldest code. */
  save(write: ProjectWrite, participantId: string): string | null;
}

interface Asked {
  /** Null for a participant who is not there yet. */
  readonly participantId: string | null;
  /** Null for none of their own wish. */
  readonly code: string | null;
  readonly slug: string | null;
  /** Whether they need a code in any case. */
  readonly needsCode: boolean;
}

const NOTHING: SharingPlan = { isChange: false, save: () => null };

/**
 * Decides a code and a link for somebody, all or nothing. Ends with enrollment_ended,
 * program_not_open, limit_reached, code_taken, slug_taken.
 */
export async function planSharing(
  write: ProjectWrite,
  keyring: Keyring,
  program: ProgramState,
  { participantId, code, slug, needsCode }: Asked,
): Promise<SharingPlan> {
  if (code === null && slug === null && !needsCode) return NOTHING;
  const membership =
    participantId === null
      ? noMembership(program)
      : await loadMembership(write, program, participantId);
  const made = await planCode(write, keyring, membership, { participantId, asked: code });
  const oldest = membership.codes[0]?.code ?? made?.code ?? null;
  const link =
    slug === null
      ? null
      : await planLink(write, keyring, membership, { participantId, slug, madeCode: made?.code });
  return {
    isChange: made !== null || link !== null,
    save(writing, ownerId) {
      const place = { participantId: ownerId, programId: program.id };
      if (made?.enroll) saveEnrollment(writing, place);
      const row = made && saveCode(writing, place, made.code, made);
      const on = membership.codes[0] ?? row;
      if (link !== null && on) saveLink(writing, on.id, link.slug, link);
      return oldest;
    },
  };
}

/** Who is to have a link needs a code for it to hang on, too. Null if it is there. */
async function planCode(
  write: ProjectWrite,
  keyring: Keyring,
  membership: Membership,
  { participantId, asked }: Omit<CodeWish, 'hasCode'>,
): Promise<(NewName & { code: string; enroll: boolean }) | null> {
  const hasCode = membership.codes.length > 0;
  const offer = await offerCode(write, keyring, { participantId, asked, hasCode });
  const decision = decideCode(membership, asked, offer);
  if ('refused' in decision) throw decision.refused;
  return 'make' in decision ? decision.make : null;
}

interface LinkWish {
  readonly participantId: string | null;
  readonly slug: string;
  /** It is not saved yet, and has the name for itself. */
  readonly madeCode: string | undefined;
}

async function planLink(
  write: ProjectWrite,
  keyring: Keyring,
  membership: Membership,
  { participantId, slug, madeCode }: LinkWish,
): Promise<(NewName & { slug: string }) | null> {
  const wish = { name: slug, kind: 'link', participantId } as const;
  const offer = slug === madeCode ? null : await offerName(write, keyring, wish);
  const decision = decideLink(membership, slug, offer);
  if ('refused' in decision) throw decision.refused;
  return 'make' in decision ? { slug, ...decision.make } : null;
}
