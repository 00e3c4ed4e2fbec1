import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openService, type TestProject, type TestService } from '../harness.ts';
import { isMissing, openChromium } from './chromium.ts';

/** How pages of the company load the script, where that is not the plain way. */
const OPTIONS: Readonly<Record<string, string>> = {
  '/consent': 'data-consent="required"',
  '/domain': 'data-cookie-domain="acme.localhost"',
};

let service: TestService;
let company: Server;
let companyOrigin: string;
let browser: Browser;
let project: TestProject;
let context: BrowserContext;
let page: Page;
/** Calls that the pages made to the service, and what went wrong on them. */
let calls: string[];
let problems: string[];

beforeAll(async () => {
  if (isMissing) return;
  service = await openService();
  company = createServer((request, reply) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/favicon.ico') return reply.writeHead(204).end();
    // Nothing but the service's own origin may be loaded from and called.
    const policy = `default-src 'none'; script-src ${service.url}; connect-src ${service.url}`;
    reply.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      ...(pathname === '/strict' ? { 'content-security-policy': policy } : {}),
    });
    const option = OPTIONS[pathname] ?? '';
    reply.end(
      `<!doctype html><title>Acme</title><script async src="${service.url}/landing/v1.js" data-project="${project.projectKey}" ${option}></script><h1>Welcome</h1>`,
    );
  });
  await new Promise<void>((resolve) => company.listen(0, 'localhost', resolve));
  companyOrigin = `http://localhost:${(company.address() as AddressInfo).port}`;
  browser = await openChromium();
});
beforeEach(async () => {
  if (isMissing) return;
  project = await service.newProject();
  await service.call('PATCH', `/v1/projects/${project.projectId}`, {
    as: 'operator',
    body: { allowedOrigins: [companyOrigin] },
  });
  await newLink('ada-blog', '/welcome?lang=en#offer');
  await context?.close();
  context = await browser.newContext();
  page = await newPage();
});
afterAll(async () => {
  if (isMissing) return;
  await context.close();
  await new Promise((resolve) => company.close(resolve));
  await service.close();
});

async function post(path: string, body: object) {
  const answer = await service.call('POST', path, {
    as: project.key,
    body: { projectId: project.projectId, ...body },
  });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body;
}

/** A link of Ada's that leads to this page of the company. */
async function newLink(slug: string, landingPath: string): Promise<void> {
  const program = await post('/v1/programs', {
    kind: 'referral',
    name: slug,
    config: { brandConfig: { landingPageUrl: companyOrigin + landingPath } },
  });
  const programId = program.data.id;
  await post(`/v1/programs/${programId}/status`, { status: 'active' });
  const participant = { kind: 'individual', externalId: 'ada' };
  await post('/v1/referral-codes', { participant, programId, code: `${slug}-code` });
  await post('/v1/referral-links', { participant, programId, slug });
}

async function newPage(): Promise<Page> {
  const made = await context.newPage();
  calls = [];
  problems = [];
  made.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin === service.url) calls.push(`${request.method()} ${pathname}`);
  });
  made.on('console', (message) => problems.push(message.text()));
  made.on('pageerror', (error) => problems.push(error.message));
  return made;
}

/** Follows a link and waits until the page and all it asked for are there. */
const follow = (slug: string) =>
  page.goto(`${service.url}/l/${project.projectKey}/${slug}`, { waitUntil: 'networkidle' });
const visit = (path: string) => page.goto(companyOrigin + path, { waitUntil: 'networkidle' });

const cookies = async () =>
  (await context.cookies()).map(({ name, value, domain, path, sameSite, secure, httpOnly }) => ({
    ...{ name, value, domain, path, sameSite, secure, httpOnly },
  }));
const handle = async () => (await context.cookies()).find(isHandle)?.value;
const isHandle = ({ name }: { name: string }) => name === 'service_handle';

const touches = () =>
  service.database.reads.query<{ handleId: string; source: string; landingUrl: string }>(
    `select handle_id as "handleId", source, landing_url as "landingUrl" from touches
     where project_id = $1 order by id`,
    [project.projectId],
  );

const consent = (granted: boolean) => page.evaluate(`window.ServiceReferral.consent(${granted})`);

const clickCalls = () => calls.filter((call) => call === 'POST /v1/clicks');

