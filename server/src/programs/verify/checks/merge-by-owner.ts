import type { Figure } from '../../../platform/figures/tally.ts';

/** Figures of one owner: a participant, a referral, a program, or the project. */
export interface OwnedFigures {
  readonly owner: string;
  readonly figures: readonly Figure[];
}

/** Groups consecutive figures of the same owner. */
export async function* groupByOwner(
  pages: AsyncIterable<readonly OwnedFigures[]>,
): AsyncGenerator<OwnedFigures> {
  let owner: string | undefined;
  let figures: Figure[] = [];
  for await (const page of pages) {
    for (const one of page) {
      if (one.owner !== owner) {
        if (owner !== undefined) yield { owner, figures };
        owner = one.owner;
        figures = [];
      }
      figures.push(...one.figures);
    }
  }
  if (owner !== undefined) yield { owner, figures };
}

/**
 * Merges several streams, each in byte order of owner: yields what each stream has for every owner.
 * Only one owner's figures are in memory at a time.
 */
export async function* mergeByOwner(
  streams: readonly AsyncIterator<OwnedFigures>[],
): AsyncGenerator<readonly (readonly Figure[])[]> {
  const heads: (OwnedFigures | undefined)[] = [];
  const advance = async (index: number) => {
    const next = await streams[index]?.next();
    heads[index] = next?.done === false ? next.value : undefined;
  };
  for (const index of streams.keys()) await advance(index);
  while (true) {
    const owner = heads.reduce<string | undefined>(
      (least, head) => (head && (least === undefined || head.owner < least) ? head.owner : least),
      undefined,
    );
    if (owner === undefined) return;
    yield heads.map((head) => (head?.owner === owner ? head.figures : []));
    for (const [index, head] of heads.entries()) {
      if (head?.owner === owner) await advance(index);
    }
  }
}
