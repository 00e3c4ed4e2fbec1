import { expect, test } from 'vitest';
import { readerFor } from './reader.ts';

const told = (chosen: string | undefined, acceptLanguage: string | undefined) => {
  const { code, formats } = readerFor(chosen, acceptLanguage);
  return [code, formats.day('2026-11-15T09:30:00.000Z')];
};

test('texts are in the most wanted language that there is, days as its browser writes them', () => {
  expect(told(undefined, 'de-DE,de;q=0.9,en;q=0.8')).toEqual(['de', '15.11.2026']);
  expect(told(undefined, 'pt-BR, en-GB;q=0.5')).toEqual(['en', '15 Nov 2026']);
  expect(told(undefined, 'ja')[0]).toBe('ja');
  expect(told(undefined, undefined)).toEqual(['en', 'Nov 15, 2026']);
});

test('a language that was chosen wins over what the browser asks for', () => {
  expect(told('fr', 'de-DE')).toEqual(['fr', '15 nov. 2026']);
  expect(told('de', 'en-US, de-AT;q=0.3')[0]).toBe('de');
  for (const unknown of ['', 'xx', 'toString', '__proto__']) {
    expect(told(unknown, 'de')).toEqual(['de', '15.11.2026']);
  }
});

test('who reads none of the languages gets English with amounts and days of their own', () => {
  expect(told(undefined, 'it-IT')).toEqual(['en', '15 nov 2026']);
});

test('Arabic goes from right to left', () => {
  expect(readerFor('ar', undefined).dir).toBe('rtl');
  expect(readerFor('ja', undefined).dir).toBe('ltr');
});
