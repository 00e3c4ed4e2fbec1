import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PAYPAL_APP, PaypalServer } from '../../../../test/paypal/server.ts';
import { DAY_MS } from '../../../platform/kit/instant.ts';
import type { TransferOrder } from '../../payouts/provider.ts';
import { PaypalClient } from './client.ts';
import { PaypalProvider } from './provider.ts';

const SENT_AT = '2026-11-15T09:30:00.000Z';
const order: TransferOrder = {
  payoutId: 'po_1',
  key: 'po_1_1',
  sentAt: null,
  amountMinor: 1_234n,
  currency: 'USD',
  currencyExponent: 2,
  details: { type: 'paypal', email: 'ada@example.com' },
  payeeName: null,
};
const again = { ...order, sentAt: SENT_AT };
const ref = {
  payoutId: 'po_1',
  key: 'po_1_1',
  sentAt: SENT_AT,
  reference: null,
  failureCode: null,
};

let paypal: PaypalServer;
let nowMs: number;
let provider: PaypalProvider;
beforeEach(async () => {
  nowMs = Date.parse(SENT_AT);
  paypal = await PaypalServer.start();
  provider = open();
});
afterEach(() => paypal.close());

function open(app = PAYPAL_APP): PaypalProvider {
  const clock = { nowMs: () => nowMs };
  const credentials = { method: 'paypal', ...app, webhookId: null } as const;
  return new PaypalProvider('pcn_1', new PaypalClient(paypal.url, credentials, clock), clock);
}

describe('an order', () => {
  test('is one item, in PayPal’s own form', async () => {
    const answer = await provider.submit(order);
    const [batch] = paypal.batches;
    expect(answer).toEqual({ state: 'processing', reference: batch?.id });
    expect(batch).toMatchObject({
      key: 'po_1_1',
      item: {
        receiver: 'ada@example.com',
        sender_item_id: 'po_1',
        amount: { value: '12.34', currency: 'USD' },
      },
    });
  });

  test.each([
    [{ currency: 'KWD', currencyExponent: 3 }, 'PayPal does not pay out in KWD.'],
    [{ currency: 'HUF' }, 'PayPal pays HUF in whole units only.'],
  ])('that PayPal cannot take fails before any call: %o', async (change, failureMessage) => {
    expect(await provider.submit({ ...order, ...change })).toMatchObject({
      state: 'failed',
      failureReason: 'rejected_by_provider',
      failureMessage,
    });
    expect([paypal.orders, paypal.tokens]).toEqual([0, 0]);
  });

  test.each([
    ['no_funds', { state: 'refused', failureReason: 'insufficient_funds' }],
    ['throttled', { state: 'refused', failureReason: 'limit_exceeded' }],
    ['rejected', { state: 'failed', failureReason: 'invalid_details' }],
    ['conflict', { state: 'unknown' }],
    ['server_error', { state: 'unknown' }],
  ] as const)('answered with %s is %o', async (fault, expected) => {
    paypal.fault(fault);
    expect(await provider.submit(order)).toMatchObject(expected);
  });

  test('of an app that PayPal does not know was certainly not made', async () => {
    const stranger = open({ ...PAYPAL_APP, clientSecret: 'wrong-secret' });
    expect(await stranger.submit(order)).toMatchObject({ state: 'refused' });
    expect(paypal.batches).toEqual([]);
  });
});

describe('the same order again, whose first answer got lost', () => {
  test('is told of the first, whatever became of it', async () => {
    paypal.fault('lost_answer');
    await expect(provider.submit(order)).rejects.toThrow();
    paypal.batch('po_1_1').status = 'SUCCESS';
    const reference = paypal.batches[0]?.id;
    expect(await provider.submit(again)).toEqual({ state: 'paid', reference });
    paypal.batch('po_1_1').status = 'FAILED';
    expect(await provider.submit(again)).toMatchObject({ state: 'failed', reference });
    expect(paypal.batches).toHaveLength(1);
  });

  test.each(['no_funds', 'throttled', 'rejected', 'duplicate_without_link'] as const)(
    'and %s now: nobody can say what became of the first',
    async (fault) => {
      paypal.fault('lost_answer', fault);
      await expect(provider.submit(order)).rejects.toThrow();
      expect(await provider.submit(again)).toEqual({ state: 'unknown' });
    },
  );

  test('does not go out to nobody: whose details are gone since', async () => {
    paypal.fault('lost_answer');
    await expect(provider.submit(order)).rejects.toThrow();
    expect(await provider.submit({ ...again, details: null })).toEqual({ state: 'unknown' });
    expect(paypal.orders).toBe(1);
  });

  test('does not go out once PayPal may have forgotten the key', async () => {
    paypal.fault('lost_answer');
    await expect(provider.submit(order)).rejects.toThrow();
    expect(await provider.find(ref)).toEqual({ state: 'ask_by_order' });
    nowMs += 29 * DAY_MS;
    expect(await provider.find(ref)).toEqual({ state: 'unknown' });
    expect(await provider.submit(again)).toEqual({ state: 'unknown' });
    expect(paypal.orders).toBe(1);
  });
});

describe('asked for', () => {
  test('by PayPal’s id, it tells state and amount', async () => {
    await provider.submit(order);
    const batch = paypal.batch('po_1_1');
    const named = { ...ref, reference: batch.id };
    batch.shows = false;
    expect(await provider.find(named)).toMatchObject({ state: 'processing' });
    batch.shows = true;
    batch.status = 'RETURNED';
    batch.error = 'RECEIVER_UNREGISTERED';
    expect(await provider.find(named)).toMatchObject({
      state: 'returned',
      failureReason: 'unclaimed',
    });
    expect(await provider.report(named)).toEqual({
      state: 'returned',
      amountMinor: 1_234n,
      currency: 'USD',
    });
  });

  test('an id that is not there says nothing, and one of an earlier order no more than none', async () => {
    await provider.submit(order);
    const { id } = paypal.batch('po_1_1');
    expect(await provider.find({ ...ref, reference: 'GONE' })).toEqual({ state: 'unknown' });
    const other = { ...ref, key: 'po_1_2', reference: id };
    expect(await provider.find(other)).toEqual({ state: 'ask_by_order' });
    expect(await provider.report(other)).toMatchObject({ state: 'unknown', amountMinor: null });
  });
});

describe('tokens', () => {
  test('one serves all calls until shortly before it ends', async () => {
    const keys = Array.from({ length: 5 }, (_, index) => `po_${index}_1`);
    await Promise.all(keys.map((key) => provider.submit({ ...order, key })));
    expect(paypal.tokens).toBe(1);
    nowMs += 32_400_000 - 60_001;
    await provider.submit({ ...order, key: 'po_5_1' });
    expect(paypal.tokens).toBe(1);
    nowMs += 1;
    await provider.submit({ ...order, key: 'po_6_1' });
    expect(paypal.tokens).toBe(2);
  });

  test('one that PayPal ended early is not made, and the next call has a new one', async () => {
    await provider.submit(order);
    paypal.endTokens();
    expect(await provider.submit({ ...order, key: 'po_2_1' })).toMatchObject({ state: 'refused' });
    expect(await provider.submit({ ...order, key: 'po_2_2' })).toMatchObject({
      state: 'processing',
    });
  });
});
