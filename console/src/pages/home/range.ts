const DAY_MS = 86_400_000;

export const RANGES = [7, 30, 90, 365] as const;

export interface Range {
  readonly from: string;
  readonly to: string;
}

/** The last `days` days including `today` (UTC), as the service counts them. */
export function lastDays(days: number, today: Date): Range {
  const to = today.toISOString().slice(0, 10);
  const from = new Date(Date.parse(to) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  return { from, to };
}

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The range in the address: two days, or the last so many. */
export function readRange(
  search: Readonly<Record<string, string | undefined>>,
  today: Date,
): Range & { readonly days: number | null } {
  const { from, to } = search;
  if (from && to && ISO_DAY.test(from) && ISO_DAY.test(to) && from <= to) {
    return { from, to, days: null };
  }
  const days = RANGES.find((one) => String(one) === search.days) ?? 30;
  return { ...lastDays(days, today), days };
}
