import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { startService, type TestService } from '../harness.ts';
import { openRewardShop, type RewardShop } from '../reward-shop.ts';
import type { FakeAccount } from '../stripe/account.ts';
import { type FakeStripe, type StripeFault, startFakeStripe } from '../stripe/fake-stripe.ts';

let fake: FakeStripe;
let service: TestService;
let shop: RewardShop;
let account: FakeAccount;
let shops = 0;
beforeAll(async () => {
  fake = await startFakeStripe({ nowMs: () => service.clock.nowMs() });
  service = await startService({ stripeReach: fake.reach });
});
afterAll(async () => {
  await service.close();
  await fake.close();
});
beforeEach(async () => {
  fake.mend();
  shops += 1;
  const restrictedKey = `rk_test_${String(shops).padStart(20, 'a')}`;
  account = fake.account(restrictedKey);
  shop = await openRewardShop(service, async (projectId) => {
    const { status } = await service.call('POST', '/v1/integrations/stripe/connections', {
      as: 'operator',
      body: { projectId, restrictedKey },
    });
    expect(status).toBe(200);
  });
  account.addCustomer({ id: 'cus_ada' });
});

async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    service.clock.advance(DAY_MS);
    await service.deliverRewards();
  }
}

interface Reconciled {
  readonly id: string;
  readonly method: string;
  readonly currency: string | null;
  readonly believedMinor: string;
  readonly reportedMinor: string | null;
  readonly driftMinor: string | null;
  readonly verdict: string;
}

/** In small pages, so that there are several. */
async function reconcile(): Promise<Reconciled[]> {
  const rows: Reconciled[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const from: Record<string, string> = cursor === undefined ? {} : { cursor };
    const { status, body } = await shop.read('/v1/reconciliation', { limit: '2', ...from });
    expect(status).toBe(200);
    rows.push(...body.data);
    cursor = body.nextCursor;
  }
  return rows;
}

/** Our books are sound, and Stripe's are the same. */
async function expectSound(): Promise<void> {
  const { kept } = await verifyProject(service.database, shop.project.projectId);
  expect(kept).toEqual([]);
  expect((await reconcile()).filter(({ verdict }) => verdict !== 'even')).toEqual([]);
}

const creditsOf = (rewardId: string) =>
  account.balanceTransactions
    .filter(({ metadata }) => metadata.rewardId === rewardId)
    .map(({ amount }) => amount);

