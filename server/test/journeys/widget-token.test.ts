import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { openService, startService, type TestProject, type TestService } from '../harness.ts';
import { makeSigner, newWidgetSecret, type TokenOptions } from '../widget-token.ts';

const PATH = '/v1/widget/payout-details';
const PAGE = 'https://shop.example.com';
let service: TestService;
let project: TestProject;
let secret: { id: string; secret: string };
let sign: ReturnType<typeof makeSigner>;
beforeAll(async () => {
  service = await openService();
});
beforeEach(async () => {
  project = await service.newProject();
  secret = await newWidgetSecret(service, project);
  sign = makeSigner(service, project, secret.secret);
});
afterAll(() => service.close());

const read = (
  token: string,
  headers: Record<string, string> = {},
  projectId = project.projectId,
  from = service,
) =>
  from.call('GET', PATH, {
    query: { projectId },
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
const readAs = async (options: TokenOptions = {}) => read(await sign(options));
const write = (token: string, headers: Record<string, string> = {}) =>
  service.call('PUT', PATH, {
    body: {
      projectId: project.projectId,
      details: { type: 'paypal', email: 'ada@example.com' },
    },
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
const allow = (allowedOrigins: string[], at = project) =>
  service.call('PATCH', `/v1/projects/${at.projectId}`, {
    as: 'operator',
    body: { allowedOrigins },
  });

describe('a Widget token (D-WID-5)', () => {
  test('opens the routes of its scopes, and no others', async () => {
    const reader = await sign({ claims: { scope: 'widget:read' } });
    const payer = await sign({ claims: { scope: 'widget:payout' } });
    expect((await read(reader)).status).toBe(200);
    expect((await write(payer)).status).toBe(200);
    for (const [answer, scope] of [
      [await write(reader), 'widget:payout'],
      [await read(payer), 'widget:read'],
      [await readAs({ claims: { scope: 'widget:write' } }), 'widget:read'],
    ] as const) {
      expect([answer.status, answer.body.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
      expect(answer.body.error.message).toContain(scope);
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer realm="goodword", error="insufficient_scope", scope="${scope}"`,
      );
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
    }
  });

  test('that is missing or wrong is 401, before anything else is looked at (D-ERR-4, D-ERR-5)', async () => {
    const foreign = await service.newProject();
    const theirs = makeSigner(service, foreign, (await newWidgetSecret(service, foreign)).secret);
    const good = await sign();
    const wrong: Record<string, string> = {
      nonsense: 'nonsense',
      'two parts': good.split('.').slice(0, 2).join('.'),
      'a key of the API': project.key,
      'signed by another Project': await theirs({ claims: { iss: project.projectId } }),
      'signed by another Project for both': await theirs({
        claims: { iss: project.projectId, projectId: project.projectId },
      }),
      'of no Project': await sign({ claims: { iss: 'prj_nothing' } }),
      'of a Project with NUL': await sign({ claims: { iss: 'prj_\0' } }),
      expired: await sign({ claims: { iat: nowSeconds() - 931, exp: nowSeconds() - 31 } }),
      'living too long': await sign({ claims: { exp: nowSeconds() + 901 } }),
      'of another audience': await sign({ claims: { aud: 'service' } }),
      'of another type': await sign({ header: { typ: 'JWT' } }),
      'with scopes in a list': await sign({ claims: { scope: ['widget:read'] } }),
      'of nobody': await sign({ claims: { sub: '' } }),
    };
    for (const [name, token] of Object.entries(wrong)) {
      const answer = await service.call('PUT', PATH, {
        body: 'not json',
        headers: { authorization: `Bearer ${token}` },
      });
      expect([name, answer.status]).toEqual([name, 401]);
      expect(answer.body.error.code).toBe('UNAUTHORIZED');
      expect(answer.headers.get('www-authenticate')).toBe(
        'Bearer realm="goodword", error="invalid_token"',
      );
      expect(JSON.stringify(answer.body)).not.toContain(token);
    }
    const none = await service.call('GET', PATH, { query: { projectId: project.projectId } });
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="goodword"',
    ]);
    const basic = await service.call('GET', PATH, { headers: { authorization: `Basic ${good}` } });
    expect(basic.status).toBe(401);
    expect((await service.call('GET', PATH, { as: 'operator' })).status).toBe(401);
    expect((await service.call('GET', PATH, { as: project.key })).status).toBe(401);
  });

  test('tells its bearer what is wrong with it, once the signature is right', async () => {
    const { body } = await readAs({ claims: { aud: undefined } });
    expect(body.error.message).toBe(
      'This Widget token is not valid: aud must be "service-widget".',
    );
  });

  test('opens nothing of another kind', async () => {
    const query = { projectId: project.projectId };
    for (const path of ['/v1/participants', '/v1/workspaces']) {
      const headers = { authorization: `Bearer ${await sign()}` };
      expect((await service.call('GET', path, { query, headers })).status).toBe(401);
    }
  });

  test('is for one Project: another in the call is 403, whether there is one or not', async () => {
    const foreign = await service.newProject();
    const token = await sign();
    for (const projectId of [foreign.projectId, 'prj_nothing', 'x'.repeat(512)]) {
      const answer = await read(token, {}, projectId);
      expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN']);
    }
    for (const projectId of ['', '  ', 'x'.repeat(513)]) {
      expect((await read(token, {}, projectId)).status).toBe(400);
    }
  });

  test('goes by the real time, whatever the clock of its Project says', async () => {
    const now = new Date(service.clock.nowMs() + 30 * DAY_MS).toISOString();
    const body = { now };
    await service.call('PUT', `/v1/projects/${project.projectId}/clock`, { as: project.key, body });
    expect((await readAs()).status).toBe(200);
  });
});

const nowSeconds = () => Math.floor(service.clock.nowMs() / 1_000);

describe('secrets (D-WID-4)', () => {
  test('after a rotation both sign for 24 hours, and then the new one alone', async () => {
    const old = sign;
    const next = makeSigner(service, project, (await newWidgetSecret(service, project)).secret);
    expect((await read(await old())).status).toBe(200);
    expect((await read(await next())).status).toBe(200);
    service.clock.advance(DAY_MS - 1);
    expect((await read(await old())).status).toBe(200);
    service.clock.advance(1);
    expect((await read(await old())).status).toBe(401);
    expect((await read(await next())).status).toBe(200);
  });

  test('one that is revoked stops at once, and without any no token is good', async () => {
    const token = await sign();
    expect((await read(token)).status).toBe(200);
    const path = `/v1/projects/${project.projectId}/widget-secrets/${secret.id}/revoke`;
    await service.call('POST', path, { as: 'operator' });
    expect((await read(token)).status).toBe(401);
    const next = makeSigner(service, project, (await newWidgetSecret(service, project)).secret);
    expect((await read(await next())).status).toBe(200);
  });

  test('made on another process are known here within a second', async () => {
    expect((await readAs()).status).toBe(200);
    const other = await startService({ database: service.database });
    const next = makeSigner(service, project, (await newWidgetSecret(other, project)).secret);
    await other.app.close();
    service.clock.advance(1_000);
    expect((await read(await next())).status).toBe(200);
  });
});

describe('pages (D-WID-6)', () => {
  const corsOf = ({ headers }: { headers: Headers }) => [
    headers.get('access-control-allow-origin'),
    headers.get('access-control-allow-credentials'),
    headers.get('vary'),
  ];

  test('of allowed origins read every answer, those of others none', async () => {
    await allow([PAGE]);
    const token = await sign();
    for (const answer of [
      await read(token, { origin: PAGE }),
      await write(token, { origin: PAGE }),
      await read(await sign({ claims: { exp: nowSeconds() - 60, iat: nowSeconds() - 90 } }), {
        origin: PAGE,
      }),
      await read(await sign({ claims: { scope: 'x' } }), { origin: PAGE }),
      await read(token, { origin: PAGE }, 'prj_nothing'),
      await read(token, { origin: PAGE }, ''),
      await read('nonsense', { origin: PAGE }),
    ]) {
      expect(corsOf(answer)).toEqual([PAGE, null, 'Origin']);
    }
    for (const origin of [
      'https://evil.example.com',
      'http://shop.example.com',
      `${PAGE}:8443`,
      'https://shop.example.com.evil.org',
      'null',
    ]) {
      expect(corsOf(await read(token, { origin }))).toEqual([null, null, 'Origin']);
      expect(corsOf(await read('nonsense', { origin }))).toEqual([null, null, 'Origin']);
    }
    expect(corsOf(await read(token))).toEqual([null, null, 'Origin']);
  });

  test('go by the Project of the token: what another allows counts for nothing', async () => {
    const other = await service.newProject();
    await allow([`${PAGE}:4000`], other);
    expect(corsOf(await read(await sign(), { origin: `${PAGE}:4000` }))[0]).toBeNull();
    await allow([PAGE]);
    expect(corsOf(await read(await sign(), { origin: PAGE }))[0]).toBe(PAGE);
    await allow([]);
    expect(corsOf(await read(await sign(), { origin: PAGE }))[0]).toBeNull();
  });

  test('may ask ahead, for both methods and the token', async () => {
    await allow(['https://ahead.example.com']);
    const ask = (origin: string) =>
      fetch(`${service.url}${PATH}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'authorization,content-type',
        },
      });
    const allowed = await ask('https://ahead.example.com');
    expect(allowed.status).toBe(204);
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      'access-control-allow-origin': 'https://ahead.example.com',
      'access-control-allow-methods': 'GET, PUT',
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-max-age': '600',
      vary: 'Origin',
    });
    const others = await ask('https://nobody.example.com');
    expect([others.status, others.headers.get('access-control-allow-origin')]).toEqual([204, null]);
    expect(others.headers.get('access-control-allow-methods')).toBeNull();
  });
});

describe('limits (D-LIM-1)', () => {
  test('hold per participant and say where one stands', async () => {
    const strict = await startService({ settings: { widgetCallsPerMinute: 2 } });
    try {
      const here = await strict.newProject();
      const { secret: hush } = await newWidgetSecret(strict, here);
      const signHere = makeSigner(strict, here, hush);
      const ask = async (claims: object) =>
        read(await signHere({ claims: { ...claims } }), {}, here.projectId, strict);
      expect((await ask({})).headers.get('ratelimit-policy')).toBe('"widget";q=2;w=60');
      expect((await ask({})).status).toBe(200);
      const refused = await ask({ scope: 'none' });
      expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
      expect(refused.headers.get('retry-after')).toBe('30');
      expect((await ask({ sub: 'bob' })).status).toBe(200);
      expect((await ask({ participantKind: 'group' })).status).toBe(200);
      strict.clock.advance(30_000);
      expect((await ask({})).status).toBe(200);
    } finally {
      await strict.close();
    }
  });

  test('an address whose tokens keep failing gets 429; a good token from it still works', async () => {
    const guarded = await startService({ settings: { failedAuthenticationsPerMinute: 2 } });
    try {
      const here = await guarded.newProject();
      const { secret: hush } = await newWidgetSecret(guarded, here);
      const statuses = [];
      for (let n = 0; n < 4; n += 1) {
        statuses.push((await read('nonsense', {}, here.projectId, guarded)).status);
      }
      expect(statuses).toEqual([401, 401, 429, 429]);
      const good = await makeSigner(guarded, here, hush)();
      expect((await read(good, {}, here.projectId, guarded)).status).toBe(200);
    } finally {
      await guarded.close();
    }
  });

  test('tokens that expired on the pages of many people behind one address are no guesses', async () => {
    const guarded = await startService({ settings: { failedAuthenticationsPerMinute: 2 } });
    try {
      const here = await guarded.newProject();
      const { secret: hush } = await newWidgetSecret(guarded, here);
      const signHere = makeSigner(guarded, here, hush);
      const tokens = await Promise.all(
        ['ada', 'bob', 'carl', 'dora'].map((sub) => signHere({ claims: { sub } })),
      );
      guarded.clock.advance(16 * 60_000);
      const ask = async (token: string) => (await read(token, {}, here.projectId, guarded)).status;
      const statuses = [];
      for (const token of tokens) statuses.push(await ask(token));
      expect(statuses).toEqual([401, 401, 401, 401]);
      // Nor do they use up what guesses may: those have their own two.
      statuses.length = 0;
      for (let n = 0; n < 3; n += 1) statuses.push(await ask('nonsense'));
      expect(statuses).toEqual([401, 401, 429]);
    } finally {
      await guarded.close();
    }
  });
});
