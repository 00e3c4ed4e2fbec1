import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { saveRewardChanges } from '../../src/domain/rewards/change/save-rewards.ts';
import { type RewardRow, withDelivery } from '../../src/domain/rewards/reward.ts';
import type { ProjectWrite } from '../../src/platform/feed/writer/project-write.ts';
import { addMs, DAY_MS } from '../../src/platform/kit/instant.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';
import { loadRewardsOfEvent } from '../rewards-of-event.ts';

let service: TestService;
let project: TestProject;
let sourceNamespaceId: string;
let programId: string;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
/** Ada has a link, bob came by it, and every purchase of his earns her one of each kind. */
/** Each test gets a copy of this one. */
let original: TestProject;
beforeAll(async () => {
  original = await service.newProject();
  project = original;
  sourceNamespaceId = (await post('/v1/sources', {})).body.sourceNamespaceId;
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const program = await post('/v1/programs', { kind: 'referral', name: 'Invite', config });
  programId = program.body.data.id;
  await post(`/v1/programs/${programId}/status`, { status: 'active' });
  await post('/v1/referral-links', { programId, participant: person('ada'), slug: 'ada' });
  await addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 });
  await addRule({ ...CREDIT, rateBps: 500 });
  await addRule({ benefitKind: 'discount', rateBps: 2_000 });
  await addRule({
    benefitKind: 'custom',
    quantity: 5,
    unit: { key: 'gigabyte', name: 'gigabyte', namePlural: 'gigabytes' },
  });
  await track({ type: 'signup', participant: person('bob'), refCode: 'ada' });
});
beforeEach(async () => {
  project = await service.copyProject(original);
});

const CREDIT = { benefitKind: 'credit', calculation: 'percentage' };
const person = (externalId: string) => ({ kind: 'individual', externalId });
const post = (path: string, body: object, as = project.key, headers = {}) =>
  service.call('POST', path, { as, headers, body: { projectId: project.projectId, ...body } });
const read = (path: string, query: Record<string, string> = {}) =>
  service.call('GET', path, { as: project.key, query: { projectId: project.projectId, ...query } });
const addRule = (terms: object) =>
  post('/v1/benefit-rules', {
    programId,
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    purpose: 'bonus',
    name: 'Thanks',
    terms: { durationMode: 'forever', ...terms },
  });
const setDelivery = (choice: object) =>
  service.call('PUT', `/v1/programs/${programId}/delivery-settings`, {
    as: project.key,
    body: { projectId: project.projectId, ...choice },
  });
const track = (body: object) => post('/v1/track/events', { sourceNamespaceId, ...body });
/** The ids of what an order earned, by kind. */
async function buy(sourceEventId = 'order'): Promise<Record<string, string>> {
  const { body } = await track({
    type: 'purchase',
    participant: person('bob'),
    sourceEventId,
    purchase: { amountMinor: '1000', currency: 'USD' },
  });
  const { body: page } = await read('/v1/rewards', { eventId: body.eventId });
  return Object.fromEntries(
    page.data.map((one: { benefitKind: string; id: string }) => [one.benefitKind, one.id]),
  );
}
const adjust = (kind: string, more: object = {}) =>
  post('/v1/track/adjustments', {
    sourceNamespaceId,
    sourceEventId: kind,
    purchase: { sourceEventId: 'order' },
    kind,
    amountMinor: '1000',
    currency: 'USD',
    currencyExponent: 2,
    occurredAt: service.clock.now,
    ...more,
  });
const grant = (id: string | undefined, externalReference = 'grant-1', as?: string) =>
  post(`/v1/rewards/${id}/fulfillment`, { externalReference }, as);
const takeBack = (id: string | undefined, externalReference = 'back-1') =>
  post(`/v1/rewards/${id}/revocation`, { externalReference });
const makeVoid = (id: string | undefined, reasonCode = 'fraud', more: object = {}) =>
  post(`/v1/rewards/${id}/void`, { reasonCode, ...more });
