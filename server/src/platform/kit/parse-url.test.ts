import { expect, test } from 'vitest';
import { parseUrl } from './parse-url.ts';

test('a text that is no URL gives none', () => {
  expect(parseUrl('example.com')).toBeUndefined();
  expect(parseUrl('https://')).toBeUndefined();
});

test('letters outside of ASCII are understood, however often it is called', () => {
  const text = 'https://bücher.example/über';
  for (let n = 0; n < 20_000; n += 1)
    expect(parseUrl(text)?.hostname).toBe('xn--bcher-kva.example');
});
