import { expect, test } from 'vitest';
import { exponentOf, fromMinor, toMinor } from './currencies.ts';

test('an amount is read exactly, with the decimals of its currency', () => {
  expect(toMinor('10', 2)).toBe('1000');
  expect(toMinor(' 10.5 ', 2)).toBe('1050');
  expect(toMinor('10,05', 2)).toBe('1005');
  expect(toMinor('0.07', 2)).toBe('7');
  expect(toMinor('0', 2)).toBe('0');
  expect(toMinor('1500', 0)).toBe('1500');
  expect(toMinor('1.234', 3)).toBe('1234');
  expect(toMinor('90071992547409.93', 2)).toBe('9007199254740993');
});

test('what is finer than the currency, or no amount, is none', () => {
  for (const text of ['', '-1', '1e3', '1.005', '1.', '.5', '1,000.00', '$5']) {
    expect(toMinor(text, 2)).toBeNull();
  }
  expect(toMinor('1.0', 0)).toBeNull();
});

test('three digits after a comma may mean thousands, so they mean nothing', () => {
  expect(toMinor('1,000', 3)).toBeNull();
  expect(toMinor('1,000', 4)).toBeNull();
  expect(toMinor('1,50', 3)).toBe('1500');
  expect(toMinor('1.000', 3)).toBe('1000');
});

test('what was written is read back the same', () => {
  for (const [minor, exponent] of [
    ['1050', 2],
    ['7', 2],
    ['1500', 0],
    ['1', 3],
  ] as const) {
    expect(toMinor(fromMinor(minor, exponent), exponent)).toBe(minor);
  }
  expect(fromMinor('7', 2)).toBe('0.07');
});

test('decimals are those of ISO 4217', () => {
  expect(['USD', 'JPY', 'KWD', 'CLF', 'XAU'].map(exponentOf)).toEqual([2, 0, 3, 4, undefined]);
});
