import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ACCEPTED_MINOR_PATTERN,
  formatMajor,
  formatMinor,
  POSITIVE_MINOR_PATTERN,
  parseMajor,
  parseMinor,
  smallerOf,
} from './money.ts';

test('an amount of up to 18 digits survives the wire exactly (D-GEN-4)', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 18n - 1n), (amount) => {
      expect(parseMinor(formatMinor(amount))).toBe(amount);
    }),
  );
});

test('no other form is an amount', () => {
  const refused = [
    '',
    '-1',
    '-0',
    '+1',
    '01',
    '1.0',
    '1e3',
    ' 1',
    '1\n',
    '٣',
    `1${'0'.repeat(18)}`,
  ];
  for (const text of refused) expect([text, parseMinor(text)]).toEqual([text, undefined]);
  fc.assert(
    fc.property(fc.string(), (text) => {
      const amount = parseMinor(text);
      expect(amount === undefined ? undefined : formatMinor(amount)).toBe(
        amount === undefined ? undefined : text,
      );
    }),
  );
});

test('an amount below zero has its sign in front, and zero has none', () => {
  expect(formatMinor(-250n)).toBe('-250');
  expect(formatMinor(-0n)).toBe('0');
});

test('an amount as banks write it is the same amount', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.integer({ min: 0, max: 4 }), (amount, exponent) => {
      expect(parseMajor(formatMajor(amount, exponent), exponent)).toBe(amount);
    }),
  );
  expect(formatMajor(-5n, 2)).toBe('-0.05');
  expect(formatMajor(0n, 2)).toBe('0.00');
  expect(formatMajor(-1200n, 0)).toBe('-1200');
  expect(parseMajor('12', 2)).toBe(1200n);
  expect(parseMajor('12.5', 2)).toBe(1250n);
  expect(parseMajor('12.5000', 2)).toBe(1250n);
  for (const none of ['', '.5', '12.', '12.345', '1e3', '1,000.00', ' 1']) {
    expect(parseMajor(none, 2)).toBeUndefined();
  }
});

test('a decimal says the same as its minor units', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 18n), 10n ** 18n), fc.nat({ max: 4 }), (amount, exponent) => {
      const text = formatMajor(amount, exponent);
      expect(BigInt(text.replace('.', ''))).toBe(amount);
      expect((text.split('.')[1] ?? '').length).toBe(exponent);
    }),
  );
});

test('callers send up to 15 digits, and no zero where an amount must be above it', () => {
  const accepted = new RegExp(ACCEPTED_MINOR_PATTERN);
  const positive = new RegExp(POSITIVE_MINOR_PATTERN);
  const most = '9'.repeat(15);
  const accepts = (text: string) => [accepted.test(text), positive.test(text)];
  for (const text of ['1', '10', most]) expect([text, accepts(text)]).toEqual([text, [true, true]]);
  expect(accepts('0')).toEqual([true, false]);
  for (const text of ['', '-1', '01', '1.0', ' 1', '1 ', `${most}0`]) {
    expect([text, accepts(text)]).toEqual([text, [false, false]]);
  }
});

test('the smaller of two amounts is one of them, and not above the other', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), (a, b) => {
      const smaller = smallerOf(a, b);
      expect([a, b]).toContain(smaller);
      expect(smaller <= a && smaller <= b).toBe(true);
    }),
  );
});
