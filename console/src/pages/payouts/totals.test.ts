import { describe, expect, test } from 'vitest';
import type { Payout } from './states.ts';
import { overviewOf } from './totals.ts';

const payout = (status: Payout['status'], ...payees: string[]) =>
  ({
    status,
    rewards: payees.map((participantId) => ({ beneficiary: { participantId } })),
  }) as Payout;

describe('a batch in numbers', () => {
  test('counts somebody with two currencies once, and who is not paid not at all', () => {
    const overview = overviewOf(
      [
        payout('processing', 'ada'),
        payout('paid', 'ada'),
        payout('paid', 'bob'),
        payout('cancelled', 'eve'),
      ],
      false,
    );
    expect(overview.payees).toBe(2);
    expect(overview.byStatus).toEqual([
      { status: 'processing', count: 1 },
      { status: 'paid', count: 2 },
      { status: 'cancelled', count: 1 },
    ]);
  });
});
