import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../src/platform/http/access/permissions.ts';
import { becomePartner } from '../become-partner.ts';
import type { TestService } from '../harness.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';
import { type Receiver, receiveHttp } from '../receiver.ts';
import { expectGood, isMissing, type Look } from './chromium.ts';
import { openConsole, openConsoleService } from './console.ts';

const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
];
let service: TestService;
let shop: PayoutShop;
/** The one whose Workspace demands a second approver. */
let strict: PayoutShop;
let receiver: Receiver;
/** Webhooks that came to the receiver. */
let received = 0;
let page: Page;
let problems: string[];

beforeAll(async () => {
  if (isMissing) return;
  service = await openConsoleService();
  shop = await openPayoutShop(service);
  strict = await openPayoutShop(service);
  receiver = await receiveHttp((_, response) => {
    received += 1;
    response.end('thanks');
  });
});
afterEach(async () => {
  if (isMissing) return;
  expect(problems).toEqual([]);
});
afterAll(async () => {
  if (isMissing) return;
  await receiver.close();
  await service.close();
});

async function open(path: string, role: Role = 'owner', of: PayoutShop = shop): Promise<void> {
  const { workspaceId, projectId } = of.project;
  ({ page, problems } = await openConsole(service, { role, workspaceId }));
  await page.goto(`${service.url}/console/p/${projectId}/${path}`);
}
const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
const press = (name: string | RegExp) => button(name).click();
const choose = (name: string) => page.getByRole('menuitem', { name }).click();
/** The one on top: another may be about to go. */
const dialog = () => page.getByRole('dialog').last();
const pressIn = (name: string | RegExp) => dialog().getByRole('button', { name }).last().click();
const sees = (text: string | RegExp) => page.getByText(text).first().waitFor();
const title = (text: string | RegExp) =>
  page.getByRole('heading', { level: 1, name: text }).waitFor();
const statusOf = async (rewardId: string) => (await shop.reward(rewardId)).fulfillmentStatus;

/** Reads the secret that is shown once, and says that it was saved. */
async function keepSecret(): Promise<string> {
  const secret = await dialog().locator('pre').textContent();
  const done = dialog().getByRole('button', { name: 'Done' });
  expect(await done.isDisabled()).toBe(true);
  await dialog().getByLabel('I saved it').check();
  await done.click();
  return secret ?? '';
}

