import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatsFor, listLocales } from './formats.ts';

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

test('amounts have as many decimals as their currency, exact however large', () => {
  const { money } = formatsFor('en-US');
  const shown = [
    [0n, 'USD'],
    [5n, 'USD'],
    [-1_234n, 'EUR'],
    [1_000n, 'JPY'],
    [12_345n, 'KWD'],
    [999_999_999_999_999_999n, 'USD'],
  ].map(([amount, currency]) => plain(money(amount as bigint, currency as string)));
  expect(shown).toEqual([
    '$0.00',
    '$0.05',
    '-€12.34',
    '¥1,000',
    'KWD 12.345',
    '$9,999,999,999,999,999.99',
  ]);
});

test('amounts and days are written in the reader’s language', () => {
  const german = formatsFor('de-DE');
  expect(plain(german.money(123_456n, 'EUR'))).toBe('1.234,56 €');
  expect(german.day('2026-11-15T09:30:00.000Z')).toBe('15.11.2026');
  expect(german.country('DE')).toBe('Deutschland');
  // In UTC, as everywhere here.
  expect(formatsFor('en-US').day('2026-11-15T23:59:59.999Z')).toBe('Nov 15, 2026');
});

test('a length of time and several things are said in the reader’s language', () => {
  const { span, all } = formatsFor('de');
  expect([span(1, 'month'), span(12, 'month'), span(30, 'day')]).toEqual([
    '1 Monat',
    '12 Monate',
    '30 Tage',
  ]);
  expect(formatsFor('en').span(30, 'minute')).toBe('30 minutes');
  expect(all(['a', 'b', 'c'])).toBe('a, b und c');
});

test('the languages that are wanted and known are listed, most wanted first', () => {
  const picked = [
    undefined,
    '',
    '*',
    'de',
    'xx-rubbish-tag-that-is-none, fr;q=0.5',
    'en;q=0.2, pt-BR;q=0.9',
    'de;q=0, it',
    'q=1;;;,,,',
    '-'.repeat(10_000),
    'de-DE-u-nu-latn',
  ].map(listLocales);
  expect(picked).toEqual([[], [], [], ['de'], ['fr'], ['pt-BR', 'en'], ['it'], [], [], []]);
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (text) => {
      for (const locale of listLocales(text)) expect(() => formatsFor(locale)).not.toThrow();
    }),
  );
});
