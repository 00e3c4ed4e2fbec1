import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Participant, UpsertParticipant } from '../../src/domain/participants/schema.ts';
import { makeUpsertParticipant } from '../../src/domain/participants/upsert-participant.ts';
import { queueDeliveries } from '../../src/outbound/webhooks/queue/queue-deliveries.ts';
import { createProjectWriter } from '../../src/platform/feed/writer/writer.ts';
import type { WriteRequest } from '../../src/platform/http/access/principal.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';
import { rounds } from '../rounds.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

/** A process of its own, as far as the database can tell. */
function newProcess() {
  const sizes: number[] = [];
  const writer = createProjectWriter({
    fanOut: queueDeliveries,
    database: service.database,
    clock: service.clock,
    newId: makeNewId(service.clock.nowMs),
    queueMax: 1_000,
    onBatch: ({ size }) => sizes.push(size),
  });
  const upsert = makeUpsertParticipant({
    writer,
    keyring: createKeyring(ROOT_KEY),
    onBilled: () => undefined,
  });
  return { upsert, sizes };
}

const requestOf = (project: TestProject): WriteRequest => ({
  workspaceId: project.workspaceId,
  projectId: project.projectId,
  actor: { type: 'system', id: 'test' },
  requestId: 'req_test',
  ip: null,
  idempotency: null,
});

const settle = async (work: Promise<Participant>) =>
  work.then(
    (answer) => ({ answer }),
    (error: { reason: string }) => ({ refused: error.reason }),
  );

/** All that a Project shows, with ids replaced by who is meant. */
async function readAll(project: TestProject, outcomes: unknown) {
  const query = { projectId: project.projectId };
  const as = project.key;
  const listed = await service.call('GET', '/v1/participants', { as, query });
  const people = await service.call('GET', '/v1/participants', {
    as,
    query: { ...query, kind: 'individual' },
  });
  const feed = await service.call('GET', '/v1/webhook-events', { as, query });
  const names = new Map<string, string>(
    listed.body.data.map((one: Participant) => [one.id, `${one.kind} ${one.externalId}`]),
  );
  const events = feed.body.events.map(({ type, data }: { type: string; data: unknown }) => ({
    type,
    data,
  }));
  const all = { listed: listed.body.data, people: people.body.data, events, outcomes };
  return JSON.parse(
    JSON.stringify(all, (_, value) => {
      if (typeof value !== 'string') return value;
      return value === project.projectId ? 'the project' : (names.get(value) ?? value);
    }),
  );
}

const input = fc.record(
  {
    participant: fc.record({
      kind: fc.constantFrom('individual' as const, 'group' as const),
      externalId: fc.constantFrom<string>('a', 'b', 'c'),
    }),
    name: fc.constantFrom(null, 'Ada', 'Bo "\\{}, NULL'),
    email: fc.constantFrom(null, 'a@example.com'),
    billingId: fc.constantFrom(null, 'cus_1', 'cus_2'),
  },
  { requiredKeys: ['participant'] },
);

/** Enough to be sure of a large batch, whatever else is generated. */
const CROWD = Array.from({ length: 12 }, (_, n) => ({
  participant: { kind: 'individual' as const, externalId: `member-${n}` },
}));

test('a batch of N leaves exactly what N batches of one leave', async () => {
  let largest = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(input, { minLength: 2, maxLength: 25 }), async (inputs) => {
      const together = await service.newProject();
      const batching = newProcess();
      const batched = await Promise.all(
        inputs.map((one) => settle(batching.upsert(requestOf(together), one))),
      );
      largest = Math.max(largest, ...batching.sizes);

      const apart = await service.newProject();
      const single = newProcess();
      const outcomes = [];
      for (const one of inputs) outcomes.push(await settle(single.upsert(requestOf(apart), one)));

      expect(await readAll(together, batched)).toEqual(await readAll(apart, outcomes));
    }),
    { numRuns: rounds(6, 25), examples: [[CROWD]] },
  );
  expect(largest).toBeGreaterThan(5);
});

test('a billing id changes hands both ways within one batch', async () => {
  const project = await service.newProject();
  const { upsert, sizes } = newProcess();
  const request = requestOf(project);
  const set = (externalId: string, billingId: string | null): UpsertParticipant => ({
    participant: { kind: 'individual', externalId },
    billingId,
  });
  await upsert(request, set('a', 'cus_1'));
  await upsert(request, set('b', 'cus_2'));
  const steps = [
    set('z', null),
    set('a', null),
    set('b', 'cus_1'),
    set('c', 'cus_2'),
    set('a', 'x'),
  ];
  await Promise.all(steps.map((step) => upsert(request, step)));
  expect(sizes.at(-1)).toBeGreaterThanOrEqual(4);
  const { body } = await service.call('GET', '/v1/participants', {
    as: project.key,
    query: { projectId: project.projectId },
  });
  const held = body.data.map((one: Participant) => [one.externalId, one.billingId]);
  expect(held).toEqual([
    ['c', 'cus_2'],
    ['z', null],
    ['b', 'cus_1'],
    ['a', 'x'],
  ]);
});

test('two processes that upsert the same people at once make each of them once', async () => {
  const project = await service.newProject();
  const processes = [newProcess(), newProcess()];
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, n) => {
      const { upsert } = processes[n % 2] as ReturnType<typeof newProcess>;
      const participant = { kind: 'individual' as const, externalId: `${Math.floor(n / 2) % 5}` };
      return upsert(requestOf(project), { participant });
    }),
  );
  expect(new Set(ids.map(({ id }) => id)).size).toBe(5);
  const { body } = await service.call('GET', '/v1/webhook-events', {
    as: project.key,
    query: { projectId: project.projectId },
  });
  expect(body.events).toHaveLength(5);
});
