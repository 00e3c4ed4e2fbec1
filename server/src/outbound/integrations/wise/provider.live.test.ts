import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WISE_ACCOUNT, WiseServer } from '../../../../test/wise/server.ts';
import type { TransferOrder } from '../../payouts/provider.ts';
import { WiseClient } from './client.ts';
import { WiseProvider } from './provider.ts';
import { transactionIdOf } from './read-transfer.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const order: TransferOrder = {
  payoutId: 'po_01ka3m0000000000000abcdefg',
  key: 'po_1_1',
  sentAt: null,
  amountMinor: 123_456n,
  currency: 'EUR',
  currencyExponent: 2,
  details: {
    type: 'bank',
    holderName: 'Ada Lovelace',
    country: 'DE',
    currency: 'EUR',
    iban: 'DE89370400440532013000',
    bic: null,
  },
  payeeName: null,
};
const again = { ...order, sentAt: NOW };
const ref = { ...order, sentAt: NOW, reference: null, failureCode: null };

let wise: WiseServer;
let provider: WiseProvider;
beforeEach(async () => {
  wise = await WiseServer.start({ nowMs: () => Date.parse(NOW) });
  provider = open();
});
afterEach(() => wise.close());

function open(account = WISE_ACCOUNT): WiseProvider {
  const credentials = { method: 'wise', ...account, webhookPublicKey: null } as const;
  return new WiseProvider('pcn_1', new WiseClient(wise.url, credentials));
}

const made = () => wise.transfer(transactionIdOf('po_1_1'));
const paidOut = () => wise.transfers.reduce((sum, { funded }) => sum + funded, 0);

test('an order is a transfer of exactly that amount, funded from the balance', async () => {
  expect(await provider.submit(order)).toEqual({
    state: 'processing',
    reference: String(made().id),
  });
  expect(made()).toMatchObject({
    targetValue: 1_234.56,
    targetCurrency: 'EUR',
    reference: '00abcdefg'.padStart(10, '0'),
    status: 'processing',
    funded: 1,
  });
  expect(wise.recipients).toHaveLength(1);
});

test.each([
  ['details in another currency', { currency: 'USD' }, 'rejected_by_provider'],
  [
    'details of an account in the US',
    {
      currency: 'USD',
      details: {
        type: 'bank',
        holderName: 'Ada Lovelace',
        country: 'US',
        currency: 'USD',
        accountNumber: '37778842',
        routingCode: '021000021',
      },
    },
    'rejected_by_provider',
  ],
  ['more than can be said exactly', { amountMinor: 10n ** 15n + 1n }, 'limit_exceeded'],
] as [string, Partial<TransferOrder>, string][])(
  '%s fail before any call',
  async (_name, change, failureReason) => {
    expect(await provider.submit({ ...order, ...change })).toMatchObject({
      state: 'failed',
      failureReason,
    });
    expect(wise.recipients).toEqual([]);
  },
);

describe('ahead of the funding no money moves', () => {
  test.each([
    ['recipient', 422, { state: 'failed', failureReason: 'invalid_details' }],
    ['recipient', 429, { state: 'refused', failureReason: 'limit_exceeded' }],
    ['recipient', 503, { state: 'unknown' }],
    ['quote', 422, { state: 'failed', failureReason: 'rejected_by_provider' }],
    ['quote', 429, { state: 'refused', failureReason: 'limit_exceeded' }],
    ['transfer', 422, { state: 'failed', failureReason: 'rejected_by_provider' }],
    ['transfer', 403, { state: 'refused', failureReason: 'provider_error' }],
    ['transfer', 409, { state: 'unknown' }],
    ['transfer', 500, { state: 'unknown' }],
  ] as const)('%s answered with %s', async (step, status, expected) => {
    wise.fault(step, status);
    const answer = await provider.submit(order);
    expect(answer).toMatchObject(expected);
    expect(JSON.stringify(answer)).not.toContain('ada@');
    expect(paidOut()).toBe(0);
  });

  test('a token that Wise does not know orders nothing', async () => {
    const stranger = open({ ...WISE_ACCOUNT, token: 'another-token' });
    expect(await stranger.submit(order)).toMatchObject({ state: 'refused' });
  });
});

describe('cut off', () => {
  test.each(['recipient', 'quote', 'transfer'] as const)('at the %s', async (step) => {
    wise.fault(step, 'done_and_lost');
    await expect(provider.submit(order)).rejects.toThrow();
    const { state } = await provider.find(ref);
    expect(state).toBe(step === 'transfer' ? 'ask_by_order' : 'none');
    // If Wise certainly has none, this is a first order again.
    const next = state === 'none' ? order : again;
    expect(await provider.submit(next)).toMatchObject({ state: 'processing' });
    expect([wise.transfers.length, paidOut()]).toEqual([1, 1]);
  });

  test.each(['lost', 'done_and_lost', 500, 429, 409] as const)(
    'at the funding (%s): the transfer tells whether it was funded',
    async (fault) => {
      wise.fault('fund', fault);
      const reference = { state: 'processing', reference: '5000000' };
      expect(await provider.submit(order)).toEqual({ ...reference, problem: expect.any(Error) });
      const named = { ...ref, reference: '5000000' };
      const { state } = await provider.find(named);
      expect(state).toBe(fault === 'done_and_lost' ? 'processing' : 'ask_by_order');
      if (state === 'ask_by_order') expect(await provider.submit(again)).toEqual(reference);
      expect(await provider.find(named)).toEqual(reference);
      expect([wise.transfers.length, paidOut()]).toEqual([1, 1]);
    },
  );

  test('while nobody can say what there is, nothing is ordered', async () => {
    wise.fault('transfer', 'done_and_lost');
    await expect(provider.submit(order)).rejects.toThrow();
    wise.fault('list', 503);
    expect(await provider.submit(again)).toEqual({ state: 'unknown' });
    expect(paidOut()).toBe(0);
  });
});

