import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProgramStart, StartingMeasures } from '../schema.ts';
import { checkStart, decideStarts, normalizeStart, startFigures } from './starting-measures.ts';

const AT = '2026-11-15T09:30:00.000Z';
const number = fc.nat(3).map(String);
const currency = fc.constantFrom('USD', 'eur', 'KWD', 'jpy');
const start: fc.Arbitrary<StartingMeasures> = fc.record(
  {
    referrals: fc.option(number),
    purchases: fc.option(number),
    revenue: fc.option(
      fc.uniqueArray(fc.record({ currency, amountMinor: number }), {
        selector: (one) => one.currency,
      }),
    ),
  },
  { requiredKeys: [] },
);
const program = fc.constantFrom('prg_1', 'prg_2', 'prg_3');

/** What is carried over, by name. */
function numbersOf(start: ProgramStart | null): Record<string, string> {
  const figures = start ? startFigures('par', start) : [];
  return Object.fromEntries(figures.map(({ name, value }) => [name, String(value)]));
}

test('a currency must exist and is named once, however it is written', () => {
  const amount = (code: string) => ({ currency: code, amountMinor: '1' });
  const revenue = ['USD', 'EUR', 'usd', 'XXX'].map(amount);
  expect(checkStart({ revenue }).map(({ path }) => path)).toEqual([
    'startingMeasures.revenue.2.currency',
    'startingMeasures.revenue.3.currency',
  ]);
  expect(checkStart({ referrals: '1' })).toEqual([]);
});

test('counts become figures of the participant in the Program', () => {
  const revenue = [
    { currency: 'usd', amountMinor: '250' },
    { currency: 'EUR', amountMinor: '0' },
    { currency: 'CHF', amountMinor: '7' },
  ];
  const stored = normalizeStart('prg', { referrals: '12', revenue }, AT);
  expect(stored).toEqual({
    programId: 'prg',
    referrals: '12',
    purchases: '0',
    revenue: [
      { currency: 'CHF', amountMinor: '7' },
      { currency: 'USD', amountMinor: '250' },
    ],
    importedAt: AT,
  });
  expect(numbersOf(stored)).toEqual({
    'carried:referrals': '12',
    'carried:revenue:CHF': '7',
    'carried:revenue:USD': '250',
  });
});

test('nothing carried over is no start, and can be followed by one', () => {
  const nothing = {
    referrals: '0',
    purchases: null,
    revenue: [{ currency: 'USD', amountMinor: '0' }],
  };
  expect(normalizeStart('prg', nothing, AT)).toBeNull();
  expect(decideStarts([], { programId: 'prg', importedAt: AT }, nothing)).toEqual([]);
});

test('a start is set once for each Program: the same again changes nothing, another is refused', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(program, start), { maxLength: 8 }), (calls) => {
      let starts: readonly ProgramStart[] = [];
      const first = new Map<string, Record<string, string>>();
      for (const [programId, given] of calls) {
        const numbers = numbersOf(normalizeStart(programId, given, AT));
        const isNothing = Object.keys(numbers).length === 0;
        const known = first.get(programId);
        const decided = decideStarts(starts, { programId, importedAt: AT }, given);
        if (known) {
          const isSame = JSON.stringify(known) === JSON.stringify(numbers);
          expect(decided === 'differs').toBe(!isSame);
          if (isSame) expect(decided).toBe(starts);
        } else if (isNothing) expect(decided).toBe(starts);
        else first.set(programId, numbers);
        if (decided !== 'differs') starts = decided;
      }
      const stored = Object.fromEntries(starts.map((one) => [one.programId, numbersOf(one)]));
      expect(stored).toEqual(Object.fromEntries(first));
      const programs = starts.map(({ programId }) => programId);
      expect(programs).toEqual(programs.toSorted());
    }),
  );
});
