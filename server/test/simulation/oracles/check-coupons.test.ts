import { expect, test } from 'vitest';
import type { Coupon } from '../outside/stripe-books.ts';
import { type Discount, judgeDiscount } from './check-coupons.ts';

const aDiscount = (status: string, more: Partial<Discount> = {}): Discount => ({
  id: 'rwd_1',
  name: 'purchase 1',
  status,
  customer: 'cus_ada',
  rateBps: 1_000,
  terms: { durationMode: 'months', durationMonths: 3 },
  isErased: false,
  isHeld: false,
  ...more,
});
const aCoupon = (more: Partial<Coupon> = {}): Coupon => ({
  reward: 'rwd_1',
  percent: 10,
  duration: 'repeating',
  months: 3,
  isRedeemed: false,
  places: [],
  givenMs: [],
  ...more,
});
const aCode = { customer: 'cus_ada', by: 'code' } as const;
const onSubscription = { customer: 'cus_ada', by: 'subscription' } as const;
const [taken, open, used] = [
  aCoupon(),
  aCoupon({ places: [aCode] }),
  aCoupon({ isRedeemed: true }),
];

test.each([
  ['a code waits for its customer', aDiscount('fulfilled'), [open]],
  ['an invoice has used it up', aDiscount('fulfilled'), [used]],
  ['it was taken back and is given again', aDiscount('fulfilled'), [open, used]],
  ['it was taken back', aDiscount('revoked'), [taken]],
  ['a coupon was made before the call for its code failed', aDiscount('cancelled'), [taken]],
  ['nobody knows who they are', aDiscount('pending', { customer: null }), []],
  ['it is held', aDiscount('pending', { isHeld: true }), []],
  ['they were erased', aDiscount('revocation_pending', { isErased: true }), [open]],
])('it is as it must be if %s', (_, discount, coupons) => {
  expect(judgeDiscount(discount, coupons)).toEqual([]);
});

test.each([
  ['is not given', aDiscount('fulfilled'), [taken]],
  ['waits for ever', aDiscount('pending'), []],
  ['is given too early', aDiscount('pending', { isHeld: true }), [open]],
  ['is not taken back', aDiscount('revocation_pending'), [open]],
  ['is still given', aDiscount('revoked'), [open]],
  ['is given although it was cancelled', aDiscount('cancelled'), [open]],
  ['is given twice', aDiscount('fulfilled'), [aCoupon({ places: [aCode, onSubscription] })]],
  ['is given to somebody else', aDiscount('fulfilled', { customer: 'cus_bob' }), [open]],
  ['has another rate', aDiscount('fulfilled', { rateBps: 333 }), [open]],
  ['lasts longer', aDiscount('fulfilled', { terms: { durationMode: 'once' } }), [open]],
])('it is found if it %s', (_, discount, coupons) => {
  expect(judgeDiscount(discount, coupons)).toHaveLength(1);
});
