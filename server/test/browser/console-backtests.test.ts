import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runBacktestsOnce } from '../../src/domain/backtests/worker.ts';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import type { TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { expectGood, isMissing, type Look } from './chromium.ts';
import { openConsole, openConsoleService } from './console.ts';

const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
];
const QUARTER_DAYS = 92;
let service: TestService;
let shop: Shop;
let page: Page;
let problems: string[] = [];

/** Bob was referred by ada, and bought on several days of the last quarter. */
beforeAll(async () => {
  if (isMissing) return;
  service = await openConsoleService();
  shop = await openShop(service);
  await shop.addRule({
    benefitKind: 'cash',
    calculation: 'percentage',
    rateBps: 1000,
    durationMode: 'forever',
  });
  const { sourceNamespaceId } = (await shop.post('/v1/sources')).body;
  const participant = { kind: 'individual', externalId: 'bob' };
  const track = (body: object) => shop.post('/v1/track/events', { sourceNamespaceId, ...body });
  await track({ type: 'signup', participant, refCode: 'ada' });
  for (let order = 0; order < 4; order += 1) {
    service.clock.advance(DAY_MS);
    const purchase = { amountMinor: '10000', currency: 'USD' };
    await track({ type: 'purchase', sourceEventId: `order-${order}`, participant, purchase });
  }
  service.clock.advance(QUARTER_DAYS * DAY_MS);
});
afterEach(() => expect(problems).toEqual([]));
afterAll(async () => {
  if (!isMissing) await service.close();
});

const run = () =>
  runBacktestsOnce({
    database: service.database,
    clock: service.clock,
    newId: service.built.newId,
    onFailure: (error) => {
      throw error;
    },
  });

describe.skipIf(isMissing)('back-tests in the console', () => {
  test('new terms are tried on the last quarter, and the difference is explained', async () => {
    const { workspaceId, projectId } = shop.project;
    const opened = await openConsole(service, { role: 'owner', workspaceId });
    ({ page, problems } = opened);
    await page.goto(`${service.url}/console/p/${projectId}/programs/${shop.programId}?tab=rules`);
    await page
      .getByRole('button', { name: /new terms/i })
      .first()
      .click();
    await page
      .getByRole('textbox', { name: /percent|rate|share/i })
      .first()
      .fill('20');
    await page.getByRole('button', { name: 'Try on the last quarter' }).click();
    await page.getByRole('heading', { name: /The back-test (waits|runs)/ }).waitFor();
    await expectGood(page, LOOKS);

    await run();
    await page.getByText('No money was given in this time.').waitFor();

    // The browser's quarter is not that of the project's clock.
    await page.getByLabel('From', { exact: true }).fill('2026-01-01');
    await page.getByLabel('To', { exact: true }).fill(service.clock.now.slice(0, 10));
    await page.getByRole('button', { name: 'Begin with what is in force' }).click();
    const editor = page.getByRole('textbox', { name: 'The definition to try' });
    await editor.fill((await editor.inputValue()).replace('rateBps: 1000', 'rateBps: 2000'));
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('heading', { name: /The back-test (waits|runs)/ }).waitFor();
    await run();
    await page
      .getByText(/\$40\.00 → \$80\.00/)
      .first()
      .waitFor();
    const winners = page.getByRole('list', { name: 'Would have earned more' });
    await winners.getByText('ada').waitFor();
    const differences = page.getByRole('list', { name: 'Differences' });
    await differences.getByText('Proposed').first().waitFor();
    expect(await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toMatch(
      /^\/v1\/backtests\/btt_\w+\/export\?projectId=/,
    );
    await expectGood(page, LOOKS);
  });
});
