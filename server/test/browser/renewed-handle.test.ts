import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Goodword, readHandle, renewHandleMiddleware } from '@goodword/sdk';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openService, type TestService } from '../harness.ts';
import { isMissing, openChromium } from './chromium.ts';

const DAY_SECONDS = 86_400;
const ADA = { kind: 'individual', externalId: 'ada' } as const;

let service: TestService;
let goodword: Goodword;
let shop: Server;
let origin: string;
let link: string;
let context: BrowserContext;
let page: Page;

/** A shop whose pages load the landing script, and whose backend keeps the handle and reports signups. */
function openShop(projectKey: string): Server {
  const renew = renewHandleMiddleware({ secure: false });
  const script = `<script async src="${service.url}/landing/v1.js" data-project="${projectKey}"></script>`;
  return createServer((request, response) => {
    renew(request, response, async () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop.test');
      if (pathname === '/favicon.ico') return response.writeHead(204).end();
      if (pathname !== '/sign-up') {
        const headers = { 'content-type': 'text/html', 'cache-control': 'public, max-age=60' };
        return response.writeHead(200, headers).end(`<!doctype html><title>Acme</title>${script}`);
      }
      const participant = {
        kind: 'individual',
        externalId: searchParams.get('user') ?? '',
      } as const;
      const handle = readHandle(request);
      const { processingReason } = await goodword.track.signup({ participant, handle });
      return response.end(processingReason);
    });
  });
}

beforeAll(async () => {
  if (isMissing) return;
  service = await openService();
  const { projectId, projectKey, key: apiKey } = await service.newProject();
  const backend = new Goodword({ url: service.url, apiKey, projectId });
  const { sourceNamespaceId } = await backend.request('POST /v1/sources');
  goodword = new Goodword({ url: service.url, apiKey, projectId, sourceNamespaceId });
  shop = openShop(projectKey).listen(0, 'localhost');
  await once(shop, 'listening');
  origin = `http://localhost:${(shop.address() as AddressInfo).port}`;
  await service.call('PATCH', `/v1/projects/${projectId}`, {
    as: 'operator',
    body: { allowedOrigins: [origin] },
  });
  const { data: program } = await goodword.request('POST /v1/programs', {
    body: {
      kind: 'referral',
      name: 'Invite a friend',
      config: { brandConfig: { landingPageUrl: origin } },
    },
  });
  const programId = program.id;
  const path = { programId };
  await goodword.request('POST /v1/programs/{programId}/status', {
    path,
    body: { status: 'active' },
  });
  await goodword.links.create({ programId, participant: ADA, slug: 'ada' });
  link = `${service.url}/l/${projectKey}/ada`;
});
beforeEach(async () => {
  if (isMissing) return;
  await context?.close();
  context = await (await openChromium()).newContext();
  page = await context.newPage();
});
afterAll(async () => {
  if (isMissing) return;
  await context.close();
  await new Promise((resolve) => shop.close(resolve));
  await service.close();
});

const open = (url: string) => page.goto(url, { waitUntil: 'networkidle' });
const findCookie = async () =>
  (await context.cookies()).find(({ name }) => name === 'service_handle');
const daysLeft = async () =>
  Math.round(((await findCookie())?.expires ?? 0) / DAY_SECONDS - Date.now() / 1_000 / DAY_SECONDS);

/** As Safari shortens what a script wrote. */
async function shorten(): Promise<void> {
  const cookie = await findCookie();
  if (cookie === undefined) throw new Error('There is no handle.');
  await context.addCookies([{ ...cookie, expires: Date.now() / 1_000 + 7 * DAY_SECONDS }]);
}

describe.skipIf(isMissing)('a handle that the page’s own server renews', () => {
  test('lasts beyond the days of a script’s cookie, and the signup it comes with is attributed', async () => {
    await open(link);
    const handle = (await findCookie())?.value;
    expect(handle).toMatch(/^hdl_/);
    await shorten();
    expect(await daysLeft()).toBe(7);

    const answer = await open(`${origin}/prices`);
    expect(answer?.headers()['cache-control']).toBe('private, max-age=60');
    expect(await daysLeft()).toBe(90);
    expect(await findCookie()).toMatchObject({ value: handle, sameSite: 'Lax', httpOnly: false });

    await open(`${origin}/sign-up?user=bob`);
    expect(await page.textContent('body')).toBe('attributed');
  });

  test('stays one that the landing script can reuse, and delete', async () => {
    await open(link);
    await open(`${origin}/prices`);
    const handle = (await findCookie())?.value;
    await open(link);
    expect((await findCookie())?.value).toBe(handle);
    await open(`${origin}/prices`);
    await page.evaluate('window.ServiceReferral.consent(false)');
    expect(await findCookie()).toBe(undefined);
    const answer = await open(`${origin}/prices`);
    expect(await answer?.headerValue('set-cookie')).toBe(null);
    expect(await findCookie()).toBe(undefined);
  });

  test('is not given to visitors who followed no link', async () => {
    const answer = await open(`${origin}/prices`);
    expect(answer?.headers()['cache-control']).toBe('public, max-age=60');
    expect(await findCookie()).toBe(undefined);
    await open(`${origin}/sign-up?user=cid`);
    expect(await page.textContent('body')).not.toBe('attributed');
  });
});
