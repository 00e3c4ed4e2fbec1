import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newWidgetSecret } from '../widget-token.ts';
import { isMissing } from './chromium.ts';
import { Stage } from './widget-stage.ts';

const guide = readFileSync(new URL('../../../docs/widget.md', import.meta.url), 'utf8');
const blockOf = (language: string) =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(guide)?.[1] ?? '';

const hasPython = spawnSync('python3', ['--version']).status === 0;

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

/** An app in strict mode, which mounts everything twice, with the component as the docs show it. */
const app = (inline: boolean) => `
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ServiceWidget } from './service-widget.tsx';

window.opened = 0;
const root = createRoot(document.getElementById('place'));
window.unmount = () => root.unmount();
window.show = (count) => root.render(
  <StrictMode>
    <ServiceWidget
      baseUrl="${stage.service.url}"
      projectId="${stage.shop.project.projectId}"
      programId="${stage.shop.programId}"
      inline={${inline}}
      getToken={() => fetch('/token').then((answer) => answer.text())}
      onOpen={() => { window.opened += count; }}
    />
  </StrictMode>,
);
window.show(1);`;

async function serveApp(page: Page, inline: boolean): Promise<void> {
  const { outputFiles } = await build({
    stdin: {
      contents: app(inline),
      loader: 'tsx',
      resolveDir: fileURLToPath(new URL('../../../widget/react', import.meta.url)),
    },
    bundle: true,
    write: false,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  const body = outputFiles[0]?.text ?? '';
  await page.route('**/shop.js', (route) =>
    route.fulfill({ contentType: 'text/javascript; charset=utf-8', body }),
  );
}

describe.skipIf(isMissing)('the React component', () => {
  test('shows one trigger, hears of events through its newest functions, and leaves nothing', async () => {
    await stage.visit({}, (page) => serveApp(page, false));
    await stage.page.locator('.trigger').waitFor();
    await stage.page.evaluate('window.show(10)');
    await stage.openPanel();
    expect(await stage.page.locator('.trigger').count()).toBe(1);
    expect(await stage.page.evaluate('window.opened')).toBe(10);
    await stage.page.evaluate('window.unmount()');
    expect(await stage.page.locator('.trigger, dialog').count()).toBe(0);
  });

  test('stands where it is put', async () => {
    await stage.visit({}, (page) => serveApp(page, true));
    await stage.page.locator('#place .figures').waitFor();
    expect(await stage.page.locator('.card').count()).toBe(1);
  });
});

describe.skipIf(isMissing)('the guide', () => {
  test('shows all that a page needs', async () => {
    const { project, programId } = stage.shop;
    stage.snippet = blockOf('html')
      .replace('https://refer.example.com', stage.service.url)
      .replace('prj_…', project.projectId)
      .replace('prg_…', programId)
      .replace('/widget-token', '/token');
    await stage.visit();
    await stage.openPanel();
    expect(stage.problems).toEqual([]);
  });

  test.skipIf(!hasPython)('signs a token in Python that is taken', async () => {
    const { project } = stage.shop;
    const { secret } = await newWidgetSecret(stage.service, project);
    // The code of the guide goes by the real time.
    stage.service.clock.advance(Date.now() - stage.service.clock.nowMs());
    const print = `print(widget_token('${project.projectId}', 'ada'))`;
    const { stdout } = await promisify(execFile)(
      'python3',
      ['-c', `${blockOf('python')}\n${print}`],
      {
        env: { ...process.env, WIDGET_SECRET: secret },
      },
    );
    const { status } = await stage.service.call('POST', '/v1/widget/init', {
      as: 'nobody',
      headers: { authorization: `Bearer ${stdout.trim()}` },
      body: { projectId: project.projectId },
    });
    expect(status).toBe(200);
  });
});
