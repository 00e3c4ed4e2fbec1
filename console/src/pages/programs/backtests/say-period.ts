import { formatDay } from '../../../ui/when.tsx';
import { dayOf, type Period } from './quarters.ts';

/** The first and the last day of a period of times, of which the end is not included. */
export function sayPeriod({ from, to }: Period): string {
  const last = new Date(Date.parse(to) - 1).toISOString();
  return `${formatDay(dayOf(from))} to ${formatDay(dayOf(last))}`;
}
