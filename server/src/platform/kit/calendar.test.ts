import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMonths } from './calendar.ts';
import { toInstant } from './instant.ts';

test.each([
  ['2026-01-31T10:20:30.456Z', 1, '2026-02-28T10:20:30.456Z'],
  ['2028-01-31T00:00:00.000Z', 1, '2028-02-29T00:00:00.000Z'],
  ['2028-02-29T23:59:59.999Z', 12, '2029-02-28T23:59:59.999Z'],
  ['2028-02-29T00:00:00.000Z', 48, '2032-02-29T00:00:00.000Z'],
  ['2026-08-31T12:00:00.000Z', 6, '2027-02-28T12:00:00.000Z'],
  ['2026-10-31T12:00:00.000Z', 1, '2026-11-30T12:00:00.000Z'],
  ['2026-12-15T12:00:00.000Z', 1, '2027-01-15T12:00:00.000Z'],
  ['2026-11-15T09:30:00.000Z', 0, '2026-11-15T09:30:00.000Z'],
  ['2026-11-15T09:30:00.000Z', 120, '2036-11-15T09:30:00.000Z'],
])('%s and %d months is %s (D-TERM-3)', (from, months, to) => {
  expect(addMonths(from, months)).toBe(to);
});

test('months add up: the month is the one counted to, the time of day stays, the day never grows', () => {
  const instants = fc.integer({ min: 0, max: Date.UTC(2100, 0) }).map(toInstant);
  fc.assert(
    fc.property(instants, fc.nat(1_200), (from, months) => {
      const to = addMonths(from, months);
      const monthOf = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
      const dayOf = (text: string) => Number(text.slice(8, 10));
      expect(monthOf(to)).toBe(monthOf(from) + months);
      expect(to.slice(10)).toBe(from.slice(10));
      expect(dayOf(to)).toBeLessThanOrEqual(dayOf(from));
      if (dayOf(from) <= 28) expect(dayOf(to)).toBe(dayOf(from));
      else expect(dayOf(to)).toBeGreaterThanOrEqual(28);
    }),
  );
});

test('more months never end earlier', () => {
  const instants = fc.integer({ min: 0, max: Date.UTC(2100, 0) }).map(toInstant);
  fc.assert(
    fc.property(instants, fc.nat(200), (from, months) => {
      expect(addMonths(from, months + 1) > addMonths(from, months)).toBe(true);
    }),
  );
});
