import { expect, test } from 'vitest';
import { rewriteLinks } from './rewrite-links.ts';

const resolve = (href: string) => (href === 'gone.md' ? null : `https://x.example/${href}`);
const rewrite = (text: string) => rewriteLinks(text, resolve);

test('links lead to where they are resolved', () => {
  expect(rewrite('See [the *terms*](terms.md#a) and [x](y.md "title").')).toBe(
    'See [the *terms*](https://x.example/terms.md#a) and [x](https://x.example/y.md).',
  );
});

test('the text of a link to what is not there remains', () => {
  expect(rewrite('See [the code](gone.md).')).toBe('See the code.');
});

test('a drawing is described', () => {
  expect(rewrite('![Ada brings Bob](a.svg "How")')).toBe('*Drawing: Ada brings Bob*');
});

test('a link over two lines is one', () => {
  expect(rewrite('[the\nterms](terms.md)')).toBe('[the\nterms](https://x.example/terms.md)');
});

test('code stays as it is', () => {
  const code = '```md\n[a](b.md)\n```\n';
  expect(rewrite(`${code}[a](b.md)`)).toBe(`${code}[a](https://x.example/b.md)`);
});
