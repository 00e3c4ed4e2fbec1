import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeTracker } from '../../src/domain/tracking/batch/track-event.ts';
import { decideDueOnce } from '../../src/domain/tracking/due/worker.ts';
import { listAccounts } from '../../src/outbound/payouts/details/account-queries.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/kit/instant.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { followLink } from '../follow-link.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
let sourceNamespaceId: string;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  // The pages of applicants are limited per address and minute.
  service.clock.advance(MINUTE_MS);
  project = await service.newProject();
  sourceNamespaceId = (await post('/v1/sources', {})).sourceNamespaceId;
});

const person = (externalId: string) => ({ kind: 'individual', externalId });
const path = (of = project) => `/v1/projects/${of.projectId}/clock`;

const call = (method: 'POST' | 'PUT', where: string, body: object) =>
  service.call(method, where, { as: project.key, body: { projectId: project.projectId, ...body } });
async function send(method: 'POST' | 'PUT', where: string, body: object) {
  const answer = await call(method, where, body);
  expect([where, answer.status, answer.body]).toMatchObject([where, 200, {}]);
  return answer.body;
}
const post = (where: string, body: object) => send('POST', where, body);
const refusal = ({ status, body }: { status: number; body: { error: { reason: string } } }) => [
  status,
  body.error.reason,
];
async function read(where: string, query: Record<string, string> = {}) {
  const { body } = await service.call('GET', where, {
    as: project.key,
    query: { projectId: project.projectId, ...query },
  });
  return body;
}

const setClock = (now: unknown, as = project.key, of = project) =>
  service.call('PUT', path(of), { as, body: { now } });
const projectNow = async (): Promise<string> => (await read(path())).data.now;
async function move(ms: number): Promise<string> {
  const now = addMs(await projectNow(), ms);
  const { status, body } = await setClock(now);
  expect([status, body.data?.now]).toEqual([200, now]);
  return now;
}

async function newProgram(fields: object = {}): Promise<string> {
  const { data } = await post('/v1/programs', {
    kind: 'referral',
    name: 'Friends',
    config: { brandConfig: { landingPageUrl: 'https://example.com/welcome' } },
    ...fields,
  });
  await post(`/v1/programs/${data.id}/status`, { status: 'active' });
  return data.id;
}
const newLink = (programId: string) =>
  post('/v1/referral-links', { programId, participant: person('ada'), slug: 'ada' });
const newRule = (programId: string, terms: object, rest: object = {}) =>
  post('/v1/benefit-rules', {
    programId,
    eventType: 'signup',
    beneficiaryRole: 'referrer',
    name: 'Thanks',
    terms: {
      benefitKind: 'cash',
      fixedAmountMinor: '1000',
      currency: 'USD',
      currencyExponent: 2,
      ...terms,
    },
    ...rest,
  });
const signup = (externalId: string, rest: object = {}) =>
  post('/v1/track/events', {
    sourceNamespaceId,
    type: 'signup',
    participant: person(externalId),
    ...rest,
  });
const purchase = (externalId: string, rest: object = {}) =>
  post('/v1/track/events', {
    sourceNamespaceId,
    type: 'purchase',
    participant: person(externalId),
    sourceEventId: `order of ${externalId}`,
    purchase: { amountMinor: '5000', currency: 'USD' },
    ...rest,
  });
const click = async (body: object = { ref: 'ada' }) =>
  (
    await service.call('POST', '/v1/clicks', {
      body: { projectKey: project.projectKey, ...body },
    })
  ).body;
const follow = async () => {
  const answer = await followLink(`${service.url}/l/${project.projectKey}/ada`);
  return new URL(answer.headers.get('location') ?? '').searchParams;
};

