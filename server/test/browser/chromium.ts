import { existsSync } from 'node:fs';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

const CHROMIUM = '/usr/bin/chromium';
export const isMissing = !existsSync(CHROMIUM);
if (isMissing) console.warn(`Skipped: there is no ${CHROMIUM} (apt-get install chromium).`);

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

/** How a page is looked at: on a small phone in the dark and on a desk by day. */
export interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

/** In every one of these ways nothing of the page is cut off, and nobody is shut out. */
export async function expectGood(page: Page, looks: readonly Look[]): Promise<void> {
  // Where the last click left the pointer, something may show what it is for.
  await page.mouse.move(0, 0);
  for (const { width, colorScheme } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await settle(page, colorScheme);
    const where = `at ${width}, ${colorScheme}`;
    // A page may be on its way to another still: what stays is judged.
    await expect
      .poll(async () => [where, ...(await judge(page))], { timeout: 15_000, interval: 500 })
      .toEqual([where, expect.any(String), 'all there', 0, []]);
  }
}

async function judge(page: Page): Promise<unknown[]> {
  const isThere = (await page.locator('h1').count()) > 0;
  // What is still being read stands in for what will be there.
  const isBusy = (await page.locator('[aria-busy="true"]').count()) > 0;
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  const state = isThere && !isBusy ? 'all there' : 'not all there';
  return [page.url(), state, overflow, await findViolations(page)];
}

/** Until the page has taken on another look: what moves on the way there is not to be judged. */
async function settle(page: Page, colorScheme: Look['colorScheme']): Promise<void> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  );
  const isSettled = () =>
    page.evaluate(`(() => {
      const scheme = document.documentElement.dataset.mantineColorScheme;
      const isMoving = document
        .getAnimations()
        .some((one) => one instanceof CSSTransition && one.playState === 'running');
      return !isMoving && (scheme === undefined || scheme === '${colorScheme}');
    })()`);
  await expect.poll(isSettled).toBe(true);
}

/** What the page has against those who do not see it or use a keyboard, by axe's rules. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run(document)')) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
