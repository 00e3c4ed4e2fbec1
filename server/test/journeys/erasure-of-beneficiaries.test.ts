import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { voidUnsettled } from '../../src/domain/rewards/change/erase-rewards.ts';
import { saveChangedRewards } from '../../src/domain/rewards/change/save-rewards.ts';
import { figuresOf } from '../../src/domain/rewards/decide/reward-figures.ts';
import type { FulfillmentStatus } from '../../src/domain/rewards/decide/states.ts';
import { withDelivery } from '../../src/domain/rewards/reward.ts';
import type { ProjectWrite } from '../../src/platform/feed/writer/project-write.ts';
import { saveFigures } from '../../src/platform/figures/figures.ts';
import { differenceOf } from '../../src/platform/figures/tally.ts';
import { ownRequest } from '../../src/platform/http/access/principal.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { MINUTE_MS } from '../../src/platform/kit/instant.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { eraseInProject } from '../../src/surfaces/privacy/erase-participant.ts';
import { resumeErasures } from '../../src/surfaces/privacy/worker.ts';
import { EACH_FIGURE } from '../figures.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';
import { expectCountedRewards } from '../recount.ts';
import { loadRewardsOfEvent } from '../rewards-of-event.ts';

let service: TestService;
let project: TestProject;
let sourceNamespaceId: string;
let programId: string;
let ada: string;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
/** Ada has a link, bob came by it, and every purchase of his earns her cash and gigabytes. */
beforeEach(async () => {
  project = await service.newProject();
  sourceNamespaceId = (await write('/v1/sources', {})).body.sourceNamespaceId;
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const program = await write('/v1/programs', { kind: 'referral', name: 'Invite', config });
  programId = program.body.data.id;
  await write(`/v1/programs/${programId}/status`, { status: 'active' });
  const participant = person('ada');
  await write('/v1/referral-links', { programId, participant, slug: 'ada' });
  const found = await read('/v1/participants', { externalId: 'ada' });
  ada = found.body.data[0].id;
  await addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 });
  await addRule({
    benefitKind: 'custom',
    quantity: 5,
    unit: { key: 'gigabyte', name: 'gigabyte', namePlural: 'gigabytes' },
  });
  await track({ type: 'signup', participant: person('bob'), refCode: 'ada' });
});

const person = (externalId: string) => ({ kind: 'individual', externalId });
const write = (path: string, body: object) =>
  service.call('POST', path, { as: project.key, body: { projectId: project.projectId, ...body } });
const read = (path: string, query: Record<string, string> = {}) =>
  service.call('GET', path, { as: project.key, query: { projectId: project.projectId, ...query } });
const addRule = (terms: object) =>
  write('/v1/benefit-rules', {
    programId,
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    purpose: 'bonus',
    name: 'Thanks',
    terms: { durationMode: 'forever', ...terms },
  });
const track = (body: object) => write('/v1/track/events', { sourceNamespaceId, ...body });
const order = (n: number) => ({
  sourceNamespaceId,
  type: 'purchase',
  participant: person('bob'),
  sourceEventId: `order-${n}`,
  purchase: { amountMinor: '1000', currency: 'USD' },
});
const buy = async (n: number): Promise<string> =>
  (await write('/v1/track/events', order(n))).body.eventId;
async function buyMany(from: number, to: number): Promise<void> {
  const events = Array.from({ length: to - from + 1 }, (_, index) => order(from + index));
  const { body } = await write('/v1/track/events/batch', { events });
  for (const result of body.results) expect(result).toMatchObject({ success: true });
}
const erase = (query: Record<string, string> = {}, id = ada, as: string = project.key) =>
  service.call('DELETE', `/v1/participants/${id}`, {
    as,
    query: { projectId: project.projectId, ...query },
  });
const eraseByBody = (body: object, query: Record<string, string> = {}) =>
  service.call('DELETE', `/v1/participants/${ada}`, { as: project.key, body, query });
const force = { force: 'true' };

