import { type AppError, invalid } from '../../platform/kit/errors.ts';
import { addMs, DAY_MS, type Instant, toMs } from '../../platform/kit/instant.ts';

/** Ten years: more than any period that a Program can have to be tried out. */
export const AHEAD_MAX_MS = 3_650 * DAY_MS;

/**
 * How far a Project's clock is to run ahead for it to be `asked` there now. Never less than
 * before: the Project's time `now` is already at least as far ahead of the real one.
 */
export function decideClock(
  asked: Instant,
  { now, realNow }: { readonly now: Instant; readonly realNow: Instant },
): { readonly offsetMs: number } | { readonly refused: AppError } {
  if (asked < now) {
    return { refused: invalid('now', `must not be before ${now}, which it is for this project`) };
  }
  if (asked > addMs(realNow, AHEAD_MAX_MS)) {
    return { refused: invalid('now', 'must be at most 3,650 days ahead of the real time') };
  }
  return { offsetMs: toMs(asked) - toMs(realNow) };
}
