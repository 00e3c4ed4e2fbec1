import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Everything that a file imports statically, except types. */
function importsOf(file: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(file.href)) return seen;
  seen.add(file.href);
  const text = readFileSync(file, 'utf8');
  for (const [, names = '', from = ''] of text.matchAll(
    /^import (?!type )([^;]*?)from '([^']+)'/gms,
  )) {
    const isTypesOnly =
      /^\{[^}]*\}\s*$/.test(names) && !/\{\s*(?!type )|,\s*(?!type |\})/.test(names);
    if (isTypesOnly) continue;
    if (from.startsWith('.')) importsOf(new URL(from, file), seen);
    else seen.add(from);
  }
  return seen;
}

test('starting loads neither the app nor any package: help and completion come at once', () => {
  const loaded = [...importsOf(new URL('./main.ts', import.meta.url))];
  expect(loaded.length).toBeGreaterThan(20);
  const packages = loaded.filter((name) => !name.startsWith('file:') && !name.startsWith('node:'));
  expect(packages).toEqual([]);
  expect(loaded.filter((name) => /\/(app|routes)\.ts$/.test(name))).toEqual([]);
});
