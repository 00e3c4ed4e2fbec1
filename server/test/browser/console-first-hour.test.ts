import type { Page, Route } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSetup } from '../../src/accounts/users/set-up.ts';
import type { TestProject, TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { expectGood, isMissing, type Look, openChromium } from './chromium.ts';
import { prepareConsole } from './console.ts';

const LOOKS: readonly Look[] = [
  { width: 400, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
];
let service: TestService;
let shop: Shop;
let empty: TestProject;
let page: Page;

const visit = prepareConsole(async (opened) => {
  service = opened;
  shop = await openShop(service);
  empty = await service.newProject();
});

async function open(path: string, project: TestProject = shop.project) {
  page = await visit({ project, path });
}
const title = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

describe.skipIf(isMissing).sequential('what a new user meets in the first hour', () => {
  test('the set-up link works in a tab that is open, and asks for no workspace if there is one', async () => {
    const browser = await openChromium();
    const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
    onTestFinished(() => context.close());
    page = await context.newPage();
    await page.goto(`${service.url}/console/setup`);
    await page.getByText('The service printed a link when it started').waitFor();
    const token = await openSetup(service);
    // A browser does not load the page again when only what is behind the # is different.
    await page.goto(`${service.url}/console/setup#${token}`);
    await page.getByLabel('Your name').waitFor({ timeout: 10_000 });
    expect(await page.getByLabel('Workspace').count()).toBe(0);
    await expectGood(page, LOOKS);
  });

  test('the first steps help with each step, and tick it when it has happened', async () => {
    const project = empty;
    await open('', project);
    await page.getByRole('heading', { level: 2, name: 'Get started' }).waitFor();
    await page.getByText('0 of 9 steps are done').waitFor();
    await page.getByRole('link', { name: 'Set up a program' }).last().waitFor();
    await page.getByRole('button', { name: 'Put the landing script on your page' }).click();
    await page.getByRole('region', { name: 'the landing script', exact: true }).waitFor();
    await page.getByText(`data-project="${project.projectKey}"`).waitFor();
    await page.getByRole('button', { name: 'Use an API key' }).click();
    await page.getByText(`/v1/programs?projectId=${project.projectId}`).waitFor();
    await expectGood(page, LOOKS);
    await service.call('GET', '/v1/programs', {
      as: project.key,
      query: { projectId: project.projectId },
    });
    await page.getByText('1 of 9 steps are done').waitFor({ timeout: 20_000 });
    await page.getByRole('link', { name: 'Create an API key' }).click();
    await title('Developers');
    await page.getByRole('row', { name: /Test .*Not yet|Test .*ago/ }).waitFor();
    await expectGood(page, LOOKS);
  });

  test('once all steps are done one line is left, which its user can dismiss', async () => {
    await open('');
    await page.route(/\/v1\/first-steps/, async (route: Route) => {
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      const done = data.map((one: object) => ({ ...one, isDone: true }));
      return route.fulfill({ response, json: { ...rest, data: done } });
    });
    await page.reload();
    const line = page.getByText('You are set up: all steps are done.');
    await line.waitFor();
    await expectGood(page, LOOKS);
    await press('Show');
    await page.getByText('9 of 9 steps are done').waitFor();
    await press('Collapse');
    await line.waitFor();
    await press('Dismiss the first steps');
    await line.waitFor({ state: 'detached' });
    await page.reload();
    await title('Home');
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('region', { name: 'Get started' }).count()).toBe(0);
  });

  test('the palette opens while one types in a field', async () => {
    await open('participants');
    await page.getByLabel('Search').click();
    await page.keyboard.press('Control+k');
    await page.getByLabel('Find a page, a person, a code or an id').waitFor({ timeout: 10_000 });
  });

  test('code on a page without events reads from the left', async () => {
    await open('events', empty);
    await page.locator('.snippet pre').waitFor();
    const align = "getComputedStyle(document.querySelector('.snippet pre')).textAlign";
    expect(await page.evaluate(align)).toBe('start');
    await expectGood(page, LOOKS);
  });

  test('the answer of a dry run goes when the event is changed', async () => {
    await open('dry-run');
    await page.getByLabel('Participant').fill('dave');
    await press('Try it');
    const answer = page.getByRole('heading', { name: 'The answer' });
    await answer.waitFor();
    await page.getByText('Purchase', { exact: true }).click();
    await answer.waitFor({ state: 'detached', timeout: 10_000 });
    await press('Try it');
    await answer.waitFor();
    await page.getByLabel('Participant').fill('erin');
    await answer.waitFor({ state: 'detached', timeout: 10_000 });
  });

  test('a new endpoint asks whether its receiver grants rewards, and shows what is warned of', async () => {
    await open('webhooks');
    const warning = 'Another endpoint of this Project grants rewards, too.';
    await page.route(/\/v1\/webhook-endpoints$/, async (route: Route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const response = await route.fetch();
      return route.fulfill({
        response,
        json: { ...(await response.json()), warnings: [{ code: 'second', message: warning }] },
      });
    });
    await page.getByRole('button', { name: 'New endpoint' }).first().click();
    const dialog = page.getByRole('dialog').last();
    await dialog.getByLabel('URL').fill('https://example.com/hook');
    await dialog.getByRole('button', { name: 'Create endpoint' }).click();
    await dialog.getByText('Choose one').waitFor({ timeout: 10_000 });
    await expectGood(page, LOOKS);
    await dialog.getByRole('radio', { name: /^No/ }).check();
    await dialog.getByRole('button', { name: 'Create endpoint' }).click();
    await page.getByText(warning).waitFor();
    const { body } = await shop.read('/v1/webhook-endpoints');
    expect(body.endpoints).toMatchObject([{ fulfillmentMode: 'explicit' }]);
  });
});
