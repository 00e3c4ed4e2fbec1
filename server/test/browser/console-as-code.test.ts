import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { expectGood, isMissing, type Look } from './chromium.ts';
import { openConsole, openConsoleService } from './console.ts';

const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
];
let service: TestService;
let shop: Shop;
let page: Page;

let problems: string[] = [];

beforeAll(async () => {
  if (isMissing) return;
  service = await openConsoleService();
  shop = await openShop(service);
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 1000 });
});
// A browser reports the file that is refused.
afterEach(() => expect(problems.filter((text) => !/status of 400/.test(text))).toEqual([]));
afterAll(async () => {
  if (!isMissing) await service.close();
});
const button = (name: string) => page.getByRole('button', { name, exact: true });
const editor = () => page.getByRole('textbox', { name: 'The changed file' });

describe.skipIf(isMissing)('a program as code', () => {
  test('a changed file is shown as sentences and lines, corrected, and applied', async () => {
    const { workspaceId, projectId } = shop.project;
    const opened = await openConsole(service, { role: 'owner', workspaceId });
    ({ page, problems } = opened);
    const address = `${service.url}/console/p/${projectId}/programs/${shop.programId}`;
    await page.goto(`${address}?tab=as-code`);
    const file = page.getByRole('region', { name: 'The program as YAML' });
    await file.waitFor();
    expect(await file.textContent()).toContain('apiVersion: goodword/v1');
    const download = page.getByRole('link', { name: 'Download' });
    expect(await download.getAttribute('download')).toMatch(/\.yaml$/);
    await expectGood(page, LOOKS);

    await button('Begin with what is in force').click();
    const text = await editor().inputValue();
    await editor().fill(text.replace('rateBps: 1000', 'rateBsp: 1500'));
    await button('Show what changes').click();
    const refused = page.getByText('did you mean rateBps?');
    await refused.waitFor();
    await expectGood(page, LOOKS);
    // What is wrong with the whole file has a subject, and none of the parser's words.
    await editor().fill(`${text}---\n${text}`);
    await expect.poll(() => refused.count()).toBe(0);
    await button('Show what changes').click();
    await page.getByText(/^The definition has a second document in line \d+/).waitFor();
    await editor().fill(text);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);

    const changed = text
      .replace('rateBps: 1000', 'rateBps: 1500')
      .replace('holdDays: 0', 'holdDays: 14');
    await editor().fill(changed);
    await button('Show what changes').click();
    await page.getByText('10% of the amount in cash → 15% of the amount in cash').waitFor();
    const diff = page.getByRole('region', { name: 'Difference to what is in force' });
    expect(await diff.textContent()).toMatch(/rateBps: 1000[\s\S]*rateBps: 1500/);
    await expectGood(page, LOOKS);

    await button('Apply 2 changes').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('New versions apply to events from now on.').waitFor();
    await expectGood(page, LOOKS);
    await dialog.getByRole('button', { name: 'Apply 2 changes' }).click();
    await page.getByText('The changes are applied.').waitFor();
    await expect.poll(() => file.textContent()).toContain('rateBps: 1500');
    expect(await editor().inputValue()).toBe('');
    const { body } = await shop.read(`/v1/programs/${shop.programId}/definition`, {});
    expect(body.data.deliverySettings.holdDays).toBe(14);

    await editor().fill(body.file);
    await button('Show what changes').click();
    await page.getByText('The program is what the file says.').waitFor();
  });
});