const retry = (id: string | undefined) => post(`/v1/rewards/${id}/retry`, {});
const show = async (id: string | undefined) => (await read(`/v1/rewards/${id}`)).body;
const feed = async () => (await read('/v1/webhook-events', { limit: '500' })).body.events;
const typesAfter = async (before: readonly unknown[]) =>
  (await feed()).slice(before.length).map((one: { type: string }) => one.type);
const refusal = ({ status, body }: { status: number; body: { error: Record<string, string> } }) => [
  status,
  body.error.reason ?? body.error.code,
];
const summary = async () =>
  (await read(`/v1/programs/${programId}/summary`)).body.data.customTotals[0];
async function expectSound(): Promise<void> {
  const { kept } = await verifyProject(service.database, project.projectId);
  expect(kept).toEqual([]);
}

/** Changes a Reward as a deliverer would. */
async function deliver(id: string | undefined, change: Partial<RewardRow>): Promise<void> {
  const { eventId } = await show(id);
  const request = {
    workspaceId: project.workspaceId,
    projectId: project.projectId,
    actor: { type: 'system', id: 'test' },
    requestId: 'req_test',
    ip: null,
    idempotency: null,
  } as const;
  await service.writer.run(request, async (write: ProjectWrite) => {
    const rows = await loadRewardsOfEvent(write.tx, write.projectId, eventId);
    const before = rows.filter((row) => row.id === id);
    const updatedAt = write.now;
    const after = before.map((row) => withDelivery({ ...row, ...change, updatedAt }, write.now));
    saveRewardChanges(write, before, after);
    return { answer: null };
  });
}

