import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_EVENT_TYPES } from '../../src/platform/feed/writer/project-write.ts';
import type { Method } from '../../src/platform/http/routes/route.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  project = await service.newProject();
});

const URL = 'https://shop.example.com/hooks?token=t0p-s3cret';
const PATH = '/v1/webhook-endpoints';
const post = (body: object, path = PATH, of = project, headers = {}) =>
  service.call('POST', path, { as: of.key, headers, body: { projectId: of.projectId, ...body } });
const create = (body: object = {}) => post({ url: URL, ...body });
const list = async () =>
  (await service.call('GET', PATH, { as: project.key, query: { projectId: project.projectId } }))
    .body.endpoints;
const at = (id: string) => `${PATH}/${id}`;
const read = (id: string) =>
  service.call('GET', at(id), { as: project.key, query: { projectId: project.projectId } });
const change = (id: string, body: object) =>
  service.call('PATCH', at(id), {
    as: project.key,
    body: { projectId: project.projectId, ...body },
  });
const remove = (id: string) =>
  service.call('DELETE', at(id), { as: project.key, query: { projectId: project.projectId } });
/** Something happens: `participant.created`. */
const happen = (externalId: string) =>
  service.call('PUT', '/v1/participants', {
    as: project.key,
    body: { projectId: project.projectId, participant: { kind: 'individual', externalId } },
  });
/** What waits to be sent, by the queue it waits in. */
const queued = async (): Promise<string[]> => {
  const rows = await service.database.reads.query<{ queue_id: string }>(
    'select queue_id from webhook_deliveries where project_id = $1 order by position, queue_id',
    [project.projectId],
  );
  return rows.map((row) => row.queue_id);
};
const queueOf = async (id: string): Promise<string | null> => {
  const [row] = await service.database.reads.query<{ queue_id: string | null }>(
    'select queue_id from webhook_endpoints where project_id = $1 and id = $2',
    [project.projectId, id],
  );
  return row?.queue_id ?? null;
};

describe('an endpoint', () => {
  test('is made with all types, the newest version and fulfilment on delivery (D-WH-2)', async () => {
    const { status, body } = await create();
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        warnings: [],
        endpoint: {
          id: expect.stringMatching(/^whe_[0-9a-z]{26}$/),
          projectId: project.projectId,
          url: URL,
          description: null,
          eventTypes: [...DEFAULT_EVENT_TYPES],
          apiVersion: '2026-10-04',
          fulfillmentMode: 'on_delivery',
          enabled: true,
          createdAt: service.clock.now,
          updatedAt: service.clock.now,
        },
      },
    ]);
    expect(body.endpoint.eventTypes).toHaveLength(11);
    expect((await read(body.endpoint.id)).body).toEqual({
      success: true,
      endpoint: body.endpoint,
      warnings: [],
    });
    expect(await list()).toEqual([body.endpoint]);
  });

  test('is made as asked', async () => {
    const asked = {
      description: 'Grants',
      eventTypes: ['reward.voided', 'reward.earned'],
      fulfillmentMode: 'explicit',
    };
    const { body } = await create(asked);
    expect(body.endpoint).toMatchObject(asked);
  });

  test('null is the same as leaving a field out (D-GEN-6)', async () => {
    const asked = { description: null, eventTypes: null, fulfillmentMode: null };
    const { body } = await create(asked);
    expect(body.endpoint).toMatchObject({
      description: null,
      eventTypes: [...DEFAULT_EVENT_TYPES],
      fulfillmentMode: 'on_delivery',
    });
  });

  test('the list has the oldest first, and the same URL twice', async () => {
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push((await create()).body.endpoint.id);
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  test('eleven made at once are ten (D-WH-1)', async () => {
    const answers = await Promise.all(Array.from({ length: 11 }, () => create()));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.error.reason])).toEqual([
      [409, 'limit_reached'],
    ]);
    expect(await list()).toHaveLength(10);
    await remove((await list())[0].id);
    expect((await create()).status).toBe(200);
  });

  test.each([
    ['no URL', { url: undefined }, 'url'],
    ['an empty URL', { url: '' }, 'url'],
    ['no types', { eventTypes: [] }, 'eventTypes'],
    ['an unknown type', { eventTypes: ['reward.earned', 'reward.lost'] }, 'eventTypes.1'],
    ['a type twice', { eventTypes: ['reward.earned', 'reward.earned'] }, 'eventTypes'],
    ['an unknown mode', { fulfillmentMode: 'never' }, 'fulfillmentMode'],
    ['a blank description', { description: ' ' }, 'description'],
    ['a long description', { description: 'x'.repeat(501) }, 'description'],
    ['a version of one’s own', { apiVersion: '2026-10-04' }, 'apiVersion'],
    ['a misspelt field', { eventtypes: ['reward.earned'] }, 'eventtypes'],
  ])('%s is 400 with the path, and nothing is made', async (_what, body, path) => {
    const { status, body: answer } = await create(body);
    expect([status, answer.error.details[0].path]).toEqual([400, path]);
    expect(await list()).toEqual([]);
  });
});

