import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Figure } from '../../../platform/figures/tally.ts';
import {
  type CountedCustomer,
  customerFiguresOf,
  referralFiguresOf,
  revenueFiguresOf,
} from './fact-figures.ts';

const tell = (figures: readonly Figure[]) =>
  figures.map(({ subject, part, name, value }) => `${subject} ${part} ${name} ${value}`);

const customer = (changes: Partial<CountedCustomer> = {}): CountedCustomer => ({
  programId: 'prg',
  referrerParticipantId: 'ada',
  linkId: null,
  // A Sunday.
  selectedAt: '2026-11-15T23:59:59.999Z',
  firstPurchaseAt: '2026-11-16T00:00:00.000Z',
  ...changes,
});
const weekOf = (changes: Partial<CountedCustomer>) =>
  customerFiguresOf(customer(changes)).flatMap(({ name }) =>
    name.startsWith('week:') ? [name.slice(5)] : [],
  );

test('a customer counts on the day of the first purchase, and as converted on the day of the referral', () => {
  expect(tell(customerFiguresOf(customer({ linkId: 'lnk' })))).toEqual([
    'prg 2026-11-15 converted 1',
    'prg 2026-11-15 week:1 1',
    'prg 2026-11-16 customers 1',
    'ada prg customers 1',
    'lnk prg:links customers 1',
  ]);
  expect(customerFiguresOf(customer({ firstPurchaseAt: null }))).toEqual([]);
});

test.each([
  ['the same Sunday', '2026-11-15T23:59:59.999Z', ['0']],
  ['the Monday before', '2026-11-09T00:00:00.000Z', ['0']],
  ['a week before, because the purchase waited for its signup', '2026-11-08T12:00:00.000Z', ['0']],
  ['the Monday after', '2026-11-16T00:00:00.000Z', ['1']],
  ['the Sunday after', '2026-11-22T23:59:59.999Z', ['1']],
  ['the Monday after that', '2026-11-23T00:00:00.000Z', ['2']],
  ['52 weeks later', '2027-11-14T23:59:59.999Z', ['52']],
  ['still later, which no week counts', '2027-11-15T00:00:00.000Z', []],
])('weeks start on Monday, UTC: %s', (_, firstPurchaseAt, weeks) => {
  expect(weekOf({ firstPurchaseAt })).toEqual(weeks);
});

test('a referral by a link counts for the link too, one by a code for none', () => {
  const links = (linkId: string | null) =>
    tell(referralFiguresOf(customer({ linkId }))).filter((one) => one.includes(':links'));
  expect(links('lnk')).toEqual(['lnk prg:links referred 1']);
  expect(links(null)).toEqual([]);
});

const credit = {
  programId: 'prg',
  referrerParticipantId: 'ada',
  refereeParticipantId: 'bob',
  linkId: 'lnk',
  receivedAt: '2026-11-15T10:00:00.000Z',
};

test.each([
  ['paid', 0n, 0n, 1_000n],
  ['refunded in part', 400n, 0n, 600n],
  ['refunded', 1_000n, 0n, 0n],
  ['disputed: that counts until it is lost', 1_000n, 1_000n, 1_000n],
  ['disputed in part, the rest refunded', 1_000n, 300n, 300n],
])('revenue of what was %s', (_, refundedMinor, disputedMinor, net) => {
  const purchase = { amountMinor: '1000', currency: 'USD', refundedMinor, disputedMinor };
  expect(tell(revenueFiguresOf(purchase, credit))).toEqual([
    `prg 2026-11-15 revenue:USD ${net}`,
    `ada prg revenue:USD ${net}`,
    `lnk prg:links revenue:USD ${net}`,
  ]);
});

test('revenue is never below zero nor above what was paid, and sums count as their parts', () => {
  const purchase = fc
    .record({ amount: fc.bigInt(0n, 10n ** 15n), a: fc.nat(1_000), b: fc.nat(1_000) })
    .map(({ amount, a, b }) => {
      const refundedMinor = (amount * BigInt(a)) / 1_000n;
      const disputedMinor = (refundedMinor * BigInt(b)) / 1_000n;
      return { amountMinor: String(amount), currency: 'EUR', refundedMinor, disputedMinor };
    });
  const netMinorOf = (one: Parameters<typeof revenueFiguresOf>[0]) =>
    revenueFiguresOf(one, credit)[0]?.value ?? 0n;
  fc.assert(
    fc.property(fc.array(purchase), (purchases) => {
      let sum = 0n;
      const total = { amountMinor: 0n, refundedMinor: 0n, disputedMinor: 0n };
      for (const one of purchases) {
        expect(netMinorOf(one)).toBeGreaterThanOrEqual(0n);
        expect(netMinorOf(one)).toBeLessThanOrEqual(BigInt(one.amountMinor));
        sum += netMinorOf(one);
        total.amountMinor += BigInt(one.amountMinor);
        total.refundedMinor += one.refundedMinor;
        total.disputedMinor += one.disputedMinor;
      }
      const { amountMinor } = total;
      expect(netMinorOf({ ...total, amountMinor: String(amountMinor), currency: 'EUR' })).toBe(sum);
    }),
  );
});
