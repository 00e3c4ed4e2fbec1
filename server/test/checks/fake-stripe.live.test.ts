import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStripeClient } from '../../src/outbound/integrations/stripe/connections/client.ts';
import { type FakeStripe, startFakeStripe } from '../stripe/fake-stripe.ts';

const KEY = 'sk_test_shop';
let fake: FakeStripe;
let client: Stripe;

beforeEach(async () => {
  fake = await startFakeStripe({ timeoutMs: 1_000 });
  client = await createStripeClient(KEY, fake.reach);
});
afterEach(() => fake.close());

const credit = (customer: string, idempotencyKey: string, amount = -500) =>
  client.customers.createBalanceTransaction(
    customer,
    { amount, currency: 'eur', metadata: { rewardId: 'rwd_1' } },
    { idempotencyKey },
  );

describe('the fake Stripe, by the official client', () => {
  test('a credit is on the balance, with its metadata', async () => {
    const customer = await client.customers.create({ name: 'Ada' });
    const made = await credit(customer.id, 'k1');
    expect(made).toMatchObject({ amount: -500, ending_balance: -500, currency: 'eur' });
    expect(made.metadata).toEqual({ rewardId: 'rwd_1' });
    expect(await client.customers.retrieve(customer.id)).toMatchObject({ balance: -500 });
  });

  test('a repeat under one key gets the first answer, and changes nothing', async () => {
    const { id } = await client.customers.create({});
    const first = await credit(id, 'k1');
    expect((await credit(id, 'k1')).id).toBe(first.id);
    expect(fake.account(KEY).balanceTransactions).toHaveLength(1);
    await expect(credit(id, 'k1', -700)).rejects.toBeInstanceOf(
      Stripe.errors.StripeIdempotencyError,
    );
    fake.forgetKeys();
    await credit(id, 'k1');
    expect(fake.account(KEY).balanceTransactions).toHaveLength(2);
  });

  test('silence_after: it is done, and nobody hears of it', async () => {
    const { id } = fake.account(KEY).addCustomer();
    void fake.fault('silence_after');
    await expect(credit(id, 'k1')).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError);
    expect(fake.account(KEY).balanceTransactions).toHaveLength(1);
    await credit(id, 'k1');
    expect(fake.account(KEY).balanceTransactions).toHaveLength(1);
  });

  test.each([
    ['reset_before', 0],
    ['reset_after', 1],
  ] as const)('%s: over a connection that breaks the client calls once', async (how, made) => {
    const { id } = fake.account(KEY).addCustomer();
    void fake.fault(how);
    await expect(credit(id, 'k1')).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError);
    expect(fake.requests).toHaveLength(1);
    expect(fake.account(KEY).balanceTransactions).toHaveLength(made);
  });

  test('an error of the server is kept under its key', async () => {
    const { id } = fake.account(KEY).addCustomer();
    void fake.fault('error_after');
    await expect(credit(id, 'k1')).rejects.toMatchObject({ statusCode: 500 });
    await expect(credit(id, 'k1')).rejects.toMatchObject({ statusCode: 500 });
    expect(fake.account(KEY).balanceTransactions).toHaveLength(1);
  });

  test('a refusal that came after it had begun is kept under its key; one of a parameter is not', async () => {
    await expect(credit('cus_late', 'k1')).rejects.toMatchObject({ code: 'resource_missing' });
    fake.account(KEY).addCustomer({ id: 'cus_late' });
    await expect(credit('cus_late', 'k2', 0)).rejects.toMatchObject({ code: 'parameter_invalid' });
    await expect(credit('cus_late', 'k1')).rejects.toMatchObject({ code: 'resource_missing' });
    await credit('cus_late', 'k2');
    expect(fake.account(KEY).balanceTransactions).toHaveLength(1);
  });

  test.each(['late', 'gateway'] as const)('%s: it is done later, and only once', async (how) => {
    const { id } = fake.account(KEY).addCustomer();
    void fake.fault(how);
    await expect(credit(id, 'k1')).rejects.toBeInstanceOf(Stripe.errors.StripeError);
    expect(fake.account(KEY).balanceTransactions).toEqual([]);
    fake.land();
    expect(fake.account(KEY).balanceTransactions).toHaveLength(1);
    await credit(id, 'k1');
    expect(fake.account(KEY).balanceTransactions).toHaveLength(1);
  });

  test('an invoice uses up what is for one invoice, and the coupon remembers', async () => {
    const { id: customer } = fake.account(KEY).addCustomer();
    const subscription = fake.account(KEY).addSubscription(customer);
    await client.coupons.create({ id: 'one', percent_off: 5, duration: 'once' });
    await client.coupons.create({ id: 'all', percent_off: 5, duration: 'forever' });
    await client.subscriptions.update(subscription.id, {
      discounts: [{ coupon: 'one' }, { coupon: 'all' }],
    });
    fake.account(KEY).bill(subscription);
    expect(subscription.discounts.map(({ source }) => source.coupon)).toEqual(['all']);
    expect(await client.coupons.retrieve('one')).toMatchObject({ times_redeemed: 1 });
  });

  test.each([
    ['throttled', 429, Stripe.errors.StripeRateLimitError],
    ['conflict', 429, Stripe.errors.StripeRateLimitError],
    ['unauthorized', 401, Stripe.errors.StripeAuthenticationError],
  ] as const)('%s: refused with %s, and free to try again', async (how, statusCode, kind) => {
    const { id } = fake.account(KEY).addCustomer();
    void fake.fault(how);
    const refused = credit(id, 'k1');
    await expect(refused).rejects.toMatchObject({ statusCode });
    await expect(refused).rejects.toBeInstanceOf(kind);
    await credit(id, 'k1');
    expect(fake.account(KEY).balanceTransactions).toHaveLength(1);
  });

  test('lists come in pages, newest first', async () => {
    const { id } = fake.account(KEY).addCustomer();
    for (let at = 1; at <= 23; at += 1) await credit(id, `k${at}`, -at);
    const amounts: number[] = [];
    for await (const made of client.customers.listBalanceTransactions(id)) {
      amounts.push(made.amount);
    }
    expect(amounts).toEqual(Array.from({ length: 23 }, (_, at) => at - 23));
  });

  test('what Stripe does not know is refused as Stripe does', async () => {
    await expect(credit('cus_none', 'k1')).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    });
    const { id } = fake.account(KEY).addCustomer({ currency: 'usd' });
    await expect(credit(id, 'k2')).rejects.toMatchObject({ statusCode: 400 });
    await expect(
      client.customers.create({ colour: 'red' } as Stripe.CustomerCreateParams),
    ).rejects.toMatchObject({ code: 'parameter_unknown', param: 'colour' });
    await expect(client.coupons.retrieve('none')).rejects.toMatchObject({ statusCode: 404 });
    expect(fake.account(KEY).balanceTransactions).toEqual([]);
  });

  test('a coupon is made once under its id, and put on a subscription beside the others', async () => {
    const { id: customer } = fake.account(KEY).addCustomer();
    const { id } = fake.account(KEY).addSubscription(customer);
    await client.coupons.create({ id: 'first', percent_off: 12.5, duration: 'forever' });
    await client.coupons.create({ id: 'second', percent_off: 20, duration: 'once' });
    await expect(
      client.coupons.create({ id: 'first', percent_off: 10, duration: 'once' }),
    ).rejects.toMatchObject({ code: 'resource_already_exists' });
    await client.subscriptions.update(id, { discounts: [{ coupon: 'first' }] });
    const { discounts } = await client.subscriptions.retrieve(id);
    const [kept] = discounts as string[];
    const both = await client.subscriptions.update(id, {
      discounts: [{ discount: kept ?? '' }, { coupon: 'second' }],
      expand: ['discounts'],
    });
    expect(both.discounts.map((one) => (one as Stripe.Discount).source.coupon)).toEqual([
      'first',
      'second',
    ]);
    await client.coupons.del('first');
    expect((await client.subscriptions.retrieve(id)).discounts).toHaveLength(2);
  });

  test('a promotion code is for its customer alone', async () => {
    const { id: customer } = fake.account(KEY).addCustomer();
    await client.coupons.create({ id: 'one', percent_off: 5, duration: 'once' });
    const code = await client.promotionCodes.create({
      promotion: { type: 'coupon', coupon: 'one' },
      customer,
      max_redemptions: 1,
    });
    const other = fake.account(KEY).addSubscription(fake.account(KEY).addCustomer().id);
    const redeem = (id: string) =>
      client.subscriptions.update(id, { discounts: [{ promotion_code: code.id }] });
    await expect(redeem(other.id)).rejects.toMatchObject({ statusCode: 400 });
    await redeem(fake.account(KEY).addSubscription(customer).id);
    const listed = await client.promotionCodes.list({ coupon: 'one' });
    expect(listed.data).toMatchObject([{ id: code.id, active: false, times_redeemed: 1 }]);
  });
});
