import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PAYOUT_STATUSES, type PayoutStatus, transition } from '../states.ts';
import { nextTrigger } from './decide-part.ts';

const PAID_AT = '2026-11-16T09:30:00.000Z';

/** Every status that a part passes through until nothing is left to do. */
function follow(part: PayoutStatus, payout: Parameters<typeof nextTrigger>[1]): PayoutStatus[] {
  const trigger = nextTrigger(part, payout);
  const next = trigger && transition(part, trigger);
  return next ? [next, ...follow(next, payout)] : [];
}

test.each([
  ['processing', { status: 'paid', paidAt: PAID_AT }, ['paid']],
  ['processing', { status: 'failed', paidAt: null }, ['failed']],
  ['processing', { status: 'returned', paidAt: null }, ['returned']],
  ['processing', { status: 'returned', paidAt: PAID_AT }, ['paid', 'returned']],
  ['paid', { status: 'returned', paidAt: PAID_AT }, ['returned']],
  ['draft', { status: 'cancelled', paidAt: null }, ['cancelled']],
  ['approved', { status: 'cancelled', paidAt: null }, ['cancelled']],
  // Approval and submission move each project's part themselves; parts do not follow the payout
  // there.
  ['draft', { status: 'approved', paidAt: null }, []],
  ['approved', { status: 'processing', paidAt: null }, []],
  // A part that was not sent cannot be paid.
  ['draft', { status: 'paid', paidAt: PAID_AT }, []],
  ['approved', { status: 'returned', paidAt: PAID_AT }, []],
  ['returned', { status: 'paid', paidAt: PAID_AT }, []],
] as const)('a part that is %s follows a payout %o by way of %j', (part, payout, way) => {
  expect(follow(part, payout)).toEqual(way);
});

test('a part that stands as its payout does has nothing left to do', () => {
  for (const status of PAYOUT_STATUSES) {
    for (const paidAt of [null, PAID_AT])
      expect(nextTrigger(status, { status, paidAt })).toBeNull();
  }
});

test('wherever it starts, a part comes to rest within two moves, and only by moves of the table', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...PAYOUT_STATUSES),
      fc.constantFrom(...PAYOUT_STATUSES),
      fc.constantFrom(null, PAID_AT),
      (part, status, paidAt) => {
        const trigger = nextTrigger(part, { status, paidAt });
        if (trigger !== null) expect(transition(part, trigger)).toBeDefined();
        expect(follow(part, { status, paidAt }).length).toBeLessThanOrEqual(2);
      },
    ),
  );
});
