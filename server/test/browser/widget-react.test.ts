import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isMissing, Stage } from './widget-stage.ts';

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
