// The same as `Date.parse` and `Date.toISOString` for the one format of an `Instant`, several times as fast: a replay of a
// history reads and writes many times for each fact.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const CHARS = 24;
const ZERO = 48;
const [DASH, COLON, POINT, Z] = [45, 58, 46, 90];

/** The milliseconds of a time. Another format is left to `Date.parse`. */
export function readInstant(text: string): number {
  if (text.length !== CHARS || text.charCodeAt(4) !== DASH || text.charCodeAt(23) !== Z) {
    return Date.parse(text);
  }
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const day = dayNumber(year, twoDigits(text, 5), twoDigits(text, 8));
  const ms = twoDigits(text, 20) * 10 + (text.charCodeAt(22) - ZERO);
  return (
    day * DAY_MS +
    twoDigits(text, 11) * HOUR_MS +
    twoDigits(text, 14) * MINUTE_MS +
    twoDigits(text, 17) * SECOND_MS +
    ms
  );
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + (text.charCodeAt(at + 1) - ZERO);
}

/** Days since 1970-01-01, in the Gregorian calendar. A year begins in March here: leap days are at its end. */
function dayNumber(year: number, month: number, day: number): number {
  const isEarly = month <= 2;
  const years = isEarly ? year - 1 : year;
  const leapDays = ((years / 4) | 0) - ((years / 100) | 0) + ((years / 400) | 0);
  const dayOfYear = (((month + (isEarly ? 9 : -3)) * 153 + 2) / 5) | 0;
  return years * 365 + leapDays + dayOfYear + day - 1 - DAYS_TO_1970;
}

const DAYS_TO_1970 = 719_468;

/** The newest dates: facts of a history are near each other, and so are the ends of their waits. */
const SLOTS = 8;
const days: number[] = new Array(SLOTS).fill(Number.NaN);
const dates: string[] = new Array(SLOTS).fill('');

export function formatInstant(ms: number): string {
  if (!Number.isInteger(ms)) return new Date(ms).toISOString();
  const day = Math.floor(ms / DAY_MS);
  const slot = day & (SLOTS - 1);
  if (days[slot] !== day) {
    dates[slot] = new Date(ms).toISOString().slice(0, 11);
    days[slot] = day;
  }
  const rest = ms - day * DAY_MS;
  const hour = (rest / HOUR_MS) | 0;
  const minute = ((rest / MINUTE_MS) | 0) % 60;
  const second = ((rest / SECOND_MS) | 0) % 60;
  const milli = rest % SECOND_MS;
  const time = String.fromCharCode(
    tens(hour),
    ones(hour),
    COLON,
    tens(minute),
    ones(minute),
    COLON,
    tens(second),
    ones(second),
    POINT,
    ZERO + ((milli / 100) | 0),
    tens(milli % 100),
    ones(milli),
    Z,
  );
  return `${dates[slot]}${time}`;
}

function tens(value: number): number {
  return ZERO + ((value / 10) | 0);
}

function ones(value: number): number {
  return ZERO + (value % 10);
}
