import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { type ApiVersion, createApiVersions } from '../../src/platform/feed/api-versions.ts';
import { DAY_MS, HOUR_MS } from '../../src/platform/kit/instant.ts';
import { openTestDatabase } from '../database.ts';
import { startService, type TestProject, type TestService } from '../harness.ts';
import { type Catcher, catchWebhooks } from '../webhook-catcher.ts';

const [V1, V2, V3] = ['2026-10-04', '2027-03-01', '2027-09-01'];
/** Made up: a field is renamed, and one is added. */
const SECOND: ApiVersion = {
  name: V2,
  changes: {
    'participant.created': ({ participant }) => {
      const { participantId, ...rest } = participant as Record<string, unknown>;
      return { participant: { id: participantId, ...rest }, isFirst: true };
    },
  },
};
const THIRD: ApiVersion = { name: V3, changes: {} };

let database: Database;
let catcher: Catcher;
let project: TestProject;
/** The service before the second version came out, and after: one database, one wire. */
let before: TestService;
let after: TestService;
beforeAll(async () => {
  database = await openTestDatabase();
  catcher = await catchWebhooks();
  const shared = { ...database, close: async () => {} };
  before = await startService({ database: shared });
  after = await startService({
    database: shared,
    apiVersions: createApiVersions(V1, [SECOND, THIRD]),
  });
});
afterAll(async () => {
  await before.close();
  await after.close();
  await database.close();
  await catcher.close();
});
beforeEach(async () => {
  project = await before.newProject();
});

const create = async (service: TestService) =>
  (
    await service.call('POST', '/v1/webhook-endpoints', {
      as: project.key,
      body: { projectId: project.projectId, url: catcher.url },
    })
  ).body.endpoint;
const pin = (id: string, apiVersion: string, service = after) =>
  service.call('PATCH', `/v1/webhook-endpoints/${id}`, {
    as: project.key,
    body: { projectId: project.projectId, apiVersion },
  });
/** What an endpoint is sent for a new participant. */
async function receive(service: TestService, id: string) {
  const { body } = await service.call('POST', `/v1/webhook-endpoints/${id}/test`, {
    as: project.key,
    body: { projectId: project.projectId, type: 'participant.created' },
  });
  expect(body).toMatchObject({ delivered: true });
  const { apiVersion, data } = JSON.parse(catcher.caught.at(-1)?.text ?? '');
  return { apiVersion, fields: [Object.keys(data), Object.keys(data.participant)] };
}
const OLD = { apiVersion: V1, fields: [['participant'], ['participantId', 'kind', 'externalId']] };
const NEW = {
  apiVersion: V3,
  fields: [
    ['participant', 'isFirst'],
    ['id', 'kind', 'externalId'],
  ],
};
/** The events of the feed as bytes. */
async function feedBytes(service: TestService, apiVersion?: string): Promise<string> {
  const query = new URLSearchParams({ projectId: project.projectId });
  if (apiVersion) query.set('apiVersion', apiVersion);
  const response = await fetch(`${service.url}/v1/webhook-events?${query}`, {
    headers: { 'x-api-key': project.key },
  });
  expect(response.status).toBe(200);
  return response.text();
}
const happen = (service: TestService, externalId: string) =>
  service.call('PUT', '/v1/participants', {
    as: project.key,
    body: { projectId: project.projectId, participant: { kind: 'individual', externalId } },
  });

test('a new version changes nothing for old endpoints; new ones get the new shape', async () => {
  const old = await create(before);
  const sent = await receive(before, old.id);
  const made = await create(after);
  expect([old.apiVersion, made.apiVersion]).toEqual([V1, V3]);
  expect(sent).toEqual(OLD);
  expect(await receive(after, old.id)).toEqual(OLD);
  expect(await receive(after, made.id)).toEqual(NEW);
});

test('the feed shows every event in every version, those from before it too', async () => {
  await happen(before, 'ada');
  const told = await feedBytes(before);
  await happen(after, 'bob');
  const events = JSON.parse(await feedBytes(after)).events;
  expect(events.map((event: { apiVersion: string }) => event.apiVersion)).toEqual([V3, V3]);
  expect(events.map((event: { data: object }) => event.data)).toEqual(
    ['ada', 'bob'].map((externalId) => ({
      participant: { id: expect.stringMatching(/^par_/), kind: 'individual', externalId },
      isFirst: true,
    })),
  );
  const second = JSON.parse(await feedBytes(after, V2)).events;
  expect(second).toEqual(events.map((event: object) => ({ ...event, apiVersion: V2 })));
  // Byte by byte what the program before wrote.
  const first = await feedBytes(after, V1);
  expect(first).toBe(await feedBytes(before));
  expect(JSON.parse(first).events[0]).toEqual(JSON.parse(told).events[0]);
});

test('a version that a program does not know is 400', async () => {
  const { id } = await create(before);
  const asked = await before.call('GET', '/v1/webhook-events', {
    as: project.key,
    query: { projectId: project.projectId, apiVersion: V2 },
  });
  for (const { status, body } of [asked, await pin(id, V2, before), await pin(id, '2030-01-01')]) {
    expect([status, body.error.details[0].path]).toEqual([400, 'apiVersion']);
  }
});

test('an endpoint moves forth, and back within 72 hours of it, not after (D-WH-7)', async () => {
  const { id } = await create(before);
  expect((await pin(id, V3)).body.endpoint.apiVersion).toBe(V3);
  expect(await receive(after, id)).toEqual(NEW);
  after.clock.advance(72 * HOUR_MS - 1);
  expect((await pin(id, V1)).body.endpoint.apiVersion).toBe(V1);
  expect(await receive(after, id)).toEqual(OLD);
  await pin(id, V3);
  after.clock.advance(72 * HOUR_MS);
  const late = await pin(id, V1);
  expect([late.status, late.body.error.reason]).toEqual([409, 'invalid_transition']);
  expect(late.body.error.message).toContain('72 hours');
  expect(await receive(after, id)).toEqual(NEW);
});

test('an endpoint goes back only to the one it had', async () => {
  const made = await create(after);
  const old = await create(before);
  await pin(old.id, V3);
  for (const [id, version] of [
    [made.id, V1],
    [made.id, V2],
    [old.id, V2],
  ]) {
    const { status, body } = await pin(id, version);
    expect([status, body.error.reason]).toEqual([409, 'invalid_transition']);
  }
  // Other changes take nothing of its way back.
  await after.call('PATCH', `/v1/webhook-endpoints/${old.id}`, {
    as: project.key,
    body: { projectId: project.projectId, description: 'x', apiVersion: V3 },
  });
  expect((await pin(old.id, V1)).status).toBe(200);
});

test('the 72 hours are real ones: the Project’s test clock does not use them up', async () => {
  const { id } = await create(before);
  await pin(id, V2);
  const now = new Date(after.clock.nowMs() + 30 * DAY_MS).toISOString();
  const moved = await after.call('PUT', `/v1/projects/${project.projectId}/clock`, {
    as: project.key,
    body: { now },
  });
  expect(moved.status).toBe(200);
  expect((await pin(id, V1)).body.endpoint.apiVersion).toBe(V1);
});
