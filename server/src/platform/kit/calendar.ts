import { type Instant, toInstant, toMs } from './instant.ts';

/** The same UTC day and time some calendar months later, or the last day of a shorter month. */
export function addMonths(instant: Instant, months: number): Instant {
  const from = new Date(toMs(instant));
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(to.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return toInstant(to.getTime());
}
