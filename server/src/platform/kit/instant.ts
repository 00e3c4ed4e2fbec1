import { formatInstant, readInstant } from './instant-text.ts';

/**
 * A time as `YYYY-MM-DDTHH:mm:ss.sssZ`. The only format on the wire, in the database's results and
 * in decisions, so that comparing the strings compares the times.
 */
export type Instant = string;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/;
const EARLIEST_MS = Date.UTC(1000, 0, 1);
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Most are requested again within the same millisecond. */
let lastMs = 0;
let lastInstant = new Date(lastMs).toISOString();

export function toInstant(ms: number): Instant {
  if (ms !== lastMs) {
    lastInstant = formatInstant(ms);
    lastMs = ms;
  }
  return lastInstant;
}

export function toMs(instant: Instant): number {
  return readInstant(instant);
}

export function addMs(instant: Instant, ms: number): Instant {
  return toInstant(toMs(instant) + ms);
}

export function laterOf(a: Instant, b: Instant): Instant {
  if (a > b) return a;
  return b;
}

/** Parses RFC 3339 with any offset, truncating fractions to milliseconds; undefined for any other text. */
export function parseInstant(text: string): Instant | undefined {
  const match = RFC3339.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  local.setUTCHours(hour, minute, second, Number((match[7] ?? '').slice(0, 3).padEnd(3, '0')));
  const offset = parseOffset(match[8] as string);
  if (offset === undefined) return undefined;
  const ms = local.getTime() - offset;
  return ms >= EARLIEST_MS && ms <= LATEST_MS ? toInstant(ms) : undefined;
}

function parseOffset(text: string): number | undefined {
  if (text.length === 1) return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(4, 6));
  if (hours > 23 || minutes > 59) return undefined;
  return (text[0] === '-' ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
}

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
