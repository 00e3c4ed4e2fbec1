import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { html } from '../../../platform/http/server/html.ts';
import { en } from './en.ts';
import { fill, fillHtml } from './fill.ts';
import { LANGUAGE_CODES, LANGUAGES } from './languages.ts';

const placesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
const names = Object.keys(en) as (keyof typeof en)[];

test('the page speaks the languages of the widget', () => {
  const folder = join(import.meta.dirname, '../../../../../widget/src/texts');
  const ofWidget = readdirSync(folder).map((file) => file.replace('.json', ''));
  expect([...LANGUAGE_CODES].sort()).toEqual(ofWidget.sort());
});

test.each(LANGUAGE_CODES)('%s has every text, with the same places for values', (code) => {
  const { texts } = LANGUAGES[code];
  expect(Object.keys(texts)).toEqual(names);
  for (const name of names) {
    expect([name, texts[name].trim()]).toEqual([name, texts[name]]);
    expect([name, texts[name].length > 0]).toEqual([name, true]);
    expect([name, placesIn(texts[name])]).toEqual([name, placesIn(en[name])]);
  }
});

test('every text is used', () => {
  const room = join(import.meta.dirname, '..');
  const code = readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.ts$/.test(name) && !name.startsWith('texts/'))
    .map((name) => readFileSync(join(room, name), 'utf8'))
    .join('\n');
  // Those of terms are named by who gets what for which event.
  const isComposed = (name: string) => /^(you|they|capYou|capThey)[A-Z]?/.test(name);
  const unused = names.filter(
    (name) => !isComposed(name) && !new RegExp(`texts\\.${name}\\b|'${name}'`).test(code),
  );
  expect(unused).toEqual([]);
});

test('a value goes in as it is, and as markup only where it is markup', () => {
  expect(fill('At {product}: {product}', { product: '$& {product}' })).toBe(
    'At $& {product}: $& {product}',
  );
  const link = html`<a href="/x">x</a>`;
  expect(fillHtml('<b> {link} {text}', { link, text: '<i>' }).text).toBe(
    '&lt;b&gt; <a href="/x">x</a> &lt;i&gt;',
  );
  expect(() => fill('{missing}', {})).toThrow('{missing}');
});
