import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApiKey } from '../../src/accounts/workspaces/api-keys/identities.ts';
import { flushUsage } from '../../src/accounts/workspaces/usage/worker.ts';
import { PERMISSIONS } from '../../src/platform/http/access/permissions.ts';
import type { Route } from '../../src/platform/http/routes/route.ts';
import { openService, startService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await openService();
  project = await service.newProject();
});
afterAll(() => service.close());

const operate = (path: string, body?: object) =>
  service.call('POST', path, { as: 'operator', ...(body ? { body } : {}) });

const newKey = async (input: object = {}) => {
  const { body } = await operate('/v1/api-keys', {
    workspaceId: project.workspaceId,
    environment: 'sandbox',
    name: 'Another',
    permissions: 'full',
    ...input,
  });
  return body as { key: string; data: { id: string } };
};

const listSources = (as: string, projectId = project.projectId) =>
  service.call('GET', '/v1/sources', { as, query: { projectId } });

const fill = (route: Route) => route.path.replace(/\{(\w+)\}/g, 'x_nothing');

describe('every route', () => {
  test('is 401 without a credential and with a wrong one, before anything else is looked at', async () => {
    const isGuarded = ({ access }: Route) => !['public', 'signature'].includes(access.by);
    for (const route of service.routes.filter(isGuarded)) {
      const body = route.body ? { body: '{"not": json' } : {};
      for (const as of ['nobody', makeApiKey('live'), 'rubbish']) {
        const answer = await service.call(route.method, fill(route), { as, ...body });
        expect([route.path, answer.status]).toEqual([route.path, 401]);
        expect(answer.body.error.code).toBe('UNAUTHORIZED');
        const schemes: Partial<Record<string, string>> = { key: 'ApiKey', session: 'Session' };
        const scheme = schemes[route.access.by] ?? 'Bearer';
        expect(answer.headers.get('www-authenticate')).toMatch(new RegExp(`^${scheme}`));
      }
    }
  });

  test('needs each of its permissions, and is 403 before its body is read (D-ERR-5)', async () => {
    for (const route of service.routes) {
      if (route.access.by !== 'key') continue;
      for (const missing of route.access.permissions) {
        const permissions = PERMISSIONS.filter((one) => one !== missing);
        const { key } = await newKey({ permissions });
        const answer = await service.call(route.method, fill(route), {
          as: key,
          ...(route.method === 'GET'
            ? {}
            : { body: 'not json', headers: { 'content-type': 'text/plain' } }),
        });
        expect([route.path, answer.status]).toEqual([route.path, 403]);
        expect(answer.body.error).toMatchObject({ code: 'FORBIDDEN' });
        expect(answer.body.error.message).toContain(missing);
      }
    }
  });

  test('of the operator refuses a key with 403', async () => {
    for (const route of service.routes.filter(({ access }) => access.by === 'operator')) {
      const answer = await service.call(route.method, fill(route), { as: project.key });
      expect([route.path, answer.status]).toEqual([route.path, 403]);
    }
  });

  test('about a Project hides those of other Workspaces and names the wrong environment', async () => {
    const foreign = await service.newProject();
    const { body } = await operate('/v1/projects', {
      workspaceId: project.workspaceId,
      name: 'Live shop',
      environment: 'live',
    });
    const unknown = await listSources(project.key, 'prj_nothing');
    const other = await listSources(project.key, foreign.projectId);
    expect([other.status, other.body.error.code]).toEqual([404, 'NOT_FOUND']);
    expect({ ...other.body.error, requestId: '' }).toEqual({
      ...unknown.body.error,
      requestId: '',
    });
    const live = await listSources(project.key, body.data.id);
    expect([live.status, live.body.error.code]).toEqual([403, 'ENVIRONMENT_MISMATCH']);
    expect((await listSources('operator', foreign.projectId)).status).toBe(200);
  });
});

