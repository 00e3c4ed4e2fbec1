import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { liveSecretsOf } from '../../src/outbound/webhooks/endpoints/endpoint-secrets.ts';
import { findEndpoints } from '../../src/outbound/webhooks/endpoints/endpoint-store.ts';
import { DAY_MS, HOUR_MS } from '../../src/platform/kit/instant.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';
import { type Catcher, catchWebhooks, isSignedWith } from '../webhook-catcher.ts';

let service: TestService;
let catcher: Catcher;
let project: TestProject;
let endpointId: string;
/** Every secret that the endpoint had, oldest first. */
let secrets: string[];
beforeAll(async () => {
  service = await openService();
  catcher = await catchWebhooks();
});
afterAll(async () => {
  await service.close();
  await catcher.close();
});
beforeEach(async () => {
  project = await service.newProject();
  const { body } = await post('', { url: catcher.url });
  endpointId = body.endpoint.id;
  secrets = [body.secret];
});

const post = (path: string, body: object = {}, headers = {}) =>
  service.call('POST', `/v1/webhook-endpoints${path}`, {
    as: project.key,
    headers,
    body: { projectId: project.projectId, ...body },
  });
const rotate = (headers = {}) => post(`/${endpointId}/rotate-secret`, {}, headers);
async function rotateAndKeep(): Promise<void> {
  secrets.push((await rotate()).body.secret);
}
/** Which of the secrets sign what is sent now, as numbers, newest first. */
async function signers(): Promise<number[]> {
  const { body } = await post(`/${endpointId}/test`, { type: 'reward.earned' });
  expect(body).toMatchObject({ delivered: true });
  const webhook = catcher.caught.at(-1);
  if (!webhook) throw new Error('Nothing was sent.');
  const each = String(webhook.headers['webhook-signature']).split(' ');
  return each.map((signature) => {
    const alone = { ...webhook.headers, 'webhook-signature': signature };
    return secrets.findIndex((secret) =>
      isSignedWith(secret, { ...webhook, headers: alone }, service.clock.now),
    );
  });
}
const stored = async () => {
  const [endpoint] = await findEndpoints(service.database.reads, project.projectId);
  if (!endpoint) throw new Error('There is no endpoint.');
  return endpoint;
};

describe('a rotated secret (D-WH-3)', () => {
  test('signs beside the new one for 24 hours and not a millisecond longer', async () => {
    expect(await signers()).toEqual([0]);
    const { status, body } = await rotate();
    expect([status, body.endpoint.id]).toEqual([200, endpointId]);
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    secrets.push(body.secret);
    expect(secrets[0]).not.toBe(secrets[1]);
    expect(await signers()).toEqual([1, 0]);
    service.clock.advance(DAY_MS - 1);
    expect(await signers()).toEqual([1, 0]);
    service.clock.advance(1);
    expect(await signers()).toEqual([1]);
  });

  test('a fourth within 24 hours ends the oldest, and the row forgets it', async () => {
    for (let n = 0; n < 3; n += 1) {
      service.clock.advance(HOUR_MS);
      await rotateAndKeep();
    }
    expect(await signers()).toEqual([3, 2, 1]);
    expect((await stored()).secrets).toHaveLength(3);
  });

  test('rotations within one millisecond keep their order', async () => {
    for (let n = 0; n < 4; n += 1) await rotateAndKeep();
    expect(await signers()).toEqual([4, 3, 2]);
  });

  test('one that has expired is forgotten at the next rotation', async () => {
    await rotateAndKeep();
    service.clock.advance(DAY_MS);
    await rotateAndKeep();
    expect(await signers()).toEqual([2, 1]);
    expect((await stored()).secrets).toHaveLength(2);
  });

  test('goes by the real time: the Project’s test clock ends nothing', async () => {
    await rotateAndKeep();
    const now = new Date(service.clock.nowMs() + 30 * DAY_MS).toISOString();
    const moved = await service.call('PUT', `/v1/projects/${project.projectId}/clock`, {
      as: project.key,
      body: { now },
    });
    expect(moved.status).toBe(200);
    expect(await signers()).toEqual([1, 0]);
    await rotateAndKeep();
    service.clock.advance(DAY_MS - 1);
    expect(await signers()).toEqual([2, 1, 0]);
    service.clock.advance(1);
    expect(await signers()).toEqual([2]);
  });

  test('ten rotations at once are one after the other', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => rotate()));
    secrets.push(...answers.map(({ body }) => body.secret));
    expect(new Set(secrets).size).toBe(11);
    const live = await signers();
    expect(live).toHaveLength(3);
    expect(live).not.toContain(-1);
  });

  test('what shows a secret ignores an Idempotency-Key: each time is another (D-IDEM-1)', async () => {
    const headers = { 'idempotency-key': 'turn' };
    const [first, again] = [await rotate(headers), await rotate(headers)];
    secrets.push(first.body.secret, again.body.secret);
    expect(await signers()).toEqual([2, 1, 0]);
    const made = [
      await post('', { url: catcher.url }, headers),
      await post('', { url: catcher.url }, headers),
    ];
    expect(new Set(made.map(({ body }) => body.secret)).size).toBe(2);
  });
});

describe('secrets', () => {
  test('are shown once: neither lists, reads, logs, the audit log nor any table has them', async () => {
    const key = { 'idempotency-key': 'kept' };
    const made = await post('', { url: catcher.url }, key);
    secrets.push(made.body.secret, (await rotate(key)).body.secret);
    await signers();
    const query = { projectId: project.projectId };
    const shown = [
      await service.call('GET', '/v1/webhook-endpoints', { as: project.key, query }),
      await service.call('GET', `/v1/webhook-endpoints/${endpointId}`, { as: project.key, query }),
      await service.call('PATCH', `/v1/webhook-endpoints/${endpointId}`, {
        as: project.key,
        body: { ...query, description: 'x' },
      }),
      await service.call('GET', '/v1/audit-log', {
        as: 'operator',
        query: { workspaceId: project.workspaceId },
      }),
    ].map(({ body }) => JSON.stringify(body));
    const tables = ['webhook_endpoints', 'idempotency_keys', 'audit_entries', 'feed_events'];
    for (const table of tables) {
      const rows = await service.database.reads.query<{ text: string }>(
        `select row_to_json(t)::text as text from ${table} t where project_id = $1`,
        [project.projectId],
      );
      shown.push(...rows.map(({ text }) => text));
    }
    const everything = [...shown, ...service.log].join('\n');
    expect(everything).toContain(endpointId);
    for (const secret of secrets) {
      const bytes = secret.slice('whsec_'.length);
      expect(everything).not.toContain(bytes.slice(0, 20));
      expect(everything).not.toContain(Buffer.from(bytes, 'base64').toString('hex'));
    }
  });

  test('are sealed for their own endpoint: moved to another they cannot be read', async () => {
    const keyring = createKeyring(ROOT_KEY);
    const endpoint = await stored();
    expect(liveSecretsOf(keyring, endpoint, service.clock.now)).toEqual(secrets);
    expect(() =>
      liveSecretsOf(keyring, { ...endpoint, id: 'whe_other' }, service.clock.now),
    ).toThrow();
    expect(() =>
      liveSecretsOf(keyring, { ...endpoint, projectId: 'prj_other' }, service.clock.now),
    ).toThrow();
  });
});
