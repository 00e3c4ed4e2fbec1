import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideLeaderboard, LEADERS_MAX, type Leader, maskName } from './decide-leaderboard.ts';

const leader = (n: number, referrals: number, name: string | null = `Ada Nr${n}`): Leader => ({
  participantId: `par_${n}`,
  name,
  referrals,
});
const me = { participantId: 'par_2', referrals: 5 };

test('others are masked, the own row is marked, and equals share a place', () => {
  expect(decideLeaderboard([leader(1, 9), leader(2, 5), leader(3, 5), leader(4, 1)], me)).toEqual({
    rows: [
      { rank: 1, name: 'A… N…', referrals: 9 },
      { rank: 2, name: null, referrals: 5 },
      { rank: 2, name: 'A… N…', referrals: 5 },
      { rank: 4, name: 'A… N…', referrals: 1 },
    ],
    ownReferrals: null,
  });
});

test('with fewer than three, nobody is shown; the erased do not count', () => {
  expect(decideLeaderboard([leader(1, 9), leader(2, 5)], me)).toBeNull();
  expect(decideLeaderboard([leader(1, 9), leader(2, 5), leader(3, 4, null)], me)).toBeNull();
});

test('who is not among the first sees their own number', () => {
  const many = Array.from({ length: 12 }, (_, n) => leader(n + 10, 100 - n));
  const board = decideLeaderboard(many, me);
  expect(board?.rows).toHaveLength(LEADERS_MAX);
  expect(board?.ownReferrals).toBe(5);
});

test('a masked name shows at most two letters', () => {
  const masked = ['Ada King Lovelace', ' Acme ', 'Ægir Ström', '山田 太郎', '😀 Smile', ''].map(
    maskName,
  );
  expect(masked).toEqual(['A… L…', 'A…', 'Æ… S…', '山… 太…', '😀… S…', '…']);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (name) => {
      expect([...maskName(name).replaceAll(/[… ]/gu, '')].length).toBeLessThanOrEqual(2);
    }),
  );
});
