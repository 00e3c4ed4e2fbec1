import { expect, test } from 'vitest';
import { splitDocsLinks } from './split-docs-links.ts';

test('addresses of the documentation are told from the words around them', () => {
  expect(splitDocsLinks('Allow it, see /docs/webhooks#where-webhooks-may-go')).toEqual([
    { text: 'Allow it, see ' },
    { text: '/docs/webhooks#where-webhooks-may-go', href: '/docs/webhooks#where-webhooks-may-go' },
  ]);
  expect(splitDocsLinks('Read /docs/api, then go on')).toEqual([
    { text: 'Read ' },
    { text: '/docs/api', href: '/docs/api' },
    { text: ', then go on' },
  ]);
});

test('nothing else becomes a link', () => {
  for (const text of ['', 'Plain.', 'https://evil.example/docs/x', '//docs/x'])
    expect(splitDocsLinks(text)).toEqual(text === '' ? [] : [{ text }]);
});
