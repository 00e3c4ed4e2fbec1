import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { lastQuarter } from '../../../console/src/pages/programs/backtests/quarters.ts';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import type { TestService } from '../harness.ts';
import { runBacktest } from '../run-backtest.ts';
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

const run = () => runBacktest(service);

async function open(tab: string): Promise<void> {
  const { workspaceId, projectId } = shop.project;
  ({ page, problems } = await openConsole(service, { role: 'owner', workspaceId }));
  await page.goto(`${service.url}/console/p/${projectId}/programs/${shop.programId}?tab=${tab}`);
}
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const rate = () => page.getByRole('textbox', { name: /percent|rate|share/i }).first();
const day = (name: string) => page.getByRole('textbox', { name, exact: true });
const definition = () => page.getByRole('textbox', { name: 'The definition to try' });

describe.skipIf(isMissing)('back-tests in the console', () => {
  test('terms are tried as typed, on the last quarter of the project’s clock, and stay', async () => {
    await open('rules');
    await page
      .getByRole('button', { name: /new terms/i })
      .first()
      .click();
    await rate().fill('20');
    await press('Try on the last quarter');
    const tried = page.getByRole('dialog').getByRole('status');
    await tried.getByText('These terms are being tried.').waitFor();
    await expectGood(page, LOOKS);
    await run();
    await tried.getByText(/\$\d+\.00 → \$\d+\.00 \(\+\$/).waitFor();
    await expectGood(page, LOOKS);

    // What was found is of the terms that were tried. They are still there to be published.
    expect(await rate().inputValue()).toBe('20');
    await rate().fill('30');
    await expect.poll(() => tried.count()).toBe(0);
    await rate().fill('20');
    const link = tried.getByRole('link', { name: 'Who and why' });
    const address = await link.getAttribute('href');
    const [{ from, to, definition: sent }] = await listAsked();
    const quarter = lastQuarter(service.clock.now);
    expect([from.slice(0, 10), to.slice(0, 10)]).toEqual([quarter.from, quarter.to]);
    expect(Object.values(sent.rules)).toMatchObject([{ terms: { rateBps: 2000 } }]);

    // The page of the back-test begins with what was asked.
    await press('Cancel');
    await page.goto(`${service.url}${address}`);
    await page.getByRole('list', { name: 'Would have earned more' }).getByText('ada').waitFor();
    expect(JSON.parse(await definition().inputValue())).toEqual(sent);
    expect(await day('From').inputValue()).toBe(quarter.from);
  });

  test('another definition is tried on chosen days, and the difference is explained', async () => {
    await open('backtests');
    expect(await day('From').inputValue()).toBe(lastQuarter(service.clock.now).from);
    await day('From').fill('2026-01-01');
    await day('To').fill(service.clock.now.slice(0, 10));
    await press('Begin with what is in force');
    const text = await definition().inputValue();
    await definition().fill(text.replace('rateBps: 1000', 'rateBps: 2000'));
    await press('Start');
    await page.getByRole('heading', { name: /The back-test is (waiting|running)/ }).waitFor();
    await expectGood(page, LOOKS);
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
    await page.getByRole('list', { name: 'Recent back-tests' }).getByText('Done').first().waitFor();
    await expectGood(page, LOOKS);
  });
});

/** The back-tests of the project with what they were asked, newest first. */
async function listAsked() {
  const { body } = await shop.read('/v1/backtests', {});
  const ids: string[] = body.data.map(({ id }: { id: string }) => id);
  return Promise.all(ids.map(async (id) => (await shop.read(`/v1/backtests/${id}`, {})).body.data));
}
