import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest';
import { openService, type TestService } from '../harness.ts';
import { expectGood, isMissing, type Look, openChromium } from './chromium.ts';

let service: TestService;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Every request that the page made. */
let asked: string[];
/** What the browser had to complain about. */
let problems: string[];

beforeAll(async () => {
  if (isMissing) return;
  service = await openService();
  browser = await openChromium();
});
afterAll(async () => {
  if (isMissing) return;
  await service.close();
});
beforeEach(async () => {
  if (isMissing) return;
  context = await browser.newContext({ viewport: { width: 1400, height: 800 } });
  page = await context.newPage();
  asked = [];
  problems = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
});
afterEach(async () => {
  if (isMissing) return;
  const elsewhere = asked.filter((url) => !url.startsWith(service.url) && !url.startsWith('data:'));
  expect([problems, elsewhere]).toEqual([[], []]);
  await context.close();
});

const open = (path: string) => page.goto(service.url + path);

/** What was already seen and has moved by itself: how far, which elements, and from where to where. */
const listShifts = () =>
  page.evaluate(`new Promise((done) => {
    const shifts = [];
    const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
    const describe = ({ node, previousRect, currentRect }) =>
      (node?.outerHTML ?? node?.textContent ?? 'gone').slice(0, 120) +
      ' from ' + place(previousRect) + ' to ' + place(currentRect);
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries()) shifts.push([value, ...sources.map(describe)]);
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => done(shifts)));
  })`);

const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'dark' },
  { width: 1400, colorScheme: 'light' },
];

describe.skipIf(isMissing)('the documentation', () => {
  test.each(['/docs', '/docs/webhooks', '/docs/reference/errors', '/docs/api', '/docs/nowhere'])(
    '%s is whole on a phone and on a desk, shuts nobody out, and does not jump',
    async (path) => {
      await open(path);
      expect(await listShifts()).toEqual([]);
      // The reference has hundreds of parts that are alike; a few of each kind stand for all.
      await page.evaluate(`document.querySelectorAll('.op, .schema, .reference .side li').forEach((one, at) => {
        if (at % 25 !== 0) one.remove();
      })`);
      // Of the address that has no page the browser says so.
      if (path === '/docs/nowhere') problems = problems.filter((one) => !one.includes('404'));
      await expectGood(page, LOOKS);
    },
  );

  test.each([
    ['/docs/webhooks', 'id="find"', '</button>'],
    ['/docs', '<section class="hero">', '</section>'],
  ])('%s does not jump either when the rest comes late, after %s', async (path, begin, end) => {
    const whole = await (await fetch(service.url + path)).text();
    const half = whole.indexOf(end, whole.indexOf(begin)) + end.length;
    let sendRest = () => {};
    const slow = createServer(({ url }, response) => {
      if (url !== path) {
        response.writeHead(307, { location: service.url + url }).end();
        return;
      }
      response.writeHead(200, { 'content-type': 'text/html' }).write(whole.slice(0, half));
      sendRest = () => response.end(whole.slice(half));
    });
    onTestFinished(() => void slow.close());
    await once(slow.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    await page.goto(address + path, { waitUntil: 'commit' });
    await page.waitForFunction(`performance.getEntriesByName('first-paint').length > 0`);
    sendRest();
    await page.waitForLoadState();
    asked = asked.filter((url) => !url.startsWith(address));
    expect(await listShifts()).toEqual([]);
  });

  test('is searched by keyboard, with an index that is fetched when it is first asked for', async () => {
    await open('/docs');
    const isIndex = (url: string) => url.endsWith('/docs/search.json');
    expect(asked.some(isIndex)).toBe(false);
    await page.keyboard.press('/');
    await page.keyboard.type('rotate secret');
    const results = page.getByRole('option');
    await results.first().waitFor();
    expect(await results.first().textContent()).toContain('Guides › WebhooksRotate the secret');
    expect(await results.locator('mark').first().textContent()).toBe('Rotate');
    const chosen = () => page.locator('[role="option"][aria-selected="true"]').textContent();
    const first = await chosen();
    await page.keyboard.press('ArrowDown');
    expect(await chosen()).not.toBe(first);
    await expectGood(page, LOOKS);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${service.url}/docs/webhooks#rotate-the-secret`);
    expect(asked.filter(isIndex)).toHaveLength(1);
    await page.keyboard.press('/');
    await page.keyboard.type('no such words anywhere');
    await page.getByText('Nothing found').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test.each([
    ['upgrading', 'Upgrad', 'Upgrades'],
    ['fulfilment', 'fulfil', 'reward.fulfilled'],
    ['GDPR', 'erase', 'Erase'],
    ['timezone', 'time zone', 'PgBouncer'],
    // Said somewhere as it stands, and a title in another form.
    ['rotating', 'rotat', 'Rotate'],
    // What was typed comes before what begins alike, as signups do.
    ['signing', 'signing', 'signing in'],
  ])('finds %s, whatever form the pages have of it', async (word, marked, title) => {
    await open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type(word);
    const mark = page.getByRole('option').locator('mark').first();
    await mark.waitFor();
    expect((await mark.textContent())?.toLowerCase()).toBe(marked.toLowerCase());
    expect(await page.getByRole('option').locator('.title').first().textContent()).toContain(title);
  });

  test('finds calls, too, by their path', async () => {
    await open('/docs/feed');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.keyboard.type('/v1/track/events');
    const first = page.getByRole('option').first();
    await first.getByText('POST /v1/track/events', { exact: true }).waitFor();
    await first.click();
    await page.waitForURL(/\/docs\/api#\w+$/);
  });

  test('keeps the theme that was chosen, from page to page', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await open('/docs');
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.getByRole('button', { name: 'Dark theme' }).click();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.getByRole('navigation', { name: 'Contents' }).getByText('Webhooks').click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(await ground()).toBe(dark);
    await page.getByRole('button', { name: 'Light theme' }).click();
    expect(await ground()).toBe(light);
  });

  test('leads links from when the reference stood at /docs to where they meant', async () => {
    await open('/docs#authentication');
    await page.waitForURL(`${service.url}/docs/api#authentication`);
  });

  test('copies code as it stands, and can be printed without what is only for the screen', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('/docs/feed');
    const block = page.locator('figure.code').first();
    await block.getByRole('button').click();
    await block.getByText('Copied').waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(await block.locator('code').textContent());
    await page.emulateMedia({ media: 'print' });
    expect(
      await page.locator('.bar, .side, .beside, .pager').filter({ visible: true }).count(),
    ).toBe(0);
  });
});

describe.skipIf(isMissing)('on a phone', () => {
  test('the contents open, show where one is, and lead on', async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    await open('/docs/webhooks');
    const contents = page.getByRole('navigation', { name: 'Contents' });
    expect(await contents.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Contents' }).click();
    expect(await contents.locator('[aria-current="page"]').textContent()).toBe('Webhooks');
    await contents.getByText('Payouts', { exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor();
    await page.getByText('On this page').first().click();
    await page.getByRole('link', { name: 'Providers' }).first().click();
    await page.waitForURL(`${service.url}/docs/payouts#providers`);
  });
});
