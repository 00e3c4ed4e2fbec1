import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setUpConsole } from '../console-browser.ts';
import {
  ADMIN_TOKEN,
  openService,
  startService,
  type TestProject,
  type TestService,
} from '../harness.ts';

const HSTS = 'max-age=31536000';

let service: TestService;
let shop: TestProject;
beforeAll(async () => {
  service = await openService();
  shop = await service.newProject();
  await service.call('PATCH', `/v1/projects/${shop.projectId}`, {
    as: 'operator',
    body: { allowedOrigins: ['https://shop.example'] },
  });
});
afterAll(() => service.close());

type Ask = () => Promise<{ readonly status: number; readonly headers: Headers }>;

async function ask(path: string, init: RequestInit = {}) {
  const answer = await fetch(service.url + path, { redirect: 'manual', ...init });
  await answer.body?.cancel();
  return answer;
}
const withKey = (init: RequestInit = {}) => ({
  ...init,
  headers: { 'x-api-key': shop.key, ...init.headers },
});
const projectQuery = () => `projectId=${shop.projectId}`;

/** One of each kind of response, with its status. */
const KINDS: readonly (readonly [string, number, Ask])[] = [
  ['JSON', 200, () => ask(`/v1/participants?${projectQuery()}&kind=individual`, withKey())],
  ['a refusal for want of a key', 401, () => ask('/v1/programs')],
  ['a refused body', 400, () => ask('/v1/track/events', withKey(json('{}')))],
  ['a body that is no JSON', 400, () => ask('/v1/track/events', withKey(json('{')))],
  [
    'a body of another type',
    415,
    () => ask('/v1/track/events', withKey({ method: 'POST', body: 'x' })),
  ],
  ['a route that is not there', 404, () => ask('/v1/nothing')],
  ['a method that is not there', 405, () => ask('/v1/programs', { method: 'DELETE' })],
  ['an address that cannot be read', 400, () => ask('/v1/%ff')],
  ['CSV', 200, () => ask(`/v1/exports/participants?${projectQuery()}`, withKey())],
  ['a stream', 200, () => ask(`/v1/webhook-events/stream?${projectQuery()}`, withKey())],
  [
    'the head of a stream',
    200,
    () => ask(`/v1/webhook-events/stream?${projectQuery()}`, withKey({ method: 'HEAD' })),
  ],
  ['a redirect', 302, () => ask('/')],
  ['a link that is not there', 404, () => ask('/l/nobody/nothing')],
  ['a preflight', 204, () => ask('/v1/clicks', preflight)],
  ['the landing script', 200, () => ask('/landing/v1.js')],
  ['the widget', 200, () => ask('/widget/v1.js')],
  ['a page of the console', 200, () => ask('/console/sign-in')],
  ['the preview of the console', 200, () => ask('/console/preview.html')],
  ['a file of the console', 200, () => ask('/console/icon.svg')],
  ['a refused sign-in', 401, () => ask('/console/auth/sign-in/email', wrongPassword)],
  ['a page of the documentation', 200, () => ask('/docs')],
  ['the page of partners, without mail', 503, () => ask('/partner')],
  ['the description of the API', 200, () => ask('/openapi.json')],
  ['health', 200, () => ask('/healthz')],
  ['metrics', 200, () => ask('/metrics')],
];
const json = (body: string): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json' },
});
const preflight: RequestInit = {
  method: 'OPTIONS',
  headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
};
const wrongPassword: RequestInit = {
  method: 'POST',
  body: JSON.stringify({ email: 'nobody@example.com', password: 'not the password' }),
  headers: { 'content-type': 'application/json', origin: 'https://refer.example.com' },
};

test.each(KINDS)('%s is of the type it says, and binds to https', async (_name, status, asked) => {
  const answer = await asked();
  expect(answer.status).toBe(status);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('strict-transport-security')).toBe(HSTS);
});

test('so does the answer to bytes that are no request', async () => {
  const { hostname, port } = new URL(service.url);
  const text = await new Promise<string>((resolve, reject) => {
    let seen = '';
    const socket = connect(Number(port), hostname, () => socket.write('nonsense\r\n\r\n'));
    socket.setEncoding('utf8').on('data', (chunk) => (seen += chunk));
    socket.on('end', () => resolve(seen)).on('error', reject);
  });
  expect(text).toContain('400 Bad Request');
  expect(text).toContain('x-content-type-options: nosniff\r\n');
  expect(text).toContain(`strict-transport-security: ${HSTS}\r\n`);
});

test('a failure of ours is no exception', async () => {
  const broken = await startService();
  await broken.database.close();
  const answer = await fetch(`${broken.url}/v1/workspaces`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  });
  expect(answer.status).toBeGreaterThanOrEqual(500);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('strict-transport-security')).toBe(HSTS);
  await broken.app.close();
});

describe('other pages', () => {
  test('get no handle on the window of the console', async () => {
    for (const path of ['/console', '/console/sign-in', '/console/p/prj_1/rewards']) {
      const { headers } = await ask(path);
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    }
  });

  test('load the landing script and the widget, wherever they are', async () => {
    for (const path of ['/landing/v1.js', '/widget/v1.js']) {
      const { headers } = await ask(path, { headers: { origin: 'https://shop.example' } });
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(headers.get('cross-origin-opener-policy')).toBe(null);
    }
  });
});

test('over plain http, on this machine, nothing binds a browser to https', async () => {
  const plain = await startService({ settings: { baseUrl: 'http://127.0.0.1:8080' } });
  try {
    await setUpConsole(plain);
    for (const path of ['/console', '/v1/nothing', '/healthz', '/']) {
      const { headers } = await fetch(plain.url + path, { redirect: 'manual' });
      expect(headers.get('strict-transport-security')).toBe(null);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  } finally {
    await plain.close();
  }
});
