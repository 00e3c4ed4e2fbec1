import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDispatcher } from '../../src/outbound/webhooks/dispatch/dispatcher.ts';
import type { SendResult } from '../../src/outbound/webhooks/sender/exchange.ts';
import { HOUR_MS } from '../../src/platform/kit/instant.ts';
import { createBacklogReader } from '../../src/surfaces/operations/operations.ts';
import { addEndpoint, type Listener, listen } from '../endpoints.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
let listener: Listener;
let id: string;
beforeAll(async () => {
  service = await openService();
  listener = await listen();
});
afterAll(async () => {
  await service.close();
  await listener.close();
});
beforeEach(async () => {
  listener.received.length = 0;
  listener.answer = () => 200;
  project = await service.newProject('live');
  ({ id } = await addEndpoint(service, project, { url: listener.url }));
});

const path = () => `/v1/webhook-endpoints/${id}`;
const change = async (body: object, headers = {}) =>
  (
    await service.call('PATCH', path(), {
      as: project.key,
      headers,
      body: { projectId: project.projectId, ...body },
    })
  ).body;
const enable = () => change({ enabled: true });
const disable = () => change({ enabled: false });
const happen = (externalId: string) =>
  service.call('PUT', '/v1/participants', {
    as: project.key,
    body: { projectId: project.projectId, participant: { kind: 'individual', externalId } },
  });
const received = () => listener.received.map(({ event }) => event.data.participant.externalId);
const deliveries = async () =>
  (
    await service.call('GET', `${path()}/deliveries`, {
      as: project.key,
      query: { projectId: project.projectId },
    })
  ).body.data;
const audited = async () => {
  const { body } = await service.call('GET', '/v1/audit-log', {
    as: 'operator',
    query: { workspaceId: project.workspaceId, projectId: project.projectId },
  });
  return body.data[0].changes;
};

describe('a disabled endpoint keeps what waits (D-AM-5)', () => {
  test('and gets it once it is enabled; what happened meanwhile is in the feed alone', async () => {
    await happen('before');
    await disable();
    await happen('meanwhile');
    expect(await service.dispatch()).toBe(0);
    expect(await deliveries()).toMatchObject([{ status: 'pending', nextAttemptAt: null }]);
    expect(await enable()).toMatchObject({ endpoint: { enabled: true }, droppedDeliveries: 0 });
    await happen('after');
    expect(await service.dispatch()).toBe(2);
    expect(received().toSorted()).toEqual(['after', 'before']);
  });

  test('retries with the attempts that they have left, due by their schedule', async () => {
    listener.answer = () => 500;
    await happen('ada');
    await service.dispatch();
    await disable();
    expect(await deliveries()).toMatchObject([{ status: 'pending', nextAttemptAt: null }]);
    service.clock.advance(10_000);
    await enable();
    expect(await service.dispatch()).toBe(0);
    service.clock.advance(20_000);
    listener.answer = () => 200;
    expect(await service.dispatch()).toBe(1);
    expect(await deliveries()).toMatchObject([{ status: 'succeeded', attemptCount: 2 }]);
  });

  test('disabling twice, and any change while it is disabled, keep it too', async () => {
    await happen('ada');
    await disable();
    await disable();
    await change({ description: 'resting' });
    await service.call('POST', `${path()}/rotate-secret`, {
      as: project.key,
      body: { projectId: project.projectId },
    });
    await enable();
    await enable();
    expect(await service.dispatch()).toBe(1);
  });

  test('up to the length of the retry schedule: what is older is dropped, and counted', async () => {
    listener.answer = () => 500;
    await happen('ada');
    await service.dispatch();
    await happen('bob');
    service.clock.advance(2 * HOUR_MS);
    await happen('cid');
    await disable();
    expect(await audited()).toEqual({ enabled: false });
    service.clock.advance(72 * HOUR_MS);
    listener.answer = () => 200;
    const keyed = { 'idempotency-key': 'on' };
    const answer = await change({ enabled: true }, keyed);
    expect(answer).toMatchObject({ droppedDeliveries: 2, warnings: [] });
    expect(await audited()).toEqual({ enabled: true, droppedDeliveries: 2 });
    expect(await change({ enabled: true }, keyed)).toEqual(answer);
    expect(await service.dispatch()).toBe(1);
    expect(received().at(-1)).toBe('cid');
    expect(await deliveries()).toMatchObject([{ status: 'succeeded' }, { status: 'dropped' }]);
  });

  test('a replay begins the schedule anew', async () => {
    await happen('ada');
    await service.dispatch();
    service.clock.advance(100 * HOUR_MS);
    const { eventId } = (await deliveries())[0];
    await service.call('POST', `${path()}/replay`, {
      as: project.key,
      body: { projectId: project.projectId, eventIds: [eventId] },
    });
    await disable();
    service.clock.advance(HOUR_MS);
    expect(await enable()).toMatchObject({ droppedDeliveries: 0 });
    expect(await service.dispatch()).toBe(1);
  });

  test('what the previous version queued is as old as its event', async () => {
    await happen('ada');
    await service.database.transaction((tx) =>
      tx.query('update webhook_deliveries set queued_at = null where project_id = $1', [
        project.projectId,
      ]),
    );
    await disable();
    service.clock.advance(74 * HOUR_MS);
    expect(await enable()).toMatchObject({ droppedDeliveries: 1 });
  });

  test('it does not count as waiting for operators, and lags behind nothing', async () => {
    const pending = async () => (await createBacklogReader(service)())?.deliveries;
    const before = await pending();
    await happen('ada');
    service.clock.advance(HOUR_MS);
    expect((await pending())?.pending).toBe((before?.pending ?? 0) + 1);
    await disable();
    expect(await pending()).toEqual(before);
    await enable();
    await service.dispatch();
  });
});

