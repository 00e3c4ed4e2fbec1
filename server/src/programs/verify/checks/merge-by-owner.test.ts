import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Figure, figure } from '../../../platform/figures/tally.ts';
import { groupByOwner, mergeByOwner, type OwnedFigures } from './merge-by-owner.ts';

const one = fc.record({ owner: fc.constantFrom('a', 'b', 'c', 'd'), value: fc.nat({ max: 9 }) });

async function* inPages(rows: readonly OwnedFigures[], size: number) {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}

test('every owner comes once, in order, with all that each stream has of it, however paged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(one), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 5 }),
      async (lists, size) => {
        const sorted = lists.map((list) =>
          list
            .toSorted((a, b) => (a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : 0))
            .map(({ owner, value }) => ({ owner, figures: [figure(owner, '', 'x', value)] })),
        );
        const merged: (readonly (readonly Figure[])[])[] = [];
        const streams = sorted.map((rows) => groupByOwner(inPages(rows, size)));
        for await (const parts of mergeByOwner(streams)) merged.push(parts);
        const owners = [...new Set(sorted.flat().map(({ owner }) => owner))].sort();
        expect(merged).toEqual(
          owners.map((owner) =>
            sorted.map((rows) =>
              rows.filter((row) => row.owner === owner).flatMap(({ figures }) => figures),
            ),
          ),
        );
      },
    ),
  );
});
