import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../src/platform/http/access/permissions.ts';
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
let refusals: number;

beforeAll(async () => {
  if (isMissing) return;
  service = await openConsoleService();
  shop = await openShop(service);
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 2050 });
  const credit = { benefitKind: 'credit', calculation: 'fixed', fixedAmountMinor: '500' };
  await shop.addRule({ ...credit, currency: 'EUR', currencyExponent: 2 });
});
afterEach(async () => {
  if (isMissing) return;
  // What the service refuses, the browser tells too.
  const refused = problems.filter((one) => one.includes('409 (Conflict)'));
  expect([refused.length, problems.filter((one) => !refused.includes(one))]).toEqual([
    refusals,
    [],
  ]);
});
afterAll(async () => {
  if (isMissing) return;
  await service.close();
});

async function open(path: string, role: Role = 'owner'): Promise<void> {
  const { workspaceId, projectId } = shop.project;
  refusals = 0;
  ({ page, problems } = await openConsole(service, { role, workspaceId }));
  await page.goto(`${service.url}/console/p/${projectId}/${path}`);
}
const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
const follow = (name: string | RegExp) => page.getByRole('link', { name }).first().click();
const sees = (text: string | RegExp) => page.getByText(text).first().waitFor();
const title = (text: string | RegExp) =>
  page.getByRole('heading', { level: 1, name: text }).waitFor();
const dialog = () => page.getByRole('dialog');
const statusOf = async (id: string) =>
  (await shop.read(`/v1/rewards/${id}`)).body.fulfillmentStatus as string;