describe('setting the clock of a sandbox Project (D-CLOCK-1)', () => {
  test('makes it that time, and time runs on from there', async () => {
    expect((await read(path())).data).toEqual({
      projectId: project.projectId,
      now: service.clock.now,
      offsetMs: 0,
    });
    const now = addMs(service.clock.now, 30 * DAY_MS);
    const { body } = await setClock(now.replace('Z', '+00:00'));
    const set = { projectId: project.projectId, now, offsetMs: 30 * DAY_MS };
    expect(body).toEqual({ success: true, data: set });
    expect((await read(path())).data).toEqual(set);
    service.clock.advance(1_500);
    expect((await read(path())).data).toEqual({ ...set, now: addMs(now, 1_500) });
    expect((await newPerson('ada')).createdAt).toBe(addMs(now, 1_500));
  });

  test('is for the operator too, and concerns no other Project', async () => {
    const other = await service.newProject();
    const now = addMs(service.clock.now, DAY_MS);
    expect((await setClock(now, 'operator')).status).toBe(200);
    const untouched = await service.call('GET', path(other), { as: other.key });
    expect(untouched.body.data).toMatchObject({ now: service.clock.now, offsetMs: 0 });
  });

  test('never goes back, nor further than ten years', async () => {
    const now = await move(30 * DAY_MS);
    service.clock.advance(1_000);
    for (const bad of [now, service.clock.now, addMs(service.clock.now, 3_650 * DAY_MS + 1)]) {
      const { status, body } = await setClock(bad);
      expect([status, body.error.details[0].path]).toEqual([400, 'now']);
    }
    expect(await projectNow()).toBe(addMs(now, 1_000));
    expect((await setClock(addMs(now, 1_000))).status).toBe(200);
    expect((await setClock(addMs(service.clock.now, 3_650 * DAY_MS))).status).toBe(200);
    await newPerson('ada');
  });

  test.each([
    ['nothing', {}],
    ['no time', { now: 'soon' }],
    ['a date alone', { now: '2027-01-01' }],
    ['null', { now: null }],
    ['a number', { now: 1_800_000_000_000 }],
    ['an offset instead', { offsetMs: 5 }],
    ['more than is known', { now: '2027-01-01T00:00:00Z', zone: 'UTC' }],
    ['a list', []],
  ])('refuses %s with 400', async (_name, body) => {
    const { status } = await service.call('PUT', path(), { as: project.key, body });
    expect(status).toBe(400);
    expect((await read(path())).data.offsetMs).toBe(0);
  });

  test('takes the Project’s id beside the path, but no other one (D-GEN-7)', async () => {
    const now = addMs(service.clock.now, DAY_MS);
    const put = (projectId: string) =>
      service.call('PUT', path(), { as: project.key, body: { projectId, now } });
    const get = (projectId: string) =>
      service.call('GET', path(), { as: project.key, query: { projectId } });
    const other = await service.newProject();
    for (const send of [put, get]) {
      expect((await send(project.projectId)).status).toBe(200);
      const { status, body } = await send(other.projectId);
      expect([status, body.error.details[0].path]).toEqual([400, 'projectId']);
    }
  });

  test('is refused for a live Project, which has the real time', async () => {
    const live = await service.newProject('live');
    const now = addMs(service.clock.now, DAY_MS);
    for (const as of [live.key, 'operator']) {
      expect(refusal(await setClock(now, as, live))).toEqual([409, 'invalid_transition']);
    }
    const { body } = await service.call('GET', path(live), { as: live.key });
    expect(body.data).toMatchObject({ now: service.clock.now, offsetMs: 0 });
  });

  test('needs programs:write; reading it programs:read; and a Project of one’s own', async () => {
    const newKey = async (permissions: string[]): Promise<string> => {
      const { body } = await service.call('POST', '/v1/api-keys', {
        as: 'operator',
        body: {
          workspaceId: project.workspaceId,
          environment: 'sandbox',
          name: 'Few',
          permissions,
        },
      });
      return body.key;
    };
    const now = addMs(service.clock.now, DAY_MS);
    const reader = await newKey(['programs:read']);
    expect((await setClock(now, reader)).status).toBe(403);
    expect((await service.call('GET', path(), { as: reader })).status).toBe(200);
    const tracker = await newKey(['track:write']);
    expect((await service.call('GET', path(), { as: tracker })).status).toBe(403);
    const other = await service.newProject();
    expect((await setClock(now, other.key)).status).toBe(404);
    const live = await service.newProject('live');
    expect((await setClock(now, live.key)).status).toBe(404);
    expect((await read(path())).data.offsetMs).toBe(0);
  });

  test('is in the audit log, with the real time at which somebody did it', async () => {
    await move(DAY_MS);
    service.clock.advance(1_000);
    const now = await move(DAY_MS);
    const { body } = await service.call('GET', '/v1/audit-log', {
      as: 'operator',
      query: { workspaceId: project.workspaceId, projectId: project.projectId },
    });
    expect(body.data[0]).toMatchObject({
      at: service.clock.now,
      action: 'project.set_clock',
      actorType: 'key',
      targetType: 'project',
      targetId: project.projectId,
      changes: { now, offsetMs: 2 * DAY_MS },
    });
  });

  test('answers a repeat under the same Idempotency-Key as the first time', async () => {
    const now = addMs(service.clock.now, 30 * DAY_MS);
    const put = () =>
      service.call('PUT', path(), {
        as: project.key,
        body: { now },
        headers: { 'idempotency-key': 'move' },
      });
    const first = await put();
    service.clock.advance(5_000);
    expect((await put()).body).toEqual(first.body);
    expect(await projectNow()).toBe(addMs(now, 5_000));
    service.clock.advance(DAY_MS - 5_000);
    expect((await put()).status).toBe(400);
  });
});