// biome-ignore lint/suspicious/noExplicitAny: events of every type
async function feed(): Promise<any[]> {
  const all = [];
  for (let after: string | undefined; ; ) {
    const query = { limit: '500', ...(after ? { after } : {}) };
    const { body } = await read('/v1/webhook-events', query);
    if (body.events.length === 0) return all;
    all.push(...body.events);
    after = body.next;
  }
}
// biome-ignore lint/suspicious/noExplicitAny: the answer's own shape
async function rewards(query: Record<string, string> = {}): Promise<any[]> {
  const all = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = { limit: '100', ...(cursor ? { cursor } : {}), ...query };
    const { body }: { body: { data: object[]; nextCursor: string | null } } = await read(
      '/v1/rewards',
      page,
    );
    all.push(...body.data);
    cursor = body.nextCursor;
  }
  return all;
}

function run<A>(body: (write: ProjectWrite) => Promise<A>): Promise<A> {
  const request = {
    workspaceId: project.workspaceId,
    projectId: project.projectId,
    actor: { type: 'system', id: 'test' },
    requestId: 'req_test',
    ip: null,
    idempotency: null,
  } as const;
  return service.writer.run(request, async (one) => ({ answer: await body(one) }));
}

/** Moves all Rewards of an Event, as a delivery would. */
function move(eventId: string, fulfillmentStatus: FulfillmentStatus): Promise<null> {
  return run(async ({ tx, projectId, now }) => {
    const before = await loadRewardsOfEvent(tx, projectId, eventId);
    const after = before.map((row) => withDelivery({ ...row, fulfillmentStatus }, now));
    saveChangedRewards(tx, projectId, after);
    saveFigures(
      tx,
      projectId,
      differenceOf(
        before.flatMap((row) => figuresOf(row)),
        after.flatMap((row) => figuresOf(row)),
      ),
    );
    return null;
  });
}

const net = async () => {
  const [row] = await service.database.reads.query<{ value: string }>(
    `select value::text as value from ${EACH_FIGURE} as f
     where project_id = $1 and subject = $2 and part = $3 and name = 'net:USD'`,
    [project.projectId, ada, programId],
  );
  return row?.value;
};

describe('somebody who still waits for Rewards (D-PART-5)', () => {
  test.each(['pending', 'in_progress'] as const)(
    'is not erased while one is %s, and nothing changes',
    async (status) => {
      await move(await buy(1), status);
      const [feedBefore, listed] = [await feed(), await rewards()];
      for (const answer of [await erase(), await erase({ force: 'false' })]) {
        expect([answer.status, answer.body.error.reason]).toEqual([409, 'unsettled_rewards']);
      }
      expect([await feed(), await rewards()]).toEqual([feedBefore, listed]);
      const shown = (await read(`/v1/participants/${ada}`)).body.data.participant;
      expect(shown).toMatchObject({ externalId: 'ada', deletedAt: null });
    },
  );

  test.each(['fulfilled', 'failed', 'cancelled', 'revocation_pending', 'revoked'] as const)(
    'no longer does once all are %s, and is erased without force',
    async (status) => {
      await move(await buy(1), status);
      const before = (await feed()).length;
      expect((await erase()).status).toBe(200);
      expect(await feed()).toHaveLength(before);
      expect((await rewards()).map((one) => [one.fulfillmentStatus, one.void])).toEqual([
        [status, null],
        [status, null],
      ]);
    },
  );

  test('is only the one who is to get them: who caused them is erased at any time', async () => {
    await buy(1);
    const bob = (await read('/v1/participants', { externalId: 'bob' })).body.data[0].id;
    expect((await erase({}, bob)).status).toBe(200);
    expect((await rewards()).map((one) => one.fulfillmentStatus)).toEqual(['pending', 'pending']);
  });
});

