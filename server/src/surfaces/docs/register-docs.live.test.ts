import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openService, type TestService } from '../../../test/harness.ts';
import { describeApi } from '../../platform/http/routes/openapi.ts';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { operatorRoute } from '../../platform/http/routes/user-routes.ts';
import { FOR_EVER } from '../../platform/http/server/static-file.ts';
import { Closed } from '../../platform/kit/schema.ts';
import { type ApiDocument, listOperations } from './api/api-document.ts';
import { renderReference } from './api/render-reference.ts';
import { addressesOf, readSiteFiles, registerDocs } from './register-docs.ts';
import { SEARCH_ADDRESS } from './site/site.ts';

const files = readSiteFiles();
const ASSETS = addressesOf(files);
const BASE_URL = 'https://refer.example.com';
const HOSTILE = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&`;

async function serve(openapi: object) {
  const app = Fastify();
  registerDocs(app, () => openapi, BASE_URL);
  const get = (url = '/docs', headers: Record<string, string> = {}) =>
    app.inject({ method: 'GET', url, headers });
  return { get, close: () => app.close() };
}

function allOf(page: string, pattern: RegExp): string[] {
  return [...page.matchAll(pattern)].map(([, found]) => found as string);
}

const ids = (page: string) => allOf(page, /<[a-z][^>]* id="([^"]*)"/g);
/** The names of all attributes, whatever their values hold. */
const attributes = (page: string) =>
  allOf(page, /<[a-z]\w*((?:\s+[\w-]+(?:="[^"]*")?)+)/gi).flatMap((all) =>
    allOf(all.replace(/"[^"]*"/g, ''), /([\w-]+)/g),
  );
const FORBIDDEN_ATTRIBUTE = /^(srcset|style|on.+|action|data)$/i;

describe('the reference of the whole API', () => {
  let service: TestService;
  let openapi: ApiDocument;
  let page: string;
  beforeAll(async () => {
    service = await openService();
    openapi = describeApi(service.routes, '1.2.3') as unknown as ApiDocument;
    page = renderReference(openapi, BASE_URL, ASSETS);
  });
  afterAll(() => service.close());

  function sectionOf({ method, path }: Route): string {
    const id = listOperations(openapi).find(
      (operation) => operation.method === method && operation.path === path,
    )?.operationId;
    return allOf(page, new RegExp(`(<section class="op" id="${id}".*?</section>)`, 'gs')).join();
  }

  test('every operation is there under its own id, with its summary as a heading', () => {
    const operations = listOperations(openapi);
    expect(operations.length).toBe(service.routes.length);
    for (const { operationId, summary } of operations) {
      expect(ids(page).filter((id) => id === operationId)).toHaveLength(1);
      const title = `<h3 id="${operationId}-title"><a href="#${operationId}">${summary.replaceAll("'", '&#39;')}</a></h3>`;
      expect(page.includes(title)).toBe(true);
    }
  });

  test('every link inside the page has a target, and no id is there twice', () => {
    const known = ids(page);
    expect(known.filter((id, index) => known.indexOf(id) !== index)).toEqual([]);
    const links = allOf(page, /href="#([^"]*)"/g);
    expect(links.filter((link) => !known.includes(link))).toEqual([]);
    const named = allOf(JSON.stringify(openapi), /"\$ref":"#\/components\/schemas\/([^"]+)"/g);
    expect(named.filter((name) => !known.includes(`schema-${name}`))).toEqual([]);
  });

  test('every permission or scope that a route needs is shown with it', () => {
    for (const route of service.routes) {
      if (route.access.by !== 'key' && route.access.by !== 'widget') continue;
      const shown = allOf(sectionOf(route), /<code class="permission">([^<]+)<\/code>/g);
      const needed = route.access.by === 'key' ? route.access.permissions : [route.access.scope];
      expect(shown).toEqual([...needed]);
    }
  });

  test('every refusal that a route declares is in its table, with its reason', () => {
    for (const route of service.routes) {
      for (const { code, reason } of route.refusals ?? []) {
        const shown = `<code>${code}</code>${reason ? ` <code class="reason">${reason}</code>` : ''}</td>`;
        expect(sectionOf(route).replaceAll('<wbr>', '')).toContain(shown);
      }
    }
  });

  test('nothing is loaded from elsewhere, and no element has a style or a handler of its own', () => {
    expect(attributes(page).filter((name) => FORBIDDEN_ATTRIBUTE.test(name))).toEqual([]);
    expect(allOf(page, /<(iframe|object|embed|img|base|form|template|style)\b/gi)).toEqual([]);
    expect(allOf(page, /<link[^>]+href="([^"]*)"/g)).toEqual([
      expect.stringMatching(/^data:image\/svg\+xml,[^<>"]+$/),
      ASSETS.style,
    ]);
    expect(allOf(page, / src="([^"]*)"/g)).toEqual([ASSETS.script]);
    const outside = allOf(page, /<a [^>]*href="([^#"][^"]*)"/g);
    expect(outside.filter((href) => !href.startsWith('/'))).toEqual([]);
    expect(String(files.style.content)).not.toMatch(/@import|url\(/);
    const script = String(files.script.content);
    expect(script).not.toMatch(/https?:|import\b|innerHTML/);
    expect(allOf(script, /\bfetch\("([^"]*)"/g)).toEqual([SEARCH_ADDRESS]);
  });

  test('headings never skip a level', () => {
    const levels = allOf(page, /<h([1-6])[ >]/g).map(Number);
    expect(levels[0]).toBe(1);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    const skips = levels.filter((level, at) => level > (levels[at - 1] ?? 1) + 1);
    expect(skips).toEqual([]);
  });
});

describe('GET /docs', () => {
  const openapi = describeApi([], '1.2.3');

  test('the policy lets in the site’s own files and nothing else', async () => {
    const { get, close } = await serve(openapi);
    for (const url of ['/docs', '/docs/api', '/docs/webhooks', '/docs/no-such-page']) {
      const { headers } = await get(url);
      const policy = String(headers['content-security-policy']);
      expect(policy).toMatch(/^default-src 'none';/);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'public, max-age=300',
      });
    }
    for (const url of Object.values(ASSETS)) {
      const { statusCode, headers } = await get(url);
      expect([statusCode, headers['cache-control']]).toEqual([200, FOR_EVER]);
    }
    await close();
  });

  test('a browser that has the page is told so, also when a proxy compressed it', async () => {
    const { get, close } = await serve(openapi);
    const etag = String((await get()).headers.etag);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get('/docs', { 'if-none-match': tag });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
    }
    expect((await get('/docs', { 'if-none-match': '"other"' })).statusCode).toBe(200);
    await close();
  });

  test('a page is packed for those who take that', async () => {
    const { get, close } = await serve(openapi);
    const packed = await get('/docs/api', { 'accept-encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.rawPayload).toString()).toBe((await get('/docs/api')).body);
    await close();
  });

  test('an address without a page says so, and one with a slash too many leads on', async () => {
    const { get, close } = await serve(openapi);
    const nowhere = await get('/docs/no-such-page');
    expect(nowhere.statusCode).toBe(404);
    expect(nowhere.body).toContain('No such page');
    expect((await get('/docs/api/?a=b')).headers.location).toBe('/docs/api');
    expect((await get('/docs/')).headers.location).toBe('/docs');
    await close();
  });

  test('another API is another page, with another tag', async () => {
    const [one, other] = await Promise.all([serve(openapi), serve(describeApi([], '1.2.4'))]);
    const [here, there] = await Promise.all([one.get('/docs/api'), other.get('/docs/api')]);
    expect(here.headers.etag).not.toBe(there.headers.etag);
    await Promise.all([one.close(), other.close()]);
  });
});

test('a named schema says what must be sent if a request holds it, and what may be absent if not', () => {
  const inner = Closed({ a: Type.Optional(Type.String()) }, { title: 'Inner' });
  const outer = Closed({ inner }, { title: 'Outer' });
  const route = operatorRoute({
    about: 'own',
    method: 'POST',
    path: '/v1/a',
    tag: 'A',
    summary: 'A',
    body: Closed({ outer }),
    answer: Type.Object({ b: Type.Optional(Type.String()) }, { title: 'Answer' }),
    example: { answer: {} },
    handle: async () => ({}),
  });
  const page = renderReference(describeApi([route], '1'), BASE_URL, ASSETS);
  const marks = (name: string) => {
    const [, section = ''] = page.split(`<section class="schema" id="schema-${name}"`);
    return allOf(section.split('</section>')[0] as string, /<span class="(?:must|may)">([^<]+)/g);
  };
  expect([marks('Outer'), marks('Inner'), marks('Answer')]).toEqual([
    ['required'],
    ['optional'],
    ['may be absent'],
  ]);
});

test('hostile text in any place is shown as text', () => {
  const shared = {
    summary: HOSTILE,
    description: `${HOSTILE}\n\n- ${HOSTILE}\n- \`${HOSTILE}\``,
    refusals: [{ code: 'CONFLICT', reason: HOSTILE, when: HOSTILE }] as const,
    answer: Type.Object(
      { [HOSTILE]: Type.String({ description: HOSTILE, pattern: HOSTILE, default: HOSTILE }) },
      { title: HOSTILE, description: HOSTILE },
    ),
    example: { body: { [HOSTILE]: HOSTILE }, answer: { [HOSTILE]: [HOSTILE] } },
    handle: async () => ({ [HOSTILE]: '' }),
  };
  const routes: Route[] = [
    projectRoute({
      ...shared,
      method: 'POST',
      path: `/v1/a${HOSTILE}`,
      tag: HOSTILE,
      permissions: ['track:write'],
      body: Closed({ [HOSTILE]: Type.Literal(HOSTILE) }),
    }),
    operatorRoute({
      about: 'own',
      ...shared,
      method: 'GET',
      path: '/v1/b',
      tag: 'B',
      query: Type.Object({ [HOSTILE]: Type.Unsafe({ type: 'string', enum: [HOSTILE] }) }),
    }),
  ];
  const page = renderReference(describeApi(routes, HOSTILE), `https://${HOSTILE}`, ASSETS);
  expect(allOf(page, /<(script|img)\b/g)).toEqual(['script']);
  expect(attributes(page).filter((name) => FORBIDDEN_ATTRIBUTE.test(name))).toEqual([]);
  expect(page.includes('&lt;script&gt;alert(1)&lt;/script&gt;')).toBe(true);
});
