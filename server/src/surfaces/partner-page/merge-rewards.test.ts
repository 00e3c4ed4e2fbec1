import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NumberedReward } from '../../domain/rewards/read/list-rewards.ts';
import type { Reward } from '../../domain/rewards/schema.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import {
  mergeRewards,
  type RewardsCursor,
  readRewardsCursor,
  writeRewardsCursor,
} from './merge-rewards.ts';

const idOf = (index: number) => `prj_${String(index).padStart(26, '0')}`;

/**
 * For each project, how much later each reward was earned than the previous one, in milliseconds.
 */
const projects = fc.array(fc.array(fc.nat({ max: 3 }), { maxLength: 12 }), { maxLength: 4 });

function earn(gaps: readonly number[], projectId: string): NumberedReward[] {
  let ms = 0;
  return gaps
    .map((gap, index) => {
      ms += gap;
      const earnedAt = toInstant(ms);
      const reward = { id: `${projectId} ${index + 1}`, earnedAt } as Reward;
      return { number: index + 1, reward };
    })
    .reverse();
}

test('pages hold everything once, newest first, whatever the Projects and the page’s size', () => {
  fc.assert(
    fc.property(projects, fc.integer({ min: 1, max: 7 }), (gaps, limit) => {
      const all = gaps.map((one, index) => ({
        projectId: idOf(index),
        rewards: earn(one, idOf(index)),
      }));
      const seen: NumberedReward[] = [];
      let cursor: RewardsCursor | null = new Map();
      for (let pages = 0; cursor !== null; pages += 1) {
        expect(pages).toBeLessThan(60);
        const below: RewardsCursor = cursor;
        const read = all.map(({ projectId, rewards }) => ({
          projectId,
          rewards: rewards
            .filter(({ number }) => number < (below.get(projectId) ?? Number.POSITIVE_INFINITY))
            .slice(0, limit + 1),
        }));
        const page = mergeRewards(read, below, limit);
        expect(page.shown.length).toBeLessThanOrEqual(limit);
        if (page.next) expect(page.shown).toHaveLength(limit);
        seen.push(...page.shown);
        cursor = page.next && (readRewardsCursor(writeRewardsCursor(page.next)) ?? null);
      }
      const ids = seen.map(({ reward }) => reward.id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toHaveLength(all.flatMap(({ rewards }) => rewards).length);
      const times = seen.map(({ reward }) => reward.earnedAt);
      expect(times).toEqual(times.toSorted().reverse());
    }),
  );
});

test('what is no cursor is not taken for one', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64url');
  const good = `${idOf(1)}:12`;
  expect(readRewardsCursor(encode(good))).toEqual(new Map([[idOf(1), 12]]));
  for (const bad of ['', 'rubbish', `${good},`, `${idOf(1)}:0`, `${idOf(1)}:-1`, `prj_x:1`]) {
    expect(readRewardsCursor(encode(bad))).toBeUndefined();
  }
  expect(readRewardsCursor('%%%')).toBeUndefined();
});