describe.skipIf(isMissing)('the landing script in a browser', () => {
  test('a followed link ends with the cookie on the page’s own origin and a clean address (D-CLICK-2, D-CLICK-3)', async () => {
    await follow('ada-blog');
    expect(page.url()).toBe(`${companyOrigin}/welcome?lang=en&ref=ada-blog-code#offer`);
    expect(await cookies()).toEqual([
      {
        name: 'service_handle',
        value: expect.stringMatching(/^hdl_[0-9a-z]{26}$/),
        domain: 'localhost',
        path: '/',
        sameSite: 'Lax',
        secure: false,
        httpOnly: false,
      },
    ]);
    const [cookie] = await context.cookies();
    const lifeSeconds = (cookie?.expires ?? 0) - Date.now() / 1_000;
    expect(Math.abs(lifeSeconds - 7_776_000)).toBeLessThan(300);
    expect(await touches()).toEqual([
      {
        handleId: await handle(),
        source: 'link',
        landingUrl: `${companyOrigin}/welcome`,
      },
    ]);
    expect(await page.evaluate('history.length')).toBeLessThanOrEqual(2);
    expect(problems).toEqual([]);
  });

  test('a second visit keeps the handle, which gains a touch', async () => {
    await follow('ada-blog');
    const first = await handle();
    service.clock.advance(61 * 60_000);
    page = await newPage();
    await follow('ada-blog');
    expect(await handle()).toBe(first);
    expect((await touches()).map(({ handleId }) => handleId)).toEqual([first, first]);
  });

  test('another browser gets another handle', async () => {
    await follow('ada-blog');
    const first = await handle();
    await context.close();
    context = await browser.newContext();
    page = await newPage();
    await follow('ada-blog');
    expect(await handle()).not.toBe(first);
  });

  test('a code in the address counts without a link, and a foreign one disturbs nobody', async () => {
    await visit('/welcome?ref=ada-blog-code');
    const first = await handle();
    expect(await touches()).toMatchObject([{ handleId: first, source: 'landing_param' }]);
    await visit('/welcome?ref=newsletter');
    expect(await handle()).toBe(first);
    expect(problems).toEqual([]);
  });

  test('a page reached in another way asks nothing and stores nothing', async () => {
    await visit('/welcome?lang=en');
    expect(calls).toEqual(['GET /landing/v1.js']);
    expect(await cookies()).toEqual([]);
  });

  test('a page under a strict policy needs to allow the service’s origin and nothing else', async () => {
    await newLink('strict', '/strict');
    await follow('strict');
    expect(await handle()).toMatch(/^hdl_/);
    expect(page.url()).toBe(`${companyOrigin}/strict?ref=strict-code`);
    expect(problems).toEqual([]);
  });

  test('a cookie domain shares the handle among the hosts under it, and with nobody else', async () => {
    const hostOf = (name: string) => companyOrigin.replace('localhost', name);
    await service.call('PATCH', `/v1/projects/${project.projectId}`, {
      as: 'operator',
      body: { allowedOrigins: [hostOf('www.acme.localhost')] },
    });
    const open = (host: string) =>
      page.goto(`${hostOf(host)}/domain?ref=ada-blog-code`, { waitUntil: 'networkidle' });
    await open('www.acme.localhost');
    const cookie = /^service_handle=hdl_/;
    expect(await page.evaluate('document.cookie')).toMatch(cookie);
    await open('app.acme.localhost');
    expect(await page.evaluate('document.cookie')).toMatch(cookie);
    await open('other.localhost');
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  test('a page whose origin the Project does not allow gets no handle', async () => {
    await service.call('PATCH', `/v1/projects/${project.projectId}`, {
      as: 'operator',
      body: { allowedOrigins: [] },
    });
    await follow('ada-blog');
    expect(await cookies()).toEqual([]);
    expect(page.url()).not.toContain('service_click');
  });

  test('the state that a page keeps in its history stays', async () => {
    await page.addInitScript(`history.replaceState({ kept: true }, '')`);
    await follow('ada-blog');
    expect(page.url()).not.toContain('service_click');
    expect(await page.evaluate('history.state')).toEqual({ kept: true });
  });
});

describe.skipIf(isMissing)('consent (D-CLICK-4)', () => {
  beforeEach(() => newLink('asked', '/consent'));

  test('where it is required, nothing is called or stored before it, all of it after', async () => {
    await follow('asked');
    expect(clickCalls()).toEqual([]);
    expect(await cookies()).toEqual([]);
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);

    const answered = page.waitForResponse((response) => response.url().endsWith('/v1/clicks'));
    await consent(true);
    await answered;
    await expect.poll(handle).toMatch(/^hdl_/);
    expect(page.url()).toBe(`${companyOrigin}/consent?ref=asked-code`);
    expect(await touches()).toMatchObject([{ source: 'link' }]);
    await consent(true);
    await visit('/consent');
    expect(clickCalls()).toHaveLength(1);
  });

  test('a refusal calls nothing, and a withdrawal forgets the handle', async () => {
    await follow('asked');
    await consent(false);
    expect(clickCalls()).toEqual([]);
    await consent(true);
    await expect.poll(handle).toMatch(/^hdl_/);
    await consent(false);
    expect(await cookies()).toEqual([]);
  });

  test('Global Privacy Control is a refusal, whatever the page says', async () => {
    await page.addInitScript(
      `Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })`,
    );
    await follow('asked');
    await consent(true);
    await page.waitForLoadState('networkidle');
    expect(clickCalls()).toEqual([]);
    expect(await cookies()).toEqual([]);
  });

  test('Global Privacy Control changes nothing where the page asks for itself', async () => {
    await page.addInitScript(
      `Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })`,
    );
    await follow('ada-blog');
    expect(await handle()).toMatch(/^hdl_/);
  });
});
