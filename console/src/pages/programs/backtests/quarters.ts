export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The last whole quarter before a time, as days in UTC: from the first day up to the one after the last. */
export function lastQuarter(now: number | string): Period {
  const date = new Date(now);
  const month = Math.floor(date.getUTCMonth() / 3) * 3;
  const day = (index: number) =>
    new Date(Date.UTC(date.getUTCFullYear(), index, 1)).toISOString().slice(0, 10);
  return { from: day(month - 3), to: day(month) };
}

/** The start of a day as a time. */
export const startOf = (day: string): string => `${day}T00:00:00.000Z`;

/** The day of a time, in UTC. */
export const dayOf = (at: string): string => at.slice(0, 10);
