import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../harness.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';
import { PAYPAL_APP } from '../paypal/server.ts';
import { expectGood, isMissing, type Look } from './chromium.ts';
import { openConsole, openConsoleService } from './console.ts';

const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
];
let service: TestService;
let shop: PayoutShop;
let page: Page;
let problems: string[] = [];

beforeAll(async () => {
  if (isMissing) return;
  service = await openConsoleService();
  shop = await openPayoutShop(service);
});
afterEach(() => expect(problems).toEqual([]));
afterAll(async () => {
  if (!isMissing) await service.close();
});

const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
const dialog = () => page.getByRole('dialog').last();
const sees = (text: string | RegExp) => page.getByText(text).first().waitFor();
const banner = () => page.getByText('This store was restored from an earlier state');

describe.skipIf(isMissing)('a restored store', () => {
  test('says on every page that nothing is paid; finance skips a check, with a reason, and resumes payments', async () => {
    const { workspaceId, projectId } = shop.project;
    const operate = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
      service.call(method, `/v1/workspaces/${workspaceId}${path}`, {
        as: 'operator',
        ...(body ? { body } : {}),
      });
    await operate('PUT', '/payout-connections', {
      environment: 'sandbox',
      method: 'paypal',
      paypal: PAYPAL_APP,
    });
    await shop.earn('o1');
    const batch = await shop.approve();
    await operate('POST', '/restores', { since: '2026-11-15T02:00:00.000Z' });
    ({ page, problems } = await openConsole(service, { role: 'finance', workspaceId }));
    await page.goto(`${service.url}/console/p/${projectId}/programs`);
    await banner().waitFor();
    await service.askRestores();
    await page.getByRole('link', { name: 'See what is left to do' }).click();
    await page.getByRole('heading', { level: 1, name: 'Restore' }).waitFor();
    await sees('Cannot be checked');
    expect(await page.getByRole('button', { name: 'Resume payments…' }).isDisabled()).toBe(true);
    await page.getByRole('row', { name: /Approved.*10\.00/ }).waitFor();
    await expectGood(page, LOOKS);
    await press('Skip the check…');
    await dialog().getByLabel('Why it can be skipped').fill('No payouts since the backup');
    await dialog().getByRole('button', { name: 'Skip the check' }).click();
    await sees('Skipped: No payouts since the backup');
    await press('Resume payments…');
    await dialog().getByRole('button', { name: 'Resume payments' }).click();
    await page.getByRole('heading', { level: 2, name: 'Payments were resumed' }).waitFor();
    await banner().waitFor({ state: 'detached' });
    await page.getByTitle(batch.id).click();
    await page.getByRole('heading', { level: 1, name: /batch/i }).waitFor();
    const { body } = await operate('GET', '/restores');
    expect(body.data).toMatchObject([
      { status: 'released', checks: [{ override: { reason: 'No payouts since the backup' } }] },
    ]);
  });
});