describe('a change', () => {
  test('touches what is given and nothing else', async () => {
    const { endpoint } = (await create({ description: 'Old', eventTypes: ['payout.paid'] })).body;
    service.clock.advance(1_000);
    const url = 'https://new.example.com/';
    const { body } = await change(endpoint.id, { url });
    expect(body.endpoint).toEqual({ ...endpoint, url, updatedAt: service.clock.now });
    const more = { fulfillmentMode: 'explicit', eventTypes: ['reward.earned'], description: 'New' };
    expect((await change(endpoint.id, more)).body.endpoint).toMatchObject({ url, ...more });
    const cleared = await change(endpoint.id, { description: null, eventTypes: null });
    expect(cleared.body.endpoint).toMatchObject({
      description: null,
      eventTypes: [...DEFAULT_EVENT_TYPES],
      fulfillmentMode: 'explicit',
    });
    expect((await read(endpoint.id)).body.endpoint).toEqual(cleared.body.endpoint);
  });

  test.each([
    ['no types', { eventTypes: [] }, 'eventTypes'],
    ['a type twice', { eventTypes: ['payout.paid', 'payout.paid'] }, 'eventTypes'],
    ['no URL', { url: null }, 'url'],
    ['a private URL', { url: 'https://10.0.0.1/' }, 'url'],
    ['neither on nor off', { enabled: null }, 'enabled'],
    ['an unknown version', { apiVersion: '2020-01-01' }, 'apiVersion'],
    ['its id', { id: 'whe_other' }, 'id'],
    ['its secret', { secret: 'whsec_x' }, 'secret'],
  ])('to %s is 400 with the path, and changes nothing', async (_what, body, path) => {
    const { endpoint } = (await create()).body;
    const answer = await change(endpoint.id, { description: 'New', ...body });
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
    expect((await read(endpoint.id)).body.endpoint).toEqual(endpoint);
  });

  test('an Idempotency-Key makes a repeat return the first answer (D-IDEM-1)', async () => {
    const { endpoint } = (await create()).body;
    const disable = () =>
      service.call('PATCH', at(endpoint.id), {
        as: project.key,
        headers: { 'idempotency-key': 'off' },
        body: { projectId: project.projectId, enabled: false },
      });
    const first = await disable();
    await change(endpoint.id, { enabled: true });
    expect((await disable()).body).toEqual(first.body);
    expect((await read(endpoint.id)).body.endpoint.enabled).toBe(true);
  });
});

describe('what is queued', () => {
  test('follows the types that each endpoint has at the time', async () => {
    const all = (await create()).body.endpoint.id;
    const none = (await create({ eventTypes: ['payout.paid'] })).body.endpoint.id;
    await happen('ada');
    expect(await queued()).toEqual([await queueOf(all)]);
    await change(none, { eventTypes: ['participant.created'] });
    await change(all, { eventTypes: ['payout.paid'] });
    await happen('bob');
    expect(await queued()).toEqual([await queueOf(all), await queueOf(none)]);
  });

  test('nothing while disabled; enabling resumes the queue (D-AM-5)', async () => {
    const { id } = (await create()).body.endpoint;
    const before = await queueOf(id);
    await happen('ada');
    expect((await change(id, { enabled: false })).body.endpoint.enabled).toBe(false);
    expect(await queueOf(id)).toBeNull();
    await happen('bob');
    expect(await queued()).toEqual([before]);
    expect((await change(id, { enabled: true })).body.endpoint.enabled).toBe(true);
    expect(await queueOf(id)).toBe(before);
    await happen('cid');
    expect(await queued()).toEqual([before, before]);
  });

  test('enabling what is enabled, and any other change, keeps what waits', async () => {
    const { id } = (await create()).body.endpoint;
    const before = await queueOf(id);
    for (const body of [{ enabled: true }, { description: 'x' }, { url: 'https://b.example/' }]) {
      await change(id, body);
      expect(await queueOf(id)).toBe(before);
    }
  });
});

describe('a second endpoint that grants is warned about (D-AM-10)', () => {
  const codes = ({ body }: { body: { warnings: { code: string }[] } }) =>
    body.warnings.map(({ code }) => code);
  const SECOND = ['second_granting_endpoint'];
  const listWarnings = async () =>
    codes(
      await service.call('GET', PATH, { as: project.key, query: { projectId: project.projectId } }),
    );

  test('when it is made, read, listed and changed, until one no longer grants', async () => {
    const first = await create();
    expect(codes(first)).toEqual([]);
    expect(await listWarnings()).toEqual([]);
    const second = await create();
    expect(codes(second)).toEqual(SECOND);
    expect(second.body.warnings[0].message).toContain(first.body.endpoint.id);
    const { id } = second.body.endpoint;
    expect(codes(await read(id))).toEqual(SECOND);
    expect(await listWarnings()).toEqual(SECOND);
    expect(codes(await change(id, { description: 'x' }))).toEqual(SECOND);
    expect(codes(await change(id, { fulfillmentMode: 'explicit' }))).toEqual([]);
    expect(codes(await change(id, { fulfillmentMode: 'on_delivery' }))).toEqual(SECOND);
    expect(codes(await change(id, { enabled: false }))).toEqual([]);
    expect(await listWarnings()).toEqual([]);
    expect(codes(await change(id, { enabled: true }))).toEqual(SECOND);
    expect(codes(await change(id, { eventTypes: ['payout.paid'] }))).toEqual([]);
    expect(codes(await create({ fulfillmentMode: 'explicit' }))).toEqual([]);
  });

  test('of another Project is none', async () => {
    await create();
    const other = await service.newProject();
    expect(codes(await post({ url: URL }, PATH, other))).toEqual([]);
  });
});

