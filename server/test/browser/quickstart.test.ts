import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Child, killAll, launchDemo } from '../process.ts';
import { sample } from '../rounds.ts';
import { findViolations, isMissing, keepsPictures, openChromium } from './chromium.ts';

/** Kept to be looked at. */
const SCREENSHOTS = fileURLToPath(new URL('../../test-output/quickstart/', import.meta.url));
const LOOKS = [
  ['desktop', 1280, 'light'],
  ['desktop', 1280, 'dark'],
  ['phone', 320, 'dark'],
  ['phone', 320, 'light'],
] as const;
const TRIGGER = 'Give 10%, get $5';

let folder: string;
let demo: Child;
let shopUrl: string;
let goodwordUrl: string;
let browser: Browser;
/** What the environment names as its mail server, database and collector: nobody may call it. */
let elsewhere: Server;
let callsElsewhere = 0;
let contexts: BrowserContext[] = [];
/** What any page complained about, a breach of its policy included. */
const problems: string[] = [];

beforeAll(async () => {
  if (isMissing) return;
  folder = await mkdtemp(join(tmpdir(), 'goodword-quickstart-'));
  elsewhere = createServer((socket) => {
    callsElsewhere += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  demo = launchDemo({
    TMPDIR: folder,
    SMTP_URL: `smtp://${address}`,
    MAIL_FROM: 'Acme <own@example.com>',
    DATABASE_URL: `postgres://${address}/own`,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://${address}`,
  });
  shopUrl = await demo.ready;
  goodwordUrl = /^ +Goodword +(\S+)$/m.exec(demo.output.stdout)?.[1] ?? '';
  browser = await openChromium();
});
afterEach(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  contexts = [];
  expect(problems).toEqual([]);
});
afterAll(async () => {
  if (isMissing) return;
  await killAll();
  elsewhere.close();
  await rm(folder, { recursive: true, force: true });
});

/** Somebody with a browser of their own. */
async function newVisitor(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  contexts.push(context);
  const page = await context.newPage();
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  return page;
}

async function keepPicture(page: Page, name: string): Promise<void> {
  if (keepsPictures) await page.screenshot({ path: `${SCREENSHOTS}${name}.png`, fullPage: true });
}

/** Until the landing script has done its part. */
const visit = (page: Page, address = shopUrl) => page.goto(address, { waitUntil: 'networkidle' });

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function signUp(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await press(page, 'Sign up');
  await page.getByText(`Signed in as ${name}`).waitFor();
}

async function openPanel(page: Page): Promise<void> {
  await press(page, TRIGGER);
  await page.locator('dialog .rewards .figures').waitFor();
}

/** Copies the link as its owner does, and gives what the panel shows of it. */
async function copyLink(page: Page): Promise<string> {
  await press(page, 'Copy your link');
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^http/);
  const link = await page.getByLabel('Your link', { exact: true }).inputValue();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);
  return link;
}

const price = (page: Page) => page.locator('.price').textContent();

const notes = (page: Page) => page.locator('.notes li').allTextContents();

/** Each reward in the open panel: what, its state, and what for. */
async function rewards(page: Page): Promise<string[][]> {
  const rows = await page.locator('dialog .rows li').all();
  return Promise.all(
    rows.map(async (row) => {
      const why = await row.locator('p').first().textContent();
      return [
        (await row.locator('b').textContent()) ?? '',
        (await row.locator('.status').textContent()) ?? '',
        (why ?? '').split(' · ')[0] ?? '',
      ];
    }),
  );
}

const figures = (page: Page) => page.locator('dialog .figures').textContent();

