import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTimestamptz } from '../db/value-parsers.ts';
import { addMs, laterOf, parseInstant, toInstant } from './instant.ts';

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
