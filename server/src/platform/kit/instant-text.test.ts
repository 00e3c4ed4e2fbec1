import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatInstant, readInstant } from './instant-text.ts';

const anyMs = fc.integer({
  min: Date.UTC(1000, 0, 1),
  max: Date.UTC(9999, 11, 31, 23, 59, 59, 999),
});

test('a time is written and read as the language does', () => {
  fc.assert(
    fc.property(anyMs, (ms) => {
      const text = new Date(ms).toISOString();
      expect(formatInstant(ms)).toBe(text);
      expect(readInstant(text)).toBe(ms);
    }),
    { numRuns: 2_000 },
  );
});

test.each(['1972-02-29', '2000-02-29', '1900-02-28', '1900-03-01', '2100-03-01', '1969-12-31'])(
  'the calendar has %s',
  (day) => {
    const text = `${day}T23:59:59.999Z`;
    expect(readInstant(text)).toBe(Date.parse(text));
    expect(formatInstant(Date.parse(text))).toBe(text);
  },
);

test('what is no time of this format is read as the language does', () => {
  expect(readInstant('')).toBeNaN();
  expect(readInstant('2026-01-01')).toBe(Date.UTC(2026, 0, 1));
  expect(() => formatInstant(Number.NaN)).toThrow(RangeError);
});
