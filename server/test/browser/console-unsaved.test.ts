import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { expectGood, isMissing, type Look } from './chromium.ts';
import { prepareConsole, signInAs } from './console.ts';

const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
];
let service: TestService;
let shop: Shop;
let page: Page;

const visit = prepareConsole(async (opened) => {
  service = opened;
  shop = await openShop(service);
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 2050 });
});

async function open(path: string): Promise<void> {
  page = await visit({ project: shop.project, path });
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

  test('in a short dialog asks as well, and the next time it begins anew', async () => {
    await open('developers?tab=sources');
    await press('New source');
    const dialog = page.getByRole('dialog', { name: 'New source' });
    await dialog.getByLabel('Name').fill('Shop of the north');
    await page.keyboard.press('Escape');
    await answer('Keep editing');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Shop of the north');
    await page.keyboard.press('Escape');
    await answer('Discard');
    await dialog.waitFor({ state: 'hidden' });
    await press('New source');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('');
  });

  test('in a question asks before a name that was typed is lost, and not after it was given', async () => {
    await open(`programs/${shop.programId}?tab=rules`);
    await page.getByRole('button', { name: /^Rename/ }).click();
    const dialog = page.getByRole('dialog', { name: /^Rename/ });
    await dialog.getByLabel('New name').fill('A fifth of the price');
    await page.keyboard.press('Escape');
    await answer('Keep editing');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('A fifth of the price').first().waitFor();
    expect(await question().count()).toBe(0);
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
