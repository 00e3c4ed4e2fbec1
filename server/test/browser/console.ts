import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Role } from '../../src/platform/http/access/permissions.ts';
import { type ConsoleBrowser, joinConsole, setUpConsole } from '../console-browser.ts';
import { findFreePort } from '../free-port.ts';
import { shareService, startService, type TestProject, type TestService } from '../harness.ts';
import type { TestMailer } from '../test-mailer.ts';
import { isMissing, openChromium } from './chromium.ts';

/** A service that people can sign in to from this machine. */
export async function startConsoleService({
  requiresTotp = true,
  mailer,
}: {
  requiresTotp?: boolean;
  mailer?: TestMailer;
} = {}): Promise<TestService> {
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  return startService({
    port,
    settings: { baseUrl, requiresTotp },
    ...(mailer ? { mailer } : {}),
  });
}

const openShared = shareService(() => startConsoleService({ requiresTotp: false }));

/** The one of this worker, without second factors. */
export async function openConsoleService(): Promise<TestService> {
  const service = await openShared();
  return {
    ...service,
    async close() {
      if (tab) await leave(tab, service);
      await service.close();
    },
  };
}

export interface Tab {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What went wrong on the page. */
  problems: string[];
}

/** To start a page of the console takes four times as long in a new tab as in one that has had it. */
let tab: Tab | null = null;

async function openTab(): Promise<Tab> {
  const browser = await openChromium();
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const opened: Tab = { context, page, problems: [] };
  page.on('pageerror', (error) => opened.problems.push(error.message));
  page.on('console', (message) => {
    const { url } = message.location();
    if (message.type() === 'error') opened.problems.push(`${message.text()} ${url}`);
  });
  return opened;
}

/** Leaves nothing of what was done in the tab, but for what the browser has read and compiled. */
async function leave({ context, page }: Tab, { url }: TestService): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(`${url}/console/icon.svg`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await context.clearCookies();
}

const owners = new WeakMap<TestService, ConsoleBrowser>();

/** The cookies of somebody who has signed in with this role in a Workspace; the owner owns all there were. */
export async function signInAs(
  service: TestService,
  { role, workspaceId }: { role: Role; workspaceId: string },
): Promise<{ name: string; value: string; url: string }[]> {
  const owner =
    owners.get(service) ?? (await setUpConsole(service, { origin: service.url })).browser;
  owners.set(service, owner);
  const email = `${role}-${Math.random().toString(36).slice(2)}@example.com`;
  const { cookies } =
    role === 'owner' ? owner : await joinConsole(owner, { workspaceId, role, email });
  return [...cookies].map(([name, value]) => ({ name, value, url: service.url }));
}

/** The console in a browser that knows nothing yet, signed in with this role in a Workspace. */
export async function openConsole(
  service: TestService,
  who: { role: Role; workspaceId: string },
): Promise<Tab> {
  tab ??= await openTab();
  const { context, page } = tab;
  await leave(tab, service);
  tab.problems = [];
  await page.mouse.move(0, 0);
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 1280, height: 720 });
  await context.addCookies(await signInAs(service, who));
  return { ...tab };
}

interface Visit {
  readonly project: Pick<TestProject, 'workspaceId' | 'projectId'>;
  /** Below the project's own address. */
  readonly path: string;
  readonly role?: Role;
}

/**
 * The hooks of a file: a service for its tests, what `prepare` makes in it, and nothing that goes wrong
 * on a page. Returns what opens a page of a project, as its owner if no role is given.
 */
export function prepareConsole(
  prepare: (service: TestService) => Promise<void>,
  openService = openConsoleService,
): (visit: Visit) => Promise<Page> {
  let service: TestService;
  let problems: string[] = [];
  beforeAll(async () => {
    if (isMissing) return;
    service = await openService();
    await prepare(service);
  });
  afterEach(() => expect(problems).toEqual([]));
  afterAll(async () => {
    if (!isMissing) await service.close();
  });
  return async ({ project: { workspaceId, projectId }, path, role = 'owner' }) => {
    const opened = await openConsole(service, { role, workspaceId });
    problems = opened.problems;
    await opened.page.goto(`${service.url}/console/p/${projectId}/${path}`);
    return opened.page;
  };
}
