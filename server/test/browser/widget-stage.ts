import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';
import { findViolations, keepsPictures, openChromium } from './chromium.ts';

/** Kept to be looked at. */
const SCREENSHOTS = fileURLToPath(new URL('../../test-output/widget/', import.meta.url));

export interface Visit {
  /** Of the company's pages: `plain`, or one that is hard on what it embeds. */
  readonly page?: 'plain' | 'hostile';
  readonly locale?: string;
  readonly inline?: boolean;
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly isTouch?: boolean;
  readonly reducedMotion?: 'reduce' | 'no-preference';
  /** Runs before all others on the page. */
  readonly script?: string;
  /** That only the test moves. */
  readonly hasClock?: boolean;
}

/** A company's page on its own origin with the panel on it, beside the service. */
export class Stage {
  readonly service: TestService;
  readonly #browser: Browser;
  readonly #company: Server;
  /** By kind: to start the panel in a tab that has had it takes less than in a new one. */
  readonly #contexts = new Map<string, BrowserContext>();
  #context: BrowserContext | null = null;
  #script: { dispose(): Promise<void> } | null = null;
  shop!: Shop;
  page!: Page;
  /** How often the page asked its backend for a token. */
  tokens = 0;
  claims: Record<string, unknown> = {};
  /** How the page loads and starts the panel, where that is not the usual way. */
  snippet: string | null = null;
  /** What went wrong on the page, and every origin that it called. */
  problems: string[] = [];
  origins = new Set<string>();
  #sign!: ReturnType<typeof makeSigner>;

  private constructor(service: TestService, browser: Browser, company: Server) {
    this.service = service;
    this.#browser = browser;
    this.#company = company;
  }

  static async open(): Promise<Stage> {
    const service = await openService();
    const browser = await openChromium();
    const company = createServer();
    await new Promise<void>((resolve) => company.listen(0, 'localhost', resolve));
    const stage = new Stage(service, browser, company);
    company.on('request', async (request, reply) => {
      const { status = 200, headers, body } = await stage.#serve(request);
      reply.writeHead(status, headers).end(body);
    });
    return stage;
  }

  async close(): Promise<void> {
    for (const context of this.#contexts.values()) await context.close();
    await new Promise((resolve) => this.#company.close(resolve));
    await this.service.close();
  }

  get origin(): string {
    return `http://localhost:${(this.#company.address() as AddressInfo).port}`;
  }

  /** A shop of its own for a test, with a Widget secret and pages that may call. */
  async openShop(widgetConfig: object = {}, brandConfig: object = {}): Promise<void> {
    const { service } = this;
    // Past the limits that the tests before have used up.
    service.clock.advance(60_000);
    this.shop = await openShop(service);
    const { project, programId } = this.shop;
    const { secret } = await newWidgetSecret(service, project);
    this.#sign = makeSigner(service, project, secret);
    await service.call('PATCH', `/v1/projects/${project.projectId}`, {
      as: 'operator',
      body: { allowedOrigins: [this.origin] },
    });
    const changed = await service.call('PATCH', `/v1/programs/${programId}`, {
      as: project.key,
      body: { projectId: project.projectId, config: { widgetConfig, brandConfig } },
    });
    expect([changed.status, changed.body]).toMatchObject([200, {}]);
    this.claims = {};
    this.snippet = null;
  }

  /** Opens the company's page; what the test answers in the service's place is said before. */
  async visit(visit: Visit = {}, before?: (page: Page) => Promise<unknown>): Promise<void> {
    const { width = 1280, colorScheme = 'light', reducedMotion = 'reduce', script } = visit;
    await this.#leave();
    this.page = await this.#openTab(visit);
    await this.page.setViewportSize({ width, height: 800 });
    await this.page.emulateMedia({ media: null, colorScheme, reducedMotion });
    if (script !== undefined) this.#script = await this.page.addInitScript(script);
    this.tokens = 0;
    this.problems = [];
    this.origins = new Set();
    await before?.(this.page);
    const query = new URLSearchParams({ inline: visit.inline ? '1' : '' });
    if (visit.locale) query.set('locale', visit.locale);
    await this.page.goto(`${this.origin}/${visit.page ?? 'plain'}?${query}`);
  }

  /** Leaves nothing of the last visit, but for what the browser has read and compiled. */
  async #leave(): Promise<void> {
    if (!this.#context) return;
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.#script?.dispose();
    this.#script = null;
    await this.#context.setOffline(false);
    // A page that never came has no storage.
    await this.page.evaluate('localStorage.clear(), sessionStorage.clear()').catch(() => undefined);
    await this.page.goto('about:blank');
    await this.page.mouse.move(0, 0);
    await this.#context.clearCookies();
  }

  async #openTab({ isTouch = false, hasClock = false }: Visit): Promise<Page> {
    const kind = `${isTouch ? 'touch' : 'mouse'} ${hasClock ? 'clock' : ''}`;
    // A clock that was put in place stays in its tab.
    if (hasClock) await this.#contexts.get(kind)?.close();
    const known = hasClock ? undefined : this.#contexts.get(kind);
    this.#context = known ?? (await this.#newContext(isTouch));
    this.#contexts.set(kind, this.#context);
    const page = this.#context.pages()[0] ?? (await this.#newPage(this.#context));
    if (hasClock) await page.clock.install();
    return page;
  }

  #newContext(isTouch: boolean): Promise<BrowserContext> {
    return this.#browser.newContext({
      hasTouch: isTouch,
      isMobile: isTouch,
      locale: 'en-US',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
  }

