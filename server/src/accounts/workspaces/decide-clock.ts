import { type AppError, invalid } from '../../platform/kit/errors.ts';
import { addMs, DAY_MS, type Instant, toMs } from '../../platform/kit/instant.ts';

/** Ten years: more than any period of a Program that one may want to try out. */
export const AHEAD_MAX_MS = 3_650 * DAY_MS;

/**
 * The offset of a Project's clock that makes its time `asked` now. It never decreases: the
 * Project's time `now` is already at least as far ahead of real time.
 */
export function decideClock(
  asked: Instant,
  { now, realNow }: { readonly now: Instant; readonly realNow: Instant },
): { readonly offsetMs: number } | { readonly refused: AppError } {
  if (asked < now) {
    return {
      refused: invalid('now', `must not be before ${now}, the current time of this project`),
    };
  }
  if (asked > addMs(realNow, AHEAD_MAX_MS)) {
    return { refused: invalid('now', 'must be at most 3,650 days ahead of real time') };
  }
  return { offsetMs: toMs(asked) - toMs(realNow) };
}
