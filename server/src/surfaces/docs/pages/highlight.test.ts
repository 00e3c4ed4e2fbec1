import fc from 'fast-check';
import { expect, test } from 'vitest';
import { highlight } from './highlight.ts';

/** What a browser shows of the markup. Whatever is no mark of the colours stays, and is seen as a difference. */
function textOf(markup: string): string {
  return markup
    .replace(/<span class="[\w -]+">|<\/span>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}

const PIECES =
  '< > " \' & ` # // /* -- $ $( \\ = ( ) { } [ ] : , ; | \n if curl -H --data 1 -1.5 null a <<EOF EOF <script> </script> ** - '
    .split(' ')
    .concat(' ');
const texts = fc.oneof(
  fc.string(),
  fc.json(),
  fc.array(fc.constantFrom(...PIECES)).map((pieces) => pieces.join('')),
);

test.each([
  'sh',
  'js',
  'jsx',
  'ts',
  'tsx',
  'html',
  'python',
  'php',
  'ruby',
  'go',
  'yaml',
  'ini',
  'sql',
  'json',
  'text',
])('colours %s, shows exactly the text it was given, and makes no other markup', (language) => {
  fc.assert(
    fc.property(texts, (text) => {
      const { text: markup } = highlight(text, language);
      expect(textOf(markup)).toBe(text);
      expect(markup.replace(/<span class="[\w -]+">|<\/span>/g, '')).not.toMatch(/[<>]/);
    }),
  );
});

test('names, texts, numbers and words of JSON have their own marks, and brackets have none', () => {
  expect(highlight('{"a": ["b", -1.5, null]}', 'json').text).toBe(
    '{<span class="hljs-attr">&quot;a&quot;</span>: [<span class="hljs-string">&quot;b&quot;</span>, <span class="hljs-number">-1.5</span>, <span class="hljs-literal"><span class="hljs-keyword">null</span></span>]}',
  );
});

test('commands and options of a shell are marked where a shell reads them as such', () => {
  const marked = (text: string) =>
    [...highlight(text, 'sh').text.matchAll(/<span class="hljs-(?:built_in|attr)">([^<]*)/g)].map(
      ([, word]) => word,
    );
  expect(marked('curl -s "$URL" \\\n  echo --data x | jq . && npm run test')).toEqual([
    'curl',
    '-s',
    '--data',
    'jq',
    'npm',
  ]);
  expect(marked('KEY=$(pick key) # say curl -x\n  cd /tmp')).toEqual(['pick', 'cd']);
});

test('a language without colours stays as it is', () => {
  expect(highlight('<a> && "b"', 'promql').text).toBe('&lt;a&gt; &amp;&amp; &quot;b&quot;');
});
