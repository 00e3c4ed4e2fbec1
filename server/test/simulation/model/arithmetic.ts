import type { Rounding } from './facts.ts';

/** The same day and time so many months later, or the last day of a shorter month. */
export function addMonths(from: string, months: number): string {
  const date = new Date(from);
  const day = date.getUTCDate();
  const moved = new Date(from);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(day, last));
  return moved.toISOString();
}

export function divide(numerator: bigint, by: bigint, rounding: Rounding): bigint {
  const whole = numerator / by;
  const twice = (numerator % by) * 2n;
  if (twice === 0n || rounding === 'down') return whole;
  if (rounding === 'up') return whole + 1n;
  if (twice !== by) return twice > by ? whole + 1n : whole;
  return rounding === 'half_up' || whole % 2n === 1n ? whole + 1n : whole;
}
