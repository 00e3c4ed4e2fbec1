import { LIMIT_DEFAULT } from '../../platform/http/routes/paging.ts';
import { invalid } from '../../platform/kit/errors.ts';
import { type Believed, type Comparison, compare, totalsOf } from './compare.ts';
import type { Reconciliation, ReconciliationQuery } from './schema.ts';
import type { Source } from './sources.ts';

/**
 * Compares what the service believes it delivered with the providers' records, which are requested
 * now, one page at a time. Fails with INVALID_REQUEST for a cursor of another list.
 */
export async function reconcile(
  sources: readonly Source[],
  projectId: string,
  query: ReconciliationQuery,
): Promise<Reconciliation> {
  const limit = query.limit ?? LIMIT_DEFAULT;
  const { items, nextCursor } = await readPage(sources, projectId, query.cursor, limit);
  const comparisons = items.map(compare);
  return {
    success: true,
    totals: totalsOf(comparisons).map(({ believed, reported, drift, ...total }) => ({
      ...total,
      believedMinor: String(believed),
      reportedMinor: String(reported),
      driftMinor: String(drift),
    })),
    data: comparisons.map(({ believed, reported, drift, ...one }) => ({
      ...one,
      believedMinor: String(believed),
      reportedMinor: reported === null ? null : String(reported),
      driftMinor: drift === null ? null : String(drift),
    })),
    nextCursor,
  };
}

/** Reads the sources one after the other, each to its end. */
async function readPage(
  sources: readonly Source[],
  projectId: string,
  cursor: string | undefined,
  limit: number,
): Promise<{ items: Believed[]; nextCursor: string | null }> {
  const items: Believed[] = [];
  let { index, place } = cursor === undefined ? { index: 0, place: null } : decode(sources, cursor);
  for (let source = sources[index]; source && items.length < limit; source = sources[index]) {
    const page = await source.read(projectId, place, limit - items.length);
    items.push(...page.items);
    place = page.next;
    if (place === null) index += 1;
  }
  const next = sources[index];
  return { items, nextCursor: next ? encode(next, place) : null };
}

function encode({ name }: Source, place: string | null): string {
  return Buffer.from(`reconciliation ${name} ${place ?? ''}`).toString('base64url');
}

function decode(
  sources: readonly Source[],
  cursor: string,
): { index: number; place: string | null } {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const match = /^reconciliation (\w+) (.*)$/s.exec(text);
  const index = sources.findIndex(({ name }) => name === match?.[1]);
  if (!match || index < 0) throw invalid('cursor', 'is not a cursor of this list');
  return { index, place: match[2] || null };
}

const PAGE = 100;

/** All items of a project that differ or are unanswered; asks the providers about every item. */
export async function findDrift(
  sources: readonly Source[],
  projectId: string,
): Promise<Comparison[]> {
  const found: Comparison[] = [];
  for (const source of sources) {
    let place: string | null = null;
    do {
      const page = await source.read(projectId, place, PAGE);
      found.push(...page.items.map(compare).filter(({ verdict }) => verdict !== 'even'));
      place = page.next;
    } while (place !== null);
  }
  return found;
}