describe('API keys (D-KEY-1)', () => {
  test('are shown once and kept as a hash', async () => {
    const { key, data } = await newKey();
    const list = await service.call('GET', '/v1/api-keys', {
      as: 'operator',
      query: { workspaceId: project.workspaceId, limit: 100 },
    });
    const listed = list.body.data.find((one: { id: string }) => one.id === data.id);
    expect(listed).toMatchObject({ prefix: key.slice(0, 15), last4: key.slice(-4) });
    expect(JSON.stringify(list.body)).not.toContain(key);
    const rows = await service.database.reads.query('select * from api_keys');
    const bytes = rows.map((row) =>
      JSON.stringify(row, (_, v) => (typeof v === 'bigint' ? '' : v)),
    );
    expect(bytes.join('')).not.toContain(key.slice(12, 40));
  });

  test('a mistyped key is refused by its checksum, without a look-up', async () => {
    const { key } = await newKey();
    const mistyped = key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21);
    expect((await listSources(mistyped)).status).toBe(401);
  });

  test('a revoked key stops at once, and revoking again changes nothing', async () => {
    const { key, data } = await newKey();
    expect((await listSources(key)).status).toBe(200);
    const first = await operate(`/v1/api-keys/${data.id}/revoke`);
    expect((await listSources(key)).status).toBe(401);
    service.clock.advance(5_000);
    const again = await operate(`/v1/api-keys/${data.id}/revoke`);
    expect(again.body).toEqual(first.body);
  });

  test('an expired key is refused from its very end on', async () => {
    const expiresAt = new Date(service.clock.nowMs() + 60_000).toISOString();
    const { key } = await newKey({ expiresAt });
    service.clock.advance(59_999);
    expect((await listSources(key)).status).toBe(200);
    service.clock.advance(1);
    expect((await listSources(key)).status).toBe(401);
  });

  test('a rotated key works beside the new one for its grace period', async () => {
    const { key, data } = await newKey();
    const rotated = await operate(`/v1/api-keys/${data.id}/rotate`, { oldKeyEndsAfterHours: 1 });
    expect(rotated.body.data.permissions).toEqual([...PERMISSIONS]);
    expect((await listSources(rotated.body.key)).status).toBe(200);
    expect((await listSources(key)).status).toBe(200);
    service.clock.advance(3_600_000);
    expect((await listSources(key)).status).toBe(401);
    expect((await listSources(rotated.body.key)).status).toBe(200);
  });

  test('a key that is rotated again gives the newest one its first expiry, not its own early end', async () => {
    const expiresAt = new Date(service.clock.nowMs() + 90 * 86_400_000).toISOString();
    for (const first of [null, expiresAt]) {
      const { data } = await newKey(first === null ? {} : { expiresAt: first });
      const rotate = () => operate(`/v1/api-keys/${data.id}/rotate`, { oldKeyEndsAfterHours: 24 });
      const [one, two] = [await rotate(), await rotate()];
      expect([one.body.data.expiresAt, two.body.data.expiresAt]).toEqual([first, first]);
    }
  });

  test('a key shows when it was last used, to the hour', async () => {
    const { key, data } = await newKey();
    const lastUse = async () => {
      await flushUsage(service.database, service.built.usage);
      const { body } = await service.call('GET', '/v1/api-keys', {
        as: 'operator',
        query: { workspaceId: project.workspaceId, limit: 100 },
      });
      return body.data.find((one: { id: string }) => one.id === data.id).lastUsedAt;
    };
    expect(await lastUse()).toBeNull();
    await listSources(key);
    const first = service.clock.now;
    expect(await lastUse()).toBe(first);
    service.clock.advance(59 * 60_000);
    await listSources(key);
    expect(await lastUse()).toBe(first);
    service.clock.advance(60_000);
    await listSources(key);
    expect(await lastUse()).toBe(service.clock.now);
  });

  test('a key can be rotated without a body, and an Idempotency-Key hides no secret', async () => {
    const { data } = await newKey();
    const rotate = () =>
      service.call('POST', `/v1/api-keys/${data.id}/rotate`, {
        as: 'operator',
        headers: { 'idempotency-key': 'same' },
      });
    const [first, second] = [await rotate(), await rotate()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body.key).not.toBe(second.body.key);
    expect(first.headers.get('cache-control')).toBe('no-store');
  });

  test('presets stand for lists of permissions', async () => {
    const readOnly = await newKey({ permissions: 'read_only' });
    expect(readOnly.data).toMatchObject({
      permissions: PERMISSIONS.filter((one) => one.endsWith(':read')),
    });
  });

  test.each([
    ['an unknown preset', { permissions: 'everything' }],
    ['an unknown permission', { permissions: ['track:read'] }],
    ['no permission', { permissions: [] }],
    ['an end in the past', { expiresAt: '2020-01-01T00:00:00Z' }],
    ['a date alone', { expiresAt: '2030-01-01' }],
  ])('%s is 400', async (_name, input) => {
    const { status } = await operate('/v1/api-keys', {
      workspaceId: project.workspaceId,
      environment: 'sandbox',
      name: 'Bad',
      permissions: 'full',
      ...input,
    });
    expect(status).toBe(400);
  });
});

