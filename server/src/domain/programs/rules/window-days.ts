import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import type { MeasureWindow, Tiers } from './measures.ts';

const ROLLING_DAYS = 30;

type DatedWindow = Exclude<MeasureWindow, 'all_time'>;

/** Whether terms need the measures of days. */
export function needsDays({ tiers }: { readonly tiers: Tiers | null }): boolean {
  return tiers !== null && tiers.window !== 'all_time';
}

/** The days of a window, for an Event that was received then. */
export function daysIn(window: DatedWindow, receivedAt: Instant): string[] {
  if (window === 'rolling_30_days') {
    return Array.from({ length: ROLLING_DAYS }, (_, ago) =>
      addMs(receivedAt, -ago * DAY_MS).slice(0, 10),
    );
  }
  const month = receivedAt.slice(0, 7);
  const days = Array.from({ length: 31 }, (_, index) => dayAfter(`${month}-01`, index));
  return days.filter((day) => day.startsWith(month));
}

/** Whether something happened after the last day of a window, for an Event that was received then. */
export function isAfter(window: DatedWindow, receivedAt: Instant, at: Instant): boolean {
  const last = daysIn(window, receivedAt).sort().at(-1) ?? '';
  return at.slice(0, 10) > last;
}

/** From the first to the last day of any window for this Event. */
export function daysAround(receivedAt: Instant): {
  readonly from: string;
  readonly before: string;
} {
  const month = daysIn('calendar_month', receivedAt);
  return { from: firstDay(receivedAt), before: dayAfter(month.at(-1) ?? '', 1) };
}

/** The first day of any window for an Event that is received now. */
export function firstDay(now: Instant): string {
  const days = [...daysIn('calendar_month', now), ...daysIn('rolling_30_days', now)];
  return days.sort()[0] ?? '';
}

function dayAfter(day: string, days: number): string {
  return addMs(`${day}T00:00:00.000Z`, days * DAY_MS).slice(0, 10);
}
