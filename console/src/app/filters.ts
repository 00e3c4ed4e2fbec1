/** What the address says after `?`: filters, all of them texts, so that a link keeps them. */
export type Filters = Record<string, string | undefined>;

export const readFilters = (search: Record<string, unknown>): Filters =>
  Object.fromEntries(
    Object.entries(search)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => [name, String(value)]),
  );
