import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FakeAccount } from '../../../../test/stripe/account.ts';
import { addConnected, connectRoutes, platformOf } from '../../../../test/stripe/connect.ts';
import { type FakeStripe, startFakeStripe } from '../../../../test/stripe/fake-stripe.ts';
import { FAILURE_REASONS } from '../../payouts/methods.ts';
import type { TransferOrder } from '../../payouts/provider.ts';
import { createStripeClient } from '../stripe/connections/client.ts';
import { StripeConnectProvider } from './provider.ts';
import { FAILURES, stateOf } from './states.ts';

const KEY = 'sk_test_platform';
let stripe: FakeStripe;
let account: FakeAccount;
let provider: StripeConnectProvider;
let order: TransferOrder;
beforeEach(async () => {
  stripe = await startFakeStripe({ routes: connectRoutes });
  account = stripe.account(KEY);
  provider = new StripeConnectProvider('pcn_1', await createStripeClient(KEY, stripe.reach));
  order = {
    payoutId: 'po_1',
    key: 'po_1_1',
    sentAt: null,
    amountMinor: 1_234n,
    currency: 'USD',
    currencyExponent: 2,
    details: { type: 'stripe_connect', accountId: addConnected(account).id },
    payeeName: null,
  };
});
afterEach(() => stripe.close());

const ref = (reference: string | null = null) => ({
  payoutId: 'po_1',
  key: 'po_1_1',
  sentAt: '2026-11-15T09:30:00.000Z',
  reference,
  failureCode: null,
});
const transfers = () => platformOf(account).transfers;
/** The answer to the order; an exception counts as unknown, as callers do. */
const submitted = () => provider.submit(order).catch(() => ({ state: 'unknown' }) as const);

test('a transfer that is made is paid; one taken back whole has returned (D-PAY-3)', () => {
  const facts = { id: 'tr_1', amount: 100, currency: 'usd' };
  const of = (amount_reversed: number) => stateOf({ ...facts, amount_reversed }).state;
  expect([of(0), of(99), of(100)]).toEqual(['paid', 'paid', 'returned']);
  for (const reason of Object.values(FAILURES)) expect(FAILURE_REASONS).toContain(reason);
});

describe('an order', () => {
  test('is a transfer to the payee’s account, with what it is found by', async () => {
    const answer = await provider.submit(order);
    const [made] = transfers();
    expect(answer).toEqual({ state: 'paid', reference: made?.id });
    expect(made).toMatchObject({
      amount: 1_234,
      currency: 'usd',
      transfer_group: 'po_1',
      metadata: { payoutId: 'po_1', key: 'po_1_1' },
    });
  });

  test.each([
    ['JPY', 0, 5_000n, 5_000],
    ['ISK', 0, 5_000n, 500_000],
    ['KWD', 3, 5_120n, 5_120],
  ])('in %s is in Stripe’s own units', async (currency, currencyExponent, amountMinor, amount) => {
    await provider.submit({ ...order, currency, currencyExponent, amountMinor });
    expect(transfers()[0]?.amount).toBe(amount);
  });

  test('of an amount that Stripe cannot carry exactly fails before any call', async () => {
    const odd = { currency: 'KWD', currencyExponent: 3, amountMinor: 5_124n };
    expect(await provider.submit({ ...order, ...odd })).toMatchObject({
      state: 'failed',
      failureReason: 'rejected_by_provider',
    });
    expect(stripe.requests).toEqual([]);
  });

  test('without the money for it is refused, and worth another try', async () => {
    platformOf(account).balance = 1_233;
    expect(await provider.submit(order)).toMatchObject({
      state: 'refused',
      failureReason: 'insufficient_funds',
    });
  });

  test.each([
    ['acct_nobody', 'invalid_details'],
    ['inactive', 'compliance'],
  ])('to %s fails: %s', async (accountId, failureReason) => {
    addConnected(account, { id: 'inactive', capabilities: { transfers: 'inactive' } });
    const details = { type: 'stripe_connect', accountId } as const;
    expect(await provider.submit({ ...order, details })).toMatchObject({
      state: 'failed',
      failureReason,
    });
    expect(transfers()).toEqual([]);
  });

  test.each([
    ['throttled', 'refused'],
    ['unauthorized', 'refused'],
    ['conflict', 'refused'],
    ['error_before', 'unknown'],
    ['error_after', 'unknown'],
    ['silence_after', 'unknown'],
  ] as const)('answered with %s is %s', async (fault, state) => {
    void stripe.fault(fault);
    expect((await submitted()).state).toBe(state);
  });
});

