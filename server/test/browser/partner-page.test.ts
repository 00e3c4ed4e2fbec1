import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AffiliateShop, newSibling, openAffiliateShop } from '../affiliate-shop.ts';
import { findFreePort } from '../free-port.ts';
import { startService, type TestService } from '../harness.ts';
import { TestMailer } from '../test-mailer.ts';
import { expectGood, isMissing, openChromium } from './chromium.ts';

const EMAIL = 'grace@example.com';
const mailer = new TestMailer();
let service: TestService;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let shops: AffiliateShop[];
/** What went wrong on the pages. */
let problems: string[];

beforeAll(async () => {
  if (isMissing) return;
  // Links and forms go by the address that the service is reached at.
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  service = await startService({ mailer, port, settings: { baseUrl } });
  const project = await service.newProject();
  const one = await openAffiliateShop(service, project, EMAIL);
  const two = await openAffiliateShop(service, await newSibling(service, project), EMAIL);
  shops = [one, two];
  for (const shop of shops) {
    await shop.signUp('bob');
    for (let order = 1; order <= 14; order += 1) {
      service.clock.advance(60 * 60_000);
      await shop.buy('bob', `o${order}`, String(order * 10_000));
    }
  }
  browser = await openChromium();
});
beforeEach(async () => {
  if (isMissing) return;
  // Past the limits that the tests before have used up.
  service.clock.advance(24 * 60 * 60_000);
  await context?.close();
  context = await browser.newContext({ locale: 'en-US' });
  page = await context.newPage();
  problems = [];
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
});
afterAll(async () => {
  if (isMissing) return;
  await context.close();
  await service.close();
});

const heading = () => page.locator('h1').textContent();
const press = (name: string) => page.getByRole('button', { name }).click();
const follow = (name: string) => page.getByRole('link', { name }).click();
const main = () => page.locator('main').textContent();

async function signIn(): Promise<void> {
  await page.goto(`${service.url}/partner`);
  await page.getByLabel('E-mail address').fill(EMAIL);
  await press('Send me a link');
  expect(await heading()).toBe('Check your mailbox');
  await service.sendMails();
  await page.goto(mailer.linkTo(EMAIL).href);
  await press('Go to my partner page');
  expect(await heading()).toBe('Your partner page');
}