async function newPerson(externalId: string) {
  return (await send('PUT', '/v1/participants', { participant: person(externalId) })).data;
}

describe('by the Project’s clock', () => {
  test('facts are received and told', async () => {
    const now = await move(400 * DAY_MS);
    const { eventId } = await signup('bob');
    const event = (await read(`/v1/events/${eventId}`)).data;
    expect(event).toMatchObject({ occurredAt: now, receivedAt: now, createdAt: now });
    const { events } = await read('/v1/webhook-events');
    expect(events.map((one: { occurredAt: string }) => one.occurredAt)).toEqual([now, now]);
    const early = { occurredAt: addMs(now, 6 * MINUTE_MS) };
    const late = { occurredAt: addMs(now, -366 * DAY_MS) };
    for (const when of [early, late]) {
      const { status } = await call('POST', '/v1/track/events', {
        sourceNamespaceId,
        type: 'custom_thing',
        participant: person('bob'),
        sourceEventId: 'x',
        ...when,
      });
      expect(status).toBe(400);
    }
  });

  test('a Program begins and ends (D-PROG-2)', async () => {
    const programId = await newProgram({
      startDate: addMs(service.clock.now, 10 * DAY_MS),
      endDate: addMs(service.clock.now, 20 * DAY_MS),
    });
    await newLink(programId);
    const statuses = async () => [
      (await read(`/v1/programs/${programId}`)).data.status,
      (await read('/v1/programs')).data[0].status,
    ];
    expect((await follow()).get('ref')).toBeNull();
    expect((await click()).handle).toBeNull();
    await move(10 * DAY_MS - 1);
    expect((await click()).handle).toBeNull();
    await move(1);
    expect((await follow()).get('ref')).toMatch(/\w/);
    expect((await click()).handle).toMatch(/^hdl_/);
    expect(await statuses()).toEqual(['active', 'active']);
    await move(10 * DAY_MS);
    expect(await statuses()).toEqual(['ended', 'ended']);
    expect((await follow()).get('ref')).toBeNull();
    expect((await click()).handle).toBeNull();
  });

  test('a visit is counted, made a touch, and ends (D-CLICK-3, D-TOUCH-1)', async () => {
    const now = await move(30 * DAY_MS);
    await newLink(await newProgram());
    const token = (await follow()).get('service_click');
    const first = await click({ click: token });
    expect(first.expiresAt).toBe(addMs(now, 90 * DAY_MS));
    await service.flushClicks();
    const [counted] = await service.database.reads.query<{ day: string; touchId: string }>(
      `select to_char(c.day, 'YYYY-MM-DD') as day, t.id as "touchId"
       from click_counts c join touches t on t.project_id = c.project_id
       where c.project_id = $1`,
      [project.projectId],
    );
    expect(counted?.day).toBe(now.slice(0, 10));
    const touch = (await read(`/v1/touches/${counted?.touchId}`)).data;
    expect(touch).toMatchObject({ source: 'link', occurredAt: now, createdAt: now });
    const again = { ref: 'ada', handle: first.handle };
    const kept = await move(90 * DAY_MS - 1);
    expect(await click(again)).toEqual({ ...first, expiresAt: addMs(kept, 90 * DAY_MS) });
    await move(90 * DAY_MS);
    expect((await click(again)).handle).not.toBe(first.handle);
  });

  test('an attribution window passes (D-ATTR-1)', async () => {
    await newLink(await newProgram());
    const [soon, late] = [await click(), await click()];
    await move(90 * DAY_MS);
    const inside = await signup('bob', { identify: { handle: soon.handle } });
    expect(inside.processingReason).toBe('attributed');
    await move(1);
    const outside = await signup('eve', { identify: { handle: late.handle } });
    expect([outside.identified, outside.processingReason]).toEqual([true, 'outside_window']);
  });

  test('a reference key ends, and takes its end from there (D-IDENT-5)', async () => {
    await newLink(await newProgram());
    const { handle } = await click();
    await post('/v1/identify', { handle, reference: { key: 'cart' } });
    const resolve = (externalId: string) =>
      call('POST', '/v1/identify', { reference: { key: 'cart' }, participant: person(externalId) });
    const now = await move(DAY_MS);
    expect(refusal(await resolve('bob'))).toEqual([409, 'reference_expired']);
    const bound = await post('/v1/identify', { handle, reference: { key: 'cart-2' } });
    expect(bound.reference.expiresAt).toBe(addMs(now, DAY_MS));
    const far = { key: 'cart-3', expiresAt: addMs(now, 90 * DAY_MS) };
    expect((await post('/v1/identify', { handle, reference: far })).reference.status).toBe(
      'pending',
    );
  });

  test('a hold passes, though nobody writes (D-RWD-4)', async () => {
    const programId = await newProgram();
    await send('PUT', `/v1/programs/${programId}/delivery-settings`, {
      holdDays: 14,
      cashMethod: 'payout',
    });
    await newLink(programId);
    await newRule(programId, {});
    const now = await move(DAY_MS);
    await signup('bob', { refCode: 'ada' });
    const [reward] = (await read('/v1/rewards')).data;
    expect(reward).toMatchObject({ earnedAt: now, availableAt: addMs(now, 14 * DAY_MS) });
    const deliveries = async () => [
      (await read('/v1/rewards')).data[0].delivery,
      (await read(`/v1/rewards/${reward.id}`)).delivery,
    ];
    await move(14 * DAY_MS - 1);
    const held = { status: 'on_hold', reason: 'hold_period' };
    expect(await deliveries()).toMatchObject([held, held]);
    service.clock.advance(1);
    const waits = { status: 'pending', reason: 'awaiting_payout_details' };
    expect(await deliveries()).toMatchObject([waits, waits]);
  });

  test('terms take effect (D-TERM-5)', async () => {
    const programId = await newProgram();
    await newLink(programId);
    const effectiveAt = addMs(service.clock.now, 300 * DAY_MS);
    await newRule(programId, { effectiveAt });
    await signup('bob', { refCode: 'ada' });
    await move(300 * DAY_MS - 1);
    await signup('eve', { refCode: 'ada' });
    expect((await read('/v1/rewards')).data).toEqual([]);
    await move(1);
    await signup('kim', { refCode: 'ada' });
    const [reward] = (await read('/v1/rewards')).data;
    expect(reward.earnedAt).toBe(effectiveAt);
    const tooFar = addMs(await projectNow(), 367 * DAY_MS);
    const { status } = await call('POST', '/v1/benefit-rules', {
      programId,
      eventType: 'purchase',
      beneficiaryRole: 'referrer',
      name: 'Later',
      terms: { benefitKind: 'discount', rateBps: 100, effectiveAt: tooFar },
    });
    expect(status).toBe(400);
  });

  test('applications come and are decided, while their links and mails go by the real time', async () => {
    const programId = await newProgram({
      kind: 'affiliate',
      endDate: addMs(service.clock.now, 60 * DAY_MS),
      config: {
        brandConfig: { landingPageUrl: 'https://example.com' },
        partnerApplicationsOpen: true,
      },
    });
    const apply = (email: string) =>
      call('POST', '/v1/partner-applications', {
        programId,
        name: 'Ada',
        email,
        profileType: 'individual',
      });
    const appliedAt = await move(10 * DAY_MS);
    const { id } = (await apply('ada@example.com')).body.data;
    const find = async () => (await read('/v1/partner-applications')).data[0];
    const application = await find();
    expect(application).toMatchObject({ createdAt: appliedAt, updatedAt: appliedAt });
    const [mail] = await service.database.reads.query(
      'select mail_due_at from partner_applications where project_id = $1',
      [project.projectId],
    );
    expect(mail).toEqual({ mail_due_at: service.clock.now });

    const provenAt = await move(20 * DAY_MS);
    const verify = `${service.url}/partner-applications/verify`;
    const token = new URL(application.verificationUrl).searchParams.get('token') as string;
    const html = await (await fetch(`${verify}?token=${encodeURIComponent(token)}`)).text();
    const digest = /name="digest" value="([^"]*)"/.exec(html)?.[1] ?? '';
    await fetch(verify, { method: 'POST', body: new URLSearchParams({ token, digest }) });
    expect(await find()).toMatchObject({ emailVerifiedAt: provenAt, updatedAt: provenAt });

    await move(30 * DAY_MS);
    expect(refusal(await apply('eve@example.com'))).toEqual([409, 'program_not_open']);
    const approve = () => call('POST', `/v1/partner-applications/${id}/approve`, {});
    expect(refusal(await approve())).toEqual([409, 'program_not_open']);
    const partners = await service.database.reads.query(
      'select 1 from partners where workspace_id = $1',
      [project.workspaceId],
    );
    expect(partners).toEqual([]);
  });
});

