import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markdown } from './markup.ts';

const hostile = fc.oneof(
  fc.string(),
  fc
    .array(fc.constantFrom('<', '>', '"', "'", '&', '`', '**', '- ', '\n', '<script>', 'a'))
    .map((pieces) => pieces.join('')),
);

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
