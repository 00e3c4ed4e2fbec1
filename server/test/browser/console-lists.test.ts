import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { expectGood, isMissing, type Look } from './chromium.ts';
import { openConsole, openConsoleService } from './console.ts';

const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
];

let service: TestService;
let shop: Shop;
let page: Page;
let problems: string[];

beforeAll(async () => {
  if (isMissing) return;
  service = await openConsoleService();
  shop = await openShop(service);
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 2050 });
  const credit = { benefitKind: 'credit', calculation: 'fixed', fixedAmountMinor: '500' };
  await shop.addRule({ ...credit, currency: 'EUR', currencyExponent: 2 });
  const names = Array.from({ length: 12 }, (_, index) => `order-${index}`);
  for (const name of names) {
    service.clock.advance(60_000);
    await shop.buy(name);
  }
});
afterEach(() => {
  if (!isMissing) expect(problems).toEqual([]);
});
afterAll(async () => {
  if (isMissing) return;
  await service.close();
});

const addressOf = (path: string) => `${service.url}/console/p/${shop.project.projectId}/${path}`;

async function open(path: string): Promise<void> {
  const { workspaceId } = shop.project;
  ({ page, problems } = await openConsole(service, { role: 'owner', workspaceId }));
  await page.goto(addressOf(path));
}
const button = (name: string | RegExp, exact = true) => page.getByRole('button', { name, exact });
const chip = (text: string) => button(new RegExp(`^${text}`), false);
const filter = async (name: string) => {
  await button('Filter').click();
  await page.getByRole('menuitem', { name, exact: true }).click();
};
const choose = (name: string) => page.getByRole('menuitemradio', { name, exact: true }).click();
const query = () => Object.fromEntries(new URL(page.url()).searchParams);
/** The text of the element with the focus: none if that is the page, which contains every text. */
const focused = () =>
  page.evaluate(`(({ activeElement }) =>
    activeElement === document.body ? '' : activeElement.textContent.trim())(document)`);
/** Read within the event of the key: the next key may already be waiting. */
const focusedAfter = (key: string) =>
  page.evaluate(`(() => {
    const { activeElement } = document;
    activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }));
    return document.activeElement.textContent.trim();
  })()`);
const total = () => page.locator('.list-total').textContent();
const expectTotal = async (text: RegExp) => {
  // The first page of a browser compiles the console: what it asks for comes late.
  await page.locator('.list-total strong').waitFor();
  await expect.poll(total).toMatch(text);
};
const firstCells = (column: number) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .evaluateAll((rows, at) => rows.map((row) => row.children[at]?.textContent ?? ''), column);

