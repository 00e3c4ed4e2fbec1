import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openSetup } from '../../src/accounts/users/set-up.ts';
import { codeOf } from '../console-browser.ts';
import type { TestService } from '../harness.ts';
import { expectGood, isMissing, keepsPictures, type Look, openChromium } from './chromium.ts';
import { startConsoleService } from './console.ts';

const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
];
const PASSWORD = 'correct horse battery';
/** Kept to be looked at. */
const SCREENSHOTS = fileURLToPath(new URL('../../test-output/console/', import.meta.url));

let service: TestService;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const problems: string[] = [];
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const fill = (label: string | RegExp, value: string) => page.getByLabel(label).fill(value);
const title = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

beforeAll(async () => {
  if (isMissing) return;
  service = await startConsoleService();
  browser = await openChromium();
  context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
  page = await context.newPage();
  watch(page);
});
afterEach(() => expect(problems).toEqual([]));
afterAll(async () => {
  if (isMissing) return;
  await context.close();
  await service.close();
});

/** Notes what goes wrong in a page; what the service refuses is meant to be refused here. */
function watch(one: Page): void {
  one.on('pageerror', (error) => problems.push(error.message));
  one.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) problems.push(message.text());
  });
}

/** The page is good, and at night there is a picture of it. */
async function look(name: string): Promise<void> {
  await expectGood(page, LOOKS);
  if (keepsPictures) await page.screenshot({ path: `${SCREENSHOTS}${name}.png`, fullPage: true });
}

let link: string;
let secret: string;
let enrolled: string;

