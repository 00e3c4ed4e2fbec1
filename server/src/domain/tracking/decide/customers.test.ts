import fc from 'fast-check';
import { expect, test } from 'vitest';
import { smallerOf } from '../../../platform/kit/money.ts';
import type { Customers, Purchase } from '../batch/facts.ts';
import { isCustomer, isCustomerOutside, isFirstPurchase, isPaidFor } from './customers.ts';

const aPurchase = (changes: Partial<Purchase> = {}): Purchase => ({
  id: 'pur',
  eventId: 'evt',
  participantId: 'par',
  duplicateOf: null,
  loyaltyProgramIds: [],
  receivedAt: '2026-11-15T09:30:00.000Z',
  amountMinor: '1000',
  currency: 'USD',
  currencyExponent: 2,
  taxAmountMinor: null,
  orderId: null,
  invoiceId: null,
  subscriptionId: null,
  billingReason: null,
  refundedMinor: 0n,
  disputedMinor: 0n,
  ...changes,
});
const nobody = (): Customers => ({
  known: new Set(),
  payers: new Set(),
  knownOutside: new Set(),
  decided: new Set(),
  unpriced: new Set(),
});

test.each<[string, Partial<Purchase>, boolean]>([
  ['paid', {}, true],
  ['free', { amountMinor: '0' }, false],
  ['refunded in part', { refundedMinor: 999n }, true],
  ['refunded in full', { refundedMinor: 1000n }, false],
  ['disputed', { refundedMinor: 1000n, disputedMinor: 1000n }, true],
  ['refunded but for what is disputed', { refundedMinor: 1000n, disputedMinor: 1n }, true],
  ['disputed and lost', { refundedMinor: 1000n, disputedMinor: 0n }, false],
  ['told again', { duplicateOf: 'first' }, false],
])('a purchase that was %s makes a customer: %3$s (D-ATTR-5)', (_, changes, expected) => {
  expect(isPaidFor(aPurchase(changes))).toBe(expected);
});

test('only what was decided makes a customer: what waits does not', () => {
  const purchases = new Map([['pur', aPurchase()]]);
  const customers = nobody();
  expect(isCustomer({ customers, purchases }, 'par')).toBe(false);
  customers.decided.add('pur');
  expect(isCustomer({ customers, purchases }, 'par')).toBe(true);
  expect(isCustomer({ customers, purchases }, 'other')).toBe(false);
});

test('a purchase without an amount makes a customer', () => {
  const customers = nobody();
  customers.unpriced.add('par');
  const bought = { customers, purchases: new Map() };
  expect(isCustomer(bought, 'par')).toBe(true);
  expect(isCustomerOutside(bought, 'par', 'sub')).toBe(true);
});

test('only what was paid keeps a later purchase from being the first', () => {
  const purchase = aPurchase({ id: 'second' });
  const isFirst = (customers: Customers) =>
    isFirstPurchase(
      { customers, purchases: new Map(), waiting: new Map(), purchaseOfEvent: new Map() },
      { number: 2 },
      purchase,
    );
  const unpriced = { ...nobody(), known: new Set(['par']), unpriced: new Set(['par']) };
  expect(isFirst(unpriced)).toBe(true);
  expect(isFirst({ ...unpriced, payers: new Set(['par']) })).toBe(false);
});

test('the invoices of a subscription make no customer outside it', () => {
  const customers = nobody();
  customers.decided.add('pur');
  const purchases = new Map([['pur', aPurchase({ subscriptionId: 'sub' })]]);
  expect(isCustomerOutside({ customers, purchases }, 'par', 'sub')).toBe(false);
  expect(isCustomerOutside({ customers, purchases }, 'par', 'other')).toBe(true);
});

test('a refund and its restoration leave a customer what they were', () => {
  const minor = fc.bigInt({ min: 0n, max: 1_000n });
  fc.assert(
    fc.property(minor, minor, minor, (amount, before, step) => {
      const refundedMinor = smallerOf(before, amount);
      const left = amount - refundedMinor;
      const taken = smallerOf(step, left);
      const purchase = aPurchase({ amountMinor: String(amount), refundedMinor });
      const after = { ...purchase, refundedMinor: refundedMinor + taken };
      expect(isPaidFor(after)).toBe(left - taken > 0n);
      expect(isPaidFor({ ...after, refundedMinor: after.refundedMinor - taken })).toBe(
        isPaidFor(purchase),
      );
    }),
  );
});