describe('an attempt on its way when the endpoint is disabled', () => {
  function holding() {
    const sent: ((result: SendResult) => void)[] = [];
    const send = () => new Promise<SendResult>((resolve) => sent.push(resolve));
    const sender = { send, close: async () => undefined };
    return { sent, ...createDispatcher({ ...service.dispatchDeps, sender }) };
  }
  const answered = (status: number): SendResult => ({
    outcome: 'answered',
    status,
    bodyStart: '',
    latencyMs: 1,
  });

  test.each([
    [200, 'succeeded', 0],
    [500, 'pending', 1],
  ])('counts: after %s the delivery is %s', async (status, state, sentLater) => {
    const other = holding();
    await happen('ada');
    other.poke(project.projectId);
    await expect.poll(() => other.sent.length).toBe(1);
    await disable();
    other.sent[0]?.(answered(status));
    await other.stop();
    expect(await deliveries()).toMatchObject([{ status: state, attemptCount: 1 }]);
    service.clock.advance(HOUR_MS);
    await enable();
    expect(await service.dispatch()).toBe(sentLater);
  });

  test('is not doubled by disabling and enabling, nor dropped for its age', async () => {
    const other = holding();
    await happen('ada');
    service.clock.advance(80 * HOUR_MS);
    other.poke(project.projectId);
    await expect.poll(() => other.sent.length).toBe(1);
    await disable();
    expect(await enable()).toMatchObject({ droppedDeliveries: 0 });
    expect(await service.dispatch()).toBe(0);
    other.sent[0]?.(answered(200));
    await other.stop();
    expect(await deliveries()).toMatchObject([{ status: 'succeeded', attemptCount: 1 }]);
  });
});

test('deleting a disabled endpoint drops what waits', async () => {
  await happen('ada');
  await disable();
  await service.call('DELETE', path(), {
    as: project.key,
    query: { projectId: project.projectId },
  });
  expect(await service.dispatch()).toBe(0);
  const left = await service.database.reads.query(
    'select 1 from webhook_deliveries where project_id = $1',
    [project.projectId],
  );
  expect(left).toEqual([]);
});
