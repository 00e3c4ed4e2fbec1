import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeStripe, startFakeStripe } from '../../../../../test/stripe/fake-stripe.ts';
import type { RewardOrder } from '../../../../domain/rewards/delivery/provider.ts';
import { createStripeClient, type StripeAccounts } from '../connections/client.ts';
import { createBalanceProvider } from './balance-provider.ts';
import { createCouponProvider } from './coupon-provider.ts';

const KEY = 'rk_test_shop';
const SINCE = '2026-11-15T09:30:00.000Z';
let fake: FakeStripe;
let nowMs: number;

beforeEach(async () => {
  nowMs = Date.parse(SINCE);
  fake = await startFakeStripe({ nowMs: () => nowMs });
});
afterEach(() => fake.close());

const isConnected = async (projectId: string) => projectId === 'prj_shop';
const accounts = (): StripeAccounts => ({
  isConnected,
  async open(projectId) {
    if (!(await isConnected(projectId))) throw new Error('There is no connection.');
    return createStripeClient(KEY, fake.reach);
  },
});
const account = () => fake.account(KEY);

const anOrder = (changes: Partial<RewardOrder> = {}): RewardOrder => {
  const { attempt = 1, rewardId = 'rwd_1' } = changes;
  return {
    projectId: 'prj_shop',
    rewardId,
    attempt,
    key: `${rewardId}_${attempt}`,
    step: 'grant',
    account: 'cus_ada',
    money: null,
    discount: null,
    since: SINCE,
    ...changes,
  };
};

test('nothing is sent for a Project that is not connected', async () => {
  const provider = createBalanceProvider(accounts());
  expect(await provider.isConnected('prj_shop')).toBe(true);
  expect(await provider.isConnected('prj_other')).toBe(false);
  await expect(provider.deliver(creditOf(500n, { projectId: 'prj_other' }))).rejects.toThrow();
  expect(fake.requests).toEqual([]);
});

function creditOf(amountMinor: bigint, changes: Partial<RewardOrder> = {}, currency = 'EUR') {
  return anOrder({ money: { amountMinor, currency }, ...changes });
}

