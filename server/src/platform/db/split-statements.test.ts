import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { splitStatements } from './split-statements.ts';

const trimmed = (script: string) => splitStatements(script).map((one) => one.trim());

test('statements end at semicolons, the last one also without', () => {
  expect(trimmed('select 1; select 2')).toEqual(['select 1', 'select 2']);
  expect(trimmed('select 1;\n\n;\n')).toEqual(['select 1']);
});

test('semicolons in text, names, comments and bodies end nothing', () => {
  expect(trimmed(`insert into a values ('x;''y;'); select 1`)).toHaveLength(2);
  expect(trimmed('select "a;b"; select 1')).toHaveLength(2);
  expect(trimmed('-- one; two\nselect 1; /* a; b */ select 2')).toHaveLength(2);
  expect(trimmed('do $$ begin a; b; end $$; do $x$ c; $x$')).toHaveLength(2);
});

test('what is only a comment is no statement', () => {
  expect(trimmed('select 1; -- that is all;\n')).toEqual(['select 1']);
});

test('the baseline has as many statements as lines that end one', () => {
  const url = new URL('../../../migrations/0001_baseline.sql', import.meta.url);
  const script = readFileSync(url, 'utf8');
  const ends = script.split('\n').filter((line) => /;\s*$/.test(line.replace(/--.*/, '')));
  expect(splitStatements(script)).toHaveLength(ends.length);
});
