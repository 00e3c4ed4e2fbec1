import { type AppError, conflict } from '../../../platform/kit/errors.ts';
import type { NameHolder, NameOffer } from '../names/decide-offer.ts';
import type { CodeRow, LinkRow } from '../names/names.ts';
import type { Enrollment } from '../schema.ts';

export const CODES_MAX = 5;
export const LINKS_MAX = 20;

/** A participant's enrollment, codes and links in one Program. */
export interface Membership {
  /** Whether the Program accepts new enrollments, codes and links. */
  readonly isOpen: boolean;
  /** The active enrollment, or else the last to end; null if there never was one. */
  readonly enrollment: Enrollment | null;
  /** Oldest first, without codes that were moved to another Program. */
  readonly codes: readonly CodeRow[];
  readonly links: readonly LinkRow[];
}

/** Return the existing row, create a new one, or refuse. */
type Joining<T, M = Record<never, never>> =
  | { readonly give: T }
  | { readonly make: M & { readonly enroll: boolean } }
  | { readonly refused: AppError };

/** An active enrollment is returned whatever the Program's state; a new one needs an open Program. */
export function decideEnrollment(membership: Membership): Joining<Enrollment> {
  const { enrollment, isOpen } = membership;
  if (enrollment?.endsAt === null) return { give: enrollment };
  if (!isOpen) return { refused: programNotOpen() };
  return { make: { enroll: true } };
}

export interface NewName {
  readonly position: number;
  /** The previous holder of the name; null if the name is new. */
  readonly moved: NameHolder | null;
}

/** `asked` is the requested code, or null for any; `offer` is the name for a new code, or null if it is taken. */
export function decideCode(
  membership: Membership,
  asked: string | null,
  offer: NameOffer | null,
): Joining<CodeRow, NewName & { readonly code: string }> {
  const { codes } = membership;
  if (hasLeft(membership)) return { refused: enrollmentEnded() };
  const own = asked === null ? codes[0] : codes.find(({ code }) => code === asked);
  if (own) return { give: own };
  if (!membership.isOpen) return { refused: programNotOpen() };
  if (codes.length >= CODES_MAX) {
    return { refused: conflict('limit_reached', `A participant has at most ${CODES_MAX} codes.`) };
  }
  if (offer === null) {
    return { refused: conflict('code_taken', 'This code is already in use. Choose another one.') };
  }
  const { name, moved } = offer;
  const enroll = membership.enrollment === null;
  return { make: { code: name, position: nextPosition(codes), moved, enroll } };
}

/** A link belongs to the oldest code, which is null here if it has to be created first. */
export function decideLink(
  membership: Membership,
  slug: string,
  offer: NameOffer | null,
): Joining<LinkRow, NewName & { readonly on: CodeRow | null }> {
  if (hasLeft(membership)) return { refused: enrollmentEnded() };
  const own = membership.links.find((link) => link.slug === slug);
  if (own) return { give: own };
  if (!membership.isOpen) return { refused: programNotOpen() };
  const on = membership.codes[0] ?? null;
  const links = membership.links.filter(({ refCodeId }) => refCodeId === on?.id);
  if (links.length >= LINKS_MAX) {
    return { refused: conflict('limit_reached', `A code has at most ${LINKS_MAX} links.`) };
  }
  if (offer === null) {
    return { refused: conflict('slug_taken', 'This slug is already in use. Choose another one.') };
  }
  const enroll = membership.enrollment === null;
  return { make: { on, position: nextPosition(links), moved: offer.moved, enroll } };
}

/** One after the newest; gaps left by moved rows are not filled. */
function nextPosition(rows: readonly { readonly position: number | null }[]): number {
  return (rows.at(-1)?.position ?? 0) + 1;
}

/** A participant who left a Program cannot share it until re-enrolled: visits would not be attributed. */
function hasLeft({ enrollment }: Membership): boolean {
  return enrollment !== null && enrollment.endsAt !== null;
}

function enrollmentEnded(): AppError {
  return conflict('enrollment_ended', 'The participant’s enrollment in this program has ended.');
}

function programNotOpen(): AppError {
  return conflict(
    'program_not_open',
    'Only draft and active programs accept new participants, codes and links.',
  );
}
