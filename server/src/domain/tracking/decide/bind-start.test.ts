import { describe, expect, test } from 'vitest';
import { MemoryTracking } from '../../../../test/memory-tracking.ts';
import {
  aPolicy,
  aProgram,
  aRule,
  percentTerms,
  someTerms,
} from '../../../../test/program-book.ts';
import { addMs, DAY_MS, MINUTE_MS } from '../../../platform/kit/instant.ts';
import { isAwaitedBy } from './bind-start.ts';

const NOW = '2026-11-15T09:30:00.000Z';

function openShop(): MemoryTracking {
  const forever = percentTerms(1_000, { durationMode: 'forever' });
  const rules = [
    aRule([forever], { id: 'rul_1' }),
    aRule([someTerms()], { id: 'rul_2', eventType: 'signup' }),
  ];
  const policies = [aPolicy({ bindingTrigger: 'subscription' })];
  return new MemoryTracking(
    NOW,
    [aProgram({ id: 'subscription', policies, rules }), aProgram({ id: 'signup' })],
    ['ada', 'eve'].flatMap((name) =>
      ['signup', 'subscription'].map((programId) => ({ name, programId })),
    ),
  );
}

function permutationsOf<T>(list: readonly T[]): T[][] {
  if (list.length === 0) return [[]];
  return list.flatMap((one, at) =>
    permutationsOf(list.toSpliced(at, 1)).map((rest) => [one, ...rest]),
  );
}

/** The result of all facts about somebody. */
function endOf(shop: MemoryTracking, name: string) {
  const { processingReason, explanation } = shop.signupOf(name);
  const referral = shop.state.referrals.get(shop.idOf(name));
  const order = shop.eventOf('order');
  const start = shop.startOf('started');
  return {
    signup: [
      processingReason,
      explanation?.candidates.map(({ verdict, reason }) => [verdict, reason]),
    ],
    start: [start.reason, start.candidates.map(({ verdict, reason }) => [verdict, reason])],
    isBoundByIt: referral?.bindingSubscriptionFactId === start.id,
    referrer: referral?.referrerParticipantId,
    bindingOccurredAt: referral?.bindingOccurredAt,
    order: [order.processingReason, order.referralId === referral?.id, shop.earnedBy('order')],
    earned: shop.earnedBySignupOf(name),
    isWaiting: shop.state.promised.has(shop.idOf(name)),
  };
}

describe('a signup, its subscription and its first invoice lead to the same, in whatever order they come', () => {
  const facts = {
    start: (shop: MemoryTracking, name: string) => shop.start('started', name),
    order: (shop: MemoryTracking, name: string, actor?: string) =>
      shop.buy('order', name, actor, { subscriptionId: 'sub' }),
    signup: (shop: MemoryTracking, name: string, actor?: string, code?: string) =>
      shop.signUp(name, code ?? null, actor),
  };
  const orders = permutationsOf(['signup', 'start', 'order'] as const);
  const bound = {
    signup: ['attributed', [['selected', null]]],
    start: ['attributed', [['selected', null]]],
    isBoundByIt: true,
    referrer: 'ada',
    bindingOccurredAt: NOW,
    order: ['attributed', true, ['ada 100']],
    earned: ['ada 1000'],
    isWaiting: false,
  };

  test.each(orders)('by a code: %s, %s, %s', (...order) => {
    const shop = openShop();
    for (const fact of order) facts[fact](shop, 'bob', undefined, 'ada-subscription');
    expect(endOf(shop, 'bob')).toEqual(bound);
  });

  test.each(orders)('by a click that was identified before: %s, %s, %s', (...order) => {
    const shop = openShop();
    shop.meet('bob');
    shop.click('bob', 'ada-subscription');
    for (const fact of order) facts[fact](shop, 'bob');
    expect(endOf(shop, 'bob')).toEqual(bound);
  });

  test.each(orders)('of a group, by a code that its actor typed: %s, %s, %s', (...order) => {
    const shop = openShop();
    shop.signUp('vic', 'ada-subscription');
    for (const fact of order) facts[fact](shop, 'Crew', 'vic');
    expect(endOf(shop, 'Crew')).toEqual(bound);
  });

  test.each(orders)('of somebody whom a code brings no more: %s, %s, %s', (...order) => {
    const shop = openShop();
    shop.leave('ada');
    for (const fact of order) facts[fact](shop, 'bob', undefined, 'ada-subscription');
    const reason = 'enrollment_not_active';
    expect(endOf(shop, 'bob')).toMatchObject({
      signup: [reason, [['rejected', reason]]],
      isBoundByIt: false,
      order: ['no_referral', false, []],
      earned: [],
      isWaiting: false,
    });
  });
});

