import { expect, test } from 'vitest';
import { CURRENCY_EXPONENTS } from './currencies.ts';

test('codes are known in upper case, with an exponent that ISO 4217 has (D-GEN-4)', () => {
  const odd = [...CURRENCY_EXPONENTS.keys()].filter((code) => !/^[A-Z]{3}$/.test(code));
  expect(odd).toEqual([]);
  expect(new Set(CURRENCY_EXPONENTS.values())).toEqual(new Set([0, 2, 3, 4]));
});

test('the currencies whose minor unit is not a hundredth have their own exponent', () => {
  const of = (exponent: number) =>
    [...CURRENCY_EXPONENTS].filter(([, value]) => value === exponent).map(([code]) => code);
  expect(of(0)).toEqual(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
  );
  expect(of(3)).toEqual('BHD IQD JOD KWD LYD OMR TND'.split(' '));
  expect(of(4)).toEqual(['CLF', 'UYW']);
  for (const code of ['USD', 'EUR', 'GBP', 'HUF', 'TWD', 'MRU', 'MGA', 'XCD', 'XCG', 'ZWG']) {
    expect([code, CURRENCY_EXPONENTS.get(code)]).toEqual([code, 2]);
  }
});

test('codes without a minor unit, and codes that are gone, are no currencies here', () => {
  const none = 'XAU XAG XPT XPD XXX XTS XDR XSU XUA XBA XBB XBC XBD HRK SLL ZWL ANG usd';
  for (const code of none.split(' ')) {
    expect([code, CURRENCY_EXPONENTS.get(code)]).toEqual([code, undefined]);
  }
});
