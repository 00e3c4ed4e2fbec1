import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeList } from '../../bin/disposable-domains.js';
import { DISPOSABLE_FILE } from '../../src/domain/participants/disposable-domains.ts';

test('a list is dated, sorted and has each domain once', () => {
  expect(makeList('b.example\n# old\nA.example # one\n\nb.example\n', '2026-11-18')).toBe(
    '# Providers of disposable e-mail addresses, 2026-11-18\na.example\nb.example\n',
  );
});

test('a file that is no list is refused', () => {
  expect(() => makeList('a.example\n<html>', '2026-11-18')).toThrow('"<html>" is not a domain.');
  expect(() => makeList('\n# nothing\n', '2026-11-18')).toThrow('The file has no domains.');
});

test('the list that is shipped is as the command writes it', () => {
  const text = readFileSync(DISPOSABLE_FILE, 'utf8');
  const [, date] = /^# .*, (\d{4}-\d{2}-\d{2})\n/.exec(text) ?? [];
  expect(makeList(text, date ?? '')).toBe(text);
});
