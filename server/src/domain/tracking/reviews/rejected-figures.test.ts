import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aProgram } from '../../../../test/program-book.ts';
import { leftOf } from '../batch/measures.ts';
import { type CreditedPurchases, rejectedFigures } from './rejected-figures.ts';

const days = { programs: new Map([['prg', aProgram({ id: 'prg', daysFrom: '2026-11-02' })]]) };
const referral = {
  programId: 'prg',
  referrerParticipantId: 'ada',
  refereeParticipantId: 'fake',
  selectedAt: '2026-11-03T00:00:00.000Z',
} as Parameters<typeof rejectedFigures>[0];

const aPurchase = fc
  .record({
    kept: fc.bigInt(0n, 9n),
    gone: fc.bigInt(0n, 9n),
    disputed: fc.bigInt(0n, 9n),
    currency: fc.constantFrom('USD', 'EUR'),
    day: fc.integer({ min: 1, max: 3 }),
  })
  .map(
    ({ kept, gone, disputed, currency, day }): CreditedPurchases => ({
      amountMinor: String(kept + gone + disputed),
      refundedMinor: gone + disputed,
      disputedMinor: disputed,
      currency,
      receivedAt: `2026-11-0${day}`,
      howMany: 1n,
    }),
  );

/** As the store groups them. */
function group(purchases: readonly CreditedPurchases[]): CreditedPurchases[] {
  const groups = new Map<string, CreditedPurchases>();
  for (const one of purchases) {
    const { howMany, atStake } = leftOf(one);
    const key = [one.currency, one.receivedAt, howMany, atStake.howMany].join();
    const sums = groups.get(key);
    groups.set(
      key,
      sums
        ? {
            ...one,
            amountMinor: String(BigInt(sums.amountMinor) + BigInt(one.amountMinor)),
            refundedMinor: sums.refundedMinor + one.refundedMinor,
            disputedMinor: sums.disputedMinor + one.disputedMinor,
            howMany: sums.howMany + 1n,
          }
        : one,
    );
  }
  return [...groups.values()];
}

const byName = (figures: ReturnType<typeof rejectedFigures>) =>
  figures.map(({ subject, part, name, value }) => [subject, part, name, value].join()).sort();

test('purchases that count alike are left out as each of them alone', () => {
  fc.assert(
    fc.property(fc.array(aPurchase, { maxLength: 12 }), (purchases) => {
      const each = byName(rejectedFigures(referral, purchases, days));
      expect(byName(rejectedFigures(referral, group(purchases), days))).toEqual(each);
      expect(each).toContain('ada,prg,rejected:referrals,1');
    }),
  );
});
