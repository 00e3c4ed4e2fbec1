import { invalid } from '../../../platform/kit/errors.ts';
import { addMs, DAY_MS, parseInstant } from '../../../platform/kit/instant.ts';

export const DAYS_MAX = 400;

/** Every day from one to another, both included, as `YYYY-MM-DD`. Fails with INVALID_REQUEST. */
export function daysBetween(from: string, to: string): string[] {
  const first = midnight('from', from);
  const last = midnight('to', to);
  if (last < first) throw invalid('to', 'must not be before from');
  const count = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  if (count > DAYS_MAX) throw invalid('to', `must be at most ${DAYS_MAX} days after from`);
  return Array.from({ length: count }, (_, index) => dayOf(addMs(first, index * DAY_MS)));
}

export function dayAfter(day: string): string {
  return dayOf(addMs(`${day}T00:00:00.000Z`, DAY_MS));
}

/** As many days, until the day before. */
export function daysBefore(day: string, count: number): string[] {
  const start = `${day}T00:00:00.000Z`;
  return Array.from({ length: count }, (_, index) => dayOf(addMs(start, (index - count) * DAY_MS)));
}

/** The Mondays of `count` weeks in order, the last of them that of a day. Fails with INVALID_REQUEST. */
export function mondaysUntil(to: string, count: number): string[] {
  const day = midnight('to', to);
  // Sunday is 0.
  const monday = addMs(day, -((new Date(day).getUTCDay() + 6) % 7) * DAY_MS);
  return Array.from({ length: count }, (_, index) =>
    dayOf(addMs(monday, (index + 1 - count) * 7 * DAY_MS)),
  );
}

function dayOf(instant: string): string {
  return instant.slice(0, 10);
}

function midnight(field: string, day: string): string {
  const instant = parseInstant(`${day}T00:00:00Z`);
  if (instant === undefined) throw invalid(field, 'is not a day');
  return instant;
}
