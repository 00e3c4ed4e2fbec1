import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import type { ProgramState } from '../../programs/queries.ts';
import {
  decideCode,
  decideLink,
  type Membership,
  type NewName,
} from '../enrollments/decide-joining.ts';
import {
  loadMembership,
  noMembership,
  saveCode,
  saveEnrollment,
  saveLink,
} from '../enrollments/membership.ts';
import { type CodeWish, offerCode, offerName } from './find-free-name.ts';

/** The planned code and link of somebody in a Program; not saved yet. */
export interface SharingPlan {
  /** False if everything exists already. */
  readonly isChange: boolean;
  /** Saves the plan and returns the oldest code. */
  save(write: ProjectWrite, participantId: string): string | null;
}

interface Asked {
  /** Null for a participant that does not exist yet. */
  readonly participantId: string | null;
  /** The requested code, or null. */
  readonly code: string | null;
  readonly slug: string | null;
  /** Whether they need a code even if none was requested. */
  readonly needsCode: boolean;
}

const NOTHING: SharingPlan = { isChange: false, save: () => null };

/**
 * Decides a code and a link for somebody, all or nothing. Fails with enrollment_ended,
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

/** A link also needs a code to belong to. Null if the code exists. */
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
  /** Not saved yet, so the lookup of names does not find it. */
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
