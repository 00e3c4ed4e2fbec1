import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { inTurn, rounds } from '../rounds.ts';

/** The one without windows takes a quarter less time; at night it is the one that people have. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = BROWSERS.slice(rounds(0, 1)).find(existsSync) ?? '';
export const isMissing = CHROMIUM === '';
if (isMissing) console.warn('Skipped: there is no Chromium (apt-get install chromium).');

let launched: Promise<Browser> | null = null;

/** The browser of this worker, which ends with it: the files close what they opened in it. */
export function openChromium(): Promise<Browser> {
  launched ??= chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
  return launched;
}

/** Nobody looks at those of every change. */
export const keepsPictures = rounds(0, 1) === 1;

/** How a page is looked at: on a small phone in the dark and on a desk by day. */
export interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

/** Nothing of the page is cut off, and nobody is shut out: in one of these ways, and at night in all. */
export async function expectGood(page: Page, looks: readonly Look[]): Promise<void> {
  // Where the last click left the pointer, something may show what it is for.
  await page.mouse.move(0, 0);
  const size = page.viewportSize();
  for (const { width, colorScheme } of inTurn(looks, nextTurn())) {
    await page.emulateMedia({ colorScheme });
    if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 800 });
    await settle(page, colorScheme);
    const where = `at ${width}, ${colorScheme}`;
    // A page may be on its way to another still: what stays is judged.
    await expect
      .poll(async () => [where, ...(await judge(page))], { timeout: 15_000, interval: 500 })
      .toEqual([where, expect.any(String), 'all there', 0, []]);
  }
  if (size && page.viewportSize()?.width !== size.width) await page.setViewportSize(size);
}

let turns = { test: '', count: 0 };

/** Another one for the next page of a test, and the same ones whenever the test runs. */
function nextTurn(): number {
  const test = expect.getState().currentTestName ?? '';
  turns = { test, count: test === turns.test ? turns.count + 1 : 0 };
  return test.length + turns.count;
}

const IS_ALL_THERE = `document.querySelector('h1') !== null
  && document.querySelector('[aria-busy="true"]') === null`;

async function judge(page: Page): Promise<unknown[]> {
  // What is still being read stands in for what will be there.
  const isAllThere = await page.evaluate(IS_ALL_THERE);
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  const state = isAllThere ? 'all there' : 'not all there';
  return [page.url(), state, overflow, await findViolations(page)];
}

/** Until the page is there in its look: what moves on the way there is not to be judged. */
async function settle(page: Page, colorScheme: Look['colorScheme']): Promise<void> {
  const isSettled = () =>
    page.evaluate(`new Promise((tell) => requestAnimationFrame(() => requestAnimationFrame(() => {
      const scheme = document.documentElement.dataset.mantineColorScheme;
      const isMoving = document
        .getAnimations()
        .some((one) => one instanceof CSSTransition && one.playState === 'running');
      const isInLook = scheme === undefined || scheme === '${colorScheme}';
      tell(!isMoving && isInLook && ${IS_ALL_THERE});
    })))`);
  await expect.poll(isSettled).toBe(true);
}

/** What the page has against those who do not see it or use a keyboard, by axe's rules. */
export async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source);
  // No page has sounds or styles of another origin, which would have to be fetched for some rules.
  return page.evaluate(`axe
    .run(document, { resultTypes: ['violations'], preload: false })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0]?.html))`);
}
