import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { isMissing } from './chromium.ts';
import { openConsole, openConsoleService } from './console.ts';

let service: TestService;
let shop: Shop;
let page: Page;
let problems: string[];

beforeAll(async () => {
  if (isMissing) return;
  service = await openConsoleService();
  shop = await openShop(service);
});
afterEach(() => {
  if (!isMissing) expect(problems).toEqual([]);
});
afterAll(async () => {
  if (isMissing) return;
  await service.close();
});

async function openSources(): Promise<void> {
  const { workspaceId, projectId } = shop.project;
  ({ page, problems } = await openConsole(service, { role: 'owner', workspaceId }));
  await page.goto(`${service.url}/console/p/${projectId}/developers?tab=sources`);
}
const choose = async (name: string) => {
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name }).click();
};
const dialog = () => page.getByRole('dialog');
const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
const closed = () => dialog().waitFor({ state: 'hidden' });

/** Lists of sources are answered only when the returned function is called. */
async function holdLists(): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    ({ pathname }) => pathname === '/v1/sources',
    async (route) => {
      await released;
      await route.continue();
    },
  );
  return release;
}

describe.skipIf(isMissing)('a dialog that asks before an action', () => {
  test('closes when the action is done, and the lists are read behind it', async () => {
    await openSources();
    await page.getByText('Enabled', { exact: true }).waitFor();
    const release = await holdLists();
    await choose('Disable');
    await confirm('Disable');
    await closed();
    await page.getByText('is disabled.').waitFor();
    expect(await page.getByText('Enabled', { exact: true }).count()).toBe(1);
    release();
    await page.getByText('Disabled', { exact: true }).waitFor();
    await choose('Enable');
    await confirm('Enable');
    await page.getByText('is enabled.').waitFor();
    await page.getByText('Enabled', { exact: true }).waitFor();
  });

  test('stays open with the reason if the action is refused, and can be tried again', async () => {
    await openSources();
    const error = { code: 'CONFLICT', message: 'Not just now.', requestId: 'req_1', details: [] };
    await page.route('**/v1/sources/*', (route) =>
      route.fulfill({ status: 409, json: { success: false, error } }),
    );
    await choose('Disable');
    await confirm('Disable');
    await dialog().getByText('Not just now.').waitFor();
    await page.unroute('**/v1/sources/*');
    await confirm('Disable');
    await closed();
    await page.getByText('Disabled', { exact: true }).waitFor();
    // The browser itself notes every refusal.
    problems = problems.filter((one) => !one.includes('409'));
  });
});
