import { expect, test } from 'vitest';
import { effectsOfSuspending, sumUp } from './suspension-effects.ts';

test('suspending is told in numbers over all projects', () => {
  const standing = sumUp([
    { codes: 1, links: 2, referrals: 3, drafts: 0 },
    { codes: 1, links: 0, referrals: 4, drafts: 1 },
  ]);
  expect(effectsOfSuspending(standing)).toEqual([
    '2 codes and 2 links bring no new referrals.',
    'It earns nothing more for its 7 referrals.',
    'It is not paid. This includes 1 drafted payout.',
  ]);
});

test('what is not there is not counted, and what is more than can be seen is said so', () => {
  const nothing = { codes: 0, links: 0, referrals: 0, drafts: 0 };
  expect(effectsOfSuspending(nothing).slice(1)).toEqual([
    'It has no referrals.',
    'It is not paid.',
  ]);
  expect(effectsOfSuspending({ ...nothing, referrals: 50 })[1]).toContain('50 referrals or more');
});