describe('stripe_balance', () => {
  const provider = () => createBalanceProvider(accounts());
  beforeEach(() => void account().addCustomer({ id: 'cus_ada' }));

  test('is a transaction with a negative amount, which names its Reward (D-RWD-10)', async () => {
    const answer = await provider().deliver(creditOf(500n));
    const [made] = account().balanceTransactions;
    expect(answer).toEqual({ state: 'delivered', reference: made?.id });
    expect(made).toMatchObject({
      customer: 'cus_ada',
      amount: -500,
      currency: 'eur',
      metadata: { projectId: 'prj_shop', rewardId: 'rwd_1', attempt: '1' },
    });
    expect(fake.requests[0]?.idempotencyKey).toBe('rwd_1_1');
    const back = creditOf(-500n, { attempt: 2, step: 'take_back' });
    expect(await provider().takeBack(back)).toMatchObject({ state: 'delivered' });
    expect(account().customers.get('cus_ada')?.balance).toBe(0);
  });

  test.each([
    ['JPY', 700n, -700],
    ['ISK', 7n, -700],
    ['UGX', 7n, -700],
    ['KWD', 5120n, -5120],
    ['MGA', 700n, -7],
  ])('counts %s as Stripe does', async (currency, amountMinor, amount) => {
    await provider().deliver(creditOf(amountMinor, {}, currency));
    expect(account().balanceTransactions[0]?.amount).toBe(amount);
    const reported = await provider().report('prj_shop', 'cus_ada', ['rwd_1', 'rwd_2'], SINCE);
    expect(reported).toEqual(
      new Map([
        ['rwd_1', amountMinor],
        ['rwd_2', 0n],
      ]),
    );
  });

  test('carries what Stripe can, and refuses what it cannot say at all', async () => {
    expect(provider().carriable(5124n, 'KWD')).toBe(5120n);
    expect(provider().carriable(5n, 'CLF')).toBe(5n);
    for (const [amountMinor, currency] of [
      [5124n, 'KWD'],
      [5n, 'CLF'],
    ] as const) {
      const answer = await provider().deliver(creditOf(amountMinor, {}, currency));
      expect(answer).toMatchObject({ state: 'refused' });
    }
    expect(fake.requests).toEqual([]);
  });

  test('finds what it did among many others, on any page, and nothing else', async () => {
    await provider().deliver(creditOf(500n));
    for (let attempt = 2; attempt <= 240; attempt += 1) {
      await provider().deliver(creditOf(1n, { attempt }));
    }
    const [first] = account().balanceTransactions;
    expect(await provider().find(creditOf(500n))).toEqual({
      state: 'delivered',
      reference: first?.id,
    });
    for (const other of [{ attempt: 241 }, { rewardId: 'rwd_2' }, { account: 'cus_nobody' }]) {
      expect(await provider().find(creditOf(500n, other))).toEqual({ state: 'none' });
    }
    expect(await provider().report('prj_shop', 'cus_ada', ['rwd_1'], SINCE)).toEqual(
      new Map([['rwd_1', 739n]]),
    );
  });

  test.each([
    ['reset_before', { state: 'unknown', isAnswered: false }, 0],
    ['reset_after', { state: 'unknown', isAnswered: false }, 1],
    ['silence_before', { state: 'unknown', isAnswered: false }, 0],
    ['silence_after', { state: 'unknown', isAnswered: false }, 1],
    ['error_before', { state: 'unknown', isAnswered: true }, 0],
    ['error_after', { state: 'unknown', isAnswered: true }, 1],
    ['late', { state: 'unknown', isAnswered: false }, 0],
    ['gateway', { state: 'unknown', isAnswered: false }, 0],
    ['throttled', { state: 'retry' }, 0],
    ['conflict', { state: 'retry' }, 0],
    ['unauthorized', { state: 'locked_out' }, 0],
  ] as const)('%s: says what is certain', async (fault, answer, made) => {
    void fake.fault(fault);
    expect(await provider().deliver(creditOf(500n))).toMatchObject(answer);
    expect(account().balanceTransactions).toHaveLength(made);
    expect(await provider().find(creditOf(500n))).toMatchObject({
      state: made ? 'delivered' : 'none',
    });
  });

  test('an answer that does not come, or cannot be given, to a question is no answer', async () => {
    for (const fault of ['silence_before', 'error_before', 'throttled'] as const) {
      void fake.fault(fault, { method: 'GET' });
      await expect(provider().find(creditOf(500n))).rejects.toThrow();
    }
  });

  test('who is not let in says so, and nothing that looks like a key', async () => {
    void fake.fault('unauthorized', { method: 'GET' });
    expect(await provider().find(creditOf(500n))).toEqual({
      state: 'locked_out',
      message: '401 Expired API Key provided: …',
    });
  });

  test('whoever is gone has nothing that could be taken from them, and gets nothing', async () => {
    const correct = (amountMinor: bigint, attempt: number) =>
      provider().deliver(
        creditOf(amountMinor, { account: 'cus_nobody', step: 'correct', attempt }),
      );
    expect(await correct(-200n, 2)).toMatchObject({ state: 'delivered' });
    expect(await correct(200n, 3)).toMatchObject({ state: 'refused' });
  });

  test('is asked only about what can be among it', async () => {
    await provider().deliver(creditOf(500n));
    nowMs += 3 * 86_400_000;
    await provider().deliver(creditOf(700n, { attempt: 2 }));
    const later = new Date(nowMs).toISOString();
    expect(await provider().report('prj_shop', 'cus_ada', ['rwd_1'], later)).toEqual(
      new Map([['rwd_1', 700n]]),
    );
  });

  test.each([
    ['an unknown customer', { account: 'cus_nobody' }],
    ['a deleted customer', { account: 'cus_gone' }],
    ['one who pays in another currency', { account: 'cus_usd' }],
  ])('refuses %s', async (_, changes) => {
    account().addCustomer({ id: 'cus_gone', deleted: true });
    account().addCustomer({ id: 'cus_usd', currency: 'usd' });
    const answer = await provider().deliver(creditOf(500n, changes));
    expect(answer).toEqual({ state: 'refused', message: expect.stringMatching(/^4\d\d .+/) });
    expect(account().balanceTransactions).toEqual([]);
  });

  test('the same order twice, and at once, is one transaction', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => provider().deliver(creditOf(500n))));
    expect(account().balanceTransactions).toHaveLength(1);
    for (const answer of answers) expect(['delivered', 'unknown']).toContain(answer.state);
    expect(await provider().deliver(creditOf(500n))).toMatchObject({ state: 'delivered' });
    // If the key was used for something else, the result is unknown.
    expect(await provider().deliver(creditOf(700n))).toEqual({
      state: 'unknown',
      isAnswered: true,
    });
    expect(account().balanceTransactions).toHaveLength(1);
  });
});

