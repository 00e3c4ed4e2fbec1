import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { expectGood, isMissing, keepsPictures } from './chromium.ts';
import { openConsole, openConsoleService } from './console.ts';

const SCREENSHOTS = `${import.meta.dirname}/../../test-output/growth-`;

let service: TestService;
let shop: Shop;
let page: Page;
let problems: string[];

beforeAll(async () => {
  if (isMissing) return;
  service = await openConsoleService();
  shop = await openShop(service);
});
afterEach(() => {
  if (!isMissing) expect(problems).toEqual([]);
});
afterAll(async () => {
  if (isMissing) return;
  await service.close();
});

async function open(path: string): Promise<void> {
  const { workspaceId, projectId } = shop.project;
  ({ page, problems } = await openConsole(service, { role: 'owner', workspaceId }));
  await page.goto(`${service.url}/console/p/${projectId}/${path}`);
}

const rules = () => `programs/${shop.programId}?tab=rules`;
const dialog = () => page.getByRole('dialog');
const fill = (label: string | RegExp, text: string) =>
  dialog().getByLabel(label, { exact: true }).fill(text);
const choose = (text: string) => dialog().getByText(text, { exact: true }).click();
const sees = (text: string | RegExp) => page.getByText(text).first().waitFor();

async function looksGood(name: string): Promise<void> {
  await expectGood(page, [
    { width: 1280, colorScheme: 'light' },
    { width: 400, colorScheme: 'dark' },
    { width: 1280, colorScheme: 'dark' },
    { width: 400, colorScheme: 'light' },
  ]);
  if (!keepsPictures) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [400, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 1600 });
      await page.screenshot({ path: `${SCREENSHOTS}${name}-${width}-${colorScheme}.png` });
    }
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}

async function buy(name: string, plan: string | null): Promise<string> {
  const { status, body } = await shop.post('/v1/track/events', {
    sourceNamespaceId: shop.sourceNamespaceId,
    type: 'purchase',
    participant: { kind: 'individual', externalId: 'bob' },
    sourceEventId: name,
    purchase: { amountMinor: '1000', currency: 'USD' },
    ...(plan === null ? {} : { properties: { plan } }),
  });
  expect(status).toBe(200);
  return body.eventId;
}

describe.skipIf(isMissing)('terms that grow', () => {
  test('a growing commission is typed, reads as a sentence, is drawn, and decides', async () => {
    await open(rules());
    await page.getByRole('button', { name: 'Add a rule' }).first().click();
    await choose('A share of the price');
    await choose('In steps');
    await choose('Every time');
    await fill('Step 2: from (friends)', '0');
    await fill('Name', 'Growing commission');
    await dialog().getByRole('button', { name: 'Add a condition' }).click();
    await dialog().getByRole('button', { name: 'Add the rule' }).click();
    await sees('More than in the step before');
    await sees('The name of the property');
    await fill('Step 2: from (friends)', '2');
    await fill('Condition 1: name of the property', 'plan');
    await fill('Condition 1: value', 'annual');
    await sees('20% up to 1 friend, 25% from the 2nd.');
    await sees('It counts only if the plan is annual.');
    // 20 for the first friend, and 25 for each of the other 49.
    await page
      .getByRole('img', { name: 'In total $1,245.00 at 50 friends, if each purchase is $100.00.' })
      .waitFor();
    await looksGood('editor');
    await dialog().getByRole('button', { name: 'Add the rule' }).click();
    await sees('The rule is added');

    const first = await buy('order-1', 'annual');
    await shop.signUp('carol');
    const second = await buy('order-2', 'annual');
    const monthly = await buy('order-3', 'monthly');
    const without = await buy('order-4', null);
    await open(`events/${first}`);
    await sees('1 referral: step from 0');
    await open(`events/${second}`);
    await sees('2 referrals: step from 2');
    await sees('× 25%');
    await looksGood('explained');
    await page.getByRole('link', { name: 'See the reward' }).click();
    await sees('2 referrals: step from 2');
    await open(`events/${monthly}`);
    await sees('only if the plan is annual. Here, the plan is monthly.');
    await looksGood('unmet');
    await open(`events/${without}`);
    await sees('This event has no property “plan”.');
  });

  test('terms that are opened and published again are the same', async () => {
    await open(rules());
    await page.getByRole('button', { name: 'New terms' }).first().click();
    await dialog().getByRole('button', { name: 'Publish version 2' }).click();
    await sees('The new terms are published');
    await page.getByRole('button', { name: 'History (2)' }).click();
    await sees('The same terms as version 1.');
  });

  test('the guided set-up offers a growing commission and a mug for ten friends', async () => {
    await open('programs/new');
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await page.getByLabel('Name').fill('Growing');
    await press('Continue');
    await page.getByText('A mug for ten friends').click();
    await sees('The person who invited gets 1 mug when they have brought 10 friends.');
    await looksGood('preset-mug');
    await press('Back');
    await page.getByRole('radio', { name: /Affiliate/ }).click();
    await press('Continue');
    await page.getByText('Growing commission').click();
    await sees('20% up to 4 customers, 25% from the 5th, 30% from the 20th.');
    await press('Change the details');
    await page.getByRole('img', { name: /^In total \$1,385\.00 at 50 customers/ }).waitFor();
    await looksGood('preset-growing');
  });

  test('a milestone is a bonus, and says how far it is', async () => {
    await open(rules());
    await page.getByRole('button', { name: 'Add a rule' }).first().click();
    await dialog().getByRole('combobox', { name: 'When', exact: true }).click();
    await page.getByRole('option', { name: 'They sign up' }).click();
    await choose('Your own unit');
    await fill(/^One is called/, 'mug');
    await choose('At a milestone');
    await fill(/^Reached at \(friends\)/, '4');
    await sees('gets 1 mug when they have brought 4 friends.');
    await looksGood('milestone');
    await dialog().getByRole('button', { name: 'Add the rule' }).click();
    await sees('a bonus on top');
    await looksGood('rules');

    const third = await shop.signUp('dora');
    const fourth = await shop.signUp('emil');
    await open(`events/${third}`);
    await sees('They have 3 of 4 referrals: 1 more is needed.');
    await open(`events/${fourth}`);
    await sees('4 of 4 referrals');
    await looksGood('reached');
  });
});
