import { conflict } from '../../../platform/kit/errors.ts';
import { decideLink, type Membership } from '../enrollments/decide-joining.ts';
import type { NameOffer } from './decide-offer.ts';

/** Links of a Partner in one Program, the first one included. */
export const PARTNER_LINKS_MAX = 10;

/**
 * A further link that a Partner names. The rules of every link apply; besides, only a Partner who
 * takes part and is not suspended gets one, and a Program gives fewer than the API does. A link that
 * exists is returned in any case, so that a repeat changes nothing.
 */
export function decidePartnerLink(
  membership: Membership,
  isSuspended: boolean,
  slug: string,
  offer: NameOffer | null,
): ReturnType<typeof decideLink> {
  if (isSuspended) {
    return { refused: conflict('invalid_transition', 'The partner is suspended.') };
  }
  if (membership.enrollment === null) {
    return { refused: conflict('enrollment_ended', 'The partner has not joined this program.') };
  }
  const isOwn = membership.links.some((link) => link.slug === slug);
  if (!isOwn && membership.isOpen && membership.links.length >= PARTNER_LINKS_MAX) {
    const message = `A partner has at most ${PARTNER_LINKS_MAX} links in a program.`;
    return { refused: conflict('limit_reached', message) };
  }
  return decideLink(membership, slug, offer);
}
