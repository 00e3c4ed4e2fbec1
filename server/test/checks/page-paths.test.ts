import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const OTHERS = new Set(['node_modules', 'dist', 'data', '.git', '.stryker-tmp']);

/** All files of the project, from its root, each with a slash before it. */
function listFiles(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return OTHERS.has(entry.name) ? [] : listFiles(path);
  });
}

test('every source file that a page for maintainers names exists', () => {
  const files = listFiles();
  const pages = files.filter((path) =>
    /^\/((ARCHITECTURE|AGENTS|CONTRIBUTING)|docs\/adr\/.*|server\/src\/.*)\.md$/.test(path),
  );
  const missing = pages.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    return [...text.matchAll(/`([\w./-]*\w\.(?:ts|tsx|mjs|sql))`/g)].flatMap(([, path = '']) => {
      const end = `/${path.replace(/^(\.\.?\/)+/, '')}`;
      return files.some((file) => file.endsWith(end)) ? [] : [`${page}: ${path}`];
    });
  });
  expect(pages.length).toBeGreaterThan(25);
  expect(missing).toEqual([]);
});
