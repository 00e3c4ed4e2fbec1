import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Role } from '../../src/platform/http/access/permissions.ts';
import type { TestService } from '../harness.ts';
import { type MailShop, openMailShop } from '../mail-shop.ts';
import { TestMailer } from '../test-mailer.ts';
import { expectGood, isMissing, type Look } from './chromium.ts';
import { prepareConsole, startConsoleService } from './console.ts';

const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
];
let service: TestService;
let shop: MailShop;
let page: Page;

const visit = prepareConsole(
  async (opened) => {
    service = opened;
    shop = await openMailShop(service, { holdDays: 0 });
    service.payees.forget(shop.adaId);
    await shop.earn('order-1');
  },
  () => startConsoleService({ requiresTotp: false, mailer: new TestMailer() }),
);

async function open(path: string, role: Role = 'finance'): Promise<void> {
  page = await visit({ project: shop.project, path, role });
}
const sees = (text: string | RegExp) => page.getByText(text).first().waitFor();
const dialog = () => page.getByRole('dialog').last();
/** Opens the people without payout details, and asks to remind them. */
async function askToRemind(): Promise<void> {
  await page.getByRole('button', { name: /^No payout details/ }).click();
  await page.getByRole('button', { name: 'Remind them by mail' }).click();
}

describe.skipIf(isMissing)('people without payout details', () => {
  test('are not reminded by somebody who may not pay', async () => {
    await open('payouts', 'viewer');
    await page.getByRole('button', { name: /^No payout details/ }).click();
    await sees(/have not said where to pay them/);
    expect(await page.getByRole('button', { name: 'Remind them by mail' }).count()).toBe(0);
  });

  test('who cannot be mailed are named with the reason, and nothing can be sent', async () => {
    await shop.setEmail('ada', null);
    await open('payouts');
    await askToRemind();
    await sees('Nobody can be reminded now.');
    await dialog().getByText('Left out: No e-mail address (1)').waitFor();
    await dialog().getByRole('link', { name: 'Ada' }).waitFor();
    await shop.keepEmail('ada', 'a@b.de>');
    await open('payouts');
    await askToRemind();
    await dialog().getByText('Left out: No mail can be sent to the address (1)').waitFor();
    expect(await dialog().getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await expectGood(page, LOOKS);
    await shop.setEmail('ada', shop.address);
  });

  test('are reminded by mail once it is confirmed, and the numbers are said', async () => {
    await open('payouts');
    await askToRemind();
    await dialog().getByText('1 person will get a mail that asks for payout details.').waitFor();
    await expectGood(page, LOOKS);
    expect(await shop.mails()).toEqual([]);
    await dialog().getByRole('button', { name: 'Send 1 mail' }).click();
    await sees('1 person reminded.');
    await service.sendMails();
    expect(shop.subjects()).toEqual(['[Sandbox] Where should we send your money?']);
  });

  test('are listed by name among the mails, and a draft that leaves them out says when they were reminded', async () => {
    await open('mail');
    await sees('Payout details missing');
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    await expectGood(page, LOOKS);
    const { id } = await shop.draft();
    await page.goto(`${service.url}/console/p/${shop.project.projectId}/payouts/batches/${id}`);
    await sees('Why nobody is paid');
    await askToRemind();
    await dialog()
      .getByText(/^Left out: Mailed about it/)
      .waitFor();
  });
});