describe('through a Project’s own Stripe account', () => {
  test('a credit is on the customer’s balance, follows refunds, and goes with a void', async () => {
    await shop.bill('cus_ada');
    const id = await shop.earn('credit', 'o1');
    await service.deliverRewards();
    expect(creditsOf(id)).toEqual([-500]);
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: 'fulfilled',
      delivery: { status: 'delivered', providerReference: account.balanceTransactions[0]?.id },
    });
    await shop.adjust('refund', 'o1', '400');
    await service.deliverRewards();
    await shop.adjust('restoration', 'o1', '200', { restores: 'refund-o1' });
    await service.deliverRewards();
    expect(creditsOf(id)).toEqual([-500, 200, -100]);
    await shop.voidReward(id);
    await service.deliverRewards();
    expect(creditsOf(id)).toEqual([-500, 200, -100, 400]);
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: 'revoked',
      revocation: { actor: 'service' },
    });
    expect(account.customers.get('cus_ada')?.balance).toBe(0);
    await expectSound();
  });

  test('a discount is a coupon on the subscription, and goes with a void', async () => {
    const subscription = account.addSubscription('cus_ada');
    await shop.bill('cus_ada');
    const id = await shop.earn('discount', 'o1');
    await service.deliverRewards();
    expect(subscription.discounts.map(({ source }) => source.coupon)).toEqual([id]);
    expect(account.coupons.get(id)).toMatchObject({
      percent_off: 25,
      duration: 'repeating',
      duration_in_months: 3,
    });
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: 'fulfilled',
      delivery: { providerReference: subscription.discounts[0]?.id },
    });
    await expectSound();
    await shop.voidReward(id);
    await service.deliverRewards();
    expect(subscription.discounts).toEqual([]);
    expect(account.coupons.size).toBe(0);
    expect(await shop.newsOf(id)).toEqual([
      'reward.earned',
      'reward.fulfilled',
      'reward.voided',
      'reward.revoked',
    ]);
    await expectSound();
  });

  test.each(['silence_before', 'throttled'] as const)(
    'a discount that a restoration finds half taken back (%s) is given once more',
    async (fault) => {
      const subscription = account.addSubscription('cus_ada');
      await shop.bill('cus_ada');
      const id = await shop.earn('discount', 'o1');
      await service.deliverRewards();
      await shop.adjust('refund', 'o1', '1000');
      void fake.fault(fault, { method: 'DELETE' });
      await service.deliverRewards();
      expect(subscription.discounts).toEqual([]);
      expect(account.coupons.size).toBe(1);
      await shop.adjust('restoration', 'o1', '1000', { restores: 'refund-o1' });
      await passDays(2);
      expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'fulfilled', void: null });
      expect(subscription.discounts.map(({ source }) => source.coupon)).toEqual([id]);
      await expectSound();
    },
  );

  test('a credit for a milestone that is regained while it is taken back is given once more', async () => {
    await shop.addRule({
      durationMode: null,
      benefitKind: 'credit',
      calculation: 'milestone',
      fixedAmountMinor: '700',
      milestone: { measure: 'purchases', at: '2', repeat: true },
      currency: 'USD',
      currencyExponent: 2,
    });
    await shop.bill('cus_ada');
    await shop.order('o1');
    await service.deliverRewards();
    const { data } = (await shop.read('/v1/rewards', { eventId: await shop.order('o2') })).body;
    const { id } = data.find((one: { milestone: object | null }) => one.milestone !== null);
    const unanswered = (): void => {
      void fake.fault('silence_after', { path: /balance_transactions/ });
    };
    // The milestone is lost while it is granted, like the credit for the purchase itself.
    unanswered();
    unanswered();
    await service.deliverRewards();
    await shop.adjust('refund', 'o1', '1000');
    unanswered();
    unanswered();
    await passDays(1);
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'revocation_pending' });
    expect(creditsOf(id)).toEqual([-700, 700]);
    await shop.order('o3');
    await passDays(2);
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'fulfilled', void: null });
    expect(creditsOf(id)).toEqual([-700, 700, -700]);
    await expectSound();
  });

  test('several discounts of one customer all end up on the subscription', async () => {
    const subscription = account.addSubscription('cus_ada');
    await shop.bill('cus_ada');
    const ids: string[] = [];
    for (const who of ['cleo', 'dan', 'eve']) ids.push(await shop.earnBy('discount', who));
    await service.deliverRewards();
    await passDays(3);
    expect(subscription.discounts.map(({ source }) => source.coupon).toSorted()).toEqual(
      ids.toSorted(),
    );
    await expectSound();
  });

  test('a customer that Stripe does not know is rejected; another one, and a retry, mend it', async () => {
    await shop.bill('cus_nobody');
    const id = await shop.earn('credit', 'o1');
    await service.deliverRewards();
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: 'failed',
      delivery: { status: 'failed', reason: 'provider_rejected' },
    });
    await shop.bill('cus_ada');
    await shop.post(`/v1/rewards/${id}/retry`);
    await service.deliverRewards();
    expect(creditsOf(id)).toEqual([-500]);
    await expectSound();
  });

  test('secrets appear nowhere in what is logged', () => {
    expect(service.log.join('\n')).not.toMatch(/rk_test_a/);
  });
});

const FAULTS: readonly StripeFault[] = [
  'reset_before',
  'reset_after',
  'silence_before',
  'silence_after',
  'error_before',
  'error_after',
  'throttled',
  'conflict',
  'unauthorized',
  'late',
  'gateway',
];

