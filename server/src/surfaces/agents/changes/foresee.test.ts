import { expect, test } from 'vitest';
import {
  foreseeApproval,
  foreseeDecision,
  foreseeReplay,
  foreseeRetry,
  foreseeStatus,
  foreseeTerms,
  foreseeVoid,
} from './foresee.ts';

const money = (netAmountMinor: string, currency = 'USD', currencyExponent = 2) => ({
  netAmountMinor,
  currency,
  currencyExponent,
});
const reward = {
  benefitKind: 'cash',
  fulfillmentStatus: 'pending',
  delivery: { method: 'payout' },
  void: null,
  money: money('1050'),
};
const voidOf = (more: object) =>
  foreseeVoid({ reward: { ...reward, ...more } }, { reasonCode: 'fraud' });

test.each([
  [{}, 'It was not granted and will not be: it is cancelled.'],
  [{ fulfillmentStatus: 'failed' }, 'It was not granted and will not be: it is cancelled.'],
  [
    { fulfillmentStatus: 'in_progress' },
    'Its delivery is under way: if it arrives, it was not due.',
  ],
  [
    { fulfillmentStatus: 'fulfilled' },
    'It was paid: the amount is deducted from the next payout of the beneficiary.',
  ],
  [
    { fulfillmentStatus: 'fulfilled', delivery: { method: 'manual' } },
    'It was paid by the product, and stays paid.',
  ],
  [
    { fulfillmentStatus: 'fulfilled', benefitKind: 'custom', money: null },
    'It was granted: it must be taken back.',
  ],
  [{ fulfillmentStatus: 'cancelled' }, 'Its status stays cancelled.'],
])('voiding a reward with %j', (more, effect) => {
  expect(voidOf(more)).toContain(effect);
});

test.each([
  [money('1050'), '10.50 USD'],
  [money('5'), '0.05 USD'],
  [money('-5'), '-0.05 USD'],
  [money('500', 'JPY', 0), '500 JPY'],
  [money('12345', 'KWD', 3), '12.345 KWD'],
])('a reward of %j is worth %s', (worth, text) => {
  expect(voidOf({ money: worth })[0]).toBe(
    `The reward is voided with reasonCode fraud. It is worth ${text}.`,
  );
});

test('a reward that is already voided', () => {
  expect(voidOf({ void: { reasonCode: 'error' } })[0]).toContain(
    'already voided, with reasonCode error',
  );
});

test('a retry only helps what has failed', () => {
  expect(foreseeRetry({ state: 'failed' }, 'state')).toEqual(['It becomes due again.']);
  expect(foreseeRetry({ state: 'pending' }, 'state')[0]).toContain('state is pending, not failed');
});

test('the decision of a review', () => {
  const review = (status: string, heldRewards: number, heldAmounts: object[]) => ({
    review: { status, heldRewards, heldAmounts },
  });
  const euros = { currency: 'EUR', currencyExponent: 2, amountMinor: '1000' };
  expect(foreseeDecision(review('open', 2, [euros]), { decision: 'approve' })[0]).toBe(
    'The referral is approved: 2 held rewards (10.00 EUR) can be delivered.',
  );
  expect(foreseeDecision(review('open', 1, []), { decision: 'reject' })[0]).toBe(
    'The referral is rejected: of 1 held reward, those that were not granted are voided as fraud.',
  );
  expect(foreseeDecision(review('approved', 0, []), { decision: 'reject' })).toEqual([
    'The review is already approved. Another decision is refused.',
  ]);
});

test('the decision of an application', () => {
  const application = { status: 'pending', emailVerifiedAt: null };
  expect(foreseeApproval(true)({ application })).toEqual([
    'The partner joins the program.',
    'The applicant has not verified their e-mail address.',
  ]);
  expect(
    foreseeApproval(false)({ application: { ...application, emailVerifiedAt: 'now' } }),
  ).toEqual(['The application is rejected.']);
  expect(foreseeApproval(true)({ application: { ...application, status: 'rejected' } })).toEqual([
    'The application is already rejected. Another decision is refused.',
  ]);
});

test('a replay, terms and a status', () => {
  expect(foreseeReplay({ eventIds: ['a'] })[0]).toContain('1 event is sent');
  expect(foreseeReplay({ eventIds: ['a', 'b'] })[0]).toContain('2 events are sent');
  expect(foreseeReplay({ since: '2026-11-15T00:00:00Z' })[0]).toContain('since 2026-11-15');
  expect(foreseeTerms({ terms: { version: 3 } })[0]).toBe('Version 4 of the terms is published.');
  expect(foreseeTerms({ terms: null })[0]).toBe('Version 1 of the terms is published.');
  const program = { status: 'active' };
  expect(foreseeStatus({ program }, { status: 'active' })[0]).toContain('nothing changes');
  expect(foreseeStatus({ program }, { status: 'ended' })[0]).toContain('from active to ended');
});
