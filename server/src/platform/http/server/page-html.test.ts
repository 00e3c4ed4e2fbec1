import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../../../test/any-text.ts';
import { messagePage, PAGE_HEADERS } from './page-html.ts';

test('neither a title nor a text becomes markup', () => {
  const hostile = `<script>alert(1)</script>"'&`;
  const texts = fc.oneof(fc.constant(hostile), anyText());
  const tags = (html: string) => html.match(/<[a-z!/][^>]*>/gi)?.length;
  fc.assert(
    fc.property(texts, (text) => {
      expect(tags(messagePage(text, text))).toBe(tags(messagePage('a', 'a')));
    }),
  );
});

test('the policy allows the page’s own style sheet and nothing else', () => {
  const style = /<style>([\s\S]*)<\/style>/.exec(messagePage('a', 'b'))?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(PAGE_HEADERS['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  );
});
