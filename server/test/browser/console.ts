import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Role } from '../../src/http/roles.ts';
import { type ConsoleBrowser, joinConsole, setUpConsole } from '../console-browser.ts';
import { findFreePort } from '../free-port.ts';
import { startService, type TestService } from '../harness.ts';

/** A service that people can sign in to from this machine, without second factors. */
export async function startConsoleService({ requiresTotp = false } = {}): Promise<TestService> {
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  return startService({ port, settings: { baseUrl, requiresTotp } });
}

const owners = new WeakMap<TestService, ConsoleBrowser>();

/** The console in a browser, signed in with this role in a Workspace; the owner owns all there were. */
export async function openConsole(
  browser: Browser,
  service: TestService,
  { role, workspaceId }: { role: Role; workspaceId: string },
): Promise<{ context: BrowserContext; page: Page; problems: string[] }> {
  const owner =
    owners.get(service) ?? (await setUpConsole(service, { origin: service.url })).browser;
  owners.set(service, owner);
  const email = `${role}-${Math.random().toString(36).slice(2)}@example.com`;
  const { cookies } =
    role === 'owner' ? owner : await joinConsole(owner, { workspaceId, role, email });
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
  await context.addCookies(
    [...cookies].map(([name, value]) => ({ name, value, url: service.url })),
  );
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return { context, page, problems };
}
