import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markdown } from '../pages/markdown.ts';
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

describe('markdown', () => {
  test('whatever a description holds, only the few known elements come out', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const rest = markdown(text).text.replace(/<\/?(p|ul|li|code|strong)>/g, '');
        expect(rest).not.toMatch(/[<>"']/);
      }),
    );
  });

  test('paragraphs, a list under its lead, code and weight are rendered', () => {
    expect(markdown('One `a<b`.\n\nRules:\n- **first**\n- second\n  goes on').text).toBe(
      '<p>One <code>a&lt;b</code>.</p><p>Rules:</p><ul><li><strong>first</strong></li><li>second   goes on</li></ul>',
    );
  });
});
