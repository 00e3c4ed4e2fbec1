import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PANEL_FOLDER } from '../../src/surfaces/widget/panel-files.ts';
import { isMissing } from './chromium.ts';
import { Stage } from './widget-stage.ts';

let stage: Stage;
beforeAll(async () => {
  if (!isMissing) stage = await Stage.open();
});
beforeEach(async () => {
  if (!isMissing) await stage.openShop();
});
afterAll(async () => {
  if (!isMissing) await stage.close();
});

const reopen = () => stage.page.evaluate('window.widget.close(); window.widget.open()');
/** A call of init, with more options than a page needs. */
const init = (more = '') => {
  const { project, programId } = stage.shop;
  return `ServiceWidget.init({
    projectId: '${project.projectId}', programId: '${programId}', ${more}
    getToken: () => fetch('/token').then((answer) => answer.text()),
  })`;
};

describe.skipIf(isMissing)('the page', () => {
  test('may close and open in one go', async () => {
    await stage.visit();
    await stage.openPanel();
    await reopen();
    await stage.page.evaluate('new Promise((resolve) => setTimeout(resolve))');
    expect(await stage.page.locator('dialog[open]').count()).toBe(1);
    expect(await stage.events()).toEqual([
      ['open', null],
      ['open', null],
    ]);
  });

  test('may have the script in itself', async () => {
    const script = readFileSync(join(PANEL_FOLDER, 'v1.js'), 'utf8');
    const start = init(`baseUrl: '${stage.service.url}',`);
    stage.snippet = `<meta charset="utf-8"><script>${script}</script><script>${start}</script>`;
    await stage.visit();
    await stage.openPanel();
    expect(stage.problems).toEqual([]);
  });

  test('may begin before it has a body', async () => {
    const src = `${stage.service.url}/widget/v1.js`;
    stage.snippet = `<script src="${src}"></script><script>${init()}</script>`;
    await stage.visit();
    await stage.openPanel();
    expect(stage.problems).toEqual([]);
  });

  test('may begin again, and has one trigger', async () => {
    await stage.visit();
    await stage.page.locator('.trigger').waitFor();
    await stage.page.evaluate(`void ${init()}`);
    await stage.openPanel();
    expect(await stage.page.locator('.trigger').count()).toBe(1);
  });

  test('may put another body in place, and open the panel in it', async () => {
    await stage.visit();
    await stage.page.locator('.trigger').waitFor();
    await stage.page.evaluate(`document.body.innerHTML = '<main></main>'; window.widget.open()`);
    await stage.page.locator('dialog .figures').waitFor();
    expect(stage.problems).toEqual([]);
  });

  test('is told in a sentence what it got wrong', async () => {
    await stage.visit();
    await stage.page.locator('.trigger').waitFor();
    const wrong = (code: string) =>
      stage.page.evaluate(`(() => { try { ${code} } catch (error) { return error.message; } })()`);
    expect(await wrong('ServiceWidget.init()')).toBe('ServiceWidget: projectId is missing');
    expect(await wrong(init('container: 42,'))).toBe('ServiceWidget: there is no container 42');
    await stage.page.evaluate(
      `void ServiceWidget.init({ projectId: 'prj_1', getToken: () => undefined })`,
    );
    await expect.poll(() => stage.problems.join()).toContain('getToken failed');
  });

  test('is printed without the trigger', async () => {
    await stage.visit();
    await stage.page.locator('.trigger').waitFor();
    await stage.page.emulateMedia({ media: 'print' });
    expect(await stage.page.locator('.trigger').isVisible()).toBe(false);
  });
});

test.skipIf(isMissing)('a token of another person begins a panel of theirs', async () => {
  await stage.visit();
  await stage.openPanel();
  const code = () => stage.page.locator('.code b').textContent();
  const ofAda = await code();
  await stage.press('Close');
  stage.service.clock.advance(16 * 60_000);
  stage.claims = { sub: 'grace' };
  await stage.openPanel();
  await expect.poll(code).not.toBe(ofAda);
  await stage.page.locator('.figures').waitFor();
  expect(stage.tokens).toBe(2);
});

test.skipIf(isMissing)(
  'a Program without title and words on its trigger has names still',
  async () => {
    await stage.openShop({ title: '', triggerText: ' ' });
    await stage.visit();
    await stage.openPanel('Your rewards');
    await stage.page.getByRole('dialog', { name: 'Your rewards' }).waitFor();
    await stage.expectGood('without-title');
  },
);