describe('a deleted endpoint', () => {
  test('is gone with its secrets, gets nothing more, and the feed goes on', async () => {
    const { endpoint } = (await create()).body;
    await happen('ada');
    const removed = await remove(endpoint.id);
    expect(removed.body).toEqual({ success: true, endpoint });
    expect(await list()).toEqual([]);
    const rows = await service.database.reads.query(
      'select id from webhook_endpoints where project_id = $1',
      [project.projectId],
    );
    expect(rows).toEqual([]);
    await happen('bob');
    expect(await queued()).toHaveLength(1);
    const feed = await service.call('GET', '/v1/webhook-events', {
      as: project.key,
      query: { projectId: project.projectId },
    });
    expect(feed.body.events).toHaveLength(2);
    for (const again of [await remove(endpoint.id), await read(endpoint.id)]) {
      expect([again.status, again.body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
  });
});

describe('somebody else’s endpoint', () => {
  const calls: readonly [Method, string, object][] = [
    ['GET', '', {}],
    ['PATCH', '', { enabled: false }],
    ['DELETE', '', {}],
    ['POST', '/rotate-secret', {}],
    ['POST', '/test', { type: 'reward.earned' }],
  ];
  const call = (
    as: string,
    projectId: string,
    id: string,
    [method, path, body]: (typeof calls)[0],
  ) =>
    service.call(method, at(id) + path, {
      as,
      ...(method === 'GET' || method === 'DELETE'
        ? { query: { projectId } }
        : { body: { projectId, ...body } }),
    });

  test('does not exist for another Project, whatever is asked of it', async () => {
    const { endpoint } = (await create()).body;
    const other = await service.newProject();
    for (const one of calls) {
      const { status, body } = await call(other.key, other.projectId, endpoint.id, one);
      expect([one, status, body.error.code]).toEqual([one, 404, 'NOT_FOUND']);
    }
    expect((await read(endpoint.id)).body.endpoint).toEqual(endpoint);
  });

  test('cannot be reached with a key of the other environment', async () => {
    const { endpoint } = (await create()).body;
    const live = await service.call('POST', '/v1/api-keys', {
      as: 'operator',
      body: {
        workspaceId: project.workspaceId,
        environment: 'live',
        name: 'Live',
        permissions: 'full',
      },
    });
    for (const one of calls) {
      const { status, body } = await call(live.body.key, project.projectId, endpoint.id, one);
      expect([one, status, body.error.code]).toEqual([one, 403, 'ENVIRONMENT_MISMATCH']);
    }
  });
});

test('the audit log tells of every change, without secrets and paths (D-ADM-3)', async () => {
  const { endpoint, secret } = (await create({ eventTypes: ['payout.paid'] })).body;
  await change(endpoint.id, { enabled: false, url: 'https://other.example.com/t0p-s3cret' });
  const rotated = await post({}, `${at(endpoint.id)}/rotate-secret`);
  await remove(endpoint.id);
  const { body } = await service.call('GET', '/v1/audit-log', {
    as: 'operator',
    query: { workspaceId: project.workspaceId, projectId: project.projectId },
  });
  const told = body.data
    .filter((entry: { targetId: string }) => entry.targetId === endpoint.id)
    .map((entry: { action: string; changes: object; before: object | null }) => [
      entry.action,
      entry.changes,
      entry.before,
    ])
    .toReversed();
  expect(told).toEqual([
    [
      'webhook_endpoint.create',
      {
        origin: 'https://shop.example.com',
        eventTypes: ['payout.paid'],
        fulfillmentMode: 'on_delivery',
        apiVersion: '2026-10-04',
      },
      null,
    ],
    [
      'webhook_endpoint.change',
      { enabled: false, origin: 'https://other.example.com' },
      { enabled: true, origin: 'https://shop.example.com' },
    ],
    ['webhook_endpoint.rotate_secret', {}, null],
    ['webhook_endpoint.delete', {}, null],
  ]);
  const text = JSON.stringify(body);
  for (const hidden of [secret, rotated.body.secret, 't0p-s3cret']) {
    expect(text).not.toContain(hidden);
  }
});
