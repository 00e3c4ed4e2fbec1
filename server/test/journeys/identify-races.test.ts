import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type {
  Identification,
  IdentifyCommand,
} from '../../src/domain/attribution/decide-identify.ts';
import { makeIdentify } from '../../src/domain/attribution/identify.ts';
import { loadIdentities } from '../../src/domain/attribution/identities.ts';
import { lockHandles } from '../../src/domain/clicks/store.ts';
import type { ParticipantRef } from '../../src/domain/participants/schema.ts';
import { queueDeliveries } from '../../src/outbound/webhooks/queue/queue-deliveries.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { createProjectWriter } from '../../src/platform/feed/writer/writer.ts';
import type { WriteRequest } from '../../src/platform/http/access/principal.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';
import { rounds } from '../rounds.ts';

const [HANDLE_1, HANDLE_2, HANDLE_3] = ['1', '2', '3'].map((n) => `hdl_${n.padStart(26, '0')}`) as [
  string,
  string,
  string,
];

const LATER = '2027-02-01T00:00:00.000Z';

type Command = IdentifyCommand<ParticipantRef>;

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await openService();
});
beforeEach(async () => {
  project = await service.newProject();
});
afterAll(() => service.close());

const keyring = createKeyring(ROOT_KEY);
const person = (externalId: string): ParticipantRef => ({ kind: 'individual', externalId });

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
  return { identify: makeIdentify({ writer, keyring }), sizes };
}

const requestOf = ({ workspaceId, projectId }: TestProject): WriteRequest => ({
  workspaceId,
  projectId,
  actor: { type: 'system', id: 'test' },
  requestId: 'req_test',
  ip: null,
  idempotency: null,
});

const settle = (work: Promise<Identification>) =>
  work.then(
    (answer) => ({ answer }),
    (error: { reason: string | null; code: string }) => ({ refused: error.reason ?? error.code }),
  );

async function addHandles({ projectId }: TestProject, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await service.database.reads.query(
      'insert into handles (project_id, id, created_at, expires_at) values ($1, $2, $3, $4)',
      [projectId, id, service.clock.now, LATER],
    );
  }
}

function newGate(): { passed: Promise<void>; open: () => void } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** The same commands at once, from two processes, many from each. */
function race(commands: readonly Command[]) {
  const processes = [newProcess(), newProcess()];
  return Promise.all(
    commands.map((command, n) => {
      const { identify } = processes[n % 2] as ReturnType<typeof newProcess>;
      return settle(identify(requestOf(project), command));
    }),
  );
}

async function readAll({ projectId, key }: TestProject) {
  const { reads } = service.database;
  const handles = await reads.query(
    `select id, identified_participant_id as "participantId", identified_at as "identifiedAt"
     from handles where project_id = $1 order by id`,
    [projectId],
  );
  const references = await reads.query(
    `select key, handle_id as "handleId", expires_at as "expiresAt",
       participant_id as "participantId", resolved_at as "resolvedAt", created_at as "createdAt"
     from handle_references where project_id = $1 order by key`,
    [projectId],
  );
  const query = { projectId };
  const people = (await service.call('GET', '/v1/participants', { as: key, query })).body.data;
  const feed = (await service.call('GET', '/v1/webhook-events', { as: key, query })).body.events;
  return {
    handles,
    references,
    people: people as { id: string; kind: string; externalId: string }[],
    events: feed.map(({ type, data }: { type: string; data: unknown }) => ({ type, data })),
  };
}

