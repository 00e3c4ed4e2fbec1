import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { expectGood, isMissing, type Look } from './chromium.ts';
import { openConsole, openConsoleService } from './console.ts';

const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
];
let service: TestService;
let shop: Shop;
let liveId: string;
let page: Page;
let problems: string[];

beforeAll(async () => {
  if (isMissing) return;
  service = await openConsoleService();
  shop = await openShop(service);
  const { workspaceId } = shop.project;
  const { body } = await service.call('POST', '/v1/projects', {
    as: 'operator',
    body: { workspaceId, environment: 'live', name: 'Acme live' },
  });
  liveId = body.data.id;
});
afterEach(() => {
  if (!isMissing) expect(problems).toEqual([]);
});
afterAll(async () => {
  if (!isMissing) await service.close();
});

async function open(role: 'owner' | 'operator' = 'owner'): Promise<void> {
  const { workspaceId, projectId } = shop.project;
  ({ page, problems } = await openConsole(service, { role, workspaceId }));
  await page.goto(`${service.url}/console/p/${projectId}/programs/${shop.programId}`);
  await page.getByRole('heading', { level: 1, name: 'Invite' }).waitFor();
}

async function openDialog() {
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy the program' });
  await dialog.getByLabel('Name of the copy').waitFor();
  return dialog;
}

async function namesIn(projectId: string): Promise<string[]> {
  const { body } = await service.call('GET', '/v1/programs', {
    as: 'operator',
    query: { projectId },
  });
  return body.data.map(({ name }: { name: string }) => name);
}

describe.skipIf(isMissing).sequential('the copy of a program', () => {
  test('goes from the sandbox to live as a draft, and opens there', async () => {
    await open();
    const dialog = await openDialog();
    await expectGood(page, LOOKS);
    await dialog.getByRole('combobox', { name: 'To the project' }).click();
    await page.getByRole('option', { name: 'Acme live (live)' }).click();
    await dialog.getByRole('button', { name: 'Make the copy' }).click();
    await page.waitForURL(`**/console/p/${liveId}/programs/prg_*`);
    await page.getByRole('heading', { level: 1, name: 'Invite' }).waitFor();
    await page.getByText('Draft', { exact: true }).first().waitFor();
    await expectGood(page, LOOKS);
    expect(await namesIn(liveId)).toEqual(['Invite']);
  });

  test('is made once by a double click, and the next one has a name of its own', async () => {
    const { projectId } = shop.project;
    await open();
    await (await openDialog()).getByRole('button', { name: 'Make the copy' }).dblclick();
    await page.getByRole('heading', { level: 1, name: 'Copy of Invite' }).waitFor();
    expect(await namesIn(projectId)).toEqual(['Invite', 'Copy of Invite']);
    await open();
    await (await openDialog()).getByRole('button', { name: 'Make the copy' }).click();
    await page.getByRole('heading', { level: 1, name: 'Copy of Invite 2' }).waitFor();
  });

  test('may have the name of another one', async () => {
    await open();
    const dialog = await openDialog();
    await dialog.getByLabel('Name of the copy').fill('  Copy of Invite ');
    await dialog.getByRole('button', { name: 'Make the copy' }).click();
    await page.getByRole('heading', { level: 1, name: 'Copy of Invite' }).waitFor();
    const named = (await namesIn(shop.project.projectId)).filter((one) => one === 'Copy of Invite');
    expect(named).toHaveLength(2);
  });

  test('is refused with a reason in the dialog, which stays open', async () => {
    const unit = { key: 'month', name: 'month', namePlural: 'months' };
    await shop.addRule({ benefitKind: 'custom', quantity: 1, unit, durationMode: 'once' });
    const asOperator = (path: string, body: object) =>
      service.call('POST', path, { as: 'operator', body: { projectId: liveId, ...body } });
    const own = await asOperator('/v1/programs', { kind: 'referral', name: 'Own' });
    await asOperator('/v1/benefit-rules', {
      programId: own.body.data.id,
      eventType: 'signup',
      beneficiaryRole: 'referrer',
      name: 'Months',
      terms: {
        benefitKind: 'custom',
        quantity: 1,
        unit: { ...unit, name: 'month of tea', namePlural: 'months of tea' },
      },
    });
    await open();
    const dialog = await openDialog();
    await dialog.getByRole('combobox', { name: 'To the project' }).click();
    await page.getByRole('option', { name: 'Acme live (live)' }).click();
    await dialog.getByRole('button', { name: 'Make the copy' }).click();
    await dialog.getByText(/month/).last().waitFor();
    await expectGood(page, LOOKS);
    expect(await namesIn(liveId)).toEqual(['Invite', 'Own']);
    // The browser reports each refused call.
    problems = problems.filter((one) => !one.includes('409'));
  });

  test('is not offered to somebody who may not create programs', async () => {
    await open('operator');
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('button', { name: 'Copy', exact: true }).count()).toBe(0);
  });
});