describe('whose details are gone since', () => {
  const gone = { ...again, details: null };
  test('one that is not funded is cancelled', async () => {
    wise.fault('transfer', 'done_and_lost');
    await expect(provider.submit(order)).rejects.toThrow();
    expect(await provider.submit(gone)).toMatchObject({
      state: 'failed',
      failureReason: 'invalid_details',
    });
    expect(made()).toMatchObject({ status: 'cancelled', funded: 0 });
  });

  test('one that is funded goes on', async () => {
    await provider.submit(order);
    expect(await provider.submit(gone)).toEqual({ state: 'processing', reference: '5000000' });
  });

  test('of one that is not there nothing is ordered', async () => {
    expect(await provider.submit(gone)).toEqual({ state: 'unknown' });
    expect(wise.transfers).toEqual([]);
  });
});

describe('a funding that Wise refuses', () => {
  test.each([
    ['no_funds', { state: 'refused', failureReason: 'insufficient_funds' }],
    ['no_option', { state: 'failed', failureReason: 'rejected_by_provider' }],
    [403, { state: 'failed', failureReason: 'rejected_by_provider' }],
  ] as const)('(%s) leaves a transfer that can never be paid', async (fault, expected) => {
    wise.fault('fund', fault);
    expect(await provider.submit(order)).toMatchObject(expected);
    expect(made()).toMatchObject({ status: 'cancelled', funded: 0 });
  });

  test.each(['overtaken', 'overtaken_and_forbidden'] as const)(
    'because another has done it (%s) leaves a good transfer as it is',
    async (fault) => {
      wise.fault('fund', fault);
      const underway = { state: 'processing', reference: '5000000' };
      expect(await provider.submit(order)).toEqual(underway);
      expect(made()).toMatchObject({ status: 'processing', funded: 1 });
      expect(await provider.find(ref)).toEqual(underway);
    },
  );

  test('of which nobody can say whether it is funded is not cancelled', async () => {
    wise.fault('fund', 'no_funds');
    wise.fault('find', 503);
    expect(await provider.submit(order)).toMatchObject({
      state: 'processing',
      problem: new Error('Wise answered 503 to the request to read transfer 5000000.'),
    });
    expect(made().status).toBe('incoming_payment_waiting');
  });

  test('and that cannot be cancelled is still under way', async () => {
    wise.fault('fund', 'no_funds');
    wise.fault('cancel', 500);
    expect(await provider.submit(order)).toMatchObject({
      state: 'processing',
      problem: new Error('Wise answered 500 to the request to cancel transfer 5000000.'),
    });
    expect(await provider.find(ref)).toEqual({ state: 'ask_by_order' });
  });

  test('is over also if the answer to its cancelling is lost', async () => {
    wise.fault('fund', 'no_funds');
    wise.fault('cancel', 'done_and_lost');
    const answer = await provider.submit(order);
    expect(answer).toMatchObject({ state: 'refused', failureReason: 'insufficient_funds' });
    expect((answer.problem as Error).stack).toContain('fetch failed');
    expect(made()).toMatchObject({ status: 'cancelled', funded: 0 });
  });
});

test('by the name of an earlier order the one that is asked for is searched', async () => {
  await provider.submit(order);
  await provider.submit({ ...order, key: 'po_1_2' });
  const stale = { ...ref, key: 'po_1_2', reference: '5000000' };
  expect(await provider.find(stale)).toEqual({ state: 'processing', reference: '5000001' });
  expect(await provider.find({ ...stale, key: 'po_1_3' })).toEqual({ state: 'none' });
});

test('a transfer of another amount is cancelled, not funded', async () => {
  wise.fault('transfer', 'done_and_lost');
  await expect(provider.submit(order)).rejects.toThrow();
  made().targetValue = 1_234.55;
  expect(await provider.submit(again)).toMatchObject({
    state: 'failed',
    failureReason: 'provider_error',
  });
  expect(made()).toMatchObject({ status: 'cancelled', funded: 0 });
});

test('one among many is found by its time, page by page', async () => {
  await provider.submit(order);
  const [first] = wise.transfers;
  for (let n = 1; n <= 250; n += 1) {
    const other = { ...first, id: 5_000_000 + n, customerTransactionId: transactionIdOf(`x${n}`) };
    wise.transfers.push(other as (typeof wise.transfers)[number]);
  }
  expect(await provider.find(ref)).toEqual({ state: 'processing', reference: '5000000' });
  expect(wise.pages).toBe(3);
  expect(await provider.find({ ...ref, key: 'po_9_1' })).toEqual({ state: 'none' });
});

test('asked for by its name it tells state, amount, and why it came back', async () => {
  await provider.submit(order);
  const named = { ...ref, reference: '5000000', failureCode: 'WRONG_ACCOUNT_NUMBER' };
  made().status = 'bounced_back';
  expect(await provider.find(named)).toMatchObject({
    state: 'returned',
    failureReason: 'invalid_details',
    failureMessage: 'Wise: WRONG_ACCOUNT_NUMBER',
  });
  expect(await provider.report(named)).toEqual({
    state: 'returned',
    amountMinor: 123_456n,
    currency: 'EUR',
  });
  expect(await provider.find({ ...named, reference: '5999999' })).toEqual({ state: 'unknown' });
});
