import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html } from '../../../platform/http/server/html.ts';
import { renderMarkdown } from './render-markdown.ts';

const around = {
  resolveLink: (href: string) => (href.startsWith('../') ? null : `/docs/${href}`),
  drawFigure: (href: string, alt: string) => html`<figure>${href} ${alt}</figure>`,
};
const render = (text: string) => renderMarkdown(`# Title\n\n${text}`, around);
const bodyOf = (text: string) => render(text)[0]?.body.text;

test('a page is cut into parts at its headings, which go by the ids that code hosts give them', () => {
  const parts = render('Lead.\n\n## `PUT` it: here!\n\nText\n\n### Again\n\n## Again\n');
  expect(parts.map(({ id, depth, title, text }) => [id, depth, title, text])).toEqual([
    ['title', 1, 'Title', 'Lead.'],
    ['put-it-here', 2, 'PUT it: here!', 'Text'],
    ['again', 3, 'Again', ''],
    ['again-1', 2, 'Again', ''],
  ]);
});

test('links lead to pages of the site, and what is only in the repository is text', () => {
  expect(bodyOf('[a `b`](c.md) and [d](../e.js)')).toBe(
    '<p><a href="/docs/c.md">a <code>b</code></a> and <span class="in-repository" title="In the repository">d</span></p>',
  );
});

test('a picture by itself is a figure', () => {
  expect(bodyOf('![What it shows](diagrams/a.svg)')).toBe(
    '<figure>diagrams/a.svg What it shows</figure>',
  );
});

test('a block is called by its file, if its first line names one, and else by its language', () => {
  const titleOf = (text: string) => /<figcaption>([^<]+)/.exec(bodyOf(text) ?? '')?.[1];
  expect(titleOf('```js\n// src/server.mjs\nf();\n```')).toBe('src/server.mjs');
  expect(titleOf('```html\n<!-- shop.html -->\n<p>\n```')).toBe('shop.html');
  expect(titleOf('```sh not-run\nls\n```')).toBe('Shell');
  expect(titleOf('```\nls\n```')).toBe('Text');
});

test('whatever a page holds, no markup comes from it', () => {
  const pieces = fc.constantFrom(
    '<script>alert(1)</script>',
    '<img src=x onerror=a>',
    '"',
    "'",
    '`',
    '**',
    '_',
    '\n',
    '- ',
    '| a |\n| - |\n',
    '[x](',
    ')',
    '> ',
    '```',
    '&lt;',
    'a',
  );
  fc.assert(
    fc.property(fc.array(pieces), (all) => {
      const markup = render(all.join(''))
        .map(({ body, heading }) => heading.text + body.text)
        .join('');
      expect(markup).not.toMatch(/<(script|img)|<[^>]* on\w+=(?=[^"]*(?:"[^"]*"[^"]*)*$)/);
    }),
  );
});
