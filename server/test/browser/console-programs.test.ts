import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../../src/platform/http/access/permissions.ts';
import type { TestProject, TestService } from '../harness.ts';
import { expectGood, isMissing } from './chromium.ts';
import { openConsole, openConsoleService } from './console.ts';

let service: TestService;
let project: TestProject;
let programs: string;
let page: Page;
/** What went wrong on the page that was opened last. */
let problems: string[] = [];

beforeAll(async () => {
  if (isMissing) return;
  service = await openConsoleService();
  project = await service.newProject();
  programs = `${service.url}/console/p/${project.projectId}/programs`;
  page = await openAs('owner');
});
afterEach(() => expect(problems.splice(0)).toEqual([]));
afterAll(async () => {
  if (isMissing) return;
  await service.close();
});

async function openAs(role: Role): Promise<Page> {
  const { workspaceId } = project;
  const opened = await openConsole(service, { role, workspaceId });
  problems = opened.problems;
  return opened.page;
}

const expectGoodLooks = () =>
  expectGood(page, [
    { width: 1280, colorScheme: 'light' },
    { width: 400, colorScheme: 'dark' },
    { width: 1280, colorScheme: 'dark' },
  ]);
const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();

async function read(path: string) {
  const { projectId, key } = project;
  const answer = await service.call('GET', path, { as: key, query: { projectId } });
  expect(answer.status).toBe(200);
  return answer.body.data;
}

/** Through the steps of the set-up to the review. */
async function fillIn(name: string): Promise<void> {
  await page.goto(`${programs}/new`);
  await page.getByLabel('Name').fill(name);
  await press('Continue');
  await page.getByText('Give $10, get $10').click();
  await press('Continue');
  await page.getByText('How does credit reach people?').waitFor();
  await press('Continue');
  await page.getByLabel('Landing page').fill('https://shop.example/welcome');
  await press('Continue');
  await page.getByText('This will be created').waitFor();
}

