import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDERS = [
  'server/src',
  'server/test',
  'server/migrations',
  'console/src',
  'widget/src',
  'sdk/src',
  'cli/src',
];

test('docs/decisions.md explains every decision that code and tests cite, and no other', () => {
  const cited = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|sql)$/.test(name))
      .flatMap(
        (name) => readFileSync(join(ROOT, folder, name), 'utf8').match(/\bD-[A-Z]+-\d+\b/g) ?? [],
      ),
  );
  const page = readFileSync(join(ROOT, 'docs/decisions.md'), 'utf8');
  const explained = [...page.matchAll(/^\| (D-[A-Z]+-\d+) /gm)].map(([, id]) => id);
  expect(explained.toSorted()).toEqual([...new Set(cited)].toSorted());
});