describe('stripe_coupon', () => {
  const provider = () => createCouponProvider(accounts());
  const quarter = { rateBps: 2_550, durationMode: 'months', durationMonths: 3 } as const;
  const couponOf = (changes: Partial<RewardOrder> = {}) =>
    anOrder({ discount: quarter, ...changes });
  beforeEach(() => void account().addCustomer({ id: 'cus_ada' }));

  test('is put on the oldest subscription that pays, beside what is there', async () => {
    const ended = account().addSubscription('cus_ada', 'canceled');
    const first = account().addSubscription('cus_ada', 'past_due');
    const second = account().addSubscription('cus_ada');
    const other = await provider().deliver(couponOf({ rewardId: 'rwd_0' }));
    const answer = await provider().deliver(couponOf());
    expect(first.discounts.map(({ id }) => id)).toEqual([
      other.state === 'delivered' && other.reference,
      answer.state === 'delivered' && answer.reference,
    ]);
    expect([...ended.discounts, ...second.discounts]).toEqual([]);
    expect(account().coupons.get('rwd_1')).toMatchObject({
      percent_off: 25.5,
      duration: 'repeating',
      duration_in_months: 3,
      max_redemptions: 1,
      times_redeemed: 1,
      metadata: { projectId: 'prj_shop', rewardId: 'rwd_1' },
    });
    expect(account().promotionCodes.size).toBe(0);
  });

  test.each([
    ['at the end of its period', { cancel_at_period_end: true }],
    ['at a time', { cancel_at: 1_800_000_000 }],
  ])('a subscription that ends %s is invoiced no more: it gets none', async (_, ending) => {
    const ends = Object.assign(account().addSubscription('cus_ada'), ending);
    await provider().deliver(couponOf());
    expect(ends.discounts).toEqual([]);
    expect(account().promotionCodes.size).toBe(1);
    const goesOn = account().addSubscription('cus_ada');
    await provider().deliver(couponOf({ rewardId: 'rwd_2' }));
    expect([ends, goesOn].map(({ discounts }) => discounts.length)).toEqual([0, 1]);
  });

  test('what was used up was given, also when nobody heard of it', async () => {
    const discount = { rateBps: 1_000, durationMode: 'once', durationMonths: null } as const;
    const subscription = account().addSubscription('cus_ada');
    void fake.fault('silence_after', { path: /subscriptions\// });
    expect(await provider().deliver(couponOf({ discount }))).toMatchObject({ state: 'unknown' });
    account().bill(subscription);
    const given = { state: 'delivered', reference: 'rwd_1' };
    expect(await provider().find(couponOf({ discount }))).toEqual(given);
    expect(await provider().deliver(couponOf({ discount }))).toEqual(given);
    expect(subscription.discounts).toEqual([]);
    subscription.status = 'canceled';
    const reported = await provider().report('prj_shop', 'cus_ada', ['rwd_1'], SINCE);
    expect(reported).toEqual(new Map([['rwd_1', 1n]]));
  });

  test('without a subscription it is a code that only the customer can redeem, once', async () => {
    const answer = await provider().deliver(couponOf());
    const [code] = [...account().promotionCodes.values()];
    expect(answer).toEqual({ state: 'delivered', reference: code?.id });
    expect(code).toMatchObject({
      customer: 'cus_ada',
      max_redemptions: 1,
      promotion: { type: 'coupon', coupon: 'rwd_1' },
      metadata: { rewardId: 'rwd_1' },
    });
  });

  test.each([
    ['once', null, { duration: 'once', duration_in_months: null }],
    ['forever', null, { duration: 'forever', duration_in_months: null }],
    ['months', 12, { duration: 'repeating', duration_in_months: 12 }],
  ] as const)('lasts as the Reward does: %s', async (durationMode, durationMonths, expected) => {
    const discount = { rateBps: 1_000, durationMode, durationMonths };
    await provider().deliver(couponOf({ discount }));
    expect(account().coupons.get('rwd_1')).toMatchObject({ percent_off: 10, ...expected });
  });

  const POSTS = [/coupons$/, /subscriptions\//, /promotion_codes$/];
  const FAULTS = [
    'silence_before',
    'silence_after',
    'error_before',
    'error_after',
    'throttled',
  ] as const;
  test.each(POSTS.flatMap((path) => FAULTS.map((fault) => [fault, path] as const)))(
    '%s at %s: told again, it is there once',
    async (fault, path) => {
      const subscribes = path.source.includes('subscriptions');
      const subscription = subscribes ? account().addSubscription('cus_ada') : null;
      void fake.fault(fault, { path });
      const answer = await provider().deliver(couponOf());
      expect(answer.state).toBe(fault === 'throttled' ? 'retry' : 'unknown');
      const found = await provider().find(couponOf());
      // The next attempt has another key, as after a certain failure.
      const again = couponOf(answer.state === 'retry' ? { attempt: 2 } : {});
      const isDone = fault.endsWith('_after') && !path.source.startsWith('coupons');
      expect(found.state).toBe(isDone ? 'delivered' : 'none');
      const second = fault.startsWith('error') ? couponOf({ attempt: 2 }) : again;
      const told = await provider().deliver(second);
      expect(told.state).toBe('delivered');
      expect(await provider().find(second)).toEqual(told);
      expect(account().coupons.size).toBe(1);
      const codes = [...account().promotionCodes.values()];
      expect((subscription?.discounts.length ?? 0) + codes.length).toBe(1);
    },
  );

  test('over a connection that breaks nothing is certain, and the coupon is there once', async () => {
    const subscription = account().addSubscription('cus_ada');
    void fake.fault('reset_after', { path: /subscriptions\// });
    const answer = await provider().deliver(couponOf());
    expect(answer).toEqual({ state: 'unknown', isAnswered: false });
    expect(await provider().find(couponOf())).toMatchObject({ state: 'delivered' });
    expect(subscription.discounts).toHaveLength(1);
  });

  test('nothing is asked once it was given: a call that fails then would tell the opposite', async () => {
    account().addSubscription('cus_ada');
    await provider().deliver(couponOf());
    expect(fake.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: expect.stringContaining('/v1/subscriptions/'),
    });
    account().addCustomer({ id: 'cus_bob' });
    await provider().deliver(couponOf({ rewardId: 'rwd_2', account: 'cus_bob' }));
    expect(fake.requests.at(-1)).toMatchObject({ method: 'POST', path: '/v1/promotion_codes' });
  });

  test('is taken back from wherever it is, and what is not ours stays', async () => {
    const subscription = account().addSubscription('cus_ada');
    await provider().deliver(couponOf({ rewardId: 'rwd_0' }));
    await provider().deliver(couponOf());
    const back = couponOf({ step: 'take_back', attempt: 2 });
    expect(await provider().find(back)).toEqual({ state: 'none' });
    expect(await provider().takeBack(back)).toEqual({ state: 'delivered', reference: 'rwd_1' });
    expect(subscription.discounts.map(({ source }) => source.coupon)).toEqual(['rwd_0']);
    expect([...account().coupons.keys()]).toEqual(['rwd_0']);
    expect(await provider().find(back)).toMatchObject({ state: 'delivered' });
    expect(await provider().takeBack(back)).toMatchObject({ state: 'delivered' });
    await provider().takeBack(couponOf({ rewardId: 'rwd_0', step: 'take_back', attempt: 2 }));
    expect(subscription.discounts).toEqual([]);
  });

  test('a code that was not redeemed is worth nothing any more; one that was goes from the subscription', async () => {
    await provider().deliver(couponOf());
    await provider().deliver(couponOf({ rewardId: 'rwd_2' }));
    const [, redeemed] = [...account().promotionCodes.values()];
    const subscription = account().addSubscription('cus_ada');
    const client = await accounts().open('prj_shop');
    await client.subscriptions.update(subscription.id, {
      discounts: [{ promotion_code: redeemed?.id ?? '' }],
    });
    for (const rewardId of ['rwd_1', 'rwd_2']) {
      expect(await provider().report('prj_shop', 'cus_ada', [rewardId], SINCE)).toEqual(
        new Map([[rewardId, 1n]]),
      );
      await provider().takeBack(couponOf({ rewardId, step: 'take_back', attempt: 2 }));
      expect(await provider().report('prj_shop', 'cus_ada', [rewardId], SINCE)).toEqual(
        new Map([[rewardId, 0n]]),
      );
    }
    expect(subscription.discounts).toEqual([]);
    expect([...account().promotionCodes.values()].map(({ active }) => active)).toEqual([
      false,
      false,
    ]);
  });

  const backOf = () => couponOf({ step: 'take_back', attempt: 2 });
  test.each([
    ['throttled', true],
    ['silence_before', true],
    ['throttled', false],
    ['silence_before', false],
  ] as const)(
    'a take-back that ends half-way (%s; on a subscription: %s) is neither done nor undone, and is finished',
    async (fault, isSubscribed) => {
      if (isSubscribed) account().addSubscription('cus_ada');
      const first = await provider().deliver(couponOf());
      void fake.fault(fault, { method: 'DELETE' });
      expect(await provider().takeBack(backOf())).toMatchObject({ state: 'unknown' });
      expect(await provider().find(backOf())).toEqual({ state: 'begun' });
      expect(await provider().takeBack(backOf())).toMatchObject({ state: 'delivered' });
      // When it is delivered again, only new objects count.
      const again = couponOf({ attempt: 3 });
      expect(await provider().find(again)).toEqual({ state: 'none' });
      void fake.fault('silence_before', { path: /subscriptions\/|promotion_codes$/ });
      expect(await provider().deliver(again)).toMatchObject({ state: 'unknown' });
      expect(await provider().find(again)).toEqual({ state: 'none' });
      const second = await provider().deliver(again);
      expect(second.state).toBe('delivered');
      expect(second).not.toEqual(first);
      expect(await provider().find(again)).toEqual(second);
    },
  );

  test('a take-back that was refused before it changed anything was certainly not begun', async () => {
    account().addSubscription('cus_ada');
    await provider().deliver(couponOf());
    void fake.fault('throttled', { path: /subscriptions\// });
    expect(await provider().takeBack(backOf())).toMatchObject({ state: 'retry' });
    expect(await provider().find(backOf())).toEqual({ state: 'none' });
  });

  test('an unknown customer is refused', async () => {
    const answer = await provider().deliver(couponOf({ account: 'cus_nobody' }));
    expect(answer).toMatchObject({ state: 'refused' });
  });
});