describe('whatever goes wrong with the calls (D-RWD-10)', () => {
  test.each(FAULTS)('%s: each Reward is delivered once, and taken back once', async (fault) => {
    const subscription = account.addSubscription('cus_ada');
    await shop.bill('cus_ada');
    const { credit = '', discount = '' } = await shop.buy('o1');
    // More of it than there are calls in a row, and at questions as well.
    for (let times = 0; times < 3; times += 1) {
      void fake.fault(fault, { path: /balance_transactions/ });
      void fake.fault(fault, { path: /coupons|subscriptions/ });
    }
    void fake.fault(fault, { method: 'GET', path: /balance_transactions/ });
    await service.deliverRewards();
    await passDays(8);
    fake.mend();
    fake.land();
    expect(creditsOf(credit)).toEqual([-500]);
    expect(subscription.discounts.map(({ source }) => source.coupon)).toEqual([discount]);
    await expectSound();
    void fake.fault(fault, { path: /balance_transactions/ });
    void fake.fault(fault, { path: /subscriptions/ });
    void fake.fault(fault, { method: 'DELETE' });
    await shop.voidReward(credit);
    await shop.voidReward(discount);
    await service.deliverRewards();
    await passDays(8);
    fake.mend();
    expect(creditsOf(credit)).toEqual([-500, 500]);
    expect(subscription.discounts).toEqual([]);
    expect(account.coupons.size).toBe(0);
    for (const id of [credit, discount]) {
      expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'revoked' });
    }
    await expectSound();
  });

  test('a key that Stripe has forgotten does not lead to a second credit', async () => {
    await shop.bill('cus_ada');
    const id = await shop.earn('credit', 'o1');
    void fake.fault('silence_after', { path: /balance_transactions/ });
    await service.deliverRewards();
    fake.forgetKeys();
    await passDays(2);
    expect(creditsOf(id)).toEqual([-500]);
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'fulfilled' });
  });
});

describe('reconciliation', () => {
  test('tells what Stripe has more, or less, than is believed', async () => {
    await shop.bill('cus_ada');
    const more = await shop.earn('credit', 'o1');
    const less = await shop.earn('credit', 'o2');
    const fine = await shop.earn('credit', 'o3');
    await service.deliverRewards();
    await passDays(1);
    const [first] = account.balanceTransactions.filter(({ metadata }) => {
      return metadata.rewardId === more;
    });
    if (!first) throw new Error('Nothing was credited.');
    account.balanceTransactions.push({ ...first, id: 'cbtxn_twice' });
    const at = account.balanceTransactions.findIndex(({ metadata }) => metadata.rewardId === less);
    account.balanceTransactions.splice(at, 1);
    const [coupon] = account.coupons.keys();
    account.coupons.delete(coupon ?? '');
    const rows = new Map((await reconcile()).map((row) => [row.id, row]));
    expect(rows.size).toBe(4);
    expect(rows.get(more)).toEqual({
      method: 'stripe_balance',
      subject: 'reward',
      id: more,
      currency: 'USD',
      believedMinor: '500',
      reportedMinor: '1000',
      driftMinor: '500',
      verdict: 'differs',
    });
    expect(rows.get(less)).toMatchObject({ reportedMinor: '0', driftMinor: '-500' });
    expect(rows.get(fine)).toMatchObject({ reportedMinor: '500', verdict: 'even' });
    expect(rows.get(coupon ?? '')).toMatchObject({
      method: 'stripe_coupon',
      currency: null,
      believedMinor: '1',
      reportedMinor: '0',
      driftMinor: '-1',
      verdict: 'differs',
    });
    const { body } = await shop.read('/v1/reconciliation');
    expect(body.totals).toContainEqual({
      method: 'stripe_balance',
      currency: 'USD',
      compared: 3,
      differing: 2,
      unanswered: 0,
      believedMinor: '1500',
      reportedMinor: '1500',
      driftMinor: '0',
    });
  });

  test('a discount that was used up, on a subscription that ended since, is even', async () => {
    const subscription = account.addSubscription('cus_ada');
    await shop.bill('cus_ada');
    const id = await shop.earn('discount', 'o1');
    await service.deliverRewards();
    // As Stripe does when the last invoice that it is for is made.
    subscription.discounts = [];
    subscription.status = 'canceled';
    expect((await reconcile()).filter((row) => row.id === id)).toMatchObject([
      { believedMinor: '1', reportedMinor: '1', verdict: 'even' },
    ]);
  });

  test('that Stripe gives no answer to is unanswered', async () => {
    await shop.bill('cus_ada');
    const id = await shop.earn('credit', 'o1');
    await service.deliverRewards();
    void fake.fault('unauthorized', { method: 'GET', path: /balance_transactions/ });
    expect((await reconcile()).filter((row) => row.id === id)).toMatchObject([
      { believedMinor: '500', reportedMinor: null, driftMinor: null, verdict: 'unanswered' },
    ]);
  });
});
