import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDispatcher } from '../../src/outbound/webhooks/dispatch/dispatcher.ts';
import { LEASE_MS } from '../../src/outbound/webhooks/queue/claim-tasks.ts';
import type { SendResult } from '../../src/outbound/webhooks/sender/exchange.ts';
import type { OutgoingRequest, Sender } from '../../src/outbound/webhooks/sender/send-request.ts';
import { HOUR_MS } from '../../src/platform/kit/instant.ts';
import { addEndpoint } from '../endpoints.ts';
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
afterEach(async () => {
  vi.restoreAllMocks();
  await service.database.transaction((tx) => tx.query('delete from webhook_deliveries'));
});

/** One request that a `HeldSender` was given, which ends when the test says so. */
interface Held {
  readonly id: string;
  readonly url: string;
  answer(status: number): void;
}

/** Answers when the test says so, or at once with what `answers` gives. */
class HeldSender implements Sender {
  readonly held: Held[] = [];
  readonly sent: string[] = [];
  answers: (request: OutgoingRequest) => number | undefined = () => undefined;
  #onSend: (() => void)[] = [];

  send = (request: OutgoingRequest): Promise<SendResult> => {
    const id = request.headers['webhook-id'] as string;
    this.sent.push(id);
    const promise = new Promise<SendResult>((resolve) => {
      const answer = (status: number) =>
        resolve({ outcome: 'answered', status, bodyStart: '', latencyMs: 1 });
      const now = this.answers(request);
      if (now === undefined) this.held.push({ id, url: request.url, answer });
      else answer(now);
    });
    for (const tell of this.#onSend.splice(0)) tell();
    return promise;
  };
  close = async () => undefined;

  /** Resolves when that many requests were sent. */
  async reached(count: number): Promise<void> {
    while (this.sent.length < count) await new Promise<void>((tell) => this.#onSend.push(tell));
  }
}

function newDispatcher() {
  const sender = new HeldSender();
  return { sender, ...createDispatcher({ ...service.dispatchDeps, sender }) };
}
/** One that knows the Project's endpoints as quick, and holds what it sends from now on. */
async function newDispatcherThatKnows() {
  const dispatcher = newDispatcher();
  dispatcher.sender.answers = () => 200;
  await makeEvents(6, 'known');
  expect(await dispatcher.runOnce()).toBeGreaterThanOrEqual(6);
  dispatcher.sender.answers = () => undefined;
  dispatcher.sender.sent.length = 0;
  return dispatcher;
}
const hook = (url = 'https://a.example.com/') => addEndpoint(service, project, { url });

/** As many events as there are people in it. */
async function makeEvents(count: number, name = 'p'): Promise<void> {
  const people = Array.from({ length: count }, (_, index) => `${name}-${index}`);
  const answers = await Promise.all(
    people.map((externalId) =>
      service.call('PUT', '/v1/participants', {
        as: project.key,
        body: {
          projectId: project.projectId,
          participant: { kind: 'individual', externalId },
        },
      }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
}

/** What it knows of endpoints is then to be read again. */
function aSecondLater(): void {
  const later = performance.now() + 1_001;
  vi.spyOn(performance, 'now').mockReturnValue(later);
}

const rows = () =>
  service.database.reads.query<{
    attempts: number;
    is_retry: boolean;
    leased_until: string | null;
    lease_id: string | null;
  }>(
    `select attempts, is_retry, leased_until, lease_id from webhook_deliveries
     where project_id = $1 order by position`,
    [project.projectId],
  );
const outcomes = async () =>
  (
    await service.database.reads.query<{ outcome: string }>(
      'select outcome from webhook_attempts where project_id = $1 order by id',
      [project.projectId],
    )
  ).map(({ outcome }) => outcome);

describe('leases', () => {
  test('what one is sending, no other sends; what a dead one left is due when its lease ends', async () => {
    await hook();
    await makeEvents(1);
    const dead = newDispatcher();
    const heir = newDispatcher();
    heir.sender.answers = () => 200;
    dead.poke(project.projectId);
    await dead.sender.reached(1);
    service.clock.advance(LEASE_MS - 1);
    expect(await heir.runOnce()).toBe(0);
    service.clock.advance(1);
    expect(await heir.runOnce()).toBe(1);
    expect(await rows()).toEqual([]);
    expect(heir.sender.sent).toEqual(dead.sender.sent);
  });

  test('a success that comes after its lease ended is told, and who has it now sends it once more', async () => {
    await hook();
    await makeEvents(1);
    const slow = newDispatcher();
    const heir = newDispatcher();
    slow.poke(project.projectId);
    await slow.sender.reached(1);
    service.clock.advance(LEASE_MS);
    heir.poke(project.projectId);
    await heir.sender.reached(1);
    const before = await rows();
    slow.sender.held[0]?.answer(200);
    await slow.stop();
    expect(await rows()).toEqual(before);
    heir.sender.held[0]?.answer(200);
    await heir.stop();
    expect(await rows()).toEqual([]);
    expect(await outcomes()).toEqual(['succeeded', 'succeeded']);
  });

  test('a failure that comes after its lease ended leaves the delivery to who has it now', async () => {
    await hook();
    await makeEvents(1);
    const slow = newDispatcher();
    const heir = newDispatcher();
    slow.poke(project.projectId);
    await slow.sender.reached(1);
    service.clock.advance(LEASE_MS);
    heir.poke(project.projectId);
    await heir.sender.reached(1);
    const before = await rows();
    slow.sender.held[0]?.answer(500);
    await slow.stop();
    expect(await rows()).toEqual(before);
    heir.sender.held[0]?.answer(500);
    await heir.stop();
    expect(await rows()).toMatchObject([{ attempts: 1, is_retry: true, lease_id: null }]);
  });

  test('several at once send each delivery once', async () => {
    await Promise.all([hook(), hook('https://b.example.com/')]);
    await makeEvents(150);
    const dispatchers = [newDispatcher(), newDispatcher(), newDispatcher()];
    for (const { sender } of dispatchers) sender.answers = () => 200;
    const counts = await Promise.all(dispatchers.map((one) => one.runOnce()));
    expect(counts.reduce((sum, count) => sum + count)).toBe(300);
    expect(await rows()).toEqual([]);
    expect(await outcomes()).toHaveLength(300);
  });

  test('a stop gives back what was not sent, waits for what was, and sends no more', async () => {
    await hook();
    const stopped = await newDispatcherThatKnows();
    await makeEvents(50);
    stopped.poke(project.projectId);
    await stopped.sender.reached(32);
    const stopping = stopped.stop();
    for (const { answer } of stopped.sender.held) answer(200);
    await stopping;
    expect(stopped.sender.sent).toHaveLength(32);
    expect(await rows()).toHaveLength(18);
    expect(new Set((await rows()).map(({ lease_id }) => lease_id))).toEqual(new Set([null]));
    stopped.poke(project.projectId);
    const heir = newDispatcher();
    heir.sender.answers = () => 200;
    expect(await heir.runOnce()).toBe(18);
    expect(stopped.sender.sent).toHaveLength(32);
  });
});

describe('fairness', () => {
  test('an endpoint that hangs on every call keeps nothing from the others', async () => {
    await hook('https://hangs.example.com/');
    await hook('https://well.example.com/');
    await makeEvents(200);
    const { sender, poke, stop } = newDispatcher();
    sender.answers = ({ url }) => (url.includes('well') ? 200 : undefined);
    poke(project.projectId);
    await sender.reached(201);
    expect(sender.held).toHaveLength(1);
    for (const { answer } of sender.held) answer(200);
    await stop();
  });

  test('first attempts do not wait for a crowd of retries, nor retries for first attempts', async () => {
    await hook();
    const { sender, poke, stop } = await newDispatcherThatKnows();
    await makeEvents(300, 'old');
    await service.database.transaction((tx) =>
      tx.query(
        `update webhook_deliveries set is_retry = true, attempts = 1, due_at = $2
         where project_id = $1`,
        [project.projectId, service.clock.now],
      ),
    );
    await makeEvents(300, 'new');
    poke(project.projectId);
    await sender.reached(40);
    expect(sender.held).toHaveLength(40);
    for (const { answer } of sender.held) answer(200);
    await stop();
  });

  test('an endpoint of a Project gets what comes while another has no slot left', async () => {
    await hook('https://hangs.example.com/');
    await makeEvents(600);
    const { sender, poke, stop } = newDispatcher();
    sender.answers = ({ url }) => (url.includes('well') ? 200 : undefined);
    poke(project.projectId);
    await sender.reached(1);
    await hook('https://well.example.com/');
    await makeEvents(1, 'late');
    aSecondLater();
    poke(project.projectId);
    await sender.reached(2);
    expect(sender.held).toHaveLength(1);
    for (const { answer } of sender.held) answer(200);
    await stop();
  });
});

describe('an endpoint that does not answer', () => {
  test('gets one at a time from the first on, and one that is quick gets all at once', async () => {
    await hook('https://hangs.example.com/');
    const hanging = newDispatcher();
    await makeEvents(20);
    hanging.poke(project.projectId);
    await hanging.sender.reached(1);
    await hanging.poll();
    expect(await leasedCount()).toBe(1);
    expect(hanging.sender.held).toHaveLength(1);
    // Once it answers, it gets the rest, and ever more at the same time.
    hanging.sender.answers = () => 200;
    hanging.sender.held[0]?.answer(200);
    await hanging.sender.reached(20);
    await hanging.stop();
  });

  test('gives back what was leased ahead when it falls silent, for other processes to send', async () => {
    await hook();
    const silent = await newDispatcherThatKnows();
    await makeEvents(50);
    silent.poke(project.projectId);
    await silent.sender.reached(32);
    await vi.waitUntil(async () => (await leasedCount()) === 32, 10_000);
    const other = newDispatcher();
    other.sender.answers = () => 200;
    expect(await other.runOnce()).toBe(18);
    for (const { answer } of silent.sender.held) answer(200);
    await silent.stop();
    expect(new Set([...silent.sender.sent, ...other.sender.sent]).size).toBe(50);
    expect(await outcomes()).toHaveLength(56);
  });

  test('asks no more of the database, however many hang and however often it polls', async () => {
    for (let n = 0; n < 9; n += 1) await hook(`https://hangs-${n}.example.com/`);
    await makeEvents(10);
    let transactions = 0;
    const sender = new HeldSender();
    const database = {
      ...service.database,
      transaction: (async (body) => {
        transactions += 1;
        return service.database.transaction(body);
      }) as typeof service.database.transaction,
    };
    const dispatcher = createDispatcher({ ...service.dispatchDeps, database, sender });
    await dispatcher.poll();
    await sender.reached(9);
    const before = transactions;
    for (let polls = 0; polls < 5; polls += 1) await dispatcher.poll();
    expect(transactions).toBe(before);
    expect(sender.sent).toHaveLength(9);
    for (const { answer } of sender.held) answer(200);
    await dispatcher.stop();
  });

  const leasedCount = async () => (await rows()).filter(({ lease_id }) => lease_id !== null).length;
});

test('what waits so long that its lease is short is given back, and all behind it with it', async () => {
  await hook();
  const { sender, poke, stop } = await newDispatcherThatKnows();
  await makeEvents(50);
  poke(project.projectId);
  await sender.reached(32);
  service.clock.advance(LEASE_MS - 11_000);
  sender.held[0]?.answer(200);
  const isGivenBack = async () =>
    (await rows()).filter(({ lease_id }) => lease_id === null).length === 18;
  await vi.waitUntil(isGivenBack, 10_000);
  expect(sender.sent).toHaveLength(32);
  for (const { answer } of sender.held) answer(200);
  await stop();
});

test('one event that cannot be rendered keeps none of the others', async () => {
  await hook();
  await makeEvents(3);
  await service.database.transaction((tx) =>
    tx.query(
      `update feed_events set data = '{"participant":{"$party":"par_nobody"}}'
       where project_id = $1 and position = 2`,
      [project.projectId],
    ),
  );
  const { sender, poke, stop } = newDispatcher();
  sender.answers = () => 200;
  poke(project.projectId);
  await sender.reached(2);
  await stop();
  expect(await rows()).toMatchObject([{ attempts: 0, is_retry: false }]);
  expect(service.log.join()).toContain('par_nobody');
});

describe('queues that were given up', () => {
  const disable = (queue: string | null) =>
    service.database.transaction((tx) =>
      tx.query('update webhook_endpoints set queue_id = $2 where project_id = $1', [
        project.projectId,
        queue,
      ]),
    );

  test('what waits under them is not sent, and goes', async () => {
    await hook();
    await makeEvents(3);
    await disable(null);
    const dispatcher = newDispatcher();
    expect(await dispatcher.runOnce()).toBe(0);
    expect(dispatcher.sender.sent).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('what a process had leased already is not sent once it looks again', async () => {
    await hook();
    const { sender, poke, stop } = await newDispatcherThatKnows();
    await makeEvents(50);
    poke(project.projectId);
    await sender.reached(32);
    await disable('whq_another');
    aSecondLater();
    for (const { answer } of sender.held) answer(200);
    await stop();
    expect(sender.sent).toHaveLength(32);
  });
});

describe('clocks', () => {
  test('a first attempt does not wait for a clock that was turned back', async () => {
    await hook();
    await makeEvents(1);
    service.clock.advance(-3 * HOUR_MS);
    const { sender, runOnce } = newDispatcher();
    sender.answers = () => 200;
    expect(await runOnce()).toBe(1);
    service.clock.advance(3 * HOUR_MS);
  });

  test('a retry put off, or leased, by a clock that ran ahead comes back', async () => {
    await hook();
    const ahead = await newDispatcherThatKnows();
    await makeEvents(2);
    const known = (await outcomes()).length;
    service.clock.advance(5 * HOUR_MS);
    ahead.poke(project.projectId);
    await ahead.sender.reached(2);
    ahead.sender.held[0]?.answer(500);
    await vi.waitUntil(async () => (await outcomes()).length > known, 10_000);
    service.clock.advance(-5 * HOUR_MS);
    const sane = newDispatcher();
    sane.sender.answers = () => 200;
    expect(await sane.runOnce()).toBe(2);
    expect(await rows()).toEqual([]);
  });
});
