import type { BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { findViolations, isMissing } from './chromium.ts';
import { openConsole, openConsoleService, signInAs } from './console.ts';

let service: TestService;
let shop: Shop;
let other: Shop;
let context: BrowserContext;
let page: Page;
let problems: string[];
let expected: string[];

beforeAll(async () => {
  if (isMissing) return;
  service = await openConsoleService();
  shop = await openShop(service);
  other = await openShop(service);
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 2000 });
});
afterEach(async () => {
  if (isMissing) return;
  // What the service refuses or does not answer, the browser tells too.
  expect(problems.filter((one) => !expected.some((words) => one.includes(words)))).toEqual([]);
});
afterAll(async () => {
  if (isMissing) return;
  await service.close();
});

async function open(path: string): Promise<void> {
  expected = [];
  const { workspaceId, projectId } = shop.project;
  ({ context, page, problems } = await openConsole(service, {
    role: 'owner',
    workspaceId,
  }));
  await page.goto(`${service.url}/console/p/${projectId}/${path}`);
}
const follow = (name: string | RegExp) => page.getByRole('link', { name }).first().click();
const sees = (text: string | RegExp) => page.getByText(text).first().waitFor();
const title = (text: string | RegExp) =>
  page.getByRole('heading', { level: 1, name: text }).waitFor();

/** From page to page by clicks: what one has read, the next one finds in the cache. */
describe.skipIf(isMissing)('going from page to page', () => {
  test('a reward, its program with its rules, events, and the reward again', async () => {
    const { cash = '' } = await shop.buy('crossing');
    await open(`rewards/${cash}`);
    await sees('Thanks');
    await follow('Invite');
    await title('Invite');
    await page.getByRole('tab', { name: 'Rules' }).click();
    await sees(/20 ?%/);
    await follow('Events');
    await page.getByRole('row').nth(1).waitFor();
    await follow(/^Purchase/);
    await sees('Thanks');
    await follow('Rewards');
    await follow('$2.00');
    await sees('Thanks');
  });

  test('home never shows the figures of another project', async () => {
    await shop.buy('figures');
    await open('');
    const revenue = (amount: RegExp) =>
      page.getByRole('button', { name: new RegExp(`^Referred revenue\\s*${amount.source}`) });
    await revenue(/\$/).waitFor();
    await page.getByRole('img', { name: /^Referred revenue by day/ }).waitFor();
    // The other one answers when we say so.
    let answer = () => {};
    const isAsked = new Promise<void>((asked) => {
      void page.route(/\/v1\/figures\/daily/, async (route) => {
        asked();
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        await route.continue();
      });
    });
    await page.getByRole('button', { name: 'Switch project' }).click();
    await page.locator(`[role=menuitem][href*="${other.project.projectId}"]`).click();
    await isAsked;
    expect(await revenue(/\$/).count()).toBe(0);
    answer();
    await revenue(/–/).waitFor();
  });

  test('what is only pointed at is not gone to, and a project that is not there says so', async () => {
    await open('');
    await title('Home');
    const remembered = () => page.evaluate("localStorage.getItem('goodword-project')");
    await page.getByRole('button', { name: 'Switch project' }).click();
    await page.locator(`[role=menuitem][href*="${other.project.projectId}"]`).hover();
    await page.waitForLoadState('networkidle');
    expect(await remembered()).toBe(shop.project.projectId);
    await page.goto(`${service.url}/console/p/prj_gone/rewards`);
    await sees('There is nothing here');
    expect(await remembered()).toBe(shop.project.projectId);
  });

  test('a list far down the page has rows wherever one looks', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `row-${index}`);
    await Promise.all(names.map((name) => shop.signUp(name)));
    await open('participants');
    const rows = page.locator('.data-row');
    await rows.first().waitFor();
    // Something above the list grows once it is there.
    await page.evaluate("document.querySelector('h1').style.marginBottom = '1800px'");
    await page.locator('.data-head').evaluate('(head) => head.scrollIntoView()');
    await page.locator('.data-row[data-index="0"]').waitFor();
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.locator('.data-row').last().waitFor();
    const isRowInTheMiddle = () =>
      page.evaluate("document.elementFromPoint(700, 300).closest('.data-row') !== null");
    await expect.poll(isRowInTheMiddle).toBe(true);
  });
});

