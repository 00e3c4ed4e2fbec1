import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aProgram } from '../../../../test/program-book.ts';
import { addToTally, type Tally } from '../../../platform/figures/tally.ts';
import { creditMeasures, leftOf } from '../batch/measures.ts';
import { type CreditedPurchases, decidedFigures } from './decided-figures.ts';

const book = { programs: new Map([['prg', aProgram({ id: 'prg', daysFrom: '2026-11-02' })]]) };
const referral = {
  programId: 'prg',
  referrerParticipantId: 'ada',
  refereeParticipantId: 'fake',
  selectedAt: '2026-11-03T00:00:00.000Z',
  reviewStatus: 'rejected',
} as Parameters<typeof decidedFigures>[0];

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

const byName = (figures: ReturnType<typeof decidedFigures>) =>
  figures.map(({ subject, part, name, value }) => [subject, part, name, value].join()).sort();

/** What the purchases of the referral have counted, by their state of review. */
function countedWith(
  reviewStatus: 'open' | 'approved' | 'rejected' | null,
  purchases: readonly CreditedPurchases[],
): Tally {
  const figures: Tally = new Map();
  for (const purchase of purchases) {
    const { receivedAt } = purchase;
    const credit = { ...referral, reviewStatus, receivedAt };
    for (const one of creditMeasures(purchase, credit, book)) addToTally(figures, one);
  }
  return figures;
}

const nonZero = (figures: Tally) => byName([...figures.values()].filter((one) => one.value !== 0n));

test('purchases that count alike are left out as each of them alone', () => {
  fc.assert(
    fc.property(fc.array(aPurchase, { maxLength: 12 }), (purchases) => {
      const figures = countedWith('open', purchases);
      const each = byName(decidedFigures(referral, { figures: figures.values(), purchases, book }));
      const grouped = decidedFigures(referral, {
        figures: figures.values(),
        purchases: group(purchases),
        book,
      });
      expect(byName(grouped)).toEqual(each);
      expect(each).toContain('ada,prg,rejected:referrals,1');
    }),
  );
});

test('a decision leaves the measures of purchases as if it had always been made', () => {
  const all = fc.array(aPurchase, { maxLength: 12 });
  fc.assert(
    fc.property(all, fc.constantFrom('approved', 'rejected'), (purchases, status) => {
      const figures = countedWith('open', purchases);
      const decided = { ...referral, reviewStatus: status };
      for (const one of decidedFigures(decided, { figures: figures.values(), purchases, book })) {
        // The referral itself is counted elsewhere.
        if (!/:referrals$/.test(one.name)) addToTally(figures, one);
      }
      expect(nonZero(figures)).toEqual(nonZero(countedWith(status, purchases)));
    }),
  );
});
