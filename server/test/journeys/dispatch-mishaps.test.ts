import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDispatcher } from '../../src/outbound/webhooks/dispatch/dispatcher.ts';
import { LEASE_MS } from '../../src/outbound/webhooks/queue/claim-tasks.ts';
import type { SendResult } from '../../src/outbound/webhooks/sender/exchange.ts';
import { addEndpoint } from '../endpoints.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';

const SLOTS = 32;
const ANSWERED: SendResult = { outcome: 'answered', status: 200, bodyStart: '', latencyMs: 1 };
const TIMED_OUT: SendResult = {
  outcome: 'failed',
  reason: 'timed_out',
  message: 'There was no answer.',
  latencyMs: 10_000,
};

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  project = await service.newProject();
});

const name = (externalId: string) =>
  service.call('PUT', '/v1/participants', {
    as: project.key,
    body: {
      projectId: project.projectId,
      participant: { kind: 'individual', externalId },
    },
  });
const nameMany = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => name(`person-${n}`)));

async function leased(): Promise<number> {
  const rows = await service.database.reads.query(
    'select 1 from webhook_deliveries where project_id = $1 and lease_id is not null',
    [project.projectId],
  );
  return rows.length;
}

async function deliveries(endpointId: string): Promise<{ status: string; attemptCount: number }[]> {
  const { body } = await service.call('GET', `/v1/webhook-endpoints/${endpointId}/deliveries`, {
    as: project.key,
    query: { projectId: project.projectId },
  });
  return body.data;
}

/** A dispatcher whose requests end when the test says so, in the order in which they were sent. */
function newDispatcher(database = service.database) {
  const sent: ((result: SendResult) => void)[] = [];
  let answersAtOnce = false;
  const send = async () =>
    answersAtOnce ? ANSWERED : new Promise<SendResult>((resolve) => sent.push(resolve));
  const sender = { send, close: async () => undefined };
  const dispatcher = createDispatcher({ ...service.dispatchDeps, database, sender });
  return {
    sent,
    ...dispatcher,
    /** It knows the Project's endpoints as quick from then on. */
    async learn(endpointId: string): Promise<void> {
      answersAtOnce = true;
      for (let n = 0; n < 6; n += 1) await name(`known-${n}`);
      // A poke is not enough for an endpoint that was made since the others were read.
      await dispatcher.poll();
      await expect.poll(() => succeeded(endpointId), { timeout: 9_000 }).toBe(6);
      answersAtOnce = false;
    },
  };
}
const succeeded = async (endpointId: string) =>
  (await deliveries(endpointId)).filter(({ status }) => status === 'succeeded').length;

test('a request that ends after its endpoint was disabled leaves what the process has in hand by then', async () => {
  const { projectId, key } = project;
  const dispatcher = newDispatcher();
  const { id } = await addEndpoint(service, project, { url: 'https://old.example.com/' });
  await name('first');
  dispatcher.poke(projectId);
  await expect.poll(() => dispatcher.sent.length).toBe(1);
  const body = { projectId, enabled: false };
  await service.call('PATCH', `/v1/webhook-endpoints/${id}`, { as: key, body });
  dispatcher.poke(projectId);
  const added = await addEndpoint(service, project, { url: 'https://new.example.com/' });
  await dispatcher.learn(added.id);
  await nameMany(50);
  dispatcher.poke(projectId);
  await expect.poll(() => dispatcher.sent.length).toBe(1 + SLOTS);
  dispatcher.sent[0]?.(ANSWERED);
  const stopped = dispatcher.stop();
  await expect.poll(leased).toBe(SLOTS);
  for (const answer of dispatcher.sent) answer(ANSWERED);
  await stopped;
  expect(await leased()).toBe(0);
});

test('a late answer is written down even if the database refuses to take back what waited behind it', async () => {
  let refusals = 0;
  const dispatcher = newDispatcher({
    ...service.database,
    transaction: async (body) => {
      refusals -= 1;
      if (refusals === 0) throw new Error('The database is away.');
      return service.database.transaction(body);
    },
  });
  const { id } = await addEndpoint(service, project, { url: 'https://slow.example.com/' });
  await dispatcher.learn(id);
  await nameMany(SLOTS + 1);
  dispatcher.poke(project.projectId);
  await expect.poll(() => dispatcher.sent.length).toBe(SLOTS);
  refusals = 1;
  dispatcher.sent[0]?.({ ...ANSWERED, latencyMs: 6_000 });
  await expect.poll(() => succeeded(id), { timeout: 9_000 }).toBe(7);
  for (const answer of dispatcher.sent) answer(ANSWERED);
  await dispatcher.stop();
});

test('a failure that a process hears of after another has delivered is not the last word', async () => {
  const { id } = await addEndpoint(service, project, { url: 'https://any.example.com/' });
  await name('person');
  const [asleep, heir] = [newDispatcher(), newDispatcher()];
  asleep.poke(project.projectId);
  await expect.poll(() => asleep.sent.length).toBe(1);
  service.clock.advance(LEASE_MS);
  heir.poke(project.projectId);
  await expect.poll(() => heir.sent.length).toBe(1);
  heir.sent[0]?.(ANSWERED);
  await heir.stop();
  service.clock.advance(1_000);
  asleep.sent[0]?.(TIMED_OUT);
  await asleep.stop();
  expect(await deliveries(id)).toMatchObject([{ status: 'succeeded', attemptCount: 2 }]);
});
