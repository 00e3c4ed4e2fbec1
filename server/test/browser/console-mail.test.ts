import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { followFeeds } from '../../src/outbound/mail/follow/follow-feed.ts';
import { sendMails } from '../../src/outbound/mail/send/send-mails.ts';
import type { Role } from '../../src/platform/http/access/permissions.ts';
import type { TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { TestMailer } from '../test-mailer.ts';
import { expectGood, isMissing, type Look } from './chromium.ts';
import { prepareConsole } from './console.ts';

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
});

async function open(path: string, role: Role = 'owner'): Promise<void> {
  page = await visit({ project: shop.project, path, role });
}
const sees = (text: string | RegExp) => page.getByText(text).first().waitFor();

describe.skipIf(isMissing)('mail', () => {
  test('the sender and what the team is told are set', async () => {
    await open('mail?tab=sender');
    await page.getByLabel('Name', { exact: true }).fill('Acme');
    await page.getByLabel('Address', { exact: true }).fill('rewards@example.com');
    await page.getByLabel('Partner application received').click();
    await expectGood(page, LOOKS);
    await page.getByRole('button', { name: 'Save' }).click();
    await sees('Saved.');
    const { projectId } = shop.project;
    const { body } = await shop.read(`/v1/projects/${projectId}/mail-settings`);
    expect(body.data).toMatchObject({
      sender: { name: 'Acme', address: 'rewards@example.com' },
      teamKinds: ['partner_application_received'],
    });
  });

  test('a text is changed while its mail is shown, and no other way', async () => {
    await open('mail?tab=texts');
    await page.getByLabel('A friend joined').click();
    await sees('Saved.');
    const frame = page.frameLocator('iframe[title="Preview of the mail"]');
    await frame.getByText('You earned €25.00').first().waitFor();
    await page.getByLabel('Subject').fill('Hooray: {reward}');
    await frame.getByRole('heading', { name: 'Hooray: €25.00' }).waitFor();
    const button = frame.getByRole('link', { name: 'See your rewards' });
    const display = await button.evaluate((link) => {
      const { getComputedStyle } = globalThis as unknown as {
        getComputedStyle(of: unknown): { display: string };
      };
      return getComputedStyle(link).display;
    });
    expect(display).toBe('inline-block');
    await expectGood(page, LOOKS);
    await page.getByRole('button', { name: 'Save text' }).click();
    await page.getByRole('button', { name: 'Use the default text' }).waitFor();
    const { body } = await shop.read(`/v1/programs/${shop.programId}/mail-settings`);
    expect(body.data).toMatchObject({
      kinds: ['friend_joined'],
      texts: { en: { reward_earned: { subject: 'Hooray: {reward}' } } },
    });
  });

  test('what a sandbox would have sent is listed', async () => {
    const { projectId, key } = shop.project;
    await service.call('PUT', '/v1/participants', {
      as: key,
      body: {
        projectId,
        participant: { kind: 'individual', externalId: 'ada' },
        email: 'ada@example.com',
      },
    });
    await shop.signUp('carol');
    const deps = {
      ...service.built,
      baseUrl: service.url,
      mailer: new TestMailer(),
      onFailure: () => undefined,
    };
    const { signal } = new AbortController();
    await followFeeds(deps, signal);
    await sendMails(deps, signal);
    await open('mail', 'viewer');
    await sees('A friend joined');
    await page.locator('.mantine-Badge-root', { hasText: 'Preview' }).waitFor();
    await expectGood(page, LOOKS);
  });
});