describe.skipIf(isMissing)('programs in the console', () => {
  test('from nothing to the first link, by clicks alone', async () => {
    await page.goto(programs);
    await page.getByText('No programs yet').waitFor();
    await expectGoodLooks();
    await page.getByRole('link', { name: 'New program' }).click();
    await expectGoodLooks();
    await fillIn('Invite a friend');
    await expectGoodLooks();
    await press('Create');
    await page.getByText('Your program is running').waitFor();
    await page.getByLabel('Whose link').fill('user_42');
    await page.getByLabel('How the link ends').fill('ada');
    await press('Create the link');
    const link = page.getByRole('link', { name: /\/l\/.+\/ada$/ });
    const url = new URL((await link.getAttribute('href')) ?? '');
    // The call to try it with has the code of that link.
    await page.getByText('"refCode": "ada"').waitFor();
    await page.getByRole('link', { name: 'source', exact: true }).waitFor();
    await expectGoodLooks();

    const followed = await fetch(`${service.url}${url.pathname}`, { redirect: 'manual' });
    expect(followed.headers.get('location')).toContain('https://shop.example/welcome?ref=');
    const [program] = await read('/v1/programs');
    expect(program).toMatchObject({ name: 'Invite a friend', status: 'active' });
    const rules = await read(`/v1/programs/${program.id}/benefit-rules`);
    expect(rules.map((rule: { beneficiaryRole: string }) => rule.beneficiaryRole)).toEqual([
      'referrer',
      'referee',
    ]);
    // An owner may allow the origin, without which the landing script would be refused.
    const asked = await service.call('GET', '/v1/projects', { as: 'operator' });
    expect(JSON.stringify(asked.body)).toContain('"https://shop.example"');
    await press('Go to the program');
    await page.getByText('Results so far').waitFor();
  });

  test('what failed in the middle goes on there, and nothing is made twice', async () => {
    const before = (await read('/v1/programs')).length;
    await fillIn('Interrupted');
    await page.route('**/v1/benefit-rules', (route) => route.abort());
    await press('Create');
    await page.getByText('Created so far: 1 of').waitFor();
    expect(problems.splice(0)).not.toEqual([]);
    await page.unroute('**/v1/benefit-rules');
    // Not even a reload loses it.
    await page.reload();
    await press('Continue creating it');
    await page.getByText('Your program is running').waitFor();
    const all = await read('/v1/programs');
    expect(all).toHaveLength(before + 1);
    expect(await read(`/v1/programs/${all.at(-1).id}/benefit-rules`)).toHaveLength(2);
  });

  test('the widget is edited beside the real panel, which shows what is typed', async () => {
    const [program] = await read('/v1/programs');
    await page.goto(`${programs}/${program.id}?tab=widget`);
    const panel = page.frameLocator('iframe');
    await panel.getByRole('heading', { name: 'Invite your friends' }).waitFor();
    await page.getByLabel('Title', { exact: true }).fill('Grow with us');
    await panel.getByRole('heading', { name: 'Grow with us' }).waitFor();
    await page.getByText('Dark', { exact: true }).click();
    await panel.locator('html[data-scheme="dark"]').waitFor();
    await press('Save');
    await page.getByText('The widget is saved').waitFor();
    const saved = await read(`/v1/programs/${program.id}`);
    expect(saved.config.widgetConfig.title).toBe('Grow with us');
    await expectGoodLooks();
  });

  test('new terms say what they mean while they are typed, and the history what they changed', async () => {
    const [program] = await read('/v1/programs');
    await page.goto(`${programs}/${program.id}?tab=rules`);
    await page.getByRole('button', { name: 'New terms' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('0');
    await dialog.getByRole('button', { name: 'Publish version 2' }).click();
    await dialog.getByText('More than 0').waitFor();
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('25');
    await dialog.getByText('gets $25.00 as account credit').waitFor();
    await dialog.getByRole('button', { name: 'Publish version 2' }).click();
    await press('History (2)');
    const change = page.getByRole('table', { name: 'What version 2 changed' });
    expect(await change.locator('tbody').textContent()).toMatch(/Amount\s*\$10\.00\s*\$25\.00/);
    await expectGoodLooks();
  });

  test('terms that somebody else has published meanwhile are not replaced unseen', async () => {
    const { projectId, key } = project;
    const [program] = await read('/v1/programs');
    const [rule] = await read(`/v1/programs/${program.id}/benefit-rules`);
    const path = `/v1/benefit-rules/${rule.id}/terms`;
    await page.goto(`${programs}/${program.id}?tab=rules`);
    await page.getByRole('button', { name: 'New terms' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Amount' }).fill('40');
    const [{ version, currency, currencyExponent }] = await read(path);
    const money = { currency, currencyExponent, fixedAmountMinor: '3000' };
    const terms = { benefitKind: 'credit', calculation: 'fixed', ...money };
    const body = { projectId, terms };
    expect((await service.call('POST', path, { as: key, body })).status).toBe(200);
    await dialog.getByRole('button', { name: `Publish version ${version + 1}` }).click();
    await dialog.getByText('Somebody else has published a version').waitFor();
    problems.splice(0);
    await expectGoodLooks();
    expect((await read(path))[0].fixedAmountMinor).toBe('3000');
    await dialog.getByRole('button', { name: `Publish version ${version + 2}` }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await read(path))[0]).toMatchObject({ version: version + 2, fixedAmountMinor: '4000' });
  });

  test('a change of status says what it will do, in numbers', async () => {
    const [program] = await read('/v1/programs');
    await page.goto(`${programs}/${program.id}`);
    await press('Pause');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('links of the one person who joined').waitFor();
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    expect((await read(`/v1/programs/${program.id}`)).status).toBe('paused');
    await expectGoodLooks();
  });

  test('a policy, delivery and settings are changed on their tabs', async () => {
    const [program] = await read('/v1/programs');
    await page.goto(`${programs}/${program.id}?tab=attribution`);
    await press('Change the policy');
    await page.getByLabel('How long a click counts').fill('30');
    await press('Publish');
    await page.getByText('Version 2').waitFor();
    await expectGoodLooks();

    await page.getByRole('tab', { name: 'Delivery' }).click();
    await page.getByLabel('Hold rewards for').fill('14');
    await press('Save');
    await page.getByText('Delivery settings saved').waitFor();
    await page.getByText('needs Stripe').first().waitFor();
    await expectGoodLooks();

    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Landing page').fill('http//nowhere');
    await page.getByText('A full address').waitFor();
    await page.getByLabel('Landing page').fill('https://shop.example/new');
    await press('Save');
    await page.getByText('Settings saved.', { exact: true }).waitFor();
    await expectGoodLooks();

    const policies = await read(`/v1/programs/${program.id}/attribution-policies`);
    expect(policies[0].windowDays).toBe(30);
    expect((await read(`/v1/programs/${program.id}/delivery-settings`)).holdDays).toBe(14);
    const { config } = await read(`/v1/programs/${program.id}`);
    expect(config.brandConfig.landingPageUrl).toBe('https://shop.example/new');
  });

  test('who may only look finds nothing to change', async () => {
    const [program] = await read('/v1/programs');
    const viewer = await openAs('viewer');
    const buttons = async () => (await viewer.getByRole('button').allInnerTexts()).join('|');
    await viewer.goto(programs);
    await viewer.getByText('Invite a friend').waitFor();
    expect(await viewer.getByRole('link', { name: 'New program' }).count()).toBe(0);
    for (const [tab, text] of [
      ['overview', 'Results so far'],
      ['rules', 'History (4)'],
      ['widget', 'Put it on your pages'],
      ['attribution', 'Version 2'],
      ['delivery', 'Held for'],
      ['settings', 'Links lead to'],
    ]) {
      await viewer.goto(`${programs}/${program.id}?tab=${tab}`);
      await viewer
        .getByText(text as string)
        .first()
        .waitFor();
      expect(await buttons()).not.toMatch(/Save|Publish|New terms|Add|Resume|End|Change|Make/);
    }
    await viewer.goto(`${programs}/new`);
    await viewer.getByText('Your role does not include this').waitFor();
  });
});
