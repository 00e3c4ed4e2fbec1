import { expect, test } from 'vitest';
import { rewardSteps } from './reward-steps.ts';

type Shown = Parameters<typeof rewardSteps>[0];

const EARNED = '2026-11-01T10:00:00Z';
const LATER = '2026-12-01T10:00:00Z';
const reward = (own: Partial<Shown>): Shown => ({
  benefitKind: 'cash',
  fulfillmentStatus: 'pending',
  earnedAt: EARNED,
  availableAt: EARNED,
  delivery: {
    method: 'payout',
    status: 'pending',
    reason: 'awaiting_payout',
    providerReference: null,
  },
  void: null,
  fulfillment: null,
  revocation: null,
  ...own,
});
const say = (own: Partial<Shown>) =>
  rewardSteps(reward(own)).map(({ label, state }) => `${label}: ${state}`);

test('a reward without a hold is due at once', () => {
  expect(say({})).toEqual(['Earned: done', 'Due: now', 'Paid: next']);
});

test('a held one is due after its hold', () => {
  const delivery = { ...reward({}).delivery, reason: 'hold_period' as const };
  expect(say({ availableAt: LATER, delivery })).toEqual([
    'Earned: done',
    'Held until: now',
    'Due: next',
    'Paid: next',
  ]);
  expect(say({ availableAt: LATER })).toEqual([
    'Earned: done',
    'Held: done',
    'Due: now',
    'Paid: next',
  ]);
});

test.each([
  ['in_progress', ['On its way: now', 'Paid: next']],
  ['fulfilled', ['Paid: done']],
  ['failed', ['Failed: bad', 'Paid: next']],
  ['cancelled', ['Cancelled: bad']],
  ['revocation_pending', ['Paid: done', 'To be taken back: now']],
  ['revoked', ['Paid: done', 'Taken back: bad']],
] as const)('%s', (fulfillmentStatus, steps) => {
  expect(say({ fulfillmentStatus })).toEqual(['Earned: done', ...steps]);
});

test('what is not cash is granted', () => {
  expect(say({ benefitKind: 'custom', fulfillmentStatus: 'fulfilled' })).toEqual([
    'Earned: done',
    'Granted: done',
  ]);
});
