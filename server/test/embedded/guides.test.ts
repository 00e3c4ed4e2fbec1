import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTENTS } from '../../src/surfaces/docs/pages/contents.ts';
import { type Block, readGuide } from '../guides/blocks.ts';
import { checkBlock } from '../guides/check-block.ts';
import { NOT_RUN } from '../guides/not-run.ts';
import { isFile, makeWorkplace, runBlocks } from '../guides/session.ts';
import { killAll, type Program, startProgram } from '../process.ts';
import { makeDataFolder } from './shop.ts';

const guides = CONTENTS.flatMap(({ entries }) => entries)
  .map(({ file }) => normalize(join('docs', file)))
  .map(readGuide);
/** How long a page may take. The command line's starts a program for every line. */
const LIMITS_MS: Readonly<Record<string, number>> = { 'docs/cli.md': 180_000 };
const limitOf = (page: string) => LIMITS_MS[page] ?? 60_000;
const runs = (block: Block) => block.language === 'sh' && !block.notRun;

describe('the code of the guides', () => {
  const root = mkdtempSync(join(tmpdir(), 'goodword-guides-'));
  const dataDir = join(root, 'data');
  let program: Program;
  beforeAll(async () => {
    makeDataFolder(dataDir);
    // Every page makes a project of its own, so that one service is enough for all.
    program = await startProgram({
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    });
  });
  afterAll(async () => {
    await killAll();
    rmSync(root, { recursive: true, force: true });
  });

  for (const { page, before, blocks } of guides.filter((guide) => guide.blocks.some(runs))) {
    // A little longer than the page has, so that its own end tells how far it got.
    test(`${page} runs from top to bottom`, { timeout: limitOf(page) + 10_000 }, async () => {
      const folder = join(root, page.replaceAll('/', '-'));
      const place = makeWorkplace(folder, { url: program.url, dataDir });
      await runBlocks([...before, ...blocks], place, limitOf(page));
    });
  }
});

test('a block that is not run is at least what it says it is', async () => {
  const faults = await Promise.all(
    guides
      .flatMap(({ blocks }) => blocks)
      .filter((block) => !runs(block) && !(isFile(block) && block.language === 'json'))
      .map(async (block) => {
        const fault = await checkBlock(block);
        return fault === null ? [] : [`${block.page}:${block.line} ${fault}`];
      }),
  );
  expect(faults.flat()).toEqual([]);
});

test('every block that is not run has a reason for it', () => {
  const marked = guides.flatMap(({ blocks }) => blocks).filter(({ notRun }) => notRun);
  const fits = (block: Block, { page, begins }: (typeof NOT_RUN)[number]) =>
    block.page === page && block.text.startsWith(begins);
  const without = marked.filter((block) => !NOT_RUN.some((reason) => fits(block, reason)));
  expect(without.map(({ page, line, text }) => `${page}:${line} ${text}`)).toEqual([]);
  const idle = NOT_RUN.filter((reason) => !marked.some((block) => fits(block, reason)));
  expect(idle).toEqual([]);
});
