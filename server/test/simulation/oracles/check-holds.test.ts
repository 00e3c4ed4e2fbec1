import { expect, test } from 'vitest';
import type { Actor } from '../world/actor.ts';
import { checkHolds } from './check-holds.ts';
import { checkWaiting } from './check-waiting.ts';
import type { Shown } from './wire.ts';

const EARNED = '2026-01-01T00:00:00.000Z';
const HELD = '2026-01-31T00:00:00.000Z';

const actor = {
  programs: {
    made: [{ id: 'prg', spec: { holdDays: 30 }, statuses: [{ from: EARNED, status: 'active' }] }],
  },
} as unknown as Actor;

const shown = (parts: object) =>
  ({
    rewards: [],
    payouts: [],
    feed: [],
    events: new Map(),
    details: new Map(),
    nameOf: () => 'it',
    ...parts,
  }) as unknown as Shown;

const reward = (availableAt: string, milestone: object | null = null) => ({
  id: 'rwd',
  programId: 'prg',
  earnedAt: EARNED,
  availableAt,
  milestone,
});
const payout = (createdAt: string, amountMinor: string) => ({
  id: 'po',
  createdAt,
  rewards: [{ rewardId: 'rwd', amountMinor }],
});

test('a hold lasts as many days as the program said', () => {
  expect(checkHolds(actor, shown({ rewards: [reward(HELD)] }))).toEqual([]);
  expect(checkHolds(actor, shown({ rewards: [reward(EARNED)] }))).toEqual([
    `the hold of it ends at ${EARNED}`,
  ]);
});

test('only a milestone that is reached again is held for longer', () => {
  const later = '2026-02-01T00:00:00.000Z';
  const found = (availableAt: string, milestone: object | null) =>
    checkHolds(actor, shown({ rewards: [reward(availableAt, milestone)] })).length;
  expect([found(later, {}), found(later, null), found(EARNED, {})]).toEqual([0, 1, 1]);
});

test('a payout takes nothing before its hold has ended, but may take something back', () => {
  const rewards = [reward(HELD)];
  const early = '2026-01-30T23:59:59.999Z';
  const found = (one: object) => checkHolds(actor, shown({ rewards, payouts: [one] }));
  expect(found(payout(HELD, '5'))).toEqual([]);
  expect(found(payout(early, '-5'))).toEqual([]);
  expect(found(payout(early, '5'))).toEqual(['po took rwd before its hold had ended']);
});

test('a purchase gives up after a day, not before', () => {
  const events = new Map([
    ['evt', { id: 'evt', processingReason: 'no_signup', receivedAt: EARNED, participantId: 'par' }],
  ]);
  const details = new Map([['p1', { participant: { id: 'par', createdAt: EARNED } }]]);
  const found = (occurredAt: string) =>
    checkWaiting(
      actor,
      shown({
        events,
        details,
        feed: [{ type: 'event.recorded', data: { event: { id: 'evt' } }, occurredAt }],
      }),
    );
  expect(found('2026-01-02T00:00:00.000Z')).toEqual([]);
  expect(found('2026-01-01T23:59:59.999Z')).toHaveLength(1);
});
