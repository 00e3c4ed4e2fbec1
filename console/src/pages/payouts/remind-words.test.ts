import { expect, test } from 'vitest';
import { groupLeftOut, sayDone, sayPlan } from './remind-words.ts';

const skipped = [
  { participantId: 'par_1', reason: 'reminded_lately' },
  { participantId: 'par_2', reason: 'no_address' },
  { participantId: 'par_3', reason: 'reminded_lately' },
] as const;

const leftOut = {
  skipped: [...skipped],
  skippedCount: 3,
  skippedReasons: [
    { reason: 'reminded_lately' as const, count: 2 },
    { reason: 'no_address' as const, count: 1 },
  ],
};
const nobody = { skipped: [], skippedCount: 0, skippedReasons: [] };

test('those who are left out are grouped by reason', () => {
  expect(groupLeftOut(leftOut)).toEqual([
    { label: 'No e-mail address', count: 1, participantIds: ['par_2'] },
    {
      label: 'Mailed about it within the last seven days',
      count: 2,
      participantIds: ['par_1', 'par_3'],
    },
  ]);
  expect(groupLeftOut(nobody)).toEqual([]);
});

test('those who are left out and not listed are counted', () => {
  const skippedReasons = [{ reason: 'unusable_address' as const, count: 700 }];
  expect(groupLeftOut({ skipped: [], skippedReasons })).toEqual([
    { label: 'No mail can be sent to the address', count: 700, participantIds: [] },
  ]);
});

test('the numbers are said before and after', () => {
  const plan = { reminded: ['par_4'], ...leftOut, isMore: false };
  expect(sayPlan(plan)).toBe('1 person will get a mail that asks for payout details.');
  expect(sayPlan({ ...plan, reminded: [] })).toBe('Nobody can be reminded now.');
  expect(sayPlan({ ...plan, isMore: true })).toContain('There are more');
  expect(sayDone(plan)).toBe('1 person reminded and 3 people left out.');
  expect(sayDone({ ...plan, reminded: ['par_4', 'par_5'], ...nobody, isMore: true })).toBe(
    '2 people reminded. There are more: send again.',
  );
});