describe('at once', () => {
  test('twenty times the same identification, over HTTP, gives one result twenty times', async () => {
    await addHandles(project, [HANDLE_1]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        service.call('POST', '/v1/identify', {
          as: project.key,
          body: { projectId: project.projectId, handle: HANDLE_1, participant: person('ada') },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const { people, events } = await readAll(project);
    expect(people).toHaveLength(1);
    expect(events).toHaveLength(1);
  });

  test('two people for one handle: one wins, the others are refused and not made', async () => {
    await addHandles(project, [HANDLE_1]);
    const outcomes = await race(
      Array.from({ length: 20 }, (_, n): Command => {
        // Each process has commands of both.
        const who = n % 4 < 2 ? 'ada' : 'bob';
        return { shape: 'handle_person', handle: HANDLE_1, person: person(who) };
      }),
    );
    const { handles, people, events } = await readAll(project);
    const [winner] = people;
    expect(people).toHaveLength(1);
    expect(events).toHaveLength(1);
    expect(handles).toMatchObject([{ participantId: winner?.id }]);
    const taken = outcomes.filter((outcome) => 'answer' in outcome);
    expect(taken).toHaveLength(10);
    for (const { answer } of taken) expect(answer.participantId).toBe(winner?.id);
    expect(outcomes.filter((outcome) => 'refused' in outcome)).toEqual(
      Array(10).fill({ refused: 'handle_already_identified' }),
    );
  });

  test('two people for one key: it is resolved once', async () => {
    await addHandles(project, [HANDLE_1]);
    const bind: Command = { shape: 'handle_key', handle: HANDLE_1, key: 'k', expiresAt: null };
    await newProcess().identify(requestOf(project), bind);
    const outcomes = await race(
      Array.from({ length: 20 }, (_, n): Command => {
        const who = n % 4 < 2 ? 'ada' : 'bob';
        return { shape: 'key_person', key: 'k', person: person(who) };
      }),
    );
    const { references, people } = await readAll(project);
    expect(people).toHaveLength(1);
    expect(references).toMatchObject([{ participantId: people[0]?.id }]);
    expect(outcomes.filter((outcome) => 'answer' in outcome)).toHaveLength(10);
    expect(outcomes.filter((outcome) => 'refused' in outcome)).toEqual(
      Array(10).fill({ refused: 'reference_resolved' }),
    );
  });

  test('two handles for one key: it stands for one', async () => {
    await addHandles(project, [HANDLE_1, HANDLE_2]);
    const outcomes = await race(
      Array.from({ length: 20 }, (_, n): Command => {
        const handle = n % 4 < 2 ? HANDLE_1 : HANDLE_2;
        return { shape: 'handle_key', handle, key: 'k', expiresAt: null };
      }),
    );
    expect((await readAll(project)).references).toHaveLength(1);
    expect(outcomes.filter((outcome) => 'answer' in outcome)).toHaveLength(10);
  });

  test('thirty keys for one handle: it carries twenty', async () => {
    await addHandles(project, [HANDLE_1]);
    const outcomes = await race(
      Array.from({ length: 30 }, (_, n): Command => {
        return { shape: 'handle_key', handle: HANDLE_1, key: `k${n}`, expiresAt: null };
      }),
    );
    expect((await readAll(project)).references).toHaveLength(20);
    expect(outcomes.filter((outcome) => 'refused' in outcome)).toEqual(
      Array(10).fill({ refused: 'limit_reached' }),
    );
  });
});

const who = fc.constantFrom(person('a'), person('b'), { kind: 'group' as const, externalId: 'a' });
const handle = fc.constantFrom(HANDLE_1, HANDLE_2, HANDLE_3, 'nothing');
const key = fc.constantFrom('k1', 'k2', 'k3', 'k "\\{}, NULL');
const command = fc.oneof(
  fc.record({ shape: fc.constant('handle_person' as const), handle, person: who }),
  fc.record({
    shape: fc.constant('handle_key' as const),
    handle,
    key,
    expiresAt: fc.constantFrom(null, '2026-11-20T00:00:00.000Z', '2020-01-01T00:00:00.000Z'),
  }),
  fc.record({ shape: fc.constant('key_person' as const), key, person: who }),
);

/** All that a Project shows, with ids replaced by who is meant. */
async function tell(of: TestProject, outcomes: unknown) {
  const all = await readAll(of);
  const names = new Map(all.people.map((one) => [one.id, `${one.kind} ${one.externalId}`]));
  return JSON.parse(
    JSON.stringify({ ...all, outcomes }, (_, value) => {
      if (typeof value !== 'string') return value;
      return value === of.projectId ? 'the project' : (names.get(value) ?? value);
    }),
  );
}

test('a batch of N leaves exactly what N batches of one leave', async () => {
  let largest = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 8, maxLength: 25 }), async (commands) => {
      const together = await service.newProject();
      await addHandles(together, [HANDLE_1, HANDLE_2, HANDLE_3]);
      const batching = newProcess();
      const batched = await Promise.all(
        commands.map((one) => settle(batching.identify(requestOf(together), one))),
      );
      largest = Math.max(largest, ...batching.sizes);

      const apart = await service.newProject();
      await addHandles(apart, [HANDLE_1, HANDLE_2, HANDLE_3]);
      const single = newProcess();
      const outcomes = [];
      for (const one of commands) {
        outcomes.push(await settle(single.identify(requestOf(apart), one)));
      }
      expect(await tell(together, batched)).toEqual(await tell(apart, outcomes));
    }),
    { numRuns: rounds(6, 25) },
  );
  expect(largest).toBeGreaterThan(5);
});

// The embedded database runs one transaction at a time: there is no click in between.
describe.runIf(inject('template').kind === 'postgres')('a click that comes in between', () => {
  const click = async (tx: Tx) => (await lockHandles(tx, project.projectId, [HANDLE_1])).length > 0;

  async function someoneWaits(): Promise<void> {
    for (;;) {
      const waiting = await service.database.reads.query(
        service.database.isDistributed()
          ? 'select 1 from citus_lock_waits'
          : `select 1 from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if (waiting.length > 0) return;
    }
  }

  test('and came first is waited for, so that its touch is there to be seen', async () => {
    await addHandles(project, [HANDLE_1]);
    const gate = newGate();
    const locked = newGate();
    const order: string[] = [];
    const clicked = service.database.transaction(async (tx) => {
      expect(await click(tx)).toBe(true);
      locked.open();
      await gate.passed;
      order.push('click');
    });
    await locked.passed;
    const loaded = service.database.transaction(async (tx) => {
      await loadIdentities(tx, keyring, project.projectId, { handles: [HANDLE_1], keys: [] });
      order.push('identify');
    });
    await someoneWaits();
    gate.open();
    await Promise.all([clicked, loaded]);
    expect(order).toEqual(['click', 'identify']);
  });

  test('and came second waits, and finds the handle closed', async () => {
    await addHandles(project, [HANDLE_1]);
    const gate = newGate();
    const locked = newGate();
    const identified = service.database.transaction(async (tx) => {
      await loadIdentities(tx, keyring, project.projectId, { handles: [HANDLE_1], keys: [] });
      locked.open();
      await gate.passed;
      await tx.query(
        `update handles set identified_participant_id = 'par_1', identified_at = $2
         where project_id = $1`,
        [project.projectId, service.clock.now],
      );
    });
    await locked.passed;
    const found = service.database.transaction(click);
    await someoneWaits();
    gate.open();
    await identified;
    expect(await found).toBe(false);
  });
});