describe('lists of the operator', () => {
  test('are 404 for a Workspace that does not exist, and 400 for a cursor of another list', async () => {
    const get = (path: string, query: Record<string, string>) =>
      service.call('GET', path, { as: 'operator', query });
    for (const path of ['/v1/api-keys', '/v1/audit-log', '/v1/projects']) {
      expect((await get(path, { workspaceId: 'ws_nothing' })).status).toBe(404);
    }
    await service.newProject();
    const { body } = await get('/v1/workspaces', { limit: '1' });
    expect(body.nextCursor).not.toBeNull();
    expect((await get('/v1/projects', { cursor: body.nextCursor })).status).toBe(400);
    expect((await get('/v1/workspaces', { cursor: 'rubbish' })).status).toBe(400);
  });
});

describe('Projects', () => {
  test('keep origins in the form that browsers send', async () => {
    const patch = (allowedOrigins: unknown) =>
      service.call('PATCH', `/v1/projects/${project.projectId}`, {
        as: 'operator',
        body: { allowedOrigins },
      });
    const { body } = await patch([
      'https://Example.com',
      'http://localhost:3000/',
      'https://example.com',
    ]);
    expect(body.data.allowedOrigins).toEqual(['https://example.com', 'http://localhost:3000']);
    for (const bad of [
      'example.com',
      'https://example.com/path',
      'ftp://example.com',
      'https://*.example.com',
      '*',
      'null',
    ]) {
      expect((await patch([bad])).status).toBe(400);
    }
    expect((await patch(null)).body.data.allowedOrigins).toEqual([]);
  });

  test('never change their environment', async () => {
    const { status } = await service.call('PATCH', `/v1/projects/${project.projectId}`, {
      as: 'operator',
      body: { environment: 'live' },
    });
    expect(status).toBe(400);
  });
});

describe('Widget secrets (D-WID-4)', () => {
  test('are shown once, sealed at rest, and the old one ends a day after the new one', async () => {
    const path = `/v1/projects/${project.projectId}/widget-secrets`;
    const first = await operate(path);
    expect(first.body.secret).toMatch(/^wsec_[A-Za-z0-9_-]{43}$/);
    service.clock.advance(1_000);
    const second = await operate(path);
    const list = await service.call('GET', path, { as: 'operator' });
    const [newest, older] = list.body.data;
    expect(newest).toMatchObject({ id: second.body.data.id, expiresAt: null });
    expect(older.expiresAt).toBe(new Date(service.clock.nowMs() + 86_400_000).toISOString());
    const rows = await service.database.reads.query<{ sealed_secret: string }>(
      'select sealed_secret from widget_secrets',
    );
    for (const row of rows) expect(row.sealed_secret).not.toContain(first.body.secret.slice(5));
    const revoked = await operate(`${path}/${newest.id}/revoke`);
    expect(revoked.body.data.revokedAt).toBe(service.clock.now);
  });
});

