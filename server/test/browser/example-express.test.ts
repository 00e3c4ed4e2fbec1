import { Goodword } from '@goodword/sdk';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findFreePort } from '../free-port.ts';
import { openService, type TestService } from '../harness.ts';
import { killAll, launchExpress } from '../process.ts';
import { newWidgetSecret } from '../widget-token.ts';
import { expectGood, isMissing, openChromium } from './chromium.ts';

const LOOKS = [
  { width: 1280, colorScheme: 'light' },
  { width: 400, colorScheme: 'dark' },
] as const;
/** Webhooks do not leave the service here: the guides’ test runs the example with them. */
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

let service: TestService;
let goodword: Goodword;
let shopUrl: string;
let browser: Browser;
const contexts: BrowserContext[] = [];
const problems: string[] = [];

beforeAll(async () => {
  if (isMissing) return;
  service = await openService();
  // The shop signs tokens by the machine's clock. It is a little behind, as none may be from the future.
  service.clock.advance(Date.now() + 60_000 - service.clock.nowMs());
  const project = await service.newProject();
  const { projectId, projectKey, key: apiKey } = project;
  shopUrl = `http://localhost:${await findFreePort()}`;
  await service.call('PATCH', `/v1/projects/${projectId}`, {
    as: 'operator',
    body: { allowedOrigins: [shopUrl] },
  });
  goodword = new Goodword({ url: service.url, apiKey, projectId });
  const { sourceNamespaceId } = await goodword.request('POST /v1/sources');
  const programId = await newProgram();
  await launchExpress({
    GOODWORD_URL: service.url,
    GOODWORD_KEY: apiKey,
    PROJECT: projectId,
    PROJECT_KEY: projectKey,
    PROGRAM: programId,
    SOURCE: sourceNamespaceId,
    WIDGET_SECRET: (await newWidgetSecret(service, project)).secret,
    WEBHOOK_SECRET,
    SHOP_URL: shopUrl,
  }).ready;
  browser = await openChromium();
});
afterAll(async () => {
  if (isMissing) return;
  await Promise.all(contexts.map((context) => context.close()));
  await killAll();
  await service.close();
});

/** Ten dollars for a friend’s signup, a tenth of what the friend pays. */
async function newProgram(): Promise<string> {
  const { data: program } = await goodword.request('POST /v1/programs', {
    body: {
      kind: 'referral',
      name: 'Invite a friend',
      config: { brandConfig: { landingPageUrl: `${shopUrl}/` } },
    },
  });
  const common = {
    programId: program.id,
    beneficiaryRole: 'referrer',
    name: 'For a friend',
  } as const;
  const dollars = { fixedAmountMinor: '1000', currency: 'USD', currencyExponent: 2 };
  await goodword.request('POST /v1/benefit-rules', {
    body: {
      ...{ ...common, eventType: 'signup' },
      terms: { benefitKind: 'credit', calculation: 'fixed', ...dollars },
    },
  });
  await goodword.request('POST /v1/benefit-rules', {
    body: {
      ...{ ...common, eventType: 'purchase' },
      terms: { benefitKind: 'cash', calculation: 'percentage', rateBps: 1000 },
    },
  });
  await goodword.request('POST /v1/programs/{programId}/status', {
    path: { programId: program.id },
    body: { status: 'active' },
  });
  return program.id;
}

/** Somebody with a browser of their own. */
async function newVisitor(): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
  contexts.push(context);
  const page = await context.newPage();
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  return page;
}

const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

async function signUp(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await press(page, 'Sign up');
  await page.getByText(`Signed in as ${name}`).waitFor();
}

const earned = async () => {
  const { data } = await goodword.request('GET /v1/rewards');
  return data.map(({ benefitKind, money }) => `${benefitKind} ${money?.netAmountMinor}`);
};

describe.skipIf(isMissing)('the Express example', () => {
  test('goes from Ada’s link in the widget to what she earns by Bob’s signup and purchase', async () => {
    const ada = await newVisitor();
    await ada.goto(shopUrl);
    await expectGood(ada, LOOKS);
    await signUp(ada, 'Ada');
    const field = ada.getByLabel('Your link', { exact: true });
    await field.waitFor();
    const { pathname } = new URL(await field.inputValue());
    expect(pathname).toMatch(/^\/l\//);
    await expectGood(ada, LOOKS);

    const bob = await newVisitor();
    await bob.goto(service.url + pathname, { waitUntil: 'networkidle' });
    expect([...new URL(bob.url()).searchParams.keys()]).toEqual(['ref']);
    await signUp(bob, 'Bob');
    await expect.poll(earned).toEqual(['credit 1000']);
    await press(bob, 'Buy a mug');
    await expect.poll(earned).toEqual(['cash 400', 'credit 1000']);
    expect(problems).toEqual([]);
  });
});
