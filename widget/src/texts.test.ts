import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chooseLanguage, fill, sayOwn, toLanguage } from './texts.ts';

const FOLDER = new URL('./texts/', import.meta.url);
const read = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`${language}.json`, FOLDER), 'utf8'));
const languages = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
const english = read('en');
const placesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

test('the panel speaks the languages that it promises', () => {
  expect(languages.sort()).toEqual(['ar', 'de', 'en', 'es', 'fr', 'ja']);
});

test.each(languages)('%s has every text, with the same places for values', (language) => {
  const texts = read(language);
  expect(Object.keys(texts)).toEqual(Object.keys(english));
  for (const [name, text] of Object.entries(texts)) {
    expect([name, text.trim()]).toEqual([name, text]);
    expect(text).not.toBe('');
    expect([name, placesIn(text)]).toEqual([name, placesIn(english[name] ?? '')]);
  }
});

test('every text is used', () => {
  const folder = new URL('./', import.meta.url);
  const sources = readdirSync(folder).filter(
    (name) => /\.tsx?$/.test(name) && !/\.test\./.test(name),
  );
  const code = sources.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  const states = [
    'on_hold',
    'pending',
    'processing',
    'paid',
    'granted',
    'failed',
    'cancelled',
    'revoked',
  ];
  const unused = Object.keys(english).filter(
    (name) => !states.includes(name) && !new RegExp(`texts\\.${name}\\b|'${name}'`).test(code),
  );
  expect(unused).toEqual([]);
});

const KNOWN = { de: '', ar: '' };

test.each([
  [['de-AT', 'fr'], { code: 'de', locale: 'de-AT' }],
  [['en-GB', 'de'], { code: 'en', locale: 'en-GB' }],
  [['', 'no language!', 'pt-BR', 'ar-EG'], { code: 'ar', locale: 'ar-EG' }],
  [['toString', 'pt'], { code: 'en', locale: 'en' }],
  [[], { code: 'en', locale: 'en' }],
])('of %j the first that there are texts in is taken', (wanted, chosen) => {
  expect(chooseLanguage(wanted, KNOWN)).toEqual(chosen);
});

test('Arabic goes from right to left, and what a language lacks is said in English', () => {
  expect(toLanguage('ar', 'ar', {}).dir).toBe('rtl');
  expect(toLanguage('de', 'de', {}).dir).toBe('ltr');
  const { texts } = toLanguage('de', 'de', { save: 'Sichern' });
  expect([texts.save, texts.close]).toEqual(['Sichern', 'Close']);
  const ordered = toLanguage('de', 'de', ['Zu', 'Zurück']).texts;
  expect([ordered.close, ordered.back, ordered.save]).toEqual(['Zu', 'Zurück', 'Save']);
});

test('a value with signs of its own goes in as it is', () => {
  expect(fill('At {product}: {product}', 'product', '$& {product}')).toBe(
    'At $& {product}: $& {product}',
  );
});

test('a text that the Program left as it was is said in the reader’s language', () => {
  const { texts } = toLanguage('de', 'de', read('de'));
  for (const name of ['triggerText', 'title', 'subtitle', 'shareMessage'] as const) {
    expect(sayOwn(english[name] ?? '', name, texts)).toBe(read('de')[name]);
    expect(read('de')[name]).not.toBe(english[name]);
  }
});

test('the former default is said as the present one', () => {
  const { texts } = toLanguage('de', 'de', read('de'));
  const former = 'Share your link. When someone joins through it, you both benefit.';
  expect(sayOwn(former, 'subtitle', texts)).toBe(read('de').subtitle);
});

test('a text of the Program’s own is said as it is, an empty one too', () => {
  const { texts } = toLanguage('de', 'de', read('de'));
  expect(sayOwn('Bring a friend', 'title', texts)).toBe('Bring a friend');
  expect(sayOwn('', 'subtitle', texts)).toBe('');
});
