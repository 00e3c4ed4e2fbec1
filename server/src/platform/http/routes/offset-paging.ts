export const PAGE_SIZE = 50;

/** The paging fields of lists that page by offset. */
export interface OffsetPage {
  readonly hasMore: boolean;
  readonly nextOffset: string | null;
}

/**
 * The numbers of a page in a list numbered 1 to `length` without gaps, newest first: above `above`,
 * up to `upTo`. Beyond the end the range is empty.
 */
export function pageRange(length: number, offset: number): { above: number; upTo: number } {
  const upTo = Math.max(0, length - offset);
  return { above: Math.max(0, upTo - PAGE_SIZE), upTo };
}

export function offsetPage(length: number, offset: number): OffsetPage {
  const next = offset + PAGE_SIZE;
  const hasMore = next < length;
  return { hasMore, nextOffset: hasMore ? String(next) : null };
}

/** A route's path in Fastify's syntax. */
export function toUrl(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}
