import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { expectGood, isMissing, type Look } from './chromium.ts';
import { prepareConsole } from './console.ts';

const DAY_MS = 24 * 3_600_000;
const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
];
let service: TestService;
let shop: Shop;
let page: Page;

const visit = prepareConsole(async (opened) => {
  service = opened;
  shop = await openShop(service);
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 2_000 });
  // Of the 30 days before, and of the last 30.
  await shop.order('before');
  service.clock.advance(35 * DAY_MS);
  await shop.order('first');
  service.clock.advance(DAY_MS);
  for (const name of ['second', 'third']) await shop.order(name);
  await shop.signUp('carol');
  await shop.post('/v1/track/events', {
    sourceNamespaceId: shop.sourceNamespaceId,
    type: 'purchase',
    participant: { kind: 'individual', externalId: 'carol' },
    sourceEventId: 'in-euro',
    purchase: { amountMinor: '700', currency: 'EUR' },
  });
});

async function open(path: string): Promise<void> {
  page = await visit({ project: shop.project, path, role: 'viewer' });
}
const tile = (name: RegExp) => page.getByRole('button', { name });

describe.skipIf(isMissing)('results', () => {
  test.each([
    ['home', () => ''],
    ['the page of a program', () => `programs/${shop.programId}?tab=results`],
  ])(
    '%s shows the numbers of the period, how they changed, and in which weeks people bought',
    async (_, path) => {
      await open(path());
      await tile(/^Referred revenue\s*\$30\.00\s*\+200% from \$10\.00/).waitFor();
      await tile(/^Reward cost\s*\$6\.00/).waitFor();
      await tile(/^Return on rewards\s*5\.0×\s*0% from 5\.0×/).waitFor();
      await page.getByRole('img', { name: /^Referred revenue by day.*\$30\.00 in all/ }).waitFor();
      const cohorts = page.getByRole('table').filter({ hasText: 'Week of' });
      // Carol, in the week in which she was referred.
      await cohorts.getByRole('cell', { name: '100%' }).first().waitFor();
      await page.getByRole('table').filter({ hasText: 'Clicks' }).getByText('€7.00').waitFor();
      await expectGood(page, LOOKS);
    },
  );

  test('a number is chosen for the chart, and a currency, by keys; the address remembers both', async () => {
    await open('');
    await tile(/^New customers/).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New customers by day' }).waitFor();
    expect(await tile(/^New customers/).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('radio', { name: 'EUR' }).focus();
    await page.keyboard.press('Space');
    await tile(/^Referred revenue\s*€7\.00/).waitFor();
    await page.reload();
    await tile(/^Referred revenue\s*€7\.00/).waitFor();
    await page.getByRole('heading', { name: 'New customers by day' }).waitFor();
  });

  test('a period without anything says so', async () => {
    await open('?from=2020-01-01&to=2020-01-31');
    await tile(/^Referred revenue\s*–/).waitFor();
    await page.getByText('No referrals in these 12 weeks.').waitFor();
    await page.getByText('nothing to compare with').first().waitFor();
  });
});
