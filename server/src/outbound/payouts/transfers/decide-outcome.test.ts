import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PAYOUT_STATUSES } from '../states.ts';
import { decideOutcome, type ReportedOutcome } from './decide-outcome.ts';
import type { Standing } from './payout.ts';

const EARLIER = '2026-11-15T09:30:00.000Z';
const NOW = '2026-11-16T09:30:00.000Z';

const sent: Standing = {
  status: 'processing',
  providerReference: 'B1',
  failureReason: null,
  failureMessage: null,
  paidAt: null,
};
const paid: Standing = { ...sent, status: 'paid', paidAt: EARLIER };
const returned: Standing = {
  ...sent,
  status: 'returned',
  failureReason: 'unclaimed',
  failureMessage: 'Nobody claimed it',
};

const TOLD = {
  paid: { outcome: 'paid', reference: 'R7', failureReason: null, failureMessage: null },
  failed: {
    outcome: 'failed',
    reference: 'R7',
    failureReason: 'account_closed',
    failureMessage: 'The account is closed',
  },
  returned: {
    outcome: 'returned',
    reference: 'R7',
    failureReason: 'recipient_refused',
    failureMessage: 'Sent back',
  },
} as const satisfies Record<string, ReportedOutcome>;

describe('a payout that is under way', () => {
  test('is paid from now on, under the reference that was told', () => {
    expect(decideOutcome(sent, TOLD.paid, NOW)).toEqual({
      standing: { ...sent, status: 'paid', providerReference: 'R7', paidAt: NOW },
    });
  });

  test.each([TOLD.failed, TOLD.returned])('is $outcome for the reason told', (told) => {
    expect(decideOutcome(sent, told, NOW)).toEqual({
      standing: {
        status: told.outcome,
        providerReference: 'R7',
        failureReason: told.failureReason,
        failureMessage: told.failureMessage,
        paidAt: null,
      },
    });
  });

  test('keeps the reference that it has when none is told', () => {
    expect(decideOutcome(sent, { ...TOLD.paid, reference: null }, NOW)).toMatchObject({
      standing: { providerReference: 'B1' },
    });
  });
});

test('a payout that comes back still says when it was paid', () => {
  expect(decideOutcome(paid, TOLD.returned, NOW)).toMatchObject({
    standing: { status: 'returned', paidAt: EARLIER, failureReason: 'recipient_refused' },
  });
});

test('paid, told late of a payout that was paid and came back, changes nothing', () => {
  expect(decideOutcome({ ...returned, paidAt: EARLIER }, TOLD.paid, NOW)).toEqual({
    standing: null,
  });
});

test.each([
  ['draft', 'paid'],
  ['draft', 'failed'],
  ['approved', 'returned'],
  ['cancelled', 'paid'],
  ['failed', 'paid'],
  ['failed', 'returned'],
  ['paid', 'failed'],
  // It was returned without having been paid.
  ['returned', 'paid'],
  ['returned', 'failed'],
] as const)('a payout that is %s cannot be %s', (status, outcome) => {
  expect(decideOutcome({ ...sent, status }, TOLD[outcome], NOW)).toEqual({
    refused: expect.objectContaining({
      code: 'CONFLICT',
      reason: 'invalid_transition',
      message: `A payout that is ${status} cannot be ${outcome}.`,
    }),
  });
});

test('what is told twice changes nothing the second time, wherever the payout stood', () => {
  const standings = fc.record({
    status: fc.constantFrom(...PAYOUT_STATUSES),
    providerReference: fc.constantFrom(null, 'B1'),
    failureReason: fc.constant(null),
    failureMessage: fc.constant(null),
    paidAt: fc.constantFrom(null, EARLIER),
  });
  fc.assert(
    fc.property(standings, fc.constantFrom(...Object.values(TOLD)), (standing, told) => {
      const first = decideOutcome(standing, told, EARLIER);
      if (!('standing' in first) || !first.standing) return;
      expect(decideOutcome(first.standing, told, NOW)).toEqual({ standing: null });
    }),
  );
});
