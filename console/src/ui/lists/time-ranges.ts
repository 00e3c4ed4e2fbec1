const DAY_MS = 86_400_000;

/** Ranges of time that a filter proposes. They move with the days, so that a saved view stays what it is called. */
export const TIME_RANGES = {
  today: 'Today',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  month: 'This month',
  before_30d: 'More than 30 days ago',
} as const;

type TimeRange = keyof typeof TIME_RANGES;

export const isTimeRange = (name: string | undefined): name is TimeRange =>
  name !== undefined && Object.hasOwn(TIME_RANGES, name);

/** Both ends are inclusive. */
export interface Span {
  readonly from?: string;
  readonly to?: string;
}

/** The start of the day that was `ago` days before, by the reader's own time zone. */
function dayStart(now: Date, ago = 0): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - ago);
}

/** A range by its name. "Last 7 days" are today and the six days before. */
export function spanOf(range: TimeRange, now: Date): Span {
  switch (range) {
    case 'today':
      return { from: dayStart(now).toISOString() };
    case 'month':
      return { from: new Date(now.getFullYear(), now.getMonth(), 1).toISOString() };
    case 'before_30d':
      return { to: new Date(dayStart(now, 30).getTime() - 1).toISOString() };
    default:
      return { from: dayStart(now, Number.parseInt(range, 10) - 1).toISOString() };
  }
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A day if the time is its start or its last minute, and with the time otherwise. */
function sayMoment(iso: string, end: 'from' | 'to'): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const edge = dayStart(at).getTime() + (end === 'to' ? DAY_MS - 60_000 : 0);
  const isWholeDay = Math.abs(at.getTime() - edge) < 60_000;
  return (isWholeDay ? day : moment).format(at);
}

/** `Nov 1, 2026 to Nov 15, 2026`, `from …`, `until …`. */
export function saySpan({ from, to }: Span): string {
  if (from && to) return `${sayMoment(from, 'from')} to ${sayMoment(to, 'to')}`;
  if (from) return `from ${sayMoment(from, 'from')}`;
  return to ? `until ${sayMoment(to, 'to')}` : '';
}
