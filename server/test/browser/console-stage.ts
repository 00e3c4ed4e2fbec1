import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Role } from '../../src/http/roles.ts';
import { type ConsoleBrowser, joinConsole, ORIGIN, setUpConsole } from '../console-browser.ts';
import { startService, type TestProject, type TestService } from '../harness.ts';
import { expectGood, launchChromium } from './chromium.ts';

const LOOKS = [
  { width: 1280, colorScheme: 'light' },
  { width: 400, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'dark' },
] as const;

/** Resolves when what moves into its place has arrived there. */
const SETTLED = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  .then(() => document.getAnimations().filter(({ effect }) =>
    effect.getComputedTiming().iterations !== Infinity))
  .then((moving) => Promise.allSettled(moving.map(({ finished }) => finished)))
  .then(() => undefined)`;

/** Once the page has taken on each look: nothing is cut off, and nobody is shut out. */
export async function expectGoodLooks(page: Page): Promise<void> {
  for (const look of LOOKS) {
    await page.emulateMedia({ colorScheme: look.colorScheme });
    await page.setViewportSize({ width: look.width, height: 800 });
    const scheme = `html[data-mantine-color-scheme="${look.colorScheme}"]`;
    await page.locator(scheme).waitFor();
    await page.evaluate(SETTLED);
    await expectGood(page, [look]);
  }
}

/** The console at its own https address, in a real Chromium, with somebody signed in. */
export class ConsoleStage {
  readonly service: TestService;
  readonly project: TestProject;
  readonly #browser: Browser;
  readonly #owner: ConsoleBrowser;
  readonly #contexts: BrowserContext[] = [];
  /** What went wrong on any page. */
  readonly problems: string[] = [];

  private constructor(
    service: TestService,
    project: TestProject,
    browser: Browser,
    owner: ConsoleBrowser,
  ) {
    this.service = service;
    this.project = project;
    this.#browser = browser;
    this.#owner = owner;
  }

  static async open(): Promise<ConsoleStage> {
    const service = await startService({ settings: { requiresTotp: false } });
    const project = await service.newProject();
    const { browser: owner } = await setUpConsole(service);
    return new ConsoleStage(service, project, await launchChromium(), owner);
  }

  async close(): Promise<void> {
    for (const context of this.#contexts) await context.close();
    await this.#browser.close();
    await this.service.close();
  }

  /** A page with the console open as somebody of this role. */
  async openAs(role: Role): Promise<Page> {
    const { workspaceId } = this.project;
    const session =
      role === 'owner' ? this.#owner : await joinConsole(this.#owner, { workspaceId, role });
    const context = await this.#browser.newContext({
      viewport: { width: 1280, height: 900 },
      locale: 'en-US',
      reducedMotion: 'reduce',
    });
    this.#contexts.push(context);
    await context.addCookies(
      [...session.cookies].map(([name, value]) => ({ name, value, url: ORIGIN, secure: true })),
    );
    await this.#carry(context);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(message.text());
    });
    return page;
  }

  /** The browser believes in the service's https address; what it asks is carried to the service. */
  async #carry(context: BrowserContext): Promise<void> {
    await context.route(`${ORIGIN}/**`, async (route) => {
      const request = route.request();
      const { pathname, search } = new URL(request.url());
      const headers = Object.entries(await request.allHeaders()).filter(
        ([name]) => !name.startsWith(':') && name !== 'host' && name !== 'accept-encoding',
      );
      const body = request.postDataBuffer();
      const answer = await fetch(`${this.service.url}${pathname}${search}`, {
        method: request.method(),
        headers: Object.fromEntries(headers),
        redirect: 'manual',
        ...(body === null ? {} : { body }),
      });
      await route.fulfill({
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: Buffer.from(await answer.arrayBuffer()),
      });
    });
  }
}