describe.skipIf(isMissing)('people, what they did and what they earned', () => {
  test('somebody is found by a slug, and their page tells their story', async () => {
    await shop.buy('story');
    await open('participants');
    await page.getByLabel('Search').fill('ada');
    const found = page.getByRole('list', { name: 'Found' });
    await found.getByRole('link', { name: 'ada' }).first().click();
    await title('ada');
    await sees('Earned €5.00');
    await sees(/^Referred/);
    await page.goBack();
    expect(new URL(page.url()).searchParams.get('q')).toBe('ada');
    await page.goForward();
    await title('ada');
    await expectGood(page, LOOKS);
  });

  test('a purchase shows every rule with its arithmetic, and leads to the reward', async () => {
    const eventId = await shop.order('explained');
    await open(`events/${eventId}`);
    await title('Purchase of $10.00');
    await sees('× 20.5%');
    await sees('$2.05');
    await expectGood(page, LOOKS);
    await follow('See the reward');
    await sees('The event that earned it, and the arithmetic');
    await expectGood(page, LOOKS);
  });

  test('a signup shows who won and why others did not', async () => {
    const eventId = await shop.signUp('carol');
    await open(`events/${eventId}`);
    await sees('Who referred them');
    await sees('Selected');
    await expectGood(page, LOOKS);
    await follow('Referred by ada');
    await title('ada referred carol');
    await expectGood(page, LOOKS);
  });

  test('a reward is granted, voided with a reason, and taken back', async () => {
    const { credit = '' } = await shop.buy('lifecycle');
    await open(`rewards/${credit}`);
    await press('Record the grant…');
    await page.getByLabel('Your reference').fill('ledger-1');
    await dialog().getByRole('button', { name: 'Record the grant' }).click();
    await sees('Nothing is left to do.');
    expect(await statusOf(credit)).toBe('fulfilled');
    await press('Void…');
    await page.getByLabel('Reason').selectOption('duplicate');
    await dialog().getByRole('button', { name: 'Void' }).click();
    await sees('To be taken back');
    await press('Record the take-back…');
    await page.getByLabel('Your reference').fill('ledger-2');
    await dialog().getByRole('button', { name: 'Record the take-back' }).click();
    await page.getByText('Taken back', { exact: true }).first().waitFor();
    expect(await statusOf(credit)).toBe('revoked');
    const { body } = await shop.read(`/v1/rewards/${credit}`);
    expect(body).toMatchObject({
      fulfillment: { actor: 'console', externalReference: 'ledger-1' },
      void: { reasonCode: 'duplicate' },
    });
  });

  test('a reward that a refund voided is voided for good, and stays so when the refund is undone', async () => {
    const { credit = '' } = await shop.buy('returned');
    await shop.post(`/v1/rewards/${credit}/fulfillment`, { externalReference: 'ledger-3' });
    const adjust = (sourceEventId: string, more: object) =>
      shop.post('/v1/track/adjustments', {
        sourceNamespaceId: shop.sourceNamespaceId,
        sourceEventId,
        purchase: { sourceEventId: 'returned' },
        amountMinor: '1000',
        currency: 'USD',
        currencyExponent: 2,
        occurredAt: service.clock.now,
        ...more,
      });
    await adjust('return', { kind: 'refund' });
    await open(`rewards/${credit}`);
    await sees('To be taken back');
    await press('Void…');
    await dialog().getByText('even if the refund is undone').waitFor();
    await page.getByLabel('Reason').selectOption('fraud');
    await dialog().getByRole('button', { name: 'Void' }).click();
    await sees('Voided.');
    await adjust('return failed', { kind: 'restoration', restores: 'return' });
    expect((await shop.read(`/v1/rewards/${credit}`)).body).toMatchObject({
      fulfillmentStatus: 'revocation_pending',
      void: { reasonCode: 'fraud' },
    });
  });

  test('many are granted at once, with a report of what failed', async () => {
    const made = await Promise.all(['one', 'two', 'three'].map((name) => shop.buy(`bulk-${name}`)));
    const credits = made.map(({ credit = '' }) => credit);
    await open('rewards?benefitKind=credit&fulfillmentStatus=pending');
    refusals = 1;
    await page.getByLabel('Select all rows that are loaded').check();
    // Another person is quicker with one of them.
    await shop.post(`/v1/rewards/${credits[1]}/void`, { reasonCode: 'fraud' });
    await press(/^Record the grant \(/);
    await page.getByLabel('Your reference').fill('ledger-bulk');
    await dialog()
      .getByRole('button', { name: /^Record the grant/ })
      .click();
    await sees(/, 1 failed\.$/);
    await sees('This Reward was voided before it was granted.');
    await expectGood(page, LOOKS);
    expect(await Promise.all(credits.map(statusOf))).toEqual([
      'fulfilled',
      'cancelled',
      'fulfilled',
    ]);
  });

  test('a dry run tells what would be earned, and writes nothing', async () => {
    const count = async () => (await shop.feed()).length;
    const before = await count();
    await open('dry-run');
    await page.getByText('Purchase', { exact: true }).click();
    await page.getByLabel('Participant').fill('bob');
    await page.getByLabel('Amount').fill('99.95');
    await press('Try it');
    await sees('This is a dry run');
    await sees('Rewards it would earn');
    await expectGood(page, LOOKS);
    expect(await count()).toBe(before);
  });

  test('customers are imported once every row was checked, mistakes told by their line', async () => {
    await open('import');
    await title('Import');
    const header = 'id,code,starting_referrals,starting_revenue';
    const rows = [
      'imported-1,FIRST10,12,120.50 USD',
      '',
      '"imported\n-2",,,',
      'imported-3,no good!,,',
    ];
    const file = `${[header, ...rows].join('\n')}\n`;
    await page.locator('input[type=file]').setInputFiles({
      name: 'customers.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(file),
    });
    await expectGood(page, LOOKS);
    await press('Check 3 rows');
    await sees(/^3 of 3 rows: /);
    // The line of the file, past an empty one and a cell of two lines.
    await page.getByRole('row', { name: /^6 / }).waitFor();
    await expectGood(page, LOOKS);
    await press(/^Import \d row/);
    await dialog().getByRole('button', { name: 'Import' }).click();
    await sees(/new/);
    await page.getByRole('link', { name: 'Participants' }).first().click();
    await follow('imported-1');
    await sees('Carried over');
    await sees(/^12 referrals, \$120\.50 of revenue$/);
    await expectGood(page, LOOKS);
  });

  test('the test clock moves forward after a warning', async () => {
    await open('clock');
    await sees('This cannot be undone');
    await expectGood(page, LOOKS);
    await press('+1 day');
    await dialog()
      .getByRole('button', { name: /^Move 1 day/ })
      .click();
    await sees(/1 day.* ahead/);
  });

  test('somebody is erased, after it says in numbers what that does', async () => {
    await shop.signUp('dora');
    await open('participants');
    await follow('dora');
    await press('Erase…');
    await sees('This cannot be undone.');
    await dialog()
      .getByRole('button', { name: /^Erase/ })
      .click();
    await title('Erased participant');
    await expectGood(page, LOOKS);
  });

  test('home tells what came about, who brought it, and what waits for somebody', async () => {
    await shop.buy('homer');
    await open('');
    await title('Home');
    await sees(/rewards to grant/);
    await sees('Top referrers, all time');
    await page.getByRole('img', { name: /^Referred revenue by day/ }).waitFor();
    const referrers = page.getByRole('table').filter({ hasText: 'Earned, net' });
    await expect.poll(() => referrers.getByRole('cell', { name: 'ada' }).count()).toBe(1);
    await expectGood(page, LOOKS);
    await follow(/rewards to grant/);
    await title('Rewards');
    await page.getByRole('row').nth(1).waitFor();
  });

  test('a viewer sees all of it and is offered nothing that they may not do', async () => {
    const { credit = '' } = await shop.buy('viewed');
    await open(`rewards/${credit}`, 'viewer');
    await sees('To be granted');
    expect(await page.getByRole('button', { name: /Void|Record/ }).count()).toBe(0);
    await follow('ada');
    await title('ada');
    expect(await page.getByRole('button', { name: /Erase|^End$/ }).count()).toBe(0);
    await page.goto(`${service.url}/console/p/${shop.project.projectId}/rewards`);
    await page.getByRole('row').nth(1).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });
});
