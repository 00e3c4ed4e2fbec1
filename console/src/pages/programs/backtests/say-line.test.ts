import { expect, test } from 'vitest';
import { sayCalculation, sayLine } from './say-line.ts';

const units = new Map([['unt_1', 'points']]);

test.each([
  ['money', 'USD', '1050', '$10.50'],
  ['money', 'JPY', '1050', '¥1,050'],
  ['unit', 'unt_1', '3', '3 points'],
  ['unit', 'unt_gone', '3', '3 units'],
  ['discount', '', '1', '1 discount'],
  ['discount', '', '2', '2 discounts'],
] as const)('%s %s %s reads as %s', (kind, code, amount, said) => {
  expect(sayLine({ kind, code }, amount, units)).toBe(said);
});

test('a calculation is said in the currency or unit of its line', () => {
  const usd = { kind: 'money', code: 'USD' } as const;
  const share = { base: '10000', rateBps: 1_000, result: '1000' };
  expect(sayCalculation(share, usd, units)).toBe('10% of $100.00, $10.00');
  const fixed = { base: null, rateBps: null, result: '5' };
  expect(sayCalculation(fixed, usd, units)).toBe('$0.05');
  expect(sayCalculation(fixed, { kind: 'unit', code: 'unt_1' }, units)).toBe('5 points');
  const discount = { base: null, rateBps: 2_000, result: '2000 bps' };
  expect(sayCalculation(discount, { kind: 'discount', code: '' }, units)).toBe('20% off');
});
