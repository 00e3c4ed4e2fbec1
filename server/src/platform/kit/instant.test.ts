import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTimestamptz } from '../db/engine-common.ts';
import { addMonths, addMs, laterOf, parseInstant, toInstant } from './instant.ts';

describe('times in requests (D-GEN-1)', () => {
  test.each([
    ['2026-11-15T09:30:00Z', '2026-11-15T09:30:00.000Z'],
    ['2026-11-15t09:30:00z', '2026-11-15T09:30:00.000Z'],
    ['2026-11-15T09:30:00.1Z', '2026-11-15T09:30:00.100Z'],
    ['2026-11-15T09:30:00.123999999Z', '2026-11-15T09:30:00.123Z'],
    ['2026-11-15T01:30:00+05:30', '2026-11-14T20:00:00.000Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  test.each([
    '2026-11-15',
    '2026-11-15T09:30Z',
    '2026-11-15T09:30:00',
    '2026-11-15 09:30:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-15T24:00:00Z',
    '2026-11-15T09:60:00Z',
    '2026-11-15T09:30:60Z',
    '2026-11-15T09:30:00+24:00',
    '2026-11-15T09:30:00+05:60',
    '2026-11-15T09:30:00.1234567890Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    ' 2026-11-15T09:30:00Z',
    '1763200000',
    '',
  ])('%s is refused', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

test('instants compare as texts the way moments compare', () => {
  const ms = fc.integer({ min: 0, max: Date.UTC(2200, 0) });
  fc.assert(
    fc.property(ms, ms, (a, b) => {
      expect(laterOf(toInstant(a), toInstant(b))).toBe(toInstant(Math.max(a, b)));
      expect(parseInstant(toInstant(a))).toBe(toInstant(a));
      expect(addMs(toInstant(a), b)).toBe(toInstant(a + b));
    }),
  );
});

test('what the database says becomes the same form', () => {
  expect(parseTimestamptz('2026-11-15 02:39:25+00')).toBe('2026-11-15T02:39:25.000Z');
  expect(parseTimestamptz('2026-11-15 02:39:25.1+00')).toBe('2026-11-15T02:39:25.100Z');
  expect(parseTimestamptz('2026-11-15 02:39:25.123+00')).toBe('2026-11-15T02:39:25.123Z');
});

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
