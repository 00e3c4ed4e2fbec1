import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Coverable, decideCover } from './decide-cover.ts';

const payout = (more: Partial<Coverable> = {}): Coverable => ({
  id: 'po_1',
  payee: 'prj:ada',
  fingerprint: 'account of ada',
  currency: 'USD',
  amountMinor: 1_000n,
  ...more,
});
const advance = (more: object = {}) => ({
  id: 'adv_1',
  payee: 'prj:ada' as string | null,
  fingerprint: 'account of ada' as string | null,
  currency: 'USD',
  leftMinor: 400n,
  ...more,
});

test('a payout is smaller by what its payee was paid in advance', () => {
  expect(decideCover([payout()], [advance()])).toEqual([
    { advanceId: 'adv_1', payoutId: 'po_1', amountMinor: 400n },
  ]);
});

test('an advance that is larger than the payout covers all of it, and the next one in part', () => {
  const uses = decideCover(
    [payout({ amountMinor: 300n }), payout({ id: 'po_2' })],
    [advance({ leftMinor: 500n })],
  );
  expect(uses.map(({ payoutId, amountMinor }) => [payoutId, amountMinor])).toEqual([
    ['po_1', 300n],
    ['po_2', 200n],
  ]);
});

test.each([
  ['to an account whose payee is not known counts for who is paid to it', { payee: null }, 1],
  ['to an unknown account counts for nobody', { payee: null, fingerprint: null }, 0],
  [
    'to another account of an unknown payee counts for nobody',
    { payee: null, fingerprint: 'x' },
    0,
  ],
  ['of another payee counts for them only', { payee: 'prj:bob' }, 0],
  ['of the payee counts wherever they are paid now', { fingerprint: 'old account' }, 1],
  ['in another currency does not count', { currency: 'EUR' }, 0],
  ['that is used up does not count', { leftMinor: 0n }, 0],
  ['that was dismissed after it was used does not count', { leftMinor: -400n }, 0],
])('an advance %s', (_, more, expected) => {
  expect(decideCover([payout()], [advance(more)])).toHaveLength(expected);
});

const people = fc.constantFrom('ada', 'bob', 'eve');
const currencies = fc.constantFrom('USD', 'EUR');
const amounts = fc.bigInt({ min: -200n, max: 2_000n });

test('no payout is covered beyond its amount, and no advance used beyond what is left', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          payee: people,
          fingerprint: people,
          currency: currencies,
          amountMinor: amounts,
        }),
      ),
      fc.array(
        fc.record({
          payee: fc.option(people, { nil: null }),
          fingerprint: fc.option(people, { nil: null }),
          currency: currencies,
          leftMinor: amounts,
        }),
      ),
      (some, left) => {
        const payouts = some.map((one, index) => ({ ...one, id: `po_${index}` }));
        const advances = left.map((one, index) => ({ ...one, id: `adv_${index}` }));
        const uses = decideCover(payouts, advances);
        const sumBy = (name: 'payoutId' | 'advanceId', id: string) =>
          uses
            .filter((use) => use[name] === id)
            .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
        for (const { id, amountMinor } of payouts) {
          const covered = sumBy('payoutId', id);
          expect(covered === 0n || covered <= amountMinor).toBe(true);
        }
        for (const { id, leftMinor } of advances) {
          const used = sumBy('advanceId', id);
          expect(used === 0n || used <= leftMinor).toBe(true);
        }
        // What is left could cover nothing more of what is owed.
        const again = decideCover(
          payouts.map((one) => ({
            ...one,
            amountMinor: one.amountMinor - sumBy('payoutId', one.id),
          })),
          advances.map((one) => ({
            ...one,
            leftMinor: one.leftMinor - sumBy('advanceId', one.id),
          })),
        );
        expect(again).toEqual([]);
      },
    ),
  );
});
