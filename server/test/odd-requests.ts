import { METHODS } from 'node:http';
import { PERMISSIONS } from '../src/platform/http/access/permissions.ts';
import type { Route } from '../src/platform/http/routes/route.ts';
import { joinConsole, ORIGIN, setUpConsole } from './console-browser.ts';
import { ADMIN_TOKEN, type TestProject, type TestService } from './harness.ts';
import {
  type Existing,
  existingPathId,
  makeOneOfEach,
  mutate,
  NASTY,
  withExisting,
} from './one-of-each.ts';
import type { makeRandom } from './random.ts';
import { makeSigner, newWidgetSecret } from './widget-token.ts';

type Random = ReturnType<typeof makeRandom>;
type Headers = Record<string, string>;

/** A request as it is sent: it need make no sense. */
export interface OddRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | Buffer | undefined;
}

/** A project with one of everything in it, and one caller of every kind. */
export interface World {
  readonly project: TestProject;
  readonly existing: Existing;
  readonly routes: readonly Route[];
  readonly callers: readonly Headers[];
  readonly widgetToken: string;
}

/** Of a service in which nobody has to set up a second factor. */
export async function makeWorlds(service: TestService): Promise<() => Promise<World>> {
  const { browser: owner } = await setUpConsole(service);
  let worlds = 0;
  return async () => {
    worlds += 1;
    const workspace = await owner.post('/v1/workspaces', { name: 'Odd' });
    const workspaceId: string = workspace.body.data.id;
    const operate = async (path: string, body: object) =>
      (await service.call('POST', path, { as: 'operator', body })).body;
    const { data } = await operate('/v1/projects', {
      workspaceId,
      name: 'Odd',
      environment: 'sandbox',
    });
    const newKey = async (environment: string, permissions: unknown) => {
      const key = { workspaceId, environment, name: 'Odd', permissions };
      return (await operate('/v1/api-keys', key)).key as string;
    };
    const key = await newKey('sandbox', 'full');
    const project = { workspaceId, projectId: data.id, projectKey: data.projectKey, key };
    const viewer = await joinConsole(owner, {
      workspaceId,
      role: 'viewer',
      email: `viewer${worlds}@example.com`,
    });
    const { secret } = await newWidgetSecret(service, project);
    const widgetToken = await makeSigner(service, project, secret)();
    const stranger = await service.newProject();
    const operator = { authorization: `Bearer ${ADMIN_TOKEN}` };
    return {
      project,
      existing: await makeOneOfEach(service, project),
      routes: service.routes,
      widgetToken,
      callers: [
        {},
        operator,
        operator,
        { 'x-api-key': key },
        { 'x-api-key': key },
        { 'x-api-key': stranger.key },
        { 'x-api-key': await newKey('live', 'full') },
        { 'x-api-key': await newKey('sandbox', [PERMISSIONS[0]]) },
        { authorization: `Bearer ${widgetToken}` },
        { cookie: cookiesOf(owner.cookies), origin: ORIGIN },
        { cookie: cookiesOf(viewer.cookies), origin: ORIGIN },
        { 'x-api-key': 'sk_nothing', cookie: 'a=b' },
        { authorization: 'Bearer', 'x-forwarded-for': '<script>, 1.2.3.4' },
        { authorization: 'Basic Og==', cookie: `${'x'.repeat(3_000)}=%zz; __proto__=1` },
      ],
    };
  };
}