describe('with force (D-PART-5, D-RWD-3)', () => {
  test('what is pending is cancelled, what is on its way is voided, the rest stays', async () => {
    const [pending, sent, granted] = [await buy(1), await buy(2), await buy(3)];
    await move(sent, 'in_progress');
    await move(granted, 'fulfilled');
    expect(await net()).toBe('300');
    const told = (await feed()).length;
    service.clock.advance(1_000);
    const answer = await erase(force);
    expect([answer.status, answer.body.data.deletedAt]).toEqual([200, service.clock.now]);

    const voided = { reasonCode: 'participant_deleted', reason: null, voidedAt: service.clock.now };
    const of = async (eventId: string) => (await rewards({ eventId })).toReversed();
    const cancelled = {
      fulfillmentStatus: 'cancelled',
      delivery: { status: 'cancelled', reason: 'voided' },
      void: voided,
    };
    expect(await of(pending)).toMatchObject([cancelled, cancelled]);
    const underWay = {
      fulfillmentStatus: 'in_progress',
      delivery: { status: 'processing', reason: 'provider_pending' },
      void: voided,
    };
    expect(await of(sent)).toMatchObject([underWay, underWay]);
    const kept = { fulfillmentStatus: 'fulfilled', void: null };
    expect(await of(granted)).toMatchObject([kept, kept]);

    // Each is told, in the order of earning, as the void left it and under the erased name.
    const news = (await feed()).slice(told);
    expect(news.map(({ type }) => type)).toEqual(Array(4).fill('reward.voided'));
    const shown = [...(await of(pending)), ...(await of(sent))];
    expect(news.map(({ data }) => data.reward)).toEqual(shown);
    expect(shown[0].beneficiary.externalId).toBe(`deleted_${ada}`);

    expect(await net()).toBe('100');
    await expectCountedRewards(service, project);
    const { customTotals } = (await read(`/v1/programs/${programId}/summary`)).body.data;
    expect(customTotals).toMatchObject([
      { earnedQuantity: 15, fulfilledQuantity: 5, pendingQuantity: 5, voidedQuantity: 5 },
    ]);
  });

  test('nobody comes back, and nothing is earned any more', async () => {
    await buy(1);
    const first = await erase(force);
    const told = (await feed()).length;
    await buy(2);
    expect((await feed()).slice(told).map(({ type }) => type)).toEqual(['event.recorded']);
    expect(await rewards()).toHaveLength(2);
    const link = { programId, participant: person('ada'), slug: 'ada-2' };
    const back = await write('/v1/referral-links', link);
    expect([back.status, back.body.error.reason]).toEqual([409, 'participant_deleted']);
    service.clock.advance(1_000);
    expect((await erase(force)).body).toEqual(first.body);
    expect((await erase()).body).toEqual(first.body);
    await expectCountedRewards(service, project);
  });

  test('the audit log tells how many Rewards it cost', async () => {
    await buy(1);
    await erase(force);
    const audit = await service.call('GET', '/v1/audit-log', {
      as: 'operator',
      query: { workspaceId: project.workspaceId },
    });
    expect(audit.body.data[0]).toMatchObject({
      action: 'participant.erase',
      targetId: ada,
      changes: { voidedRewards: 2 },
    });
  });

  test('it may stand in a body, and comes from the operator too', async () => {
    const { projectId } = project;
    await buy(1);
    for (const [body, query] of [
      [{ projectId, force: 'true' }, {}],
      [{ projectId, force: true }, { force: 'false' }],
      [{ projectId, forced: true }, {}],
      [{ projectId: 'prj_other', force: true }, { projectId }],
    ] as const) {
      expect((await eraseByBody(body, query)).status).toBe(400);
    }
    expect((await erase({ force: 'yes' })).status).toBe(400);
    expect((await eraseByBody({ projectId, force: null })).status).toBe(409);
    expect((await eraseByBody({ projectId, force: false })).status).toBe(409);
    const forced = await eraseByBody({ projectId, force: true });
    expect(forced.status).toBe(200);
    expect((await eraseByBody({ force: true }, { projectId })).body).toEqual(forced.body);

    const carl = (await track({ type: 'signup', participant: person('carl') })).body.participantId;
    expect((await erase(force, carl, 'operator')).status).toBe(200);
  });
});