/** The browser's tab is looked at again. */
const comeBack = () => page.evaluate("dispatchEvent(new Event('visibilitychange'))");

describe.skipIf(isMissing)('when something goes wrong', () => {
  test('whoever goes back finds the rows that they left', async () => {
    const events = Array.from({ length: 300 }, (_, n) => ({
      sourceNamespaceId: shop.sourceNamespaceId,
      type: 'custom_visit',
      participant: { kind: 'individual', externalId: `visitor-${n}` },
      sourceEventId: `visit-${n}`,
    }));
    expect((await shop.post('/v1/track/events/batch', { events })).status).toBe(200);
    await open('participants');
    await sees('visitor-299');
    const top = () =>
      page.evaluate(`[...document.querySelectorAll('.data-row')]
        .find((row) => row.getBoundingClientRect().top > 200)?.textContent`);
    // As far as there are rows: the next ones are read when the end is near.
    const scrollTo = (y: number) => page.evaluate(`scrollTo(0, ${y}); scrollY >= ${y}`);
    for (const y of [900, 1_800, 2_700, 3_600]) {
      await expect.poll(() => scrollTo(y)).toBe(true);
    }
    await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    );
    const before = await top();
    expect(before).not.toContain('visitor-299');
    await page.evaluate(`[...document.querySelectorAll('.data-row a')]
      .find((link) => link.getBoundingClientRect().top > 200)?.click()`);
    await sees('Timeline');
    await page.goBack();
    await expect.poll(top).toBe(before);
  });

  test('the palette shuts nobody out', async () => {
    await open('payouts');
    await title('Payouts');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test('a session that ends takes nothing of what is half typed', async () => {
    await open('developers?tab=origins');
    expected = ['401 (Unauthorized)'];
    const origins = page.getByLabel(/Origins, one per line/);
    await origins.fill('https://half.example');
    const cookies = await context.cookies();
    await context.clearCookies();
    await comeBack();
    await sees('You are signed out');
    await page.getByRole('button', { name: 'I have signed in' }).click();
    await sees('Nobody is signed in yet.');
    await context.addCookies(cookies);
    await page.getByRole('button', { name: 'I have signed in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await origins.inputValue()).toBe('https://half.example');
  });

  test('when somebody else signs in in another tab, the pages become theirs', async () => {
    const { workspaceId } = shop.project;
    const cookies = await signInAs(service, { role: 'viewer', workspaceId });
    await open('payouts');
    const newBatch = page.getByRole('button', { name: 'New batch' }).first();
    await newBatch.waitFor();
    await context.clearCookies();
    await context.addCookies(cookies);
    await comeBack();
    await newBatch.waitFor({ state: 'detached' });
    await title('Payouts');
    await page.evaluate("sessionStorage.setItem('goodword-draft-x', 'theirs')");
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await title('Sign in');
    await expect.poll(() => page.evaluate("sessionStorage.getItem('goodword-draft-x')")).toBeNull();
  });

  test('a rule whose answer is lost is added once, however often one presses', async () => {
    const rulesOf = async () =>
      (await other.read(`/v1/programs/${other.programId}/benefit-rules`)).body.data;
    await open('');
    expected = ['ERR_FAILED'];
    await page.goto(
      `${service.url}/console/p/${other.project.projectId}/programs/${other.programId}?tab=rules`,
    );
    const loseAnswer = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route('**/v1/benefit-rules', loseAnswer, { times: 1 });
    await page.getByRole('button', { name: 'Add a rule' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByLabel(/^Amount/)
      .first()
      .fill('5');
    await dialog.getByRole('button', { name: 'Add the rule' }).click();
    await sees(/The change may have been made anyway/);
    expect(await rulesOf()).toHaveLength(1);
    await comeBack();
    await dialog.getByRole('button', { name: 'Add the rule' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await rulesOf()).toMatchObject([{ purpose: 'primary' }]);
  });
});