describe.skipIf(isMissing).sequential('the first visit of the console', () => {
  test('nobody gets in without the link that the start printed', async () => {
    await page.goto(`${service.url}/console`);
    await title('Welcome to Goodword');
    expect(await page.getByLabel('E-mail').count()).toBe(0);
    await look('welcome');
  });

  test('whoever has it becomes the owner, and sets up a second factor when they want', async () => {
    const token = await openSetup(service);
    await page.goto(`${service.url}/console/setup#${token}`);
    await fill('Workspace', 'Acme');
    await fill('Your name', 'Ada Example');
    await fill('E-mail', 'ada@example.com');
    await fill(/^Password/, PASSWORD);
    await look('setup');
    await press('Start');
    await title('New project');
    await fill('Name', 'Acme shop');
    await look('new-project');
    await press('Create project');
    await title('Acme shop');
    await page.getByText('Your account has no second factor yet').waitFor();
    await look('second-factor-later');
    // Who comes through a proxy does not come from this machine.
    await page.setExtraHTTPHeaders({ 'x-forwarded-for': '192.0.2.7' });
    await page.reload();
    await page.getByText('Protect your account first').waitFor();
    await page.setExtraHTTPHeaders({});
    await page.goto(`${service.url}/console`);
    await page.getByRole('link', { name: 'Set one up' }).click();
    await title('Your account');
    await fill(/^Password/, PASSWORD);
    await press('Set it up');
    secret = (await page.locator('.id-text code').first().textContent()) as string;
    await look('second-factor');
    enrolled = codeOf(secret);
    await fill(/^Code/, enrolled);
    await press('Turn it on');
    await page.getByText('Where you are signed in').waitFor();
    await page.getByText('This one').waitFor();
    await page.getByText('Acme', { exact: true }).waitFor();
    await look('account');
  });

  test('the home of the new project leads to the first program', async () => {
    await page.getByRole('link', { name: 'Back to your projects' }).click();
    await title('Acme shop');
    await page.getByRole('link', { name: 'Set up a program' }).waitFor();
    expect(await page.getByText('Your account has no second factor yet').count()).toBe(0);
    expect(await page.getByRole('note').textContent()).toContain('Sandbox');
    await look('home-empty');
  });

  test('somebody is invited, joins with the link, and sees no more than a viewer may', async () => {
    await page.getByRole('link', { name: 'Team' }).click();
    await press('Invite somebody');
    await page.getByRole('dialog').getByLabel('E-mail').fill('grace@example.com');
    await press('Invite');
    link = (await page.getByRole('dialog').locator('code').textContent()) as string;
    await press('Done');
    await page.getByText('grace@example.com').first().waitFor();
    await look('team');

    const guest = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
    const theirs = await guest.newPage();
    watch(theirs);
    const fail = (route: Route) => route.fulfill({ status: 500 });
    await theirs.route('**/v1/invitations/preview', fail, { times: 1 });
    await theirs.goto(link);
    // That it could not be asked says nothing against the invitation.
    await theirs.getByRole('button', { name: 'Try again' }).click();
    await theirs.getByRole('heading', { name: 'Join Acme' }).waitFor();
    await expectGood(theirs, LOOKS);
    await theirs.getByLabel('Your name').fill('Grace Example');
    await theirs.getByLabel(/^Password/).fill(PASSWORD);
    await theirs.getByRole('button', { name: 'Join' }).click();
    await theirs.getByRole('link', { name: 'Rewards' }).waitFor();
    for (const name of ['Team', 'Audit log', 'Settings', 'Integrations']) {
      expect([name, await theirs.getByRole('link', { name }).count()]).toEqual([name, 0]);
    }
    await theirs.goto(link);
    await theirs.getByRole('heading', { name: 'This invitation does not work' }).waitFor();
    await expectGood(theirs, LOOKS);
    await theirs.goto(`${service.url}/console/reset-password`);
    await expectGood(theirs, LOOKS);
    await theirs.goto(`${service.url}/console/account`);
    await theirs.getByRole('button', { name: 'Sign out', exact: true }).click();
    await theirs.getByRole('heading', { name: 'Sign in' }).waitFor();
    await guest.close();
  });

  test('the audit log tells it all, and the palette leads everywhere', async () => {
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('button', { name: 'created an invitation' }).click();
    const entry = page.getByRole('dialog');
    await entry.getByRole('row', { name: 'role viewer' }).waitFor();
    await entry.getByRole('button', { name: 'Close' }).click();
    await entry.waitFor({ state: 'detached' });
    await look('audit-log');
    await page.keyboard.press('Control+k');
    const finder = page.getByLabel('Find a page, a person, a code or an id');
    await finder.fill('settings');
    await finder.press('Enter');
    await title('Settings');
    await look('settings');
    await page.goBack();
    await title('Audit log');
  });

  test('signed out, one comes back with password and code, to where one wanted to go', async () => {
    const wanted = page.url();
    await page.getByRole('button', { name: 'Account of Ada Example' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await title('Sign in');
    await page.goto(wanted);
    await title('Sign in');
    await look('sign-in');
    await fill('E-mail', 'ada@example.com');
    await fill(/^Password/, 'not the right one');
    await press('Sign in');
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe('ada@example.com');
    await fill(/^Password/, PASSWORD);
    await press('Sign in');
    await title('One more step');
    // A code is good once; the next one is taken already.
    const now = codeOf(secret);
    await fill(/^Code/, now === enrolled ? codeOf(secret, Date.now() + 30_000) : now);
    await press('Continue');
    await title('Audit log');
    expect(page.url()).toBe(wanted);
  });

  test('a program is set up whose cash is paid out, with a link to share', async () => {
    await page.getByRole('link', { name: 'Programs', exact: true }).click();
    await page.getByRole('link', { name: 'New program' }).click();
    await fill('Name', 'Invite a friend');
    await press('Continue');
    await page.getByText('20% for 12 months').click();
    await press('Continue');
    expect(await page.getByRole('radio', { name: /^Payouts/ }).isChecked()).toBe(true);
    await expectGood(page, LOOKS);
    await press('Continue');
    await fill('Landing page', 'https://shop.example.com/welcome');
    await press('Continue');
    await press('Create');
    await page.getByText('Your program is running').waitFor();
    await fill('Whose link', 'ada');
    await fill('How the link ends', 'ada');
    await press('Create the link');
    await page.getByRole('link', { name: /\/l\/.+\/ada$/ }).waitFor();
    await press('Go to the program');
    await page.getByRole('tab', { name: 'Delivery' }).click();
    const method = page.getByRole('combobox', { name: 'Cash' });
    await method.waitFor();
    expect(await method.inputValue()).toBe('Payouts');
  });

  test('with a key made here, the shop tells of a signup and a purchase', async () => {
    await page.getByRole('link', { name: 'Developers' }).click();
    await page.getByRole('tab', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New key' }).first().click();
    const dialog = page.getByRole('dialog').last();
    await dialog.getByLabel('Name').fill('Shop');
    await dialog.getByLabel('Your backend').check();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = (await dialog.locator('pre').textContent()) as string;
    await dialog.getByLabel('I saved it').check();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const projectId = /\/p\/(prj_\w+)\//.exec(page.url())?.[1] as string;
    const tell = async (path: string, body: object) => {
      const as = 'nobody';
      const headers = { 'x-api-key': key };
      const answer = await service.call('POST', path, {
        as,
        headers,
        body: { projectId, ...body },
      });
      expect([path, answer.status, answer.body]).toMatchObject([path, 200, {}]);
      return answer.body;
    };
    const { sourceNamespaceId } = await tell('/v1/sources', {});
    const participant = { kind: 'individual', externalId: 'bob' };
    const facts = { sourceNamespaceId, participant };
    await tell('/v1/track/events', { ...facts, type: 'signup', refCode: 'ada' });
    await tell('/v1/track/events', {
      ...facts,
      type: 'purchase',
      sourceEventId: 'order-1',
      purchase: { amountMinor: '10000', currency: 'USD', currencyExponent: 2 },
    });
    const earned = await service.call('GET', '/v1/rewards', {
      as: 'nobody',
      headers: { 'x-api-key': key },
      query: { projectId },
    });
    const [reward] = earned.body.data;
    // Ada tells where she is paid; the widget's tests do it as she does.
    service.payees.set(reward.beneficiary.participantId);
  });

  test('the reward is found with its reason, and paid by a batch', async () => {
    await page.getByRole('link', { name: 'Rewards', exact: true }).click();
    await page.getByRole('row', { name: /\$20\.00/ }).waitFor();
    await page.getByRole('link', { name: 'Payouts', exact: true }).click();
    await page.getByRole('button', { name: 'New batch' }).first().click();
    const dialog = () => page.getByRole('dialog').last();
    const pressIn = (name: string) => dialog().getByRole('button', { name }).last().click();
    await pressIn('Create a draft');
    await title('Payout batch');
    const batch = page.url();
    await press('Approve');
    await pressIn('Approve 1 transfer');
    await press('Submit');
    await pressIn('Submit 1 transfer');
    await page.getByRole('button', { name: 'Upload results' }).waitFor();
    await page
      .getByRole('row', { name: /\$20\.00/ })
      .getByRole('link')
      .first()
      .click();
    await title('Payout of $20.00');
    await press('Record result');
    await dialog()
      .getByLabel(/reference/i)
      .fill('TR-1');
    await pressIn('Record it');
    await page.getByText('TR-1').first().waitFor();
    await page.goto(batch);
    await page.getByRole('row', { name: /Paid/ }).waitFor();
    await page.getByRole('link', { name: 'Rewards', exact: true }).click();
    await page.getByRole('row', { name: /\$20\.00.*(Paid|Granted)/ }).waitFor();
    await look('rewards-paid');
  });
});
