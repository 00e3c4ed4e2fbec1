import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { expectGood, isMissing, type Look } from './chromium.ts';
import { openConsole, openConsoleService, signInAs } from './console.ts';

const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
];
let service: TestService;
let shop: Shop;
let page: Page;
let problems: string[];

beforeAll(async () => {
  if (isMissing) return;
  service = await openConsoleService();
  shop = await openShop(service);
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 2050 });
});
afterEach(() => {
  if (!isMissing) expect(problems).toEqual([]);
});
afterAll(async () => {
  if (isMissing) return;
  await service.close();
});

async function open(path: string): Promise<void> {
  const { workspaceId, projectId } = shop.project;
  ({ page, problems } = await openConsole(service, { role: 'owner', workspaceId }));
  await page.goto(`${service.url}/console/p/${projectId}/${path}`);
}
const settings = () => open(`programs/${shop.programId}?tab=settings`);
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const question = () => page.getByRole('dialog', { name: 'Discard changes?' });
const answer = async (name: 'Keep editing' | 'Discard') => {
  await question().getByRole('button', { name, exact: true }).click();
  await question().waitFor({ state: 'hidden' });
};
const name = () => page.getByRole('textbox', { name: 'Name' });
const place = (label: string) =>
  page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: label, exact: true });
const isAt = (end: string) => page.waitForURL((url) => url.pathname.endsWith(end));

describe.skipIf(isMissing)('a form with changes that are not saved', () => {
  test('asks before a link leaves it, and keeps what was typed or discards it', async () => {
    await settings();
    await name().fill('Invite your friends');
    await place('Rewards').click();
    await question().waitFor();
    await expectGood(page, LOOKS);
    await answer('Keep editing');
    expect(await name().inputValue()).toBe('Invite your friends');
    expect(page.url()).toContain('tab=settings');
    await place('Rewards').click();
    await answer('Discard');
    await isAt('/rewards');
    const { body } = await shop.read(`/v1/programs/${shop.programId}`);
    expect(body.data.name).toBe('Invite');
  });

  test('asks before the back button or another tab of the page leaves it', async () => {
    await open(`programs/${shop.programId}`);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await name().fill('Invite your friends');
    await page.goBack();
    await answer('Keep editing');
    expect(await name().inputValue()).toBe('Invite your friends');
    await page.getByRole('tab', { name: 'Delivery' }).click();
    await answer('Keep editing');
    expect(await name().inputValue()).toBe('Invite your friends');
    await page.goBack();
    await answer('Discard');
    await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor();
  });

  test('has the browser ask before its tab is closed or loaded again', async () => {
    await settings();
    await name().fill('Invite your friends');
    const asked: string[] = [];
    page.once('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.reload();
    await name().waitFor();
    expect(asked).toEqual(['beforeunload']);
  });

  test('in a dialog asks before Escape or the back button closes it', async () => {
    await open(`programs/${shop.programId}`);
    await page.getByRole('tab', { name: 'Rules and terms' }).click();
    await press('New terms');
    await page.getByLabel('Percent of the price').fill('30');
    await page.keyboard.press('Escape');
    await answer('Keep editing');
    await page.goBack();
    await question().waitFor();
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Percent of the price').inputValue()).toBe('30');
    await page.getByRole('button', { name: 'Close' }).click();
    await answer('Discard');
    await page.getByLabel('Percent of the price').waitFor({ state: 'hidden' });
  });
});

describe.skipIf(isMissing)('a form is left without a question', () => {
  test('if nothing was changed, or all was typed back', async () => {
    await settings();
    const saved = await name().inputValue();
    await name().fill('Something else');
    await name().fill(saved);
    await place('Rewards').click();
    await isAt('/rewards');
    expect(await question().count()).toBe(0);
  });

  test('if it was saved, or its changes were discarded', async () => {
    await settings();
    await name().fill('Invite them all');
    await press('Save');
    await page.getByText('Settings saved.').waitFor();
    await name().fill('Never mind');
    await press('Discard changes');
    expect(await name().inputValue()).toBe('Invite them all');
    await place('Rewards').click();
    await isAt('/rewards');
    expect(await question().count()).toBe(0);
  });

  test('if it is a dialog that was cancelled', async () => {
    await open('webhooks');
    await press('New endpoint');
    await page.getByLabel('URL').fill('https://example.com/hook');
    await press('Cancel');
    await page.getByLabel('URL').waitFor({ state: 'hidden' });
    await place('Rewards').click();
    await isAt('/rewards');
    expect(await question().count()).toBe(0);
  });

  test('if somebody else signed in in another tab: it is not theirs', async () => {
    const { workspaceId } = shop.project;
    const cookies = await signInAs(service, { role: 'viewer', workspaceId });
    await settings();
    await name().fill('Half typed');
    const asked: string[] = [];
    page.once('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.context().clearCookies();
    await page.context().addCookies(cookies);
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await name().waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Settings', selected: true }).waitFor();
    expect(asked).toEqual([]);
    expect(await page.getByText('Half typed').count()).toBe(0);
  });
});