describe.skipIf(isMissing)('lists', () => {
  test('a filter is set, changed and removed as a chip, and its address can be opened', async () => {
    await open('rewards');
    await expectTotal(/^24 rewards/);
    await filter('Kind');
    await choose('Credit');
    await chip('Kind: Credit').waitFor();
    await expect.poll(query).toEqual({ benefitKind: 'credit' });
    await expect.poll(focused).toBe('Kind: Credit');
    await expectTotal(/^12 rewards\s*€60\.00$/);
    await chip('Kind: Credit').click();
    await choose('Cash');
    await chip('Kind: Cash').waitFor();
    await expectTotal(/^12 rewards\s*\$24\.60$/);
    await filter('State');
    await choose('Waiting');
    await expect.poll(query).toEqual({ benefitKind: 'cash', fulfillmentStatus: 'pending' });
    await expectGood(page, LOOKS);
    await page.reload();
    await chip('State: Waiting').waitFor();
    await button('Remove the filter Kind').click();
    await expect.poll(query).toEqual({ fulfillmentStatus: 'pending' });
    await expect.poll(focused).toBe('Filter');
    await button('Clear filters').click();
    await expect.poll(query).toEqual({});
    await expectTotal(/^24 rewards\s*€60\.00\s*\$24\.60$/);
  });

  test('chips work by keyboard, and a filter that is given up leaves nothing', async () => {
    await open('rewards');
    await button('Filter').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'State', exact: true }).waitFor();
    await expect.poll(focused).toBe('State');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Waiting');
    expect(await focusedAfter('Escape')).toBe('Filter');
    expect(await chip('State').count()).toBe(0);
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('State');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Waiting');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('State: Under way');
    await page.getByText('No rewards here').waitFor();
  });

  test('somebody is found while typing, and a range of time is proposed or one’s own', async () => {
    await open('rewards');
    await filter('Participant');
    await page.getByRole('textbox', { name: 'Participant' }).fill('ad');
    await page
      .getByRole('list', { name: 'People who match' })
      .getByRole('button', { name: /^ada/ })
      .click();
    await chip('Participant: ada').waitFor();
    await expect.poll(focused).toBe('Participant: ada');
    await filter('Earned');
    await button('Last 30 days').click();
    await chip('Earned: last 30 days').waitFor();
    await expect.poll(async () => query().earned).toBe('30d');
    await chip('Earned: last 30 days').click();
    await expectGood(page, LOOKS);
    await page.getByLabel('From').fill('2020-01-01T00:00');
    await page.getByLabel('Until').fill('2020-01-31T23:59');
    await button('Apply').click();
    await chip('Earned: Jan 1, 2020 to Jan 31, 2020').waitFor();
    expect(query().earned).toBeUndefined();
    await page.getByText('No rewards here').waitFor();
  });

  test('a view is saved under a name, opened in another browser, changed, renamed and deleted', async () => {
    await open('rewards?benefitKind=credit');
    await button('Save view').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Credit');
    await button('Save').click();
    const views = page.getByRole('navigation', { name: 'Saved views' });
    const shown = () => views.locator('[aria-current=page]').textContent();
    await expect.poll(shown).toBe('Credit');
    await expectGood(page, LOOKS);
    await views.getByRole('link', { name: 'All' }).click();
    await expect.poll(query).toEqual({});
    await expect.poll(shown).toBe('All');

    // Another browser has the cookies of its session alone.
    await open('rewards');
    await views.getByRole('link', { name: 'Credit' }).click();
    await expect.poll(query).toMatchObject({ benefitKind: 'credit' });
    await expectTotal(/^12 rewards/);

    await filter('State');
    await choose('Waiting');
    await button('Save changes').click();
    await expect.poll(() => button('Save changes').count()).toBe(0);
    await button('Actions for the view Credit').click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Waiting credit');
    await button('Rename').click();
    await expect.poll(shown).toBe('Waiting credit');
    await page.goto(addressOf('rewards'));
    await views.getByRole('link', { name: 'Waiting credit' }).click();
    await chip('State: Waiting').waitFor();
    await chip('Kind: Credit').waitFor();
    await button('Actions for the view Waiting credit').click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await views.waitFor({ state: 'detached' });
    await chip('State: Waiting').waitFor();
  });

  test('a view with a value that is gone is marked, and shown without it', async () => {
    await open('rewards?benefitKind=credit&order=asc');
    await button('Save view').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Old');
    await button('Save').click();
    const old = page.getByRole('link', { name: /^Old/ });
    await old.waitFor();
    await service.database.transaction(async (tx) =>
      tx.send(
        `update saved_views set filters = '{"benefitKind": "gone", "order": "asc"}'
         where of_project = $1 and name = 'Old'`,
        [shop.project.projectId],
      ),
    );
    await page.goto(addressOf('rewards'));
    await expect.poll(() => old.textContent()).toBe('Oldoutdated');
    await old.click();
    await expect.poll(() => query().order).toBe('asc');
    expect(query()).not.toHaveProperty('benefitKind');
    await expectTotal(/^24 rewards/);
    await expectGood(page, LOOKS);
  });

  test('a long list comes oldest first if asked, and says so', async () => {
    await open('events?type=purchase');
    const header = page.getByRole('columnheader', { name: 'Received' });
    await page.getByRole('row').nth(12).waitFor();
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    const ids = () =>
      page
        .getByRole('row')
        .getByRole('link', { name: /Purchase/ })
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    const newest = await ids();
    await button('Received').click();
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending');
    await expect.poll(ids).toEqual(newest.toReversed());
    expect(query().order).toBe('asc');
  });

  test('a list that is loaded whole is sorted by any column', async () => {
    for (const name of ['beta', 'Alpha', 'key 10', 'key 9']) {
      const { workspaceId } = shop.project;
      const body = { workspaceId, environment: 'sandbox', name, permissions: 'full' };
      await service.call('POST', '/v1/api-keys', { as: 'operator', body });
    }
    await open('developers?tab=keys');
    await button('Name').click();
    const header = page.getByRole('columnheader', { name: 'Name' });
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending');
    const sorted = ['Alpha', 'beta', 'key 9', 'key 10'];
    const names = async () => (await firstCells(0)).filter((one) => sorted.includes(one));
    expect(await names()).toEqual(sorted);
    await button('Name').click();
    await expect.poll(names).toEqual(sorted.toReversed());
    await expectGood(page, LOOKS);
  });

  test('rows are short and of one line if wanted, also after a reload', async () => {
    await open('rewards');
    await page.getByRole('row').nth(5).waitFor();
    const heights = () =>
      page.locator('.data-row').evaluateAll((rows) => rows.map((row) => row.clientHeight));
    expect(Math.min(...(await heights()))).toBeGreaterThan(40);
    await page.getByLabel('Compact').check({ force: true });
    await expect.poll(async () => Math.max(...(await heights()))).toBeLessThanOrEqual(33);
    await expectGood(page, LOOKS);
    await page.reload();
    await page.getByRole('row').nth(5).waitFor();
    await expect.poll(async () => Math.max(...(await heights()))).toBeLessThanOrEqual(33);
  });

  test('while a list loads nothing moves on and on for people who want less motion', async () => {
    const { workspaceId } = shop.project;
    ({ page, problems } = await openConsole(service, { role: 'owner', workspaceId }));
    // Never answered.
    await page.route(/\/v1\/rewards\?/, () => undefined);
    await page.goto(addressOf('rewards'));
    await page.locator('[aria-busy=true]').first().waitFor();
    const endless = `document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().iterations === Infinity).length`;
    expect(await page.evaluate(endless)).toBe(0);
  });

  test.each([
    'payouts',
    'payouts?tab=payouts',
    'partners',
    'partners?tab=partners',
    'mail',
    'audit-log',
  ])('%s has filters that open, and Escape gives the focus back', async (path) => {
    await open(path);
    const search = page.getByRole('search');
    await search.getByRole('button', { name: /^(Filter|State)$/ }).click();
    await expect.poll(() => page.getByRole('menu').count()).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(focused).toMatch(/^(Filter|State)$/);
  });
});