const LOOKS = [
  { width: 320, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
] as const;

const expectGoodEverywhere = () => expectGood(page, LOOKS);

describe.skipIf(isMissing)('the partner’s page', () => {
  test('draws the results of a number and a period, without loading the page again', async () => {
    await signIn();
    await page.evaluate('window.isSame = true');
    const bars = page.locator('#results svg g');
    expect(await bars.count()).toBe(30);
    await page.getByRole('link', { name: /^Sales/ }).click();
    const chart = page.getByRole('img', { name: /^Sales by day/ });
    await chart.waitFor();
    await page.getByRole('link', { name: '365 days' }).click();
    await page.getByRole('img', { name: /^Sales by week/ }).waitFor();
    expect(page.url()).toMatch(/days=365&metric=sales#results$/);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('365 days');
    await bars.last().hover();
    const caption = page.locator('#results figcaption');
    await expect.poll(() => caption.textContent()).toMatch(/ · \$[\d,]+\.\d\d$/);
    await page.getByText('Show as a table').click();
    expect(await page.locator('#results tbody tr').count()).toBe(await bars.count());
    expect(await page.evaluate('window.isSame')).toBe(true);
    await expectGoodEverywhere();
    expect(problems).toEqual([]);
  });

  test('is walked by clicks from the mailed link to saved details', async () => {
    await signIn();
    const [one] = shops as [AffiliateShop];
    expect(await main()).toContain(one.code);
    expect(await main()).toContain(one.linkUrl);
    await follow('add your payout details');
    await page.getByLabel('Name of the account holder').fill('Grace Hopper');
    await page.getByLabel('Country of the bank').selectOption({ label: 'Germany (DE)' });
    await page.getByLabel('Currency of the account').selectOption({ label: 'Euro (EUR)' });
    await page.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 01');
    await press('Save');

    // The mistake stands at its field, which says so to everybody; the rest is as it was entered.
    const iban = page.getByLabel('IBAN');
    expect(await iban.getAttribute('aria-invalid')).toBe('true');
    const error = page.locator(`#${await iban.getAttribute('aria-describedby')}`);
    expect(await error.textContent()).toBe('IBAN is mistyped: its check digits do not match.');
    const [field, message] = await Promise.all([iban.boundingBox(), error.boundingBox()]);
    expect((message?.y ?? 0) - ((field?.y ?? 0) + (field?.height ?? 0))).toBeLessThan(16);
    expect(await page.getByLabel('Country of the bank').inputValue()).toBe('DE');
    await expectGoodEverywhere();

    await iban.fill('DE89 3704 0044 0532 0130 00');
    await press('Save');
    expect(await main()).toContain('Your payout details are saved.');
    expect(await main()).toContain('DE•• •••• 3000');

    // A change waits, and says until when.
    await follow('Change');
    await follow('PayPal');
    await page.getByLabel('E-mail address of the account').fill('grace@example.com');
    await press('Save');
    expect(await main()).toContain('g•••@example.com');
    expect(await main()).toContain('Until then, payouts use your previous details.');

    await press('Sign out');
    expect(await main()).toContain('Send me a link');
    await page.goto(`${service.url}/partner/details`);
    expect(await main()).toContain('Send me a link');
    expect(problems.filter((text) => !/status of 400/.test(text))).toEqual([]);
  });

  test('goes through all rewards page by page', async () => {
    await signIn();
    await follow('All rewards');
    expect(await page.locator('.rows > li').count()).toBe(25);
    await follow('Older');
    expect(await page.locator('.rows > li').count()).toBe(3);
    await expectGoodEverywhere();
    await follow('Newest');
    await follow('Back to the overview');
    expect(await heading()).toBe('Your partner page');
    expect(problems).toEqual([]);
  });

  test('shuts nobody out, and fits a small phone, in light and dark', async () => {
    await page.goto(`${service.url}/partner`);
    await expectGoodEverywhere();
    await press('Send me a link');
    expect(await page.getByLabel('E-mail address').getAttribute('aria-invalid')).toBe('true');
    await expectGoodEverywhere();
    await page.goto(`${service.url}/partner/sent`);
    await expectGoodEverywhere();
    await page.goto(`${service.url}/partner/sign-in?token=old`);
    await expectGoodEverywhere();
    await signIn();
    await expectGoodEverywhere();
    const suspend = (action: string) =>
      service.call('POST', `/v1/partners/${shops[0]?.partnerId}/${action}`, {
        as: 'operator',
        body: {},
      });
    await suspend('suspend');
    await page.reload();
    expect(await main()).toContain('You are suspended.');
    await expectGoodEverywhere();
    await suspend('reinstate');
    for (const kind of ['iban', 'account', 'wise']) {
      await page.goto(`${service.url}/partner/details?kind=${kind}`);
      await expectGoodEverywhere();
    }
    await page.goto(`${service.url}/partner/payouts`);
    await expectGoodEverywhere();
  });

  test('takes applications on a page with the brand of the program', async () => {
    const [{ project, programId }] = shops as [AffiliateShop];
    const config = {
      partnerApplicationsOpen: true,
      brandConfig: { primaryColor: '#a5461f' },
      widgetConfig: { productName: 'Acme Mugs' },
    };
    const body = { projectId: project.projectId, config };
    await service.call('PATCH', `/v1/programs/${programId}`, { as: project.key, body });
    await page.goto(`${service.url}/partner/apply/${project.projectKey}/${programId}`);
    expect(await heading()).toBe('Become a partner of Acme Mugs');
    const band = page.locator('header');
    expect(await band.getByText('Acme Mugs', { exact: true }).isVisible()).toBe(true);
    const colour = await page.evaluate(
      `getComputedStyle(document.querySelector('header')).backgroundColor`,
    );
    expect(colour).toBe('rgb(165, 70, 31)');
    await expectGoodEverywhere();
    await press('Send application');
    expect(await page.getByLabel('Your name').getAttribute('aria-invalid')).toBe('true');
    await expectGoodEverywhere();
    await page.getByLabel('Your name').fill('Ada Example');
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel('You apply as').selectOption('individual');
    await press('Send application');
    expect(await heading()).toBe('Check your mailbox');
    await expectGoodEverywhere();
    expect(problems.filter((text) => !/status of 400/.test(text))).toEqual([]);
  });

  test('takes no form that another site sends', async () => {
    await signIn();
    const target = `${service.url}/partner/sign-out`;
    const evil = createHttpServer((_request, reply) => {
      reply.setHeader('content-type', 'text/html');
      reply.end(`<form method="post" action="${target}"><button>Win</button></form>`);
    });
    await new Promise<void>((resolve) => evil.listen(0, 'localhost', resolve));
    await page.goto(`http://localhost:${(evil.address() as AddressInfo).port}/`);
    await press('Win');
    await page.waitForURL(target);
    expect(await heading()).toBe('This form is out of date');
    await new Promise((resolve) => evil.close(resolve));
    await page.goto(`${service.url}/partner`);
    expect(await heading()).toBe('Your partner page');
  });

  test('asks whose page to show, for an address with several', async () => {
    const other = await openAffiliateShop(service, await service.newProject('live'), EMAIL);
    await page.goto(`${service.url}/partner`);
    await page.getByLabel('E-mail address').fill(EMAIL);
    await press('Send me a link');
    await service.sendMails();
    await page.goto(mailer.linkTo(EMAIL).href);
    await press('Go to my partner page');
    expect(await heading()).toBe('Choose a partner page');
    await expectGoodEverywhere();
    await press('Acme Grace Hopper');
    expect(await main()).toContain(other.code);
    await follow('Change');
    await press('Acme (test) Grace Hopper');
    expect(await main()).toContain(shops[0]?.code);
    expect(problems).toEqual([]);
  });
});
