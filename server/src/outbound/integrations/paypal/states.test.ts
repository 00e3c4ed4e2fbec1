import { describe, expect, test } from 'vitest';
import { FAILURE_REASONS } from '../../payouts/methods.ts';
import { readBatch } from './read-batch.ts';
import { FAILURES, failureOf } from './states.ts';

const batch = (status: string, error: string | null = null, batchStatus = 'SUCCESS') => ({
  batch_header: {
    payout_batch_id: 'B1',
    batch_status: batchStatus,
    sender_batch_header: { sender_batch_id: 'po_1_1' },
  },
  items: [
    {
      transaction_status: status,
      payout_item: { amount: { value: '12.34', currency: 'USD' } },
      ...(error === null ? {} : { errors: { name: error, message: 'ada@example.com' } }),
    },
  ],
});

describe('D-PAY-3', () => {
  test.each([
    ['SUCCESS', 'paid'],
    ['PENDING', 'processing'],
    ['UNCLAIMED', 'processing'],
    ['ONHOLD', 'processing'],
    ['FAILED', 'failed'],
    ['BLOCKED', 'failed'],
    ['RETURNED', 'returned'],
    ['REFUNDED', 'returned'],
    ['REVERSED', 'returned'],
  ])('an item that is %s is %s', (status, state) => {
    const found = readBatch(batch(status), 'po_1_1');
    expect(found).toMatchObject({ amountMinor: 1234n, currency: 'USD' });
    expect(found?.state).toMatchObject({ state, reference: 'B1' });
  });

  test.each([
    ['NEW', 'processing'],
    ['PENDING', 'processing'],
    ['PROCESSING', 'processing'],
    ['SUCCESS', 'processing'],
    ['DENIED', 'failed'],
    ['CANCELED', 'failed'],
  ])('a batch that is %s and shows no item is %s', (status, state) => {
    const shown = { ...batch('', null, status), items: [] };
    expect(readBatch(shown, 'po_1_1')?.state?.state).toBe(state);
  });

  test.each(['DENIED', 'CANCELED'])('of a batch that is %s the item never goes out', (status) => {
    const found = readBatch(batch('PENDING', null, status), 'po_1_1');
    expect(found?.state).toMatchObject({ state: 'failed', failureMessage: `PayPal: ${status}` });
  });

  test('a status that nobody knows says nothing, and neither does the batch of another key', () => {
    expect(readBatch(batch('TELEPORTED'), 'po_1_1')?.state).toBeNull();
    expect(readBatch(batch('SUCCESS'), 'po_2_1')).toBeUndefined();
    for (const rubbish of [undefined, null, 'x', [], { batch_header: 7 }]) {
      expect(readBatch(rubbish, 'po_1_1')).toBeUndefined();
    }
  });
});

describe('D-PAY-4', () => {
  test.each([
    ['failed', 'FAILED', 'INSUFFICIENT_FUNDS', 'insufficient_funds'],
    ['failed', 'FAILED', 'RECEIVER_ACCOUNT_LOCKED', 'account_closed'],
    ['failed', 'FAILED', 'SPENDING_LIMIT_EXCEEDED', 'limit_exceeded'],
    ['failed', 'BLOCKED', null, 'compliance'],
    ['failed', 'FAILED', 'SOMETHING_NEW', 'rejected_by_provider'],
    ['returned', 'RETURNED', 'RECEIVER_UNREGISTERED', 'unclaimed'],
    ['returned', 'RETURNED', null, 'unclaimed'],
    ['returned', 'REVERSED', null, 'recipient_refused'],
  ] as const)('%s as %s because of %s is %s', (state, status, name, reason) => {
    expect(failureOf(state, status, name)).toBe(reason);
  });

  test('every reason of the table is one of ours, and messages name nobody', () => {
    for (const reason of Object.values(FAILURES)) expect(FAILURE_REASONS).toContain(reason);
    const found = readBatch(batch('FAILED', 'RISK_DECLINE'), 'po_1_1');
    expect(found?.state).toMatchObject({ failureMessage: 'PayPal: RISK_DECLINE' });
  });
});