describe('an order that broke down at Stripe, which says so again for a day', () => {
  test('and has made nothing: goes out under the next key', async () => {
    void stripe.fault('error_before');
    expect(await submitted()).toEqual({ state: 'unknown' });
    expect(await provider.find(ref())).toEqual({ state: 'none' });
    expect(await provider.submit(order)).toMatchObject({ state: 'paid' });
    expect(transfers()).toHaveLength(1);
    // The transfer is found, and a repeated order makes no second one.
    expect(await provider.submit(order)).toEqual(await provider.find(ref()));
    expect(transfers()).toHaveLength(1);
  });

  test('and has made the transfer: it is found', async () => {
    void stripe.fault('error_after');
    expect(await submitted()).toEqual({ state: 'unknown' });
    const paid = { state: 'paid', reference: transfers()[0]?.id };
    expect(await provider.submit(order)).toEqual(paid);
    expect(await provider.find(ref())).toEqual(paid);
    expect(transfers()).toHaveLength(1);
  });

  test('each time: is refused in the end', async () => {
    for (let count = 0; count < 5; count += 1) {
      // Stripe repeats the failures that it stored under earlier keys.
      for (let key = 0; key <= count; key += 1) void stripe.fault('error_before');
      expect(await submitted()).toEqual({ state: 'unknown' });
    }
    expect(await provider.submit(order)).toMatchObject({ state: 'refused' });
    expect(transfers()).toEqual([]);
  });
});

describe('asked for', () => {
  test('it is found among all of the payout, page by page', async () => {
    await provider.submit(order);
    const [first] = transfers();
    for (let n = 0; n < 150; n += 1) {
      const metadata = { payoutId: 'po_1', key: `po_1_x${n}` };
      transfers().push({ ...(first as NonNullable<typeof first>), id: `tr_${n}`, metadata });
    }
    expect(await provider.find(ref())).toEqual({ state: 'paid', reference: first?.id });
    expect(await provider.find({ ...ref(), key: 'po_1_2' })).toEqual({ state: 'none' });
  });

  test('it tells what is left of it', async () => {
    const { reference } = (await provider.submit(order)) as { reference: string };
    const client = await createStripeClient(KEY, stripe.reach);
    await client.transfers.createReversal(reference, { amount: 234 });
    expect(await provider.find(ref(reference))).toMatchObject({ state: 'paid' });
    const report = { state: 'paid', amountMinor: 1_000n, currency: 'USD' };
    expect(await provider.report(ref(reference))).toEqual(report);
    await client.transfers.createReversal(reference);
    expect(await provider.find(ref(reference))).toMatchObject({ state: 'returned' });
  });

  test('nobody takes the transfer of another order for it', async () => {
    const { reference } = (await provider.submit(order)) as { reference: string };
    const stale = { ...ref(reference), key: 'po_1_2' };
    expect(await provider.find(stale)).toEqual({ state: 'none' });
    const second = (await provider.submit({ ...order, key: 'po_1_2' })) as { reference: string };
    expect(await provider.find(stale)).toEqual({ state: 'paid', reference: second.reference });
    await expect(provider.find(ref('tr_gone'))).rejects.toThrow();
  });
});
