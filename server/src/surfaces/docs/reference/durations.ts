const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

const digits = new Intl.NumberFormat('en-US');

export const count = (value: number): string => digits.format(value);

/** In the largest unit that it is a whole number of; up to three days in hours. */
export function duration(ms: number): string {
  const unit =
    UNITS.find(([name, size]) => ms % size === 0 && (name !== 'day' || ms > 3 * size)) ?? UNITS[3];
  const value = ms / unit[1];
  return `${count(value)} ${unit[0]}${value === 1 ? '' : 's'}`;
}

export const days = (value: number): string => `${count(value)} days`;
export const bytes = (value: number): string => `${count(value)} bytes`;
