import type { Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { becomePartner } from '../become-partner.ts';
import type { TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { expectGood, isMissing, type Look } from './chromium.ts';
import { openConsole, openConsoleService } from './console.ts';

const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
];
const NAMES = ['Ada Lovelace', 'Bob Noyce', 'Carol Shaw', 'Radia Perlman', 'Alan Kay'];

let service: TestService;
let shop: Shop;
let page: Page;
let problems: string[];
/** The calls that the page has made. */
let calls: URL[];

beforeAll(async () => {
  if (isMissing) return;
  service = await openConsoleService();
  shop = await openShop(service);
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 2050 });
  for (const [at, name] of NAMES.entries()) {
    const externalId = name.split(' ')[0]?.toLowerCase() ?? '';
    await service.call('PUT', '/v1/participants', {
      as: shop.project.key,
      body: {
        projectId: shop.project.projectId,
        participant: { kind: 'individual', externalId },
        name,
        email: `person-${at}@example.com`,
      },
    });
    if (at > 1) await shop.signUp(externalId);
  }
  await shop.buy('first');
  const { code } = await becomePartner(service, shop.project, 'grace@example.com');
  for (const externalId of ['by-partner-1', 'by-partner-2']) {
    await shop.post('/v1/track/events', {
      sourceNamespaceId: shop.sourceNamespaceId,
      type: 'signup',
      participant: { kind: 'individual', externalId },
      refCode: code,
    });
  }
});
afterEach(() => {
  if (isMissing) return;
  // The tab is the same for all.
  page.off('request', note);
  expect(problems).toEqual([]);
});
afterAll(async () => {
  if (!isMissing) await service.close();
});

const note = (request: Request) => void calls.push(new URL(request.url()));

async function open(path: string): Promise<void> {
  const { workspaceId, projectId } = shop.project;
  ({ page, problems } = await openConsole(service, { role: 'owner', workspaceId }));
  calls = [];
  page.on('request', note);
  await page.goto(`${service.url}/console/p/${projectId}/${path}`);
}
const callsOf = (path: string) => calls.filter(({ pathname }) => pathname.startsWith(path));

describe.skipIf(isMissing)('people have names', () => {
  test.each(['referrals', 'events', 'rewards'])(
    '%s name everybody with one call, not one for each row',
    async (list) => {
      await open(list);
      await page
        .getByRole('link', { name: 'Ada Lovelace' })
        .or(page.getByRole('link', { name: 'Carol Shaw' }))
        .first()
        .waitFor();
      const rows = await page.getByRole('row').count();
      expect(rows).toBeGreaterThan(1);
      expect(callsOf('/v1/participant-names')).toHaveLength(1);
      expect(callsOf('/v1/search')).toEqual([]);
      expect(callsOf('/v1/participants')).toEqual([]);
      await expectGood(page, LOOKS);
    },
  );

  test('the list of participants has names, external ids, and who is a partner', async () => {
    await open('participants');
    const row = page.getByRole('row').filter({ hasText: 'Radia Perlman' });
    await row.getByText('radia', { exact: true }).waitFor();
    const partner = page.getByRole('row').filter({ hasText: 'Grace Hopper' });
    await partner.getByText('Partner', { exact: true }).waitFor();
    expect(callsOf('/v1/participant-names')).toHaveLength(1);
    expect(await page.getByText(/Erased/).count()).toBe(0);
    await expectGood(page, LOOKS);
  });

  test('somebody is found by a word of their name, in the list and in the palette', async () => {
    await open('participants');
    await page.getByLabel('Search').fill('LOVEL');
    const found = page.getByRole('list', { name: 'Found' });
    await found.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    await expectGood(page, LOOKS);
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: /^Find a page/ }).fill('hopp');
    await page.getByRole('button', { name: /Grace Hopper/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
    await expectGood(page, LOOKS);
  });

  test('a partner is among the top referrers by name, which leads to it', async () => {
    await open('');
    const row = page.getByRole('row').filter({ hasText: 'Grace Hopper' });
    await row.getByText('Partner', { exact: true }).waitFor();
    expect(await page.getByText(/Erased/).count()).toBe(0);
    await expectGood(page, LOOKS);
    await row.getByRole('link', { name: 'Grace Hopper' }).click();
    await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
    expect(await page.getByText(/Erased/).count()).toBe(0);
  });

  test('a list is narrowed to somebody by their name', async () => {
    await open('referrals');
    const filterBy = async (name: string, text: string) => {
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
      await page.getByRole('textbox', { name }).fill(text);
      await page.keyboard.press('Enter');
    };
    await filterBy('Referrer', 'ada lov');
    await page.getByRole('button', { name: 'Referrer: Ada Lovelace', exact: true }).waitFor();
    await filterBy('Referred person', 'example');
    await page.getByText('Nobody matches.').waitFor();
  });
});