describe.skipIf(isMissing)('the quickstart', () => {
  test('shows the whole circle by clicks alone: share, click, sign up, buy, rewards for both', async () => {
    const alice = await newVisitor();
    await visit(alice);
    await signUp(alice, 'Alice');
    expect(await notes(alice)).toEqual([
      'Told Goodword: signup of Alice, without a friend’s link.',
    ]);
    await openPanel(alice);
    expect(await rewards(alice)).toEqual([]);
    const link = await copyLink(alice);
    expect(link.startsWith(`${goodwordUrl}/l/`)).toBe(true);
    await press(alice, 'Close');

    const bob = await newVisitor();
    await visit(bob, link);
    expect(new URL(bob.url()).origin).toBe(shopUrl);
    expect([...new URL(bob.url()).searchParams.keys()]).toEqual(['ref']);
    expect(await bob.locator('main').textContent()).toContain('A friend invited you.');
    await signUp(bob, 'Bob');
    expect(await price(bob)).toBe('$36.00 instead of $40.00 10% off');
    await press(bob, 'Buy');
    await bob.getByText('Told Goodword: purchase').waitFor();
    expect(await notes(bob)).toEqual([
      'Told Goodword: Bob got the 10% off.',
      'Told Goodword: purchase of $36.00 by Bob.',
      'Goodword gave Bob 10% off.',
      'Told Goodword: signup of Bob. A friend’s link gets the credit for it.',
    ]);
    expect(await price(bob)).toBe('$40.00');
    await openPanel(bob);
    expect(await rewards(bob)).toEqual([['10% discount', 'Received', 'Welcome reward']]);

    await openPanel(alice);
    await alice.locator('dialog .rows li').nth(1).waitFor();
    expect(await rewards(alice)).toEqual([
      ['$3.60', 'Confirmed', 'For inviting a friend'],
      ['$5.00 credit', 'Confirmed', 'For inviting a friend'],
    ]);
    expect(await figures(alice)).toBe('Earned$8.60Friends joined1Rewards2');
    expect(await alice.getByRole('button', { name: 'Add payout details' }).isVisible()).toBe(true);
    await alice.locator('dialog .rows').scrollIntoViewIfNeeded();
    await keepPicture(alice, 'panel');
    expect(await findViolations(alice)).toEqual([]);
  });

  test('one browser can be one person after another; a repeated click buys once', async () => {
    const page = await newVisitor();
    await visit(page);
    await signUp(page, 'Carol');
    await openPanel(page);
    const link = await copyLink(page);
    await press(page, 'Close');
    await press(page, 'Sign out');
    await page.getByLabel('Your name').waitFor();
    expect(await page.locator('.trigger').count()).toBe(0);

    await visit(page, link);
    await signUp(page, 'Dave');
    // The form as it was before the first click, sent a second time.
    const cart = await page.locator('input[name=cart]').inputValue();
    await press(page, 'Buy');
    await page.getByText('Told Goodword: purchase').waitFor();
    await page.locator('input[name=cart]').evaluate((input, value) => {
      (input as unknown as { value: string }).value = value;
    }, cart);
    const isBack = page.waitForEvent('load');
    await press(page, 'Buy');
    await isBack;
    await press(page, 'Sign out');

    await signUp(page, 'carol');
    expect((await notes(page))[0]).toBe('Carol signed in again. Goodword need not know.');
    await openPanel(page);
    expect((await rewards(page)).map(([what]) => what)).toEqual(['$3.60', '$5.00 credit']);
  });

  test.each(sample(LOOKS, 2))(
    'shuts nobody out and cuts nothing off: %s, %i px, %s',
    async (name, width, colorScheme) => {
      const page = await newVisitor({ colorScheme, viewport: { width, height: 800 } });
      const look = async (moment: string) => {
        await keepPicture(page, `${name}-${colorScheme}-${moment}`);
        expect([moment, await findViolations(page)]).toEqual([moment, []]);
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        expect([moment, overflow]).toEqual([moment, 0]);
      };
      await visit(page, `${shopUrl}/?ref=somebody`);
      await look('visitor');
      await signUp(page, `Somebody with a long name ${width} ${colorScheme}`);
      await press(page, 'Buy');
      await page.getByText('Told Goodword: purchase').waitFor();
      await page.locator('.trigger').waitFor();
      await look('customer');
    },
  );

  test('uses neither the mail server nor the database of whoever starts it', async () => {
    const { stdout } = demo.output;
    expect(stdout).toContain('The demo is running.');
    expect(stdout).toContain('it sends no mail');
    expect(callsElsewhere).toBe(0);
  });

  test('ends both with a signal, and leaves nothing', async () => {
    const ended = await demo.kill('SIGINT');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    await expect(fetch(goodwordUrl)).rejects.toThrow('fetch failed');
    expect(await readdir(folder)).toEqual([]);
  });
});
