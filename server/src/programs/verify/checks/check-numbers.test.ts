import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Sequence } from './check-numbers.ts';

const AT = '2026-11-15T09:30:00.000Z';
const row = (number: bigint, at = AT) => ({ id: `row-${number}`, number, at });

test('rows that count from 1 at times that never fall are in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 3 })), (steps) => {
      const sequence = new Sequence('row');
      let seconds = 10;
      for (const [index, step] of steps.entries()) {
        seconds += step;
        const at = `2026-11-15T09:${seconds}.000Z`;
        expect(sequence.see(row(BigInt(index + 1), at))).toEqual([]);
      }
      expect(sequence.last.number).toBe(BigInt(steps.length));
    }),
  );
});

test('one row that is missing is one finding, wherever it was', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 30 }), fc.nat(), (length, seed) => {
      const missing = BigInt(1 + (seed % (length - 1)));
      const sequence = new Sequence('row');
      const numbers = Array.from({ length }, (_, index) => BigInt(index + 1));
      const found = numbers
        .filter((number) => number !== missing)
        .flatMap((number) => sequence.see(row(number)));
      expect(found).toEqual([
        {
          subject: 'row',
          id: `row-${missing + 1n}`,
          field: 'number',
          stored: String(missing + 1n),
          expected: String(missing),
        },
      ]);
    }),
  );
});

test('a time that falls is told once, not of every row after it', () => {
  const sequence = new Sequence('row');
  sequence.see(row(1n));
  expect(sequence.see(row(2n, '2026-11-15T09:29:59.999Z'))).toHaveLength(1);
  expect(sequence.see(row(3n))).toEqual([]);
});