  async #newPage(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.on('console', (message) => this.problems.push(message.text()));
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('request', (request) => this.origins.add(new URL(request.url()).origin));
    return page;
  }

  setOffline(isOffline: boolean): Promise<void> | undefined {
    return this.#context?.setOffline(isOffline);
  }

  async press(name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click();
  }

  /** By its trigger, until the rewards are there. */
  async openPanel(trigger = 'Invite & earn'): Promise<void> {
    await this.press(trigger);
    await this.page.locator('.rewards .figures, .rewards .state').first().waitFor();
  }

  text(): Promise<string | null> {
    return this.page.locator('.scroll').textContent();
  }

  /** Of what has the focus, in the panel's own tree too. */
  focused(): Promise<unknown> {
    return this.page.evaluate(`(() => {
      let active = document.activeElement;
      while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
      return active?.getAttribute('aria-label') || active?.id || active?.textContent || active?.value;
    })()`);
  }

  said(): Promise<string | null> {
    return this.page.locator('[role=status]').textContent();
  }

  events(): Promise<unknown> {
    return this.page.evaluate('window.widgetEvents');
  }

  /** Runs in the page, with the panel's own tree as `root`, also where the page has patched much. */
  inPanel(code: string): Promise<unknown> {
    return this.page.evaluate(`(() => {
      for (const one of document.querySelectorAll('*')) {
        const root = one.shadowRoot;
        if (root) { ${code} }
      }
    })()`);
  }

  /** How the browser shows the first that the selector finds in the panel. */
  async styles(selector: string): Promise<Record<string, string>> {
    const styles = await this.inPanel(`
      const computed = getComputedStyle(root.querySelector(${JSON.stringify(selector)}));
      const styles = {};
      for (const name of computed) styles[name] = computed.getPropertyValue(name);
      return styles;`);
    return styles as Record<string, string>;
  }

  async keepPicture(name: string): Promise<void> {
    if (!keepsPictures) return;
    await this.page.screenshot({ path: `${SCREENSHOTS}${name}.png`, scale: 'css' });
  }

  /** Nobody is shut out, nothing is cut off; and a picture to be looked at. */
  async expectGood(name: string): Promise<void> {
    await this.keepPicture(name);
    const found = await findViolations(this.page);
    const overflow = await this.inPanel(
      `const area = root.querySelector('.scroll'); return area ? area.scrollWidth - area.clientWidth : 0;`,
    );
    expect([name, overflow, found]).toEqual([name, 0, []]);
  }

  async #serve(request: IncomingMessage): Promise<Served> {
    const { pathname } = new URL(request.url ?? '/', this.origin);
    if (pathname === '/token') {
      this.tokens += 1;
      return { body: await this.#sign({ claims: this.claims }) };
    }
    if (pathname === '/shop.js') return { headers: JS, body: this.#shopScript() };
    if (pathname === '/hostile.js') return { headers: JS, body: HOSTILE_SCRIPT };
    if (pathname === '/hostile.css')
      return { headers: { 'content-type': 'text/css' }, body: HOSTILE_CSS };
    if (pathname === '/favicon.ico') return { status: 204 };
    const isHostile = pathname === '/hostile';
    // Nothing but the two origins, no inline style or script, nothing evaluated.
    const policy = `default-src 'none'; script-src 'self' ${this.service.url}; connect-src 'self' ${this.service.url}; style-src 'self'; require-trusted-types-for 'script'`;
    return {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        ...(isHostile ? { 'content-security-policy': policy } : {}),
      },
      body: `<!doctype html><html lang="en"><head><title>Acme</title><meta name="viewport" content="width=device-width, initial-scale=1">
${isHostile ? '<link rel="stylesheet" href="/hostile.css"><script src="/hostile.js"></script>' : ''}
${this.snippet ?? `<script src="${this.service.url}/widget/v1.js" defer></script><script src="/shop.js" defer></script>`}</head>
<body><main><h1>Acme</h1><button>Of the page</button><div id="place"></div></main></body></html>`,
    };
  }

  #shopScript(): string {
    const { project, programId } = this.shop;
    return `
const query = new URLSearchParams(location.search);
window.widgetEvents = [];
const note = (name) => (event) => window.widgetEvents.push([name, event ?? null]);
window.widget = ServiceWidget.init({
  projectId: ${JSON.stringify(project.projectId)},
  programId: ${JSON.stringify(programId)},
  getToken: () => fetch('/token').then((answer) => answer.text()),
  locale: query.get('locale') ?? undefined,
  container: query.get('inline') ? '#place' : undefined,
  on: { open: note('open'), share: note('share'), copy: note('copy') },
});`;
  }
}

interface Served {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const JS = { 'content-type': 'text/javascript; charset=utf-8' };

/** What old libraries and careless code do to everybody on the page. */
const HOSTILE_SCRIPT = `
for (const name of ['map', 'filter', 'find', 'reduce', 'flat', 'flatMap', 'at', 'includes', 'sort', 'join']) {
  Array.prototype[name] = () => { throw new Error('Array.prototype.' + name + ' is patched'); };
}
Array.prototype.extra = function () { return this; };
Object.prototype.more = 'of the page';
Array.prototype.toJSON = () => 'broken';
String.prototype.toJSON = () => 'broken';
addEventListener('load', () => {
  window.fetch = () => { throw new Error('fetch is patched'); };
  JSON.stringify = () => 'broken';
});
document.addEventListener('keydown', (event) => { (window.keys ??= []).push(event.key); });
`;
const HOSTILE_CSS = `
* { all: unset !important; color: red !important; font: 40px serif !important; display: inline !important; box-sizing: content-box !important; }
div { display: none !important; transform: rotate(9deg) !important; opacity: 0.1 !important; filter: blur(3px) !important; }
button, input, dialog { border: 9px solid lime !important; text-transform: uppercase !important; letter-spacing: 9px !important; }
:root { --background: red; --text: lime; --accent: yellow; --radius: 99px; font-size: 4px; direction: rtl; }
`;