describe.skipIf(isMissing)('payouts', () => {
  test('finance pays a batch from draft to paid, and later tells that it came back', async () => {
    const [first, second] = await shop.earn('a1', 'a2');
    await open('payouts', 'finance');
    await sees('No payouts yet');
    await expectGood(page, LOOKS);
    await press('New batch');
    await pressIn('Create a draft');
    await title('Payout batch');
    await sees('$20.00');
    await press('Approve');
    await dialog().getByText('1 transfer to 1 person').waitFor();
    await pressIn('Approve 1 transfer');
    await press('Submit');
    await dialog().getByText('This cannot be undone').waitFor();
    await pressIn('Submit 1 transfer');
    await button('Upload results').waitFor();
    await expectGood(page, LOOKS);
    expect(await statusOf(first as string)).toBe('in_progress');

    const { body } = await shop.read('/v1/payouts');
    const [{ id }] = body.data;
    await press('Upload results');
    const file = `payout_id,outcome,transfer_reference\n${id},paid,TR-1\npo_else,paid,\n`;
    await dialog()
      .locator('input[type=file]')
      .setInputFiles({ name: 'results.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
    await dialog().getByText('1 will be recorded, 0 known already, 1 left out').waitFor();
    await dialog().getByText('1 transfer paid, $20.00.').waitFor();
    await expectGood(page, LOOKS);
    await pressIn('Record 1 result');
    await dialog().getByText('1 result recorded of 1.').waitFor();
    await pressIn('Done');
    await page.getByRole('row', { name: /Paid/ }).waitFor();
    expect([await statusOf(first as string), await statusOf(second as string)]).toEqual([
      'fulfilled',
      'fulfilled',
    ]);

    await page.getByRole('row', { name: /Paid/ }).getByRole('link').first().click();
    await title('Payout of $20.00');
    await sees('TR-1');
    const lines = page.getByRole('list', { name: 'Rewards' }).getByRole('listitem');
    expect(await lines.count()).toBe(3);
    await lines
      .filter({ hasText: /Purchase of/ })
      .first()
      .waitFor();
    expect(await lines.getByText(/rwd_/).count()).toBe(0);
    await press('Record result');
    await pressIn('Record it');
    await sees('The money was returned.');
    await expectGood(page, LOOKS);
    await page.goto(`${service.url}/console/p/${shop.project.projectId}/payouts?tab=payouts`);
    await page.getByRole('row', { name: /Returned/i }).waitFor();
    await expectGood(page, LOOKS);
    await page.getByRole('tab', { name: 'Batches' }).click();
    await page.getByRole('row', { name: /Done/ }).waitFor();
  });

  test('a batch is given up, with what that means in numbers', async () => {
    await shop.earn('b1');
    await open('payouts');
    await press('New batch');
    await pressIn('Create a draft');
    await press('Cancel batch');
    await dialog().getByText('1 transfer to 1 person').waitFor();
    await pressIn('Cancel the batch');
    await sees('It was cancelled and nobody was paid.');
  });

  test('where four eyes are wanted, who drafted it does not approve it', async () => {
    await strict.earn('c1');
    await open('payouts?tab=settings', 'owner', strict);
    await page.getByLabel(/Whoever created a draft cannot approve it/).click({ force: true });
    await expect
      .poll(() => page.getByLabel(/Whoever created a draft cannot approve it/).isChecked())
      .toBe(true);
    await press('Add a currency');
    await expectGood(page, LOOKS);
    await press('New batch');
    await pressIn('Create a draft');
    await sees('another person has to approve it');
    expect(await button('Approve').count()).toBe(0);
    await page.goto(`${service.url}/console/p/${strict.project.projectId}/payouts?tab=settings`);
    await page.getByLabel(/Whoever created a draft cannot approve it/).click({ force: true });
    await dialog()
      .getByText(/No second person checks it before money is sent/)
      .waitFor();
    await expectGood(page, LOOKS);
    await pressIn('Cancel');
    expect(await page.getByLabel(/Whoever created a draft cannot approve it/).isChecked()).toBe(
      true,
    );
  });
});

describe.skipIf(isMissing)('partners', () => {
  test('an operator approves an applicant and suspends a partner', async () => {
    const { partnerId, programId } = await becomePartner(
      service,
      shop.project,
      'grace@example.com',
    );
    await shop.post('/v1/partner-applications', {
      programId,
      name: 'Mary Seacole',
      email: 'mary@example.com',
      profileType: 'individual',
    });
    await open('partners?tab=applications', 'operator');
    await sees('E-mail not verified');
    await expectGood(page, LOOKS);
    await press('Mary Seacole');
    expect(await dialog().getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
    await expectGood(page, LOOKS);
    await pressIn('Reject');
    await dialog()
      .getByLabel(/Reason/)
      .fill('Not a fit');
    await pressIn('Reject');
    await sees('Rejected');
    await page.goto(`${service.url}/console/p/${shop.project.projectId}/partners/${partnerId}`);
    await title('Grace Hopper');
    await page.getByRole('heading', { level: 2, name: /^In ./ }).waitFor();
    await page.getByRole('heading', { level: 2, name: /^Results in ./ }).waitFor();
    await press(/^Sales/);
    await page.getByRole('heading', { level: 2, name: 'Sales by day' }).waitFor();
    expect(page.url()).toContain('metric=revenue');
    await press('Suspend');
    await dialog().getByText('1 code and 1 link bring no new referrals.').waitFor();
    await pressIn('Suspend in 1 project');
    await sees('It gets no new referrals, earns nothing new');
    await expectGood(page, LOOKS);
    await press('Reinstate');
    await pressIn('Reinstate');
    await sees('Its codes and links bring referrals');
    await page.goto(`${service.url}/console/p/${shop.project.projectId}/partners?tab=partners`);
    await page.getByRole('row', { name: /Grace Hopper/ }).waitFor();
    await page.getByRole('columnheader', { name: 'Customers' }).waitFor();
    await expectGood(page, LOOKS);
  });
});

describe.skipIf(isMissing)('webhooks', () => {
  test('an endpoint is made, tried, delivered to, replayed to and deleted', async () => {
    await open('webhooks');
    await expectGood(page, LOOKS);
    await press('New endpoint');
    await pressIn('Create endpoint');
    await dialog().getByText('Enter an address').waitFor();
    await dialog().getByLabel('URL').fill(`http://127.0.0.1:${receiver.port}/`);
    await dialog().getByRole('radio', { name: /^Yes/ }).check();
    await expectGood(page, LOOKS);
    await pressIn('Create endpoint');
    expect(await keepSecret()).toMatch(/^whsec_/);
    await title('Webhook endpoint');
    await press('Send a test');
    await pressIn('Send it');
    await dialog()
      .getByText(/Answered 200/)
      .waitFor();
    await pressIn(/^Close$/);

    await shop.signUp('carol');
    await service.dispatch();
    await press('Refresh');
    await page.getByRole('row', { name: /participant\.created/ }).waitFor();
    await expectGood(page, LOOKS);
    await press('participant.created');
    await dialog().getByText('"externalId": "carol"').waitFor();
    await expectGood(page, LOOKS);
    await pressIn(/^Close$/);
    await page.getByLabel('Select all rows that are loaded').check();
    await press(/^Replay \d+ chosen/);
    const before = received;
    await pressIn(/^Replay \d+ event/);
    await dialog()
      .getByText(/queued\./)
      .waitFor();
    await service.dispatch();
    await dialog().getByText('All were sent.').waitFor();
    expect(received).toBeGreaterThan(before);
    await pressIn('Done');
    await press('More');
    await choose('Delete');
    await pressIn('Delete for good');
    await title('Webhooks');
    await sees('No endpoints yet');
  });

  test('two endpoints that grant rewards are warned about, until one of them is disabled', async () => {
    const url = `http://127.0.0.1:${receiver.port}/`;
    const warning = /^2 endpoints of this project record grants/;
    for (const description of ['First', 'Second']) {
      await shop.post('/v1/webhook-endpoints', { url, description });
    }
    await open('webhooks');
    await page.getByText(warning).waitFor();
    await expectGood(page, LOOKS);
    await page.getByRole('link', { name: 'Second' }).click();
    await title('Second');
    await page.getByText(warning).waitFor();
    await press('More');
    await choose('Disable');
    await pressIn('Disable');
    await page.getByText(warning).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await title('Webhooks');
    await page.getByRole('link', { name: 'First' }).waitFor();
    await page.getByText(warning).waitFor({ state: 'detached' });
    for (const { id } of (await shop.read('/v1/webhook-endpoints')).body.endpoints) {
      await service.call('DELETE', `/v1/webhook-endpoints/${id}`, {
        as: shop.project.key,
        query: { projectId: shop.project.projectId },
      });
    }
  });

  test('the feed tells what happens as it happens, and stands still when asked to', async () => {
    await open('feed', 'viewer');
    await page.getByText('Live', { exact: true }).waitFor();
    await shop.signUp('dora');
    await sees('Signup by dora, credited to ada');
    await page.getByText('Signup by dora, credited to ada').click();
    await sees('The event, and why');
    await expectGood(page, LOOKS);
    await press('Pause');
    await shop.signUp('emil');
    await press(/^Show \d+ new/);
    await sees('Signup by emil, credited to ada');
    await page.getByRole('combobox', { name: 'Types' }).click();
    await page.getByRole('option', { name: 'reward.earned' }).click();
    await page.waitForURL(/types=reward\.earned/);
    await page.getByText('Signup by emil').first().waitFor({ state: 'detached' });
  });
});

describe.skipIf(isMissing)('developers', () => {
  test('a key is made, works, and is refused once it is revoked', async () => {
    await open('developers');
    await sees(shop.project.projectId);
    await expectGood(page, LOOKS);
    await page.getByRole('tab', { name: 'API keys' }).click();
    await press('New key');
    await dialog().getByLabel('Name').fill('Night job');
    await dialog().getByLabel('Reading').check();
    await expectGood(page, LOOKS);
    await pressIn('Create key');
    const key = await keepSecret();
    const look = () =>
      service.call('GET', '/v1/rewards', {
        as: 'nobody',
        headers: { 'x-api-key': key },
        query: { projectId: shop.project.projectId },
      });
    expect((await look()).status).toBe(200);
    await press('Actions for Night job');
    await choose('Revoke');
    await pressIn('Revoke it now');
    await page.getByRole('row', { name: /Night job.*Revoked/ }).waitFor();
    await expect.poll(async () => (await look()).status).toBe(401);
    await expectGood(page, LOOKS);
  });

  test('widget secrets, sources and origins are made and ended', async () => {
    await open('developers?tab=widget-secrets');
    await press('New secret');
    await pressIn('Create a secret');
    expect(await keepSecret()).toMatch(/^wsec_/);
    await expectGood(page, LOOKS);
    await page.getByRole('tab', { name: 'Sources' }).click();
    await press('New source');
    await dialog().getByLabel('Name').fill('Till');
    await pressIn('Register');
    await press('Actions for Till');
    await choose('Disable');
    await pressIn('Disable');
    await page.getByRole('row', { name: /Till.*Disabled/ }).waitFor();
    await expectGood(page, LOOKS);
    await page.getByRole('tab', { name: 'Allowed origins' }).click();
    await page.getByLabel(/Origins, one per line/).fill('https://shop.example.com/cart');
    await press('Save origins');
    await sees('Enter only https://shop.example.com.');
    await page.getByLabel(/Origins, one per line/).fill('https://shop.example.com/');
    await press('Save origins');
    await sees('Saved: 1 origin.');
    await expectGood(page, LOOKS);
  });

  test('Stripe and payout accounts are connected; secrets are asked for, never shown', async () => {
    await open('integrations');
    await press('Connect Stripe');
    await dialog().getByLabel('Restricted key').fill('sk_test_abcdefgh12345678');
    await pressIn('Connect');
    await dialog().getByText('This is not a restricted key').waitFor();
    await dialog().getByLabel('Restricted key').fill('rk_test_abcdefgh12345678');
    await expectGood(page, LOOKS);
    await pressIn('Connect');
    await sees('Needs its signing secret');
    await sees('Nothing is parked');
    await expectGood(page, LOOKS);
    await page.getByRole('tab', { name: 'Payout accounts' }).click();
    await press('Connect PayPal');
    await pressIn('Connect');
    await dialog().getByText('is required').first().waitFor();
    await expectGood(page, LOOKS);
    await pressIn('Cancel');
    await page.getByRole('tab', { name: 'Reconciliation' }).click();
    await sees('Nothing to compare');
    await expectGood(page, LOOKS);
  });
});

describe.skipIf(isMissing)('what a role may not do', () => {
  test.each([
    ['payouts', 'Payouts', /New batch/],
    ['webhooks', 'Webhooks', /New endpoint/],
    ['developers', 'Developers', /New key|New source|New secret/],
  ])('is not there for a viewer: %s', async (path, heading, name) => {
    await open(path, 'viewer');
    await title(heading);
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('button', { name }).count()).toBe(0);
    if (path === 'developers') {
      expect(await page.getByRole('tab').allTextContents()).toEqual(['Connect', 'Allowed origins']);
    }
  });

  test('is not there for a viewer: a partner, whom an operator may suspend', async () => {
    const { partnerId } = await becomePartner(service, shop.project, 'looked-at@example.com');
    await open(`partners/${partnerId}`, 'operator');
    await button('Suspend').waitFor();
    await open(`partners/${partnerId}`, 'viewer');
    await page.getByRole('heading', { level: 2, name: /^In ./ }).waitFor();
    expect(await page.getByRole('button', { name: /Suspend/ }).count()).toBe(0);
  });

  test.each(['team', 'settings', 'audit-log'])(
    'is neither shown by a link nor done by the service: %s for an operator',
    async (path) => {
      await open(path, 'operator');
      await sees('Not for your role');
      // The same page each time.
      if (path === 'team') await expectGood(page, LOOKS);
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
      const links = await page.getByRole('navigation').getByRole('link').allTextContents();
      expect(links).toEqual(expect.arrayContaining(['Import', 'Dry run']));
      expect(links.filter((name) => /Team|Settings|Audit/.test(name))).toEqual([]);
      const { workspaceId, projectId } = shop.project;
      const asked = {
        team: ['POST', '/v1/invitations', { workspaceId, email: 'x@example.com', role: 'admin' }],
        settings: ['PATCH', `/v1/projects/${projectId}`, { name: 'Taken over' }],
        'audit-log': ['GET', `/v1/audit-log?workspaceId=${workspaceId}`, null],
      }[path] as [string, string, object | null];
      expect(await statusOfCall(...asked)).toBe(403);
      problems.splice(0, 1);
    },
  );

  test('a viewer is not led to what only writes', async () => {
    await open('', 'viewer');
    const links = page.getByRole('navigation').getByRole('link');
    await links.first().waitFor();
    const names = await links.allTextContents();
    expect(names.filter((name) => /Import|Dry run|Team/.test(name))).toEqual([]);
    const { projectId } = shop.project;
    const body = { projectId, method: 'manual_export' };
    expect(await statusOfCall('POST', '/v1/payout-batches', body)).toBe(403);
    problems.splice(0, 1);
  });
});

/** What the service answers to the page's own session. */
const statusOfCall = (method: string, path: string, body: object | null): Promise<number> =>
  page.evaluate(
    `fetch(${JSON.stringify(path)}, ${JSON.stringify({
      method,
      ...(body
        ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
        : {}),
    })}).then((answer) => answer.status)`,
  );