function cookiesOf(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** Pages and files, which are no routes of the API. */
const PAGES = [
  '/',
  '/healthz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/docs/{}',
  '/docs/api',
  '/console',
  '/console/{}',
  '/console/assets/{}',
  '/console/auth/sign-in/email',
  '/console/auth/sign-in/social',
  '/console/auth/callback/oidc',
  '/console/auth/request-password-reset',
  '/console/auth/reset-password',
  '/console/auth/two-factor/verify-totp',
  '/console/auth/list-sessions',
  '/console/auth/change-password',
  '/console/auth/revoke-session',
  '/partner',
  '/partner/link',
  '/partner/sign-in',
  '/partner/choose',
  '/partner/details',
  '/partner/rewards',
  '/partner/{}',
  '/partner-applications/verify',
  '/l/{}/{}',
  '/landing/v1.js',
  '/widget/v1.js',
  '/widget/{}',
];
const CONTENT_TYPES = [
  'application/json; charset=utf-8',
  'application/json; charset=latin1',
  'application/json;;',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'x',
  ' ',
  '',
];
const LONG = 'x'.repeat(2_000);
const HEADER_NAMES = [
  'idempotency-key',
  'origin',
  'last-event-id',
  'traceparent',
  'accept-language',
  'accept-encoding',
  'accept',
  'user-agent',
  'if-none-match',
  'if-modified-since',
  'range',
  'sec-fetch-site',
  'sec-purpose',
  'content-encoding',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-http-method-override',
  'host',
  'referer',
  'stripe-signature',
  'paypal-transmission-sig',
  'x-signature-sha256',
  'cookie',
];
const HEADER_VALUES = [
  '',
  ' ',
  'null',
  '0',
  '-1',
  '*',
  '"',
  ',,,',
  'bytes=0-,-1',
  'gzip;q=0, br;q=9',
  '00-00000000000000000000000000000000-0000000000000000-00',
  't=1,v1=00,v1=zz',
  'https://example.com',
  'null://',
  'en-\u00ff;q=x, zz-ZZ-x-private',
  'same-origin',
  'cross-site',
  '\u00e9\u00ff',
  '%00%0d%0a',
  LONG,
];
const TEXTS = [
  '',
  '%20',
  '%00',
  '%zz',
  '%ff',
  '%F0%9F%98%80',
  '..%2f..%2fetc%2fpasswd',
  '../..',
  '%0d%0aset-cookie:%20x=1',
  '%22%3b%20filename=%22x',
  '%E2%80%A8',
  '9'.repeat(400),
  '1e999',
  '-0',
  '0x10',
  'NaN',
  'true',
  '__proto__',
  'constructor',
  '[object%20Object]',
  '2026-02-30',
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  'a'.repeat(600),
  "'%3b--",
  '%25',
  'clk_x.y',
  'e%CC%81',
];
const BODIES: readonly (string | Buffer)[] = [
  '',
  '{',
  '[]',
  'null',
  '1e400',
  '"x"',
  '{"a":1}{"b":2}',
  '{"a":',
  '\ufeff{}',
  `${'['.repeat(5_000)}`,
  `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
  '{"__proto__":{"x":1},"constructor":{"prototype":{}}}',
  '{"projectId":1e308}',
  `{"x":${'9'.repeat(5_000)}}`,
  Buffer.from([0xff, 0xfe, 0x00, 0x7b]),
  'token=x&digest=%zz&email=a%00b%40example.com',
  `email=${'a'.repeat(3_000)}%40example.com&password=x`,
];

/** The next request: most of it is right, so that it gets a good way in. */
export function nextRequest(random: Random, world: World): OddRequest {
  const pick = <T>(all: readonly T[]): T => all[random(all.length)] as T;
  const chance = (percent: number) => random(100) < percent;
  const route = pick(world.routes);
  const { project, existing } = world;
  const isPage = chance(12);
  const template = isPage ? pick(PAGES) : route.path;
  const named = template
    .replace('{projectId}', chance(85) ? project.projectId : pick(TEXTS))
    .replace('{workspaceId}', chance(85) ? project.workspaceId : pick(TEXTS))
    .replace(/\{\w*\}/g, () =>
      chance(60) ? (existingPathId(existing, template, random(4)) ?? pick(TEXTS)) : pick(TEXTS),
    );
  const path = chance(2) ? `${named}/${pick(TEXTS)}` : named;
  const isOdd = chance(20);
  const usual = isPage ? pick(['GET', 'POST']) : route.method;
  const method = isOdd ? pick(METHODS.filter((one) => one !== 'CONNECT')) : usual;
  const hasBody = method !== 'GET' && method !== 'HEAD' && !(isOdd && chance(50));
  const body = hasBody ? bodyOf() : undefined;
  const extra: Headers = {};
  while (chance(35)) extra[pick(HEADER_NAMES)] = pick(HEADER_VALUES);
  const caller: Headers =
    route.access.by === 'widget' && chance(70)
      ? { authorization: `Bearer ${world.widgetToken}` }
      : pick(world.callers);
  return {
    method,
    path: path + queryOf(),
    headers: {
      ...(body === undefined || chance(4) ? {} : { 'content-type': typeOf() }),
      ...(chance(10) ? { 'idempotency-key': `k${random(20)}` } : {}),
      ...caller,
      ...extra,
    },
    body,
  };

  function typeOf(): string {
    if (isPage && chance(50)) return 'application/x-www-form-urlencoded';
    return chance(90) ? 'application/json' : pick(CONTENT_TYPES);
  }

  function queryOf(): string {
    const pairs: string[] = [];
    const known = isPage
      ? ['token', 'error', 'state', 'code']
      : Object.keys(route.query?.properties ?? {});
    for (const name of known) {
      if (name === 'projectId' && chance(90)) pairs.push(`projectId=${project.projectId}`);
      else if (name === 'workspaceId' && chance(90))
        pairs.push(`workspaceId=${project.workspaceId}`);
      else if (chance(25)) pairs.push(`${name}=${pick(TEXTS)}`);
    }
    if (chance(5)) pairs.push(...known.map((name) => `${name}=${pick(TEXTS)}`));
    if (chance(5)) pairs.push(`${pick(TEXTS)}=${pick(TEXTS)}`, `a[]=1&a[b]=2&__proto__[x]=1`);
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
  }

  function bodyOf(): string | Buffer | undefined {
    if (chance(8)) return pick(BODIES);
    if (chance(3)) return undefined;
    const example = {
      ...(withExisting(existing, route.example.body ?? {}, random(4)) as object),
      ...(route.projectIn === 'body' ? { projectId: project.projectId } : {}),
      ...(route.projectIn === 'key' ? { projectKey: project.projectKey, ref: 'someone' } : {}),
    };
    if (chance(25)) return JSON.stringify(example);
    const steps = Array.from({ length: random(4) }, () => random(12));
    return JSON.stringify(mutate(example, steps, pick(NASTY))) ?? 'null';
  }
}
