import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { loadRest } from '../../src/load-rest.ts';

const SRC = join(import.meta.dirname, '../../src');
/** These import by the settings, while they start. */
const STARTS = /^(main|start-service|load-rest)\.ts$|^programs\//;

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );

/** What a file imports while the program runs: packages by their names, files by their paths below `src`. */
function listLate(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  return [...text.matchAll(/(?<!typeof )\bimport\(\s*'([^']+)'/g)].map(([, name = '']) =>
    name.startsWith('.') ? normalize(join(dirname(file), name)) : name,
  );
}

test('all that is loaded with its first use is loaded soon after the start as well', async () => {
  const late = filesOf(SRC)
    .filter((file) => !STARTS.test(file))
    .flatMap(listLate);
  expect(late.length).toBeGreaterThan(3);
  expect(listLate('load-rest.ts').sort()).toEqual([...new Set(late)].sort());
  await loadRest();
});
