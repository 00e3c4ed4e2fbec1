import type { Instant } from '../../../platform/kit/instant.ts';
import type { EnrollmentSpan } from '../batch/facts.ts';

/** A period of membership. */
export type MemberSpan = Pick<EnrollmentSpan, 'startsAt' | 'endsAt'>;

/**
 * Whether a fact of that time counts for somebody in a loyalty Program. It does not while they have
 * left and not rejoined; a fact from before the first enrollment would have enrolled them.
 */
export function isMemberAt(spans: readonly MemberSpan[], at: Instant): boolean {
  const isInside = ({ startsAt, endsAt }: MemberSpan) =>
    startsAt <= at && (endsAt === null || at < endsAt);
  const hasLeft = ({ endsAt }: MemberSpan) => endsAt !== null && endsAt <= at;
  return spans.some(isInside) || !spans.some(hasLeft);
}
