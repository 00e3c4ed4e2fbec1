import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { expectGood, isMissing, type Look } from './chromium.ts';
import { prepareConsole } from './console.ts';

const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
];
let service: TestService;
let shop: Shop;
let page: Page;
/** The cash rewards as the filtered list shows them: the newest first. */
let rewards: string[];

const visit = prepareConsole(async (opened) => {
  service = opened;
  shop = await openShop(service);
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 2050 });
  const credit = { benefitKind: 'credit', calculation: 'fixed', fixedAmountMinor: '500' };
  await shop.addRule({ ...credit, currency: 'EUR', currencyExponent: 2 });
  for (const name of ['first', 'second', 'third']) await shop.buy(name);
  const { body } = await shop.read('/v1/rewards', { benefitKind: 'cash' });
  rewards = body.data.map(({ id }: { id: string }) => id);
});

const link = (name: string) => page.getByRole('link', { name, exact: true });
const isOn = (id: string | undefined) => page.waitForURL((url) => url.pathname.endsWith(`/${id}`));
const hasLinks = async () => [await link('Previous').count(), await link('Next').count()];

/** Opens the second of the rewards that are cash, from their list. */
async function openSecond(): Promise<void> {
  page = await visit({ project: shop.project, path: 'rewards?benefitKind=cash' });
  await page.locator(`a[href$="${rewards[1]}"]`).first().click();
  await isOn(rewards[1]);
  await link('Next').waitFor();
}

describe.skipIf(isMissing)('the page of a thing in a list', () => {
  test('leads to the next and the previous one of what was filtered, and not beyond its ends', async () => {
    expect(rewards).toHaveLength(3);
    await openSecond();
    expect(await hasLinks()).toEqual([1, 1]);
    await link('Next').click();
    await isOn(rewards[2]);
    await link('Previous').waitFor();
    expect(await hasLinks()).toEqual([1, 0]);
    await expectGood(page, LOOKS);
    await link('Previous').click();
    await isOn(rewards[1]);
    await link('Previous').click();
    await isOn(rewards[0]);
    await link('Next').waitFor();
    expect(await hasLinks()).toEqual([0, 1]);
    await expectGood(page, LOOKS);
  });

  test('leads back to its list with the filters, also after a reload', async () => {
    await openSecond();
    await page.reload();
    await link('Next').waitFor();
    expect(await hasLinks()).toEqual([1, 1]);
    const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
    await trail.getByRole('link', { name: 'Rewards' }).click();
    await page.waitForURL((url) => url.searchParams.get('benefitKind') === 'cash');
    await page.locator(`a[href$="${rewards[2]}"]`).first().waitFor();
  });

  test('has no neighbours if no list was shown, and leads to the whole list', async () => {
    page = await visit({ project: shop.project, path: `rewards/${rewards[1]}` });
    const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
    await trail.getByRole('link', { name: 'Rewards' }).waitFor();
    expect(await hasLinks()).toEqual([0, 0]);
    await trail.getByRole('link', { name: 'Rewards' }).click();
    await page.waitForURL((url) => url.pathname.endsWith('/rewards') && url.search === '');
  });
});
