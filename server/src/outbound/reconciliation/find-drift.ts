import { type Comparison, compare } from './compare.ts';
import type { Source } from './sources.ts';

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
