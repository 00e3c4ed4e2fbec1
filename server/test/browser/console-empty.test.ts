import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { becomePartner } from '../become-partner.ts';
import type { TestService } from '../harness.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';
import { expectGood, isMissing, type Look } from './chromium.ts';
import { openConsole, openConsoleService } from './console.ts';

const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
];
let service: TestService;
let shop: PayoutShop;
let page: Page;
let problems: string[];

beforeAll(async () => {
  if (isMissing) return;
  service = await openConsoleService();
  shop = await openPayoutShop(service);
});
afterEach(() => {
  if (!isMissing) expect(problems).toEqual([]);
});
afterAll(async () => {
  if (!isMissing) await service.close();
});

async function open(path: string): Promise<void> {
  const { workspaceId, projectId } = shop.project;
  ({ page, problems } = await openConsole(service, { role: 'owner', workspaceId }));
  await page.goto(`${service.url}/console/p/${projectId}/${path}`);
}
const sees = (text: string | RegExp) => page.getByText(text).first().waitFor();
const heading = (name: string | RegExp) => page.getByRole('heading', { name }).waitFor();

describe.skipIf(isMissing)('a page without anything to do', () => {
  test('a draft that pays nobody says why, and cannot be approved', async () => {
    await shop.earn('a1');
    service.payees.forget(shop.adaId);
    const made = await shop.post('/v1/payout-batches', { method: 'manual_export' });
    await open(`payouts/batches/${made.body.data.id}`);
    await sees('Nobody could be paid when this draft was created');
    await heading('Why nobody is paid');
    await sees('No payout details');
    await page.getByRole('button', { name: 'Cancel batch' }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await expectGood(page, LOOKS);
  });

  test('something that is not there offers no second try, and leads to its list', async () => {
    await open('rewards/rwd_00000000000000000000000000');
    await heading('No such reward in this project');
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await expectGood(page, LOOKS);
    await page.getByRole('link', { name: 'See all rewards' }).click();
    await page.getByRole('heading', { level: 1, name: 'Rewards' }).waitFor();
    // The browser reports the answer 404.
    expect(problems.splice(0)).toHaveLength(1);
  });

  test('partners come first, and applications while some wait', async () => {
    const chosen = () => page.getByRole('tab', { selected: true });
    await becomePartner(service, shop.project, 'grace@example.com', {
      beforeApproval: async () => {
        await open('partners');
        await chosen().getByText('Applications').waitFor();
        await page.getByRole('button', { name: 'Grace Hopper' }).waitFor();
        await expectGood(page, LOOKS);
      },
    });
    await open('partners');
    await chosen().getByText('Partners').waitFor();
    await page.getByRole('row', { name: /Grace/ }).waitFor();
    await expectGood(page, LOOKS);
  });

  test('the feed calls people by their names', async () => {
    const { projectId, key: as } = shop.project;
    await service.call('PUT', '/v1/participants', {
      as,
      body: { projectId, participant: { kind: 'individual', externalId: 'ada' }, name: 'Ada King' },
    });
    await open('feed');
    await page.getByText('Live', { exact: true }).waitFor();
    await shop.signUp('dora');
    await sees('Signup by dora, credited to Ada King');
    await expectGood(page, LOOKS);
  });
});