describe('with more Rewards than go under one lock', () => {
  const voids = async () => (await feed()).filter(({ type }) => type === 'reward.voided');

  test('all are voided in slices, once each, in the order of earning', async () => {
    await buyMany(1, 260);
    await buyMany(261, 520);
    const told = (await feed()).length;
    const answer = await erase(force);
    expect([answer.status, answer.body.data.externalId]).toEqual([200, `deleted_${ada}`]);
    const news = (await feed()).slice(told);
    expect(news).toHaveLength(1_040);
    expect(news.every(({ type }) => type === 'reward.voided')).toBe(true);
    const ids = news.map(({ data }) => data.reward.id);
    expect(ids).toEqual((await rewards()).map(({ id }) => id).toReversed());
    const audit = await service.call('GET', '/v1/audit-log', {
      as: 'operator',
      query: { workspaceId: project.workspaceId },
    });
    const steps = audit.body.data.slice(0, 3).toReversed();
    expect(
      steps.map((one: { action: string; changes: object }) => [one.action, one.changes]),
    ).toEqual([
      ['participant.void_rewards', { voidedRewards: 500 }],
      ['participant.void_rewards', { voidedRewards: 500 }],
      ['participant.erase', { voidedRewards: 40 }],
    ]);
    await expectCountedRewards(service, project);
  });

  test('exactly a slice leaves nothing behind', async () => {
    await buyMany(1, 250);
    expect((await erase(force)).status).toBe(200);
    expect(await voids()).toHaveLength(500);
  });

  test('a crash between slices leaves whole facts, and erasing again goes on', async () => {
    // Voided and still on its way, this one is no work for the second time.
    await move(await buy(1), 'in_progress');
    await buyMany(2, 300);
    // As a process leaves it that ended after its first slice.
    await run((one) => voidUnsettled(one, ada, 'participant_deleted', 500));
    await expectCountedRewards(service, project);
    const shown = (await read(`/v1/participants/${ada}`)).body.data.participant;
    expect(shown).toMatchObject({ externalId: 'ada', deletedAt: null });
    const unforced = await erase();
    expect(unforced.body.error.reason).toBe('unsettled_rewards');
    expect((await erase(force)).status).toBe(200);
    expect(await voids()).toHaveLength(600);
    await expectCountedRewards(service, project);
  });

  test('a process that died between slices is succeeded by a worker', async () => {
    await buyMany(1, 300);
    const { database, writer, clock } = service;
    const deps = { database, writer, clock, keyring: createKeyring(ROOT_KEY) };
    // As a process leaves it that ended after its first slice.
    const { workspaceId, projectId } = project;
    const request = { ...ownRequest(projectId, 'test', 'req_test'), workspaceId };
    expect(await eraseInProject(deps, request, ada, true)).toBeNull();
    clock.advance(10 * MINUTE_MS);
    const failures: unknown[] = [];
    const onFailure = (error: unknown) => failures.push(error);
    const newId = makeNewId(clock.nowMs);
    expect([await resumeErasures({ ...deps, newId, onFailure }), failures]).toEqual([1, []]);
    const shown = (await read(`/v1/participants/${ada}`)).body.data.participant;
    expect(shown.externalId).toBe(`deleted_${ada}`);
    expect(await voids()).toHaveLength(600);
    await expectCountedRewards(service, project);
    const audit = await service.call('GET', '/v1/audit-log', {
      as: 'operator',
      query: { workspaceId },
    });
    expect(audit.body.data[0]).toMatchObject({
      action: 'participant.erase',
      actorType: 'system',
      actorId: 'privacy',
      targetId: ada,
    });
  });

  test('two at once, while more is earned, void each Reward once and leave none behind', async () => {
    await buyMany(1, 300);
    const [one, other] = await Promise.all([
      erase(force),
      erase(force),
      buyMany(301, 310),
      buyMany(311, 320),
    ]);
    expect([one.status, one.body]).toEqual([200, other.body]);
    const all = await rewards();
    expect(all.every((reward) => reward.fulfillmentStatus === 'cancelled')).toBe(true);
    const ids = (await voids()).map(({ data }) => data.reward.id);
    expect(ids.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    await expectCountedRewards(service, project);
  });
});
