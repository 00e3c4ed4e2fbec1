import type { Instant } from '../../../platform/kit/instant.ts';

/** A time in which somebody took part. */
export interface MemberSpan {
  readonly startsAt: Instant;
  readonly endsAt: Instant | null;
}

/**
 * Whether a fact of that time counts for somebody in a loyalty Program. Opted out is who has left
 * and not come back yet; a fact from before the first enrollment would have enrolled them.
 */
export function isMemberAt(spans: readonly MemberSpan[], at: Instant): boolean {
  const isInside = ({ startsAt, endsAt }: MemberSpan) =>
    startsAt <= at && (endsAt === null || at < endsAt);
  const hasLeft = ({ endsAt }: MemberSpan) => endsAt !== null && endsAt <= at;
  return spans.some(isInside) || !spans.some(hasLeft);
}