test('the answer to a signup after the start says what came of it, and a repeat gets the same', () => {
  const shop = openShop();
  shop.start('started', 'bob');
  const answer = shop.signUp('bob', 'ada-subscription');
  expect(answer).toMatchObject({
    processingReason: 'attributed',
    attribution: { referrerParticipantId: 'ada', programId: 'subscription' },
    refCode: { accepted: true, reason: null },
  });
  expect(shop.signUp('bob')).toEqual(answer);
  expect(shop.start('started', 'bob').attribution).toBeNull();
  expect(shop.start('started again', 'bob').data.reason).toBe('not_applicable');
  expect(shop.feed.filter((type) => type === 'referral.created')).toHaveLength(1);
});

test('of several starts the earliest binds, in whatever order they were reported', () => {
  const shop = openShop();
  const later = (minutes: number) => addMs(NOW, minutes * MINUTE_MS);
  const tell = [
    () => shop.start('late', 'bob', 'sub-2', later(3)),
    () => shop.start('first', 'bob', 'sub-1', later(2)),
    () => shop.signUp('bob', 'ada-subscription'),
  ];
  shop.now = later(3);
  for (const one of tell) one();
  expect(shop.startOf('first').reason).toBe('attributed');
  expect(shop.state.referrals.get(shop.idOf('bob'))?.bindingOccurredAt).toBe(later(2));
});

test('a signup still waits if what started long before it binds nobody', () => {
  const shop = openShop();
  shop.start('old', 'bob', 'sub-0', addMs(NOW, -20 * DAY_MS));
  const answer = shop.signUp('bob', 'ada-subscription');
  expect(answer.processingReason).toBe('awaiting_subscription');
  expect(shop.start('started', 'bob').data.reason).toBe('attributed');
});

test('a start from before the signup binds by a click that the signup brought, and the code is told so', () => {
  for (const isEarly of [true, false]) {
    const shop = openShop();
    const startedAt = addMs(NOW, 10 * MINUTE_MS);
    shop.meet('bob');
    shop.now = addMs(NOW, 60 * MINUTE_MS);
    if (isEarly) shop.start('started', 'bob', 'sub', startedAt);
    shop.click('bob', 'eve-subscription', NOW);
    const { refCode } = shop.signUp('bob', 'ada-subscription');
    if (!isEarly) shop.start('started', 'bob', 'sub', startedAt);
    expect(shop.referrerOf('bob')).toBe('eve');
    expect(shop.signupOf('bob').explanation?.candidates).toMatchObject([
      { referrerParticipantId: 'eve', verdict: 'selected' },
      { referrerParticipantId: 'ada', verdict: 'rejected', reason: 'already_referred' },
    ]);
    expect(refCode).toEqual(
      isEarly ? { accepted: false, reason: 'already_referred' } : { accepted: true, reason: null },
    );
  }
});

test('what a start bound stands, whatever code the signup brings after it', () => {
  const shop = openShop();
  shop.meet('bob');
  shop.click('bob', 'ada-subscription');
  shop.start('started', 'bob');
  shop.buy('order', 'bob');
  const { refCode, attribution } = shop.signUp('bob', 'eve-signup');
  expect(attribution?.referrerParticipantId).toBe('ada');
  expect(refCode).toEqual({ accepted: false, reason: 'already_referred' });
  expect(shop.signupOf('bob').explanation?.candidates).toMatchObject([
    { referrerParticipantId: 'eve', verdict: 'rejected', reason: 'already_referred' },
    { referrerParticipantId: 'ada', verdict: 'selected', reason: null },
  ]);
});

const SIGNED_UP_AT = '2026-11-15T09:30:00.000Z';

test.each([
  ['after it', 1, false, true],
  ['with it', 0, false, true],
  ['a little before it: clocks differ', -5 * MINUTE_MS, false, true],
  ['before it', -5 * MINUTE_MS - 1, false, false],
  ['before it, if that bound a referral', -5 * MINUTE_MS - 1, true, true],
])('a signup waits for a start %s', (_, ms, hasBound, isAwaited) => {
  const signup = { occurredAt: SIGNED_UP_AT };
  expect(isAwaitedBy(signup, addMs(SIGNED_UP_AT, ms), hasBound)).toBe(isAwaited);
});