describe('what came due', () => {
  const decided = async (eventId: string) => {
    const { processingState, processingReason } = (await read(`/v1/events/${eventId}`)).data;
    return [processingState, processingReason];
  };
  const runWorker = () =>
    decideDueOnce({
      database: service.database,
      writer: service.writer,
      onFailure: (error: unknown) => expect(error).toBeUndefined(),
      tracker: makeTracker({
        writer: service.writer,
        keyring: createKeyring(ROOT_KEY),
        listAccounts,
        onFailure: () => undefined,
      }),
      clock: service.clock,
      newId: makeNewId(service.clock.nowMs),
    });

  test('is done before the call answers: a purchase waited a day for its signup (D-EVT-3)', async () => {
    await newProgram();
    const { eventId, processingReason } = await purchase('bob');
    expect(processingReason).toBe('awaiting_attribution');
    await move(DAY_MS - 1);
    expect(await decided(eventId)).toEqual(['pending', 'awaiting_attribution']);
    const now = await move(1);
    expect(await decided(eventId)).toEqual(['processed', 'no_signup']);
    const { events } = await read('/v1/webhook-events');
    expect(events.at(-1)).toMatchObject({ type: 'event.recorded', occurredAt: now });
    expect(await runWorker()).toBe(0);
  });

  test('also under an Idempotency-Key, whose answer is the clock’s', async () => {
    await newProgram();
    const { eventId } = await purchase('bob');
    const now = addMs(service.clock.now, DAY_MS);
    const { body } = await service.call('PUT', path(), {
      as: project.key,
      body: { now },
      headers: { 'idempotency-key': 'move' },
    });
    expect(body.data).toMatchObject({ now });
    expect(await decided(eventId)).toEqual(['processed', 'no_signup']);
  });

  test('is done by the worker as time runs on, and only where it is due', async () => {
    await newProgram();
    const { eventId } = await purchase('bob');
    const moved = project;
    project = await service.newProject();
    sourceNamespaceId = (await post('/v1/sources', {})).sourceNamespaceId;
    await newProgram();
    const other = await purchase('bob');
    const unmoved = project;
    project = moved;
    await move(DAY_MS - HOUR_MS);
    service.clock.advance(HOUR_MS - 1);
    expect(await runWorker()).toBe(0);
    service.clock.advance(1);
    expect(await runWorker()).toBe(1);
    expect(await decided(eventId)).toEqual(['processed', 'no_signup']);
    project = unmoved;
    expect(await decided(other.eventId)).toEqual(['pending', 'awaiting_attribution']);
    service.clock.advance(DAY_MS - HOUR_MS);
    expect(await runWorker()).toBe(1);
    expect(await decided(other.eventId)).toEqual(['processed', 'no_signup']);
    expect(await runWorker()).toBe(0);
  });

  test('is done whole, however much it is', async () => {
    await newProgram();
    const people = 450;
    await post('/v1/track/events/batch', {
      events: Array.from({ length: people }, (_, n) => ({
        sourceNamespaceId,
        type: 'purchase',
        participant: person(`buyer-${n}`),
        sourceEventId: `order-${n}`,
        purchase: { amountMinor: '1', currency: 'USD' },
      })),
    });
    await move(DAY_MS);
    const rows = await service.database.reads.query<{ state: string; n: number }>(
      `select processing_reason as state, count(*)::int as n from events
       where project_id = $1 group by 1`,
      [project.projectId],
    );
    expect(rows).toEqual([{ state: 'no_signup', n: people }]);
  });
});

describe('by the real time', () => {
  test('API keys end', async () => {
    const { body } = await service.call('POST', '/v1/api-keys', {
      as: 'operator',
      body: {
        workspaceId: project.workspaceId,
        environment: 'sandbox',
        name: 'Short',
        permissions: 'full',
        expiresAt: addMs(service.clock.now, HOUR_MS),
      },
    });
    await move(30 * DAY_MS);
    expect((await service.call('GET', path(), { as: body.key })).status).toBe(200);
    service.clock.advance(HOUR_MS);
    expect((await service.call('GET', path(), { as: body.key })).status).toBe(401);
  });

  test('the token of a followed link works for ten minutes', async () => {
    await move(DAY_MS);
    await newLink(await newProgram());
    const [first, second] = [await follow(), await follow()];
    await move(DAY_MS);
    service.clock.advance(10 * MINUTE_MS - 1);
    expect((await click({ click: first.get('service_click') })).handle).toMatch(/^hdl_/);
    service.clock.advance(1);
    expect((await click({ click: second.get('service_click') })).handle).toBeNull();
  });
});
