import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupPayees, keyOfPayee, minimumOf, type Owed, payeeOf } from './group-payees.ts';

const owe = ({ dueMinor = 1000n, ...more }: Partial<Owed> = {}): Owed => ({
  projectId: 'prj_1',
  participantId: 'par_1',
  partnerId: null,
  currency: 'USD',
  currencyExponent: 2,
  dueMinor,
  grossMinor: dueMinor < 0n ? -dueMinor : dueMinor,
  details: 'usable',
  ...more,
});
const least = (currency: string) => minimumOf({ USD: '1000' }, currency);

test('there is no minimum unless one is set for the currency (D-AM-6)', () => {
  expect(minimumOf({}, 'USD')).toBe(0n);
  expect(minimumOf({ USD: '2500' }, 'JPY')).toBe(0n);
  expect(minimumOf({ USD: '2500' }, 'USD')).toBe(2500n);
  expect(minimumOf({ USD: '0' }, 'USD')).toBe(0n);
});

test('exactly the minimum is paid, a cent less is carried over (D-PAY-2)', () => {
  expect(groupPayees([owe()], least).payable).toHaveLength(1);
  const { payable, waiting } = groupPayees([owe({ dueMinor: 999n })], least);
  expect(payable).toEqual([]);
  expect(waiting.map(({ reason }) => reason)).toEqual(['below_minimum']);
});

test('more than a transfer can be stored as is left out alone, whatever it comes to (D-AM-1)', () => {
  const huge = owe({ participantId: 'par_2', dueMinor: 10n ** 18n });
  const mixed = { ...owe({ participantId: 'par_3' }), grossMinor: 10n ** 19n };
  const { payable, waiting } = groupPayees([owe(), huge, mixed], least);
  expect(payable.map(({ members }) => members)).toEqual([[owe()]]);
  expect(waiting).toEqual([
    { owed: huge, reason: 'above_maximum' },
    { owed: mixed, reason: 'above_maximum' },
  ]);
});

test('nothing, and less than nothing, is never a transfer, even without a minimum', () => {
  for (const dueMinor of [0n, -5n]) {
    expect(groupPayees([owe({ dueMinor })], () => 0n).payable).toEqual([]);
  }
});

test('a Partner is paid once for all Projects, others in each by itself', () => {
  const partner = { partnerId: 'ptn_1' };
  const { payable } = groupPayees(
    [
      owe({ ...partner, dueMinor: 600n }),
      owe({ ...partner, dueMinor: 500n, projectId: 'prj_2', participantId: 'par_2' }),
      owe({ dueMinor: 600n, participantId: 'par_3' }),
      owe({ dueMinor: 500n, participantId: 'par_3', projectId: 'prj_2' }),
    ],
    least,
  );
  expect(payable.map(({ payee, members }) => [payee, members.length])).toEqual([['ptn_1', 2]]);
});

test('who has no details waits for them; whose details another method pays to is left alone', () => {
  const { payable, waiting } = groupPayees(
    [owe({ details: 'missing' }), owe({ details: 'of_other_method', participantId: 'par_2' })],
    least,
  );
  expect(payable).toEqual([]);
  expect(waiting).toEqual([
    { owed: owe({ details: 'missing' }), reason: 'awaiting_payout_details' },
  ]);
});

test('whoever is owed something is in one group or waits, never both, and no currencies mix', () => {
  const owed = fc.record({
    projectId: fc.constantFrom('prj_1', 'prj_2'),
    participantId: fc.constantFrom('par_1', 'par_2', 'par_3'),
    partnerId: fc.constantFrom(null, 'ptn_1', 'ptn_2'),
    currency: fc.constantFrom('USD', 'EUR'),
    currencyExponent: fc.constant(2),
    dueMinor: fc.bigInt({ min: -3000n, max: 3000n }),
    grossMinor: fc.constant(3000n),
    details: fc.constantFrom('usable' as const, 'missing' as const),
  });
  fc.assert(
    fc.property(fc.array(owed), (all) => {
      const { payable, waiting } = groupPayees(all, least);
      const seen = [...payable.flatMap(({ members }) => members), ...waiting.map((w) => w.owed)];
      expect(seen.length).toBe(all.length);
      expect(new Set(seen).size).toBe(all.length);
      const keys = payable.map(({ payee, currency }) => keyOfPayee(payee, currency));
      expect(new Set(keys).size).toBe(keys.length);
      for (const { payee, currency, members } of payable) {
        const total = members.reduce((sum, { dueMinor }) => sum + dueMinor, 0n);
        expect(total > 0n && total >= least(currency)).toBe(true);
        expect(members.every((one) => one.currency === currency && payeeOf(one) === payee)).toBe(
          true,
        );
      }
    }),
  );
});