describe('the audit log (D-ADM-3)', () => {
  test('tells who did what, newest first, page by page, without secrets', async () => {
    const make = async (path: string, body: object, as = 'operator') =>
      (await service.call('POST', path, { as, body })).body;
    const workspaceId = (await make('/v1/workspaces', { name: 'Acme' })).data.id;
    const place = { workspaceId, environment: 'sandbox' };
    const projectId = (await make('/v1/projects', { ...place, name: 'Shop' })).data.id;
    const asked = { ...place, name: 'Test', permissions: 'full' };
    const { key } = await make('/v1/api-keys', asked);
    const mine = { workspaceId, projectId, key };
    await make('/v1/sources', { projectId, name: 'Audited' }, key);
    const read = async (query: object) =>
      (
        await service.call('GET', '/v1/audit-log', {
          as: 'operator',
          query: { workspaceId: mine.workspaceId, ...query },
        })
      ).body;
    const { data } = await read({});
    const actions = data.map((entry: { action: string }) => entry.action);
    expect(actions.toSorted()).toEqual([
      'api_key.create',
      'project.create',
      'source.register',
      'workspace.create',
    ]);
    expect(JSON.stringify(data)).not.toContain(mine.key);
    const source = data.find((entry: { action: string }) => entry.action === 'source.register');
    expect(source).toMatchObject({ actorType: 'key', projectId: mine.projectId });

    const paged: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page: { data: unknown[]; nextCursor: string | null } = await read({
        limit: 1,
        ...(cursor ? { cursor } : {}),
      });
      expect(page.data.length).toBeLessThanOrEqual(1);
      paged.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor);
    expect(paged).toEqual(data);
    expect((await read({ projectId: mine.projectId })).data).toHaveLength(2);
  });
});

describe('limits (D-LIM-1)', () => {
  test('there is none on keys unless the operator sets one', async () => {
    const { headers } = await listSources(project.key);
    expect(headers.get('ratelimit')).toBeNull();
  });

  test('a limit holds per Workspace and environment, with a burst of twice its rate', async () => {
    const limited = await startService({ settings: { rateLimitPerSecond: 2 } });
    try {
      const one = await limited.newProject();
      const two = await limited.newProject();
      const call = (of: TestProject) =>
        limited.call('GET', '/v1/sources', { as: of.key, query: { projectId: of.projectId } });
      for (let n = 0; n < 4; n += 1) expect((await call(one)).status).toBe(200);
      const refused = await call(one);
      expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(refused.headers.get('ratelimit-policy')).toBe('"api";q=4;w=2');
      expect((await call(two)).status).toBe(200);
      limited.clock.advance(500);
      expect((await call(one)).status).toBe(200);
      expect((await call(one)).status).toBe(429);
    } finally {
      await limited.close();
    }
  });

  test('an address that keeps failing to authenticate gets 429; a good key from it still works', async () => {
    const guarded = await startService({ settings: { failedAuthenticationsPerMinute: 3 } });
    try {
      const mine = await guarded.newProject();
      const fail = () => guarded.call('GET', '/v1/sources', { as: 'rubbish' });
      const statuses = [];
      for (let n = 0; n < 5; n += 1) statuses.push((await fail()).status);
      expect(statuses).toEqual([401, 401, 401, 429, 429]);
      const good = await guarded.call('GET', '/v1/sources', {
        as: mine.key,
        query: { projectId: mine.projectId },
      });
      expect(good.status).toBe(200);
      guarded.clock.advance(20_000);
      expect((await fail()).status).toBe(401);
    } finally {
      await guarded.close();
    }
  });
});
