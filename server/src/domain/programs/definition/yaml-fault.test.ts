import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { readText } from './read-text.ts';

function issueOf(text: string): string | undefined {
  const read = readText(text);
  return 'issues' in read ? read.issues[0]?.issue : undefined;
}

test.each([
  ['a: 1\n---\nb: 2\n', 'has a second document in line 2: a file describes one program'],
  ['a: b: c\n', /^is not valid YAML in line 1: a field has a second colon/],
  ['a: 1\n b: 2\n', /^is not valid YAML in line \d: a field has a second colon/],
  ['a: [1\n', /a closing \] is missing$/],
  ['{a: 1\n', /a closing } is missing$/],
  ['a: "x\n', /a closing " is missing$/],
  ["a: 'x\n", /a closing ' is missing$/],
  ['\tx: 1\n', 'is not valid YAML in line 1: lines are indented with spaces, not with tabs'],
  ['a:\n  - b\n c: 1\n', /line 3: the indentation does not fit the lines above it$/],
  ['@a: 1\n', /text that begins with a special character needs quotes$/],
  ['a: "\\q"\n', /an unknown escape after \\$/],
  ['a: 1\nb\n', /line 2: a sign such as : or a comma is missing$/],
  ['a: 1\n]\n', /line 2: something is not where it belongs$/],
])('%j is refused in plain words', (text, issue) => {
  expect(issueOf(text)).toEqual(expect.stringMatching(issue));
});

test.each(['a: 1\n---\nb: 2\n', 'a: b: c\n', 'a: [1\n', '- a\nb: 1\n', 'a: `x`\n'])(
  'what the parser says about %j is not passed on',
  (text) => {
    const [fault] = parseDocument(text, { prettyErrors: false }).errors;
    expect(fault).toBeDefined();
    expect(issueOf(text)).not.toContain(fault?.message);
  },
);
