import { expect, test } from 'vitest';
import type { Figure } from '../../../platform/figures/tally.ts';
import {
  customerDaysOf,
  purchaseDaysOf,
  referralDaysOf,
  revenueDaysOf,
} from './partner-figures.ts';

const tell = (figures: readonly Figure[]) =>
  figures.map(({ subject, part, name, value }) => `${subject} ${part} ${name} ${value}`);
const referral = {
  programId: 'prg',
  referrerParticipantId: 'ada',
  selectedAt: '2026-11-15T23:59:59.999Z',
  firstPurchaseAt: '2026-11-16T00:00:00.000Z',
  receivedAt: '2026-11-17T10:00:00.000Z',
};
const purchase = {
  amountMinor: '1000',
  currency: 'USD',
  refundedMinor: 700n,
  disputedMinor: 200n,
};

test('each fact counts in the row of the partner, the program and its own day', () => {
  expect(tell(referralDaysOf(referral))).toEqual(['ada:prg 2026-11-15 referrals 1']);
  expect(tell(customerDaysOf(referral))).toEqual(['ada:prg 2026-11-16 customers 1']);
  expect(tell(purchaseDaysOf(referral))).toEqual(['ada:prg 2026-11-17 purchases 1']);
  expect(tell(revenueDaysOf(purchase, referral))).toEqual(['ada:prg 2026-11-17 revenue:USD 500']);
});

test('somebody who has not bought is no customer, and a recount passes how many are alike', () => {
  expect(customerDaysOf({ ...referral, firstPurchaseAt: null })).toEqual([]);
  expect(tell(referralDaysOf(referral, 7n))).toEqual(['ada:prg 2026-11-15 referrals 7']);
});
