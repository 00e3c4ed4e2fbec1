import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchProviders } from '../../src/outbound/integrations/watch-providers.ts';
import { createDatabase } from '../../src/platform/db/database.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import {
  createBacklogReader,
  createReachReader,
} from '../../src/surfaces/operations/operations.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await openService();
  project = await service.newProject('live');
});
afterAll(() => service.close());

const readBacklog = () => createBacklogReader(service)();

const addParticipant = (externalId: string) =>
  service.call('PUT', '/v1/participants', {
    as: project.key,
    body: {
      projectId: project.projectId,
      participant: { kind: 'individual', externalId },
    },
  });

test('what waits to be sent is counted, and how long it has waited, until it is sent', async () => {
  expect(await readBacklog()).toEqual({
    deliveries: { pending: 0, lagSeconds: 0 },
    payouts: { unanswered: 0, unansweredSeconds: 0, overdueSeconds: 0 },
    heldWorkspaces: 0,
  });
  await service.call('POST', '/v1/webhook-endpoints', {
    as: project.key,
    // Nobody listens at the port for discarding, so the delivery waits to be tried again.
    body: { projectId: project.projectId, url: 'http://shop.example.com:9/' },
  });
  await addParticipant('ada');
  service.clock.advance(60_000);
  await addParticipant('bob');
  service.clock.advance(30_000);
  expect((await readBacklog())?.deliveries).toEqual({ pending: 2, lagSeconds: 90 });

  await service.dispatch();
  expect((await readBacklog())?.deliveries).toEqual({ pending: 2, lagSeconds: 0 });
  service.clock.advance(45_000);
  expect((await readBacklog())?.deliveries).toEqual({ pending: 2, lagSeconds: 15 });
});

test('the first of every queue is looked at, in whichever project it waits', async () => {
  await service.dispatch();
  const behind = await service.newProject('live');
  const endpoint = { projectId: behind.projectId, url: 'http://other.example.com:9/' };
  for (let n = 0; n < 2; n += 1) {
    await service.call('POST', '/v1/webhook-endpoints', { as: behind.key, body: endpoint });
  }
  await service.call('PUT', '/v1/participants', {
    as: behind.key,
    body: {
      projectId: behind.projectId,
      participant: { kind: 'individual', externalId: 'dan' },
    },
  });
  service.clock.advance(3_600_000);
  await addParticipant('eve');
  service.clock.advance(1_000);
  expect((await readBacklog())?.deliveries).toEqual({ pending: 5, lagSeconds: 3_601 });
  await service.dispatch();
});

test('a database that does not say what waits may be up; nothing of before is told then', async () => {
  let answers = true;
  const metrics = createMetrics();
  metrics.watchDatabase(createReachReader(service.database.reads));
  metrics.watchBacklog(async () => (answers ? readBacklog() : null));
  expect(await metrics.render()).toMatch(/^goodword_webhook_deliveries_pending 5$/m);
  answers = false;
  const slow = await metrics.render();
  expect(slow).toMatch(/^goodword_database_up 1$/m);
  expect(slow).not.toMatch(/^goodword_(webhook_deliveries|webhook_delivery|payouts)/m);
});

test('scrapers, however many, have the database asked once in ten seconds', async () => {
  let asked = 0;
  const read = createBacklogReader({
    database: {
      reads: {
        query: async () => {
          asked += 1;
          return [];
        },
      },
      isDistributed: () => false,
    },
    clock: service.clock,
  });
  await Promise.all([read(), read(), read()]);
  // One question each about deliveries, payouts and restores.
  expect(asked).toBe(3);
  const failing = createBacklogReader({
    database: {
      reads: { query: () => Promise.reject(new Error('down')) },
      isDistributed: () => false,
    },
    clock: service.clock,
  });
  expect(await failing()).toBeNull();
});

test('a database that does not answer is told as such', async () => {
  const metrics = createMetrics();
  metrics.watchDatabase(createReachReader({ query: () => Promise.reject(new Error('down')) }));
  expect(await metrics.render()).toMatch(/^goodword_database_up 0$/m);
});

test('a transaction that is tried again is counted by the code of its trouble', async () => {
  const codes: string[] = [];
  let fails = 2;
  const database = createDatabase(
    {
      kind: 'postgres',
      query: async () => [],
      begin: () => ({
        query: async () => [],
        script: async () => undefined,
        rollback: async () => undefined,
        commit: async () => {
          fails -= 1;
          if (fails >= 0) throw Object.assign(new Error('deadlock'), { code: '40P01' });
        },
      }),
      close: async () => undefined,
    },
    { onRetry: (code) => codes.push(code) },
  );
  await database.transaction(async () => undefined);
  expect(codes).toEqual(['40P01', '40P01']);
});

test('every call to a provider is told by its answer, thrown ones too, and never about whom', async () => {
  const calls: object[] = [];
  const providers = watchProviders(
    {
      findProvider: async () => ({
        method: 'wise',
        connectionId: 'pcn_1',
        submit: async () => ({ state: 'unknown' }),
        find: () => Promise.reject(new Error('no')),
        report: async () => ({ state: 'none', amountMinor: null, currency: null }),
      }),
      holdConnection: async () => true,
      rewardProviders: [],
    },
    ({ ms, ...call }) => calls.push(call),
  );
  const wise = await providers.findProvider({
    workspaceId: 'wsp_1',
    environment: 'live',
    method: 'wise',
  });
  const transfer = {
    payoutId: 'pay_1',
    key: 'pay_1-1',
    sentAt: service.clock.now,
    reference: null,
    failureCode: null,
  };
  await wise?.report(transfer);
  await expect(wise?.find(transfer)).rejects.toThrow('no');
  expect(calls).toEqual([
    { provider: 'wise', operation: 'report', outcome: 'none' },
    { provider: 'wise', operation: 'find', outcome: 'thrown' },
  ]);
});
