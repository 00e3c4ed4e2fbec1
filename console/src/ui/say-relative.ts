const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `5 minutes ago`, `in 3 hours`, `yesterday`; null for a time that is a week away, which a date says better. */
export function sayRelative(atMs: number, nowMs: number, format = relative): string | null {
  const ms = atMs - nowMs;
  const distance = Math.abs(ms);
  if (distance < MINUTE / 2) return format.format(0, 'second');
  if (distance < HOUR) return format.format(away(ms, MINUTE), 'minute');
  if (distance < DAY) return format.format(away(ms, HOUR), 'hour');
  if (distance < 7 * DAY) return format.format(away(ms, DAY), 'day');
  return null;
}

/** At least one unit away: nothing is `0 hours ago`. */
function away(ms: number, unit: number): number {
  return Math.sign(ms) * Math.max(1, Math.floor(Math.abs(ms) / unit));
}
