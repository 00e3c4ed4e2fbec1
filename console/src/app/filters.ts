/** The query of the address: filters, all of them strings, so that a link includes them. */
export type Filters = Record<string, string | undefined>;

export const readFilters = (search: Record<string, unknown>): Filters =>
  Object.fromEntries(
    Object.entries(search)
      .filter(([, value]) => value !== undefined && value !== null && value !== '')
      .map(([name, value]) => [name, String(value)]),
  );
