import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FAILURE_REASONS } from '../../payouts/methods.ts';
import { FAILURES, stateOf } from './states.ts';

const transfer = (amount: number, amount_reversed: number) => ({
  id: 'tr_1',
  amount,
  amount_reversed,
  currency: 'usd',
});

test('a transfer is paid once it is made, even if a part of it was taken back (D-PAY-3)', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.nat(), (amount, taken) => {
      fc.pre(taken < amount);
      expect(stateOf(transfer(amount, taken))).toEqual({ state: 'paid', reference: 'tr_1' });
    }),
  );
});

test('a transfer that was taken back whole has returned (D-PAY-3)', () => {
  expect(stateOf(transfer(1234, 1234))).toEqual({
    state: 'returned',
    reference: 'tr_1',
    failureReason: 'other',
    failureMessage: 'Stripe: the transfer was reversed',
  });
});

test.each([
  ['account_closed', 'account_closed'],
  ['account_invalid', 'invalid_details'],
  ['amount_too_large', 'limit_exceeded'],
  ['balance_insufficient', 'insufficient_funds'],
  ['transfers_not_allowed', 'compliance'],
])('what Stripe refuses as %s is %s (D-PAY-4)', (code, reason) => {
  expect(FAILURES[code]).toBe(reason);
});

test('every reason of the table is one of ours (D-PAY-4)', () => {
  for (const reason of Object.values(FAILURES)) expect(FAILURE_REASONS).toContain(reason);
});
