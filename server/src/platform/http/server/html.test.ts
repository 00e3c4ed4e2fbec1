import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { html } from './html.ts';

/** What a browser would show of markup that has only the given elements. */
function textOf(markup: string, elements: RegExp): string {
  return markup
    .replace(elements, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

const hostile = fc.oneof(
  fc.string(),
  fc
    .array(fc.constantFrom('<', '>', '"', "'", '&', '`', '**', '- ', '\n', '<script>', 'a'))
    .map((pieces) => pieces.join('')),
);

describe('html', () => {
  test('text never becomes markup, in an element or in an attribute', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { text: markup } = html`<p title="${text}">${text}</p>`;
        const inside = /^<p title="([^<>"]*)">([^<>"]*)<\/p>$/s.exec(markup);
        expect(inside?.slice(1).map((part) => textOf(part, /^$/))).toEqual([text, text]);
      }),
    );
  });
});
