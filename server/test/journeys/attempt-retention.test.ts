import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { purgeAttempts } from '../../src/outbound/webhooks/dispatch/erase-attempts.ts';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { purgeOnce } from '../../src/surfaces/privacy/worker.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';
import {
  addEndpoint,
  appendEvents,
  recordAttempt,
  setQueue,
  type TestEndpoint,
} from '../webhook-rows.ts';

let service: TestService;
let project: TestProject;
let endpoint: TestEndpoint;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  // Past all that the tests before have left.
  service.clock.advance(40 * DAY_MS);
  await purge();
  project = await service.newProject();
  endpoint = await addEndpoint(service, project.projectId);
});

const purge = () =>
  purgeOnce({
    database: service.database,
    clock: service.clock,
    auditRetentionDays: 36_500,
    attemptRetentionDays: 30,
  });
const attempt = (position: number, outcome: 'succeeded' | 'retrying' | 'failed', to = endpoint) =>
  service.database.transaction((tx) =>
    recordAttempt(tx, to, position, { outcome, startedAt: service.clock.now }),
  );
const statuses = async (): Promise<string[]> => {
  const { body } = await service.call(
    'GET',
    `/v1/webhook-endpoints/${endpoint.endpointId}/deliveries`,
    { as: project.key, query: { projectId: project.projectId } },
  );
  return body.data.map(({ status }: { status: string }) => status).reverse();
};
const left = async (projectId = project.projectId): Promise<number> =>
  (
    await service.database.reads.query('select 1 from webhook_attempts where project_id = $1', [
      projectId,
    ])
  ).length;

test('attempts go after their days, and not before (D-RET-1)', async () => {
  await appendEvents(service, project.projectId, 3);
  await attempt(1, 'succeeded');
  await attempt(2, 'failed');
  await attempt(3, 'retrying');
  service.clock.advance(1);
  await attempt(3, 'retrying');
  service.clock.advance(30 * DAY_MS - 1);
  expect(await purge()).toBe(0);
  service.clock.advance(1);
  expect(await purge()).toBe(3);
  // What waits goes on waiting, whatever is remembered of it.
  expect(await statuses()).toEqual(['pending']);
  service.clock.advance(1);
  expect(await purge()).toBe(1);
  expect(await statuses()).toEqual(['pending']);
  expect(await purge()).toBe(0);
});

test('they go by the real time, however a Project’s clock was set, and after their endpoint', async () => {
  await appendEvents(service, project.projectId, 2);
  await attempt(1, 'succeeded');
  await attempt(2, 'retrying');
  await setQueue(service.database, endpoint, null);
  await service.database.transaction((tx) =>
    tx.query('delete from webhook_endpoints where project_id = $1', [project.projectId]),
  );
  await service.call('PUT', `/v1/projects/${project.projectId}/clock`, {
    as: project.key,
    body: { now: new Date(service.clock.nowMs() + 100 * DAY_MS).toISOString() },
  });
  expect(await purge()).toBe(0);
  expect(await left()).toBe(2);
  service.clock.advance(30 * DAY_MS + 1);
  expect(await purge()).toBe(2);
  expect(await left()).toBe(0);
});

test('they go in slices, the oldest first, of all Projects', async () => {
  const other = await service.newProject();
  const elsewhere = await addEndpoint(service, other.projectId);
  await appendEvents(service, project.projectId, 2);
  await appendEvents(service, other.projectId, 2);
  await attempt(1, 'succeeded');
  await attempt(2, 'succeeded');
  service.clock.advance(1);
  await attempt(1, 'succeeded', elsewhere);
  service.clock.advance(1);
  await attempt(2, 'succeeded', elsewhere);
  service.clock.advance(1);
  const slice = () => purgeAttempts(service.database, service.clock.now, 3);
  expect(await slice()).toBe(3);
  expect([await left(), await left(other.projectId)]).toEqual([0, 1]);
  expect(await slice()).toBe(1);
  expect([await left(), await left(other.projectId)]).toEqual([0, 0]);
  expect(await slice()).toBe(0);
});
