import { expect, test } from 'vitest';
import { groupLeftOut, sayDone, sayPlan } from './remind-words.ts';

const skipped = [
  { participantId: 'par_1', reason: 'reminded_lately' },
  { participantId: 'par_2', reason: 'no_address' },
  { participantId: 'par_3', reason: 'reminded_lately' },
] as const;

test('those who are left out are grouped by reason', () => {
  expect(groupLeftOut({ skipped: [...skipped] })).toEqual([
    { label: 'No e-mail address', participantIds: ['par_2'] },
    {
      label: 'Mailed about it within the last seven days',
      participantIds: ['par_1', 'par_3'],
    },
  ]);
  expect(groupLeftOut({ skipped: [] })).toEqual([]);
});

test('the numbers are said before and after', () => {
  const plan = { reminded: ['par_4'], skipped: [...skipped], isMore: false };
  expect(sayPlan(plan)).toBe('1 person will get a mail that asks for payout details.');
  expect(sayPlan({ ...plan, reminded: [] })).toBe('Nobody can be reminded now.');
  expect(sayPlan({ ...plan, isMore: true })).toContain('There are more');
  expect(sayDone(plan)).toBe('1 person reminded and 3 people left out.');
  expect(sayDone({ ...plan, reminded: ['par_4', 'par_5'], skipped: [], isMore: true })).toBe(
    '2 people reminded. There are more: send again.',
  );
});
