import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FILE_NAME } from '../../src/surfaces/docs/pages/render-markdown.ts';
import { ROOT, readGuide } from '../guides/blocks.ts';
import { isFile } from '../guides/session.ts';

const FOLDER = 'shop/';

/** The files that a page has its readers make in their shop. */
function shownFiles(page: string): Record<string, string> {
  const shown = readGuide(page)
    .blocks.filter(isFile)
    .map(({ text }): [string, string] => {
      const [line = '', name = ''] = FILE_NAME.exec(text) ?? [];
      return [name, `${text.slice(line.length)}\n`];
    });
  return Object.fromEntries(
    shown
      .filter(([name]) => name.startsWith(FOLDER))
      .map(([name, text]) => [name.slice(FOLDER.length), text]),
  );
}

/** The sources of an example, without what installing and building it leaves there. */
function sourcesOf(example: string): Record<string, string> {
  const root = join(ROOT, 'examples', example);
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /(?<!\.d)\.(js|tsx?)$/.test(name) && !/^(node_modules|\.next)\//.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
}

test.each(['express', 'next'])('the quickstart for %s shows every file of its example', (name) => {
  expect(shownFiles(`docs/quickstart-${name}.md`)).toEqual(sourcesOf(name));
});