describe('a grant', () => {
  test('is recorded: the Reward is fulfilled, the feed tells, and the totals move', async () => {
    const { custom } = await buy();
    const pending = await show(custom);
    const before = await feed();
    service.clock.advance(1_000);
    const { status, body } = await grant(custom);
    expect([status, body]).toEqual([
      200,
      {
        ...pending,
        fulfillmentStatus: 'fulfilled',
        fulfillment: {
          id: expect.stringMatching(/^ful_[0-9a-z]{26}$/),
          externalReference: 'grant-1',
          occurredAt: service.clock.now,
          actor: 'api',
        },
        delivery: { ...pending.delivery, status: 'delivered', reason: null },
      },
    ]);
    expect(await show(custom)).toEqual(body);
    const [event, ...more] = (await feed()).slice(before.length);
    const { success: _, ...reward } = body;
    expect(event).toMatchObject({ type: 'reward.fulfilled', occurredAt: service.clock.now });
    expect([event.data, more]).toEqual([{ reward }, []]);
    expect(await summary()).toMatchObject({ pendingQuantity: 0, fulfilledQuantity: 5 });
    await expectSound();
  });

  test('comes again with the same reference and changes nothing, with another it is a 409 (D-RWD-7)', async () => {
    const { cash } = await buy();
    const first = await grant(cash);
    const before = await feed();
    service.clock.advance(1_000);
    const again = await grant(cash);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(refusal(await grant(cash, 'grant-2'))).toEqual([409, 'fulfillment_facts_differ']);
    expect([await feed(), await show(cash)]).toEqual([before, first.body]);
  });

  test('that a webhook’s answer recorded is left alone by any later call (D-RWD-7)', async () => {
    const { custom } = await buy();
    const fulfillment = {
      id: 'ful_hook',
      externalReference: 'wev_1',
      occurredAt: service.clock.now,
      actor: 'webhook',
    } as const;
    await deliver(custom, { fulfillmentStatus: 'fulfilled', fulfillment });
    const stored = await show(custom);
    const before = await feed();
    const answer = await grant(custom, 'mine');
    expect([answer.status, answer.body]).toEqual([200, stored]);
    expect(await feed()).toEqual(before);
  });

  test('comes again after a void and returns the Reward as it is by then (D-RWD-7)', async () => {
    const { custom, cash } = await buy();
    for (const [id, status] of [
      [custom, 'revocation_pending'],
      [cash, 'fulfilled'],
    ]) {
      await grant(id);
      const voided = await makeVoid(id);
      expect(voided.body).toMatchObject({ fulfillmentStatus: status });
      const again = await grant(id);
      expect([again.status, again.body]).toEqual([200, voided.body]);
      expect(refusal(await grant(id, 'grant-2'))).toEqual([409, 'fulfillment_facts_differ']);
    }
    await expectSound();
  });

  test('of what was voided or refunded before is refused, each with its own reason', async () => {
    const { custom, credit } = await buy();
    await makeVoid(custom);
    expect(refusal(await grant(custom))).toEqual([409, 'reward_voided']);
    await adjust('refund');
    expect(refusal(await grant(credit))).toEqual([409, 'reward_cancelled']);
    expect(await summary()).toMatchObject({ fulfilledQuantity: 0, voidedQuantity: 5 });
    await expectSound();
  });

  test('is not held up by a hold or a dispute (D-RWD-5)', async () => {
    await setDelivery({ holdDays: 14 });
    const { custom, discount } = await buy();
    await adjust('dispute', { amountMinor: '500' });
    for (const id of [custom, discount]) {
      expect(await show(id)).toMatchObject({
        availableAt: addMs(service.clock.now, 14 * DAY_MS),
        delivery: { status: 'on_hold', reason: 'dispute_open' },
      });
      expect((await grant(id)).body).toMatchObject({ fulfillmentStatus: 'fulfilled' });
    }
    await adjust('restoration', { restores: 'dispute', amountMinor: '500' });
    expect(await show(custom)).toMatchObject({ delivery: { status: 'delivered', reason: null } });
    await expectSound();
  });

  test('a hold is shown by API and feed alike, ends by itself and changes no event (D-RWD-5)', async () => {
    await setDelivery({ holdDays: 14, customMethod: 'manual' });
    const { custom, discount } = await buy();
    const held = { status: 'on_hold', reason: 'hold_period' };
    const earned = async () => {
      const { events } = (await read('/v1/webhook-events', { limit: '500' })).body;
      return events.filter(({ type }: { type: string }) => type === 'reward.earned');
    };
    const told = await earned();
    expect(told).toHaveLength(4);
    for (const { data } of told) expect(data.reward.delivery).toMatchObject(held);
    service.clock.advance(14 * DAY_MS - 1);
    expect(await show(discount)).toMatchObject({ delivery: held });
    service.clock.advance(1);
    const listed = (await read('/v1/rewards', { fulfillmentStatus: 'pending' })).body.data;
    const reasons = Object.fromEntries(
      listed.map((one: Record<string, { reason: string }>) => [one.id, one.delivery?.reason]),
    );
    expect(reasons).toMatchObject({
      [custom as string]: 'awaiting_manual',
      [discount as string]: 'awaiting_operator',
    });
    expect(await earned()).toEqual(told);
    expect((await grant(custom)).body).toMatchObject({ fulfillmentStatus: 'fulfilled' });
    await expectSound();
  });

  test('is not for what the service delivers itself', async () => {
    await setDelivery({ cashMethod: 'payout', customMethod: 'manual' });
    const { cash, custom } = await buy();
    expect(refusal(await grant(cash))).toEqual([400, 'UNSUPPORTED_DELIVERY_METHOD']);
    expect(await show(cash)).toMatchObject({ fulfillmentStatus: 'pending', fulfillment: null });
    expect((await grant(custom)).status).toBe(200);
  });

  test('of two at once with different references, one is taken and the other is a 409', async () => {
    const { custom } = await buy();
    const before = await feed();
    const answers = await Promise.all(['a', 'b'].map((reference) => grant(custom, reference)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const taken = answers.find(({ status }) => status === 200);
    expect(await show(custom)).toEqual(taken?.body);
    expect(await typesAfter(before)).toEqual(['reward.fulfilled']);
    await expectSound();
  });

  test('of many at once is told once each, and nobody gets another’s answer', async () => {
    const ids = (await Promise.all([1, 2, 3].map((n) => buy(`order-${n}`)))).flatMap((one) =>
      Object.values(one),
    );
    // A discount is earned once for a referral, the others with every order.
    expect(ids).toHaveLength(10);
    const before = await feed();
    const answers = await Promise.all([...ids, ...ids, 'rwd_none'].map((id) => grant(id, id)));
    expect(answers.map(({ status }) => status)).toEqual([...ids.flatMap(() => [200, 200]), 404]);
    for (const [index, id] of [...ids, ...ids].entries()) {
      expect(answers[index]?.body).toMatchObject({ id, fulfillment: { externalReference: id } });
    }
    expect(await typesAfter(before)).toEqual(ids.map(() => 'reward.fulfilled'));
    expect(await summary()).toMatchObject({ pendingQuantity: 0, fulfilledQuantity: 15 });
    await expectSound();
  });

  test('under an Idempotency-Key answers the same again, and refuses another body', async () => {
    const { custom } = await buy();
    const path = `/v1/rewards/${custom}/fulfillment`;
    const key = { 'idempotency-key': 'k1' };
    const first = await post(path, { externalReference: 'a' }, project.key, key);
    await makeVoid(custom);
    const again = await post(path, { externalReference: 'a' }, project.key, key);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await post(path, { externalReference: 'b' }, project.key, key);
    expect(refusal(other)).toEqual([409, 'idempotency_key_reused']);
  });

  test('needs a reference of 1 to 255 characters', async () => {
    const { custom } = await buy();
    for (const reference of ['', ' ', 'x'.repeat(256)]) {
      expect(refusal(await grant(custom, reference))).toEqual([400, 'INVALID_REQUEST']);
    }
    expect((await grant(custom, 'x'.repeat(255))).status).toBe(200);
  });
});

describe('a take-back', () => {
  test('is recorded of what was granted and voided, once, and ends the Reward’s life', async () => {
    const { custom, discount, credit } = await buy();
    for (const id of [custom, discount, credit]) {
      await grant(id);
      const voided = await makeVoid(id);
      const before = await feed();
      service.clock.advance(1_000);
      const { status, body } = await takeBack(id);
      expect([status, body]).toEqual([
        200,
        {
          ...voided.body,
          fulfillmentStatus: 'revoked',
          revocation: {
            id: expect.stringMatching(/^rev_[0-9a-z]{26}$/),
            externalReference: 'back-1',
            occurredAt: service.clock.now,
            actor: 'api',
          },
        },
      ]);
      expect((await takeBack(id)).body).toEqual(body);
      expect(refusal(await takeBack(id, 'back-2'))).toEqual([409, 'revocation_facts_differ']);
      const [event, ...more] = (await feed()).slice(before.length);
      expect([event.type, event.data.reward.id, more]).toEqual(['reward.revoked', id, []]);
      expect((await grant(id)).body).toEqual(body);
      expect((await makeVoid(id)).body).toEqual(body);
      expect(await show(id)).toEqual(body);
    }
    expect(await summary()).toMatchObject({ fulfilledQuantity: 0, voidedQuantity: 5 });
    await expectSound();
  });

  test('is refused of what is not to be taken back', async () => {
    const { custom, discount } = await buy();
    expect(refusal(await takeBack(custom))).toEqual([409, 'revocation_not_pending']);
    await grant(custom);
    expect(refusal(await takeBack(custom))).toEqual([409, 'revocation_not_pending']);
    await makeVoid(discount);
    expect(refusal(await takeBack(discount))).toEqual([409, 'revocation_not_pending']);
  });

  test('is never of cash, nor of what the service delivers (D-ERR-2)', async () => {
    const { cash } = await buy();
    await grant(cash);
    await makeVoid(cash);
    expect(refusal(await takeBack(cash))).toEqual([400, 'UNSUPPORTED_DELIVERY_METHOD']);
    expect(await show(cash)).toMatchObject({ fulfillmentStatus: 'fulfilled', revocation: null });
    await setDelivery({ cashMethod: 'payout' });
    const later = await buy('order-2');
    expect(refusal(await takeBack(later.cash))).toEqual([400, 'UNSUPPORTED_DELIVERY_METHOD']);
  });
});

describe('a void', () => {
  test('cancels what was not granted, is told in the feed, and is kept in the audit log without its words', async () => {
    const { custom } = await buy();
    const pending = await show(custom);
    const before = await feed();
    const { body } = await makeVoid(custom, 'other', { reason: 'Bob is his own aunt.' });
    expect(body).toEqual({
      ...pending,
      fulfillmentStatus: 'cancelled',
      delivery: { ...pending.delivery, status: 'cancelled', reason: 'voided' },
      void: {
        id: expect.stringMatching(/^void_[0-9a-z]{26}$/),
        reasonCode: 'other',
        reason: 'Bob is his own aunt.',
        voidedAt: service.clock.now,
      },
    });
    const again = await makeVoid(custom, 'other', { reason: 'In other words.' });
    expect([again.status, again.body]).toEqual([200, body]);
    expect(refusal(await makeVoid(custom, 'fraud'))).toEqual([409, 'void_facts_differ']);
    expect(await typesAfter(before)).toEqual(['reward.voided']);
    const log = await service.call('GET', '/v1/audit-log', {
      as: 'operator',
      query: { workspaceId: project.workspaceId },
    });
    const notes = log.body.data.filter((one: { action: string }) => one.action === 'reward.void');
    expect(notes).toMatchObject([
      {
        actorType: 'key',
        targetType: 'reward',
        targetId: custom,
        changes: { reasonCode: 'other', fulfillmentStatus: 'cancelled' },
      },
    ]);
    expect(JSON.stringify(log.body)).not.toContain('aunt');
    expect(await summary()).toMatchObject({ pendingQuantity: 0, voidedQuantity: 5 });
    await expectSound();
  });

  test('of what is on its way waits for the outcome, and of what failed or was refunded is final', async () => {
    const { custom, credit, cash } = await buy();
    await deliver(cash, { fulfillmentStatus: 'in_progress' });
    expect((await makeVoid(cash)).body).toMatchObject({
      fulfillmentStatus: 'in_progress',
      void: { reasonCode: 'fraud' },
      delivery: { status: 'processing' },
    });
    await deliver(custom, { fulfillmentStatus: 'failed' });
    expect((await makeVoid(custom)).body).toMatchObject({ fulfillmentStatus: 'cancelled' });
    await adjust('dispute');
    expect((await makeVoid(credit, 'chargeback')).body).toMatchObject({
      fulfillmentStatus: 'cancelled',
      delivery: { reason: 'voided' },
    });
    await adjust('restoration', { restores: 'dispute' });
    expect(await show(credit)).toMatchObject({ fulfillmentStatus: 'cancelled' });
    await expectSound();
  });

  test('needs one of the codes, of which one is the service’s own, and with other a reason (D-RWD-9)', async () => {
    const { custom, discount } = await buy();
    for (const body of [
      {},
      { reasonCode: 'participant_deleted' },
      { reasonCode: 'because' },
      { reasonCode: 'other' },
      { reasonCode: 'other', reason: null },
      { reasonCode: 'other', reason: ' ' },
      { reasonCode: 'fraud', reason: 'x'.repeat(501) },
    ]) {
      const answer = await post(`/v1/rewards/${custom}/void`, body);
      expect([body, ...refusal(answer)]).toEqual([body, 400, 'INVALID_REQUEST']);
    }
    expect((await makeVoid(custom, 'fraud', { reason: 'x'.repeat(500) })).status).toBe(200);
    expect((await makeVoid(discount, 'refund', { reason: null })).body.void.reason).toBeNull();
  });

  test('races a grant, and either order leaves what it must', async () => {
    const { custom, discount } = await buy();
    const [granted, voided] = await Promise.all([grant(custom), makeVoid(custom)]);
    const late = granted.status === 409;
    expect(voided.status).toBe(200);
    expect(await show(custom)).toMatchObject({
      fulfillmentStatus: late ? 'cancelled' : 'revocation_pending',
    });
    const codes = ['fraud', 'duplicate'];
    const both = await Promise.all(codes.map((code) => makeVoid(discount, code)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    await expectSound();
  });

  test('lets a capped rule earn again', async () => {
    await addRule({ ...CREDIT, rateBps: 100, maxRewardsPerBeneficiary: 1 });
    const capped = async (order: string) => {
      await buy(order);
      const { body } = await read('/v1/rewards', { limit: '100', benefitKind: 'credit' });
      return body.data.filter((one: { money: { amountMinor: string } }) => {
        return one.money.amountMinor === '10';
      });
    };
    const [first] = await capped('order-1');
    expect(await capped('order-2')).toHaveLength(1);
    await makeVoid(first.id);
    expect(await capped('order-3')).toHaveLength(2);
  });
});

describe('a retry', () => {
  test('lets what failed wait again, silently; once more changes nothing', async () => {
    const { custom } = await buy();
    const pending = await show(custom);
    await deliver(custom, { fulfillmentStatus: 'failed' });
    const before = await feed();
    expect((await retry(custom)).body).toEqual(pending);
    const again = await retry(custom);
    expect([again.status, again.body]).toEqual([200, pending]);
    expect(await feed()).toEqual(before);
    await grant(custom);
    expect(refusal(await retry(custom))).toEqual([409, 'invalid_transition']);
    await expectSound();
  });

  test('is refused once the beneficiary is erased', async () => {
    const ids = Object.values(await buy());
    for (const id of ids) await deliver(id, { fulfillmentStatus: 'failed' });
    const { beneficiary } = await show(ids[0]);
    const query = { projectId: project.projectId };
    const path = `/v1/participants/${beneficiary.participantId}`;
    expect((await service.call('DELETE', path, { as: project.key, query })).status).toBe(200);
    expect(refusal(await retry(ids[0]))).toEqual([409, 'participant_deleted']);
  });
});

test('an erased beneficiary’s Rewards are voided and taken back by id, and no kept answer names them', async () => {
  const { custom, discount, cash, credit } = await buy();
  const key = { 'idempotency-key': 'k1' };
  const body = { externalReference: 'a' };
  await post(`/v1/rewards/${custom}/fulfillment`, body, project.key, key);
  for (const id of [discount, cash]) await grant(id);
  const { beneficiary } = await show(custom);
  const erased = await service.call('DELETE', `/v1/participants/${beneficiary.participantId}`, {
    as: project.key,
    query: { projectId: project.projectId, force: true },
  });
  expect(erased.status).toBe(200);
  expect(refusal(await grant(credit))).toEqual([409, 'reward_voided']);
  expect(refusal(await makeVoid(credit))).toEqual([409, 'void_facts_differ']);
  await makeVoid(discount);
  const answers = [
    await takeBack(discount),
    await post(`/v1/rewards/${custom}/fulfillment`, body, project.key, key),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(answer.body.beneficiary.externalId).not.toBe('ada');
  }
  await expectSound();
});

test('each call needs rewards:write, the Project’s environment and a Reward of the Project', async () => {
  const { custom } = await buy();
  const newKey = async (environment: string, permissions: unknown) => {
    const input = { workspaceId: project.workspaceId, environment, name: 'Another', permissions };
    return (await service.call('POST', '/v1/api-keys', { as: 'operator', body: input })).body.key;
  };
  const reader = await newKey('sandbox', 'read_only');
  const live = await newKey('live', 'full');
  const foreign = await service.newProject('live');
  const calls = [
    ['fulfillment', { externalReference: 'a' }],
    ['revocation', { externalReference: 'a' }],
    ['void', { reasonCode: 'fraud' }],
    ['retry', {}],
  ] as const;
  for (const [name, body] of calls) {
    const path = `/v1/rewards/${custom}/${name}`;
    expect(refusal(await post(path, body, reader))).toEqual([403, 'FORBIDDEN']);
    expect(refusal(await post(path, body, live))).toEqual([403, 'ENVIRONMENT_MISMATCH']);
    expect(refusal(await post(path, body, foreign.key))).toEqual([404, 'NOT_FOUND']);
    const theirs = { ...body, projectId: foreign.projectId };
    expect(refusal(await post(path, theirs, foreign.key))).toEqual([404, 'NOT_FOUND']);
    const unknown = `/v1/rewards/rwd_none/${name}`;
    expect(refusal(await post(unknown, body))).toEqual([404, 'NOT_FOUND']);
  }
  expect(await show(custom)).toMatchObject({ fulfillmentStatus: 'pending', void: null });
  const worker = await newKey('sandbox', 'fulfillment');
  expect((await grant(custom, 'a', worker)).status).toBe(200);
  expect((await grant(custom, 'a', 'operator')).status).toBe(200);
});
