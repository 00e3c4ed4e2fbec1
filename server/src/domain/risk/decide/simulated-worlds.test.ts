import { expect, test } from 'vitest';
import type { Intent, World } from '../../../../test/risk/calls.ts';
import { scoreWorld } from '../../../../test/risk/model.ts';
import { type Row, tally } from '../../../../test/risk/tally.ts';
import { makeWorld } from '../../../../test/risk/world.ts';
import { DEFAULT_RISK_POLICY } from '../../programs/policies/risk-policy.ts';

const SEEDS = [1, 2];

function judge(world: World): Row[] {
  const reviews = [...scoreWorld(world, DEFAULT_RISK_POLICY)].flatMap(([id, { score, signals }]) =>
    score < DEFAULT_RISK_POLICY.reviewAt ? [] : [[id, signals] as const],
  );
  return tally(world, new Map(reviews));
}

const rows = SEEDS.flatMap((seed) => judge(makeWorld(seed)));

function sumOf(intent: Intent, kind: string | null = null) {
  const own = rows.filter((row) => row.intent === intent && row.kind === kind);
  const sum = (read: (row: Row) => number) => own.reduce((total, row) => total + read(row), 0);
  return {
    referrals: sum(({ referrals }) => referrals),
    share: sum(({ reviewed }) => reviewed) / sum(({ referrals }) => referrals),
    noticed: sum(({ noticed }) => noticed) / sum(({ groups }) => groups),
  };
}

test('a world is the same for the same seed', () => {
  expect(makeWorld(5, 0.05)).toEqual(makeWorld(5, 0.05));
  expect(makeWorld(5, 0.05)).not.toEqual(makeWorld(6, 0.05));
});

test('by default, fewer than 1 in 200 honest referrals are sent to review', () => {
  const { referrals, share } = sumOf('honest');
  expect(referrals).toBeGreaterThan(2_000);
  expect(share).toBeLessThan(1 / 200);
});

test('by default, at least 95 % of attacks and 9 in 10 of their referrals are sent to review', () => {
  const { referrals, share, noticed } = sumOf('attack');
  expect(referrals).toBeGreaterThan(300);
  expect(noticed).toBeGreaterThanOrEqual(0.95);
  expect(share).toBeGreaterThanOrEqual(0.9);
});

const kinds = new Set(rows.flatMap(({ intent, kind }) => (intent === 'attack' && kind) || []));

test.each([...kinds])('most referrals are sent to review: %s', (kind) => {
  // Those before the fourth purchase of refunders are not told from others yet.
  expect(sumOf('attack', kind).share).toBeGreaterThan(kind === 'refunders' ? 0.65 : 0.85);
});

test('attackers who leave nothing behind are not found', () => {
  expect(sumOf('hidden').share).toBeLessThan(0.02);
});
