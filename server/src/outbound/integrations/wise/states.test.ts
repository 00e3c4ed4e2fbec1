import { describe, expect, test } from 'vitest';
import { FAILURE_REASONS } from '../../payouts/methods.ts';
import { readTransfer, transactionIdOf } from './read-transfer.ts';
import { FAILURES, failureOf } from './states.ts';

const mine = transactionIdOf('po_1_1');
const transfer = (status: string) => ({
  id: 5_000_001,
  status,
  targetValue: 12.3,
  targetCurrency: 'EUR',
  customerTransactionId: mine,
});

describe('D-PAY-3', () => {
  test.each([
    ['incoming_payment_initiated', 'processing'],
    ['processing', 'processing'],
    ['funds_converted', 'processing'],
    ['outgoing_payment_sent', 'paid'],
    ['bounced_back', 'returned'],
    ['funds_refunded', 'returned'],
    ['charged_back', 'returned'],
    ['cancelled', 'failed'],
  ])('a transfer that is %s is %s', (status, state) => {
    const found = readTransfer(transfer(status), mine, null);
    expect(found).toMatchObject({ id: '5000001', amountMinor: 1230n, currency: 'EUR' });
    expect(found?.state).toMatchObject({ state, reference: '5000001' });
  });

  test('one that waits for its money is not under way; a new status says nothing', () => {
    expect(readTransfer(transfer('incoming_payment_waiting'), mine, null)?.state).toBe('unfunded');
    expect(readTransfer(transfer('teleported'), mine, null)?.state).toBeNull();
    expect(readTransfer(transfer('processing'), transactionIdOf('po_2_1'), null)).toBeUndefined();
    for (const rubbish of [undefined, null, 'x', [], {}]) {
      expect(readTransfer(rubbish, mine, null)).toBeUndefined();
    }
  });
});

test.each([
  ['bounced_back', 'ACCOUNT_CLOSED', 'account_closed'],
  ['bounced_back', 'WRONG_ACCOUNT_NUMBER', 'invalid_details'],
  ['bounced_back', 'WRONG_SOMETHING_NEW', 'invalid_details'],
  ['bounced_back', 'ACCOUNT_FROZEN', 'account_closed'],
  ['bounced_back', 'ACCOUNT_LIMIT_REACHED', 'limit_exceeded'],
  ['bounced_back', 'SOMETHING_NEW', 'recipient_refused'],
  ['bounced_back', null, 'recipient_refused'],
  ['funds_refunded', null, 'recipient_refused'],
  ['charged_back', null, 'other'],
  ['cancelled', null, 'rejected_by_provider'],
  ['something_new', null, 'other'],
] as const)('%s because of %s is %s (D-PAY-4)', (status, code, reason) => {
  expect(failureOf(status, code)).toBe(reason);
  for (const one of Object.values(FAILURES)) expect(FAILURE_REASONS).toContain(one);
});

test('our key is always the same UUID at Wise, and another key another one', () => {
  expect(mine).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(transactionIdOf('po_1_1')).toBe(mine);
  expect(transactionIdOf('po_1_2')).not.toBe(mine);
});
