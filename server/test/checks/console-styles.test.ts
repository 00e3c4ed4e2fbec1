import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const CONSOLE = fileURLToPath(new URL('../../../console/src/', import.meta.url));

/** Stylesheets of the pages: they stay loaded once a page was opened. The preview is a document of its own. */
const sheets = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.css') && !path.startsWith('preview'),
);

/** The classes that a stylesheet has rules for, alone in a selector: others refine them. */
function classesIn(css: string): string[] {
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{/g);
  return [...rules].flatMap(([, selectors = '']) =>
    selectors.split(',').flatMap((one) => /^\.([a-z][\w-]*)$/.exec(one.trim())?.[1] ?? []),
  );
}

test('a class of the console has one stylesheet: two of them would apply together', () => {
  const places = new Map<string, Set<string>>();
  for (const sheet of sheets) {
    for (const name of classesIn(readFileSync(`${CONSOLE}${sheet}`, 'utf8'))) {
      places.set(name, (places.get(name) ?? new Set()).add(sheet));
    }
  }
  expect(places.size).toBeGreaterThan(100);
  const shared = [...places].filter(([, found]) => found.size > 1);
  expect(shared.map(([name, found]) => [name, ...found])).toEqual([]);
});
