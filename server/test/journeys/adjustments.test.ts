import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeTracker } from '../../src/domain/tracking/batch/track-event.ts';
import { decideDueOnce } from '../../src/domain/tracking/due/worker.ts';
import { listAccounts } from '../../src/outbound/payouts/details/account-queries.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
let sourceNamespaceId: string;
let programId: string;
let count = 0;
const nextCount = () => {
  count += 1;
  return count;
};
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
/** Each test gets a copy of this one. */
let original: TestProject;
beforeAll(async () => {
  original = await service.newProject();
  project = original;
  sourceNamespaceId = (await write('/v1/sources', {})).body.sourceNamespaceId;
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const program = await write('/v1/programs', { kind: 'referral', name: 'Invite', config });
  programId = program.body.data.id;
  await write(`/v1/programs/${programId}/status`, { status: 'active' });
  await write('/v1/referral-links', { programId, participant: person('ada'), slug: 'ada' });
});
beforeEach(async () => {
  project = await service.copyProject(original);
});

const person = (externalId: string) => ({ kind: 'individual', externalId });
const write = (path: string, body: object) =>
  service.call('POST', path, { as: project.key, body: { projectId: project.projectId, ...body } });
const read = (path: string, query: Record<string, string> = {}) =>
  service.call('GET', path, { as: project.key, query: { projectId: project.projectId, ...query } });
const addRule = (beneficiaryRole: string, terms: object) =>
  write('/v1/benefit-rules', {
    programId,
    eventType: 'purchase',
    beneficiaryRole,
    purpose: 'bonus',
    name: 'Thanks',
    terms: { durationMode: 'forever', ...terms },
  });
const track = (body: object) => write('/v1/track/events', { sourceNamespaceId, ...body });
const signUp = (externalId: string, refCode = 'ada') =>
  track({ type: 'signup', participant: person(externalId), refCode });
const buy = (externalId: string, sourceEventId: string, amountMinor: string, more: object = {}) =>
  track({
    type: 'purchase',
    participant: person(externalId),
    sourceEventId,
    purchase: { amountMinor, currency: 'USD', ...more },
  });
const adjust = (kind: string, order: string, amountMinor: string, more: object = {}) =>
  write('/v1/track/adjustments', {
    sourceNamespaceId,
    sourceEventId: `adjustment-${nextCount()}`,
    purchase: { sourceEventId: order },
    kind,
    amountMinor,
    currency: 'USD',
    currencyExponent: 2,
    occurredAt: service.clock.now,
    ...more,
  });
const rewardsOf = async (eventId: string) =>
  (await read('/v1/rewards', { eventId })).body.data.toReversed();

const PERCENT = { benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 };
const CUSTOM = {
  benefitKind: 'custom',
  quantity: 5,
  unit: { key: 'gigabyte', name: 'gigabyte', namePlural: 'gigabytes' },
};

describe('a refund', () => {
  test('takes the reward’s share, shows how, and a full one leaves zero and cancels (D-RWD-11)', async () => {
    await addRule('referrer', PERCENT);
    await signUp('bob');
    const { eventId } = (await buy('bob', 'order-1', '9999')).body;
    const [earned] = await rewardsOf(eventId);
    expect(earned.money).toMatchObject({ amountMinor: '1000', netAmountMinor: '1000' });

    const part = await adjust('refund', 'order-1', '3333');
    expect(part.status).toBe(200);
    expect(part.body.rewardAdjustments).toMatchObject([
      {
        rewardId: earned.id,
        purchaseAdjustmentId: part.body.purchaseAdjustmentId,
        purchaseId: part.body.purchaseId,
        currency: 'USD',
        signedAmountMinor: '-333',
        calculationSnapshot: {
          purchaseAmountMinor: '9999',
          refundedTotalMinor: '3333',
          rewardAmountMinor: '1000',
          previousNetMinor: '1000',
          newNetMinor: '667',
          refundPolicy: 'proportional',
          roundingPolicy: 'half_up',
        },
      },
    ]);
    expect((await rewardsOf(eventId))[0]).toMatchObject({
      money: { amountMinor: '1000', netAmountMinor: '667' },
      fulfillmentStatus: 'pending',
    });

    const rest = await adjust('refund', 'order-1', '6666');
    expect(rest.body.rewardAdjustments[0].signedAmountMinor).toBe('-667');
    expect((await rewardsOf(eventId))[0]).toMatchObject({
      money: { amountMinor: '1000', netAmountMinor: '0' },
      fulfillmentStatus: 'cancelled',
      delivery: { status: 'cancelled', reason: 'refunded' },
      void: null,
    });
    const list = await read('/v1/reward-adjustments');
    expect(list.body.data.map((one: { id: string }) => one.id)).toEqual([
      rest.body.rewardAdjustments[0].id,
      part.body.rewardAdjustments[0].id,
    ]);
  });

  test('of more than is left is refused and leaves everything as it was', async () => {
    await addRule('referrer', PERCENT);
    await signUp('bob');
    const { eventId } = (await buy('bob', 'order-1', '1000')).body;
    await adjust('refund', 'order-1', '400');
    const over = await adjust('refund', 'order-1', '601');
    expect([over.status, over.body.error.reason]).toEqual([409, 'adjustment_exceeds_purchase']);
    expect((await rewardsOf(eventId))[0].money.netAmountMinor).toBe('60');
    expect((await adjust('refund', 'order-1', '600')).status).toBe(200);
  });

  test('told twice changes nothing and answers the same; with other facts it is refused', async () => {
    await addRule('referrer', PERCENT);
    await signUp('bob');
    await buy('bob', 'order-1', '1000');
    const sourceEventId = 'refund-1';
    const first = await adjust('refund', 'order-1', '500', { sourceEventId });
    const again = await adjust('refund', 'order-1', '500', { sourceEventId });
    expect(again.body).toEqual(first.body);
    const other = await adjust('refund', 'order-1', '501', { sourceEventId });
    expect([other.status, other.body.error.reason]).toEqual([409, 'event_facts_differ']);
    // An id names one fact for ever, of whatever kind.
    const asPurchase = await buy('bob', sourceEventId, '1000');
    expect(asPurchase.body.error.reason).toBe('event_facts_differ');
    const asRefund = await adjust('refund', 'order-1', '1', { sourceEventId: 'order-1' });
    expect(asRefund.body.error.reason).toBe('event_facts_differ');
    expect((await read('/v1/reward-adjustments')).body.data).toHaveLength(1);
  });

  test('of an invoice that was told twice goes to the purchase that earned (D-TRACK-5)', async () => {
    await addRule('referrer', PERCENT);
    await signUp('bob');
    const first = await buy('bob', 'order-1', '1000', { invoiceId: 'inv-1' });
    const second = await buy('bob', 'order-1b', '1000', { invoiceId: 'inv-1' });
    expect(second.body.processingReason).toBe('duplicate_invoice');
    const refund = await adjust('refund', 'order-1b', '1000');
    expect(refund.body.rewardAdjustments).toHaveLength(1);
    expect((await rewardsOf(first.body.eventId))[0].money.netAmountMinor).toBe('0');
    const again = await adjust('refund', 'order-1', '1');
    expect(again.body.error.reason).toBe('adjustment_exceeds_purchase');
  });

  test('follows the terms: any cancels under full, none changes anything under none', async () => {
    await addRule('referrer', { ...PERCENT, refundPolicy: 'full' });
    await addRule('referee', { ...PERCENT, refundPolicy: 'none' });
    await signUp('bob');
    const { eventId } = (await buy('bob', 'order-1', '1000')).body;
    const { body } = await adjust('refund', 'order-1', '1');
    expect(body.rewardAdjustments).toMatchObject([{ signedAmountMinor: '-100' }]);
    const nets = (await rewardsOf(eventId)).map(
      (reward: { money: { netAmountMinor: string } }) => reward.money.netAmountMinor,
    );
    expect(nets.toSorted()).toEqual(['0', '100']);
  });

  test('of a purchase that waits is applied when it is decided, step by step (D-EVT-3)', async () => {
    await addRule('referrer', PERCENT);
    const { eventId, processingState } = (await buy('bob', 'order-1', '1000')).body;
    expect(processingState).toBe('pending');
    const refund = await adjust('refund', 'order-1', '250');
    expect(refund.body.rewardAdjustments).toEqual([]);
    await adjust('dispute', 'order-1', '250', { sourceEventId: 'dispute-1' });
    await signUp('bob');
    expect((await rewardsOf(eventId))[0].money).toMatchObject({
      amountMinor: '100',
      netAmountMinor: '50',
    });
    const { data } = (await read('/v1/reward-adjustments')).body;
    expect(data).toMatchObject([{ signedAmountMinor: '-25' }, { signedAmountMinor: '-25' }]);
    expect(data[1].purchaseAdjustmentId).toBe(refund.body.purchaseAdjustmentId);
    const feed = (await read('/v1/webhook-events', { limit: '500' })).body.events;
    const told = feed.findLast((event: { type: string }) => event.type === 'reward.earned');
    expect(told.data.reward.money).toMatchObject({ amountMinor: '100', netAmountMinor: '50' });
    await adjust('restoration', 'order-1', '250', { restores: 'dispute-1' });
    expect((await rewardsOf(eventId))[0].money.netAmountMinor).toBe('75');
  });
});

test('are listed by reward and by whose it is, each with its own cursor onward', async () => {
  await addRule('referrer', PERCENT);
  await addRule('referee', PERCENT);
  await signUp('bob');
  const first = await rewardsOf((await buy('bob', 'order-1', '1000')).body.eventId);
  await buy('bob', 'order-2', '1000');
  await adjust('refund', 'order-1', '500');
  await adjust('refund', 'order-2', '500', { sourceEventId: 'refund-2' });
  const of = async (query: Record<string, string>) =>
    (await read('/v1/reward-adjustments', query)).body;
  const [one] = first;
  expect((await of({})).data).toHaveLength(4);
  expect((await of({ rewardId: one.id })).data).toMatchObject([{ rewardId: one.id }]);
  const { participantId } = one.beneficiary;
  const theirs = await of({ beneficiaryParticipantId: participantId });
  expect(theirs.data).toHaveLength(2);
  expect(theirs.data.at(-1).rewardId).toBe(one.id);
  const { next } = await of({ rewardId: one.id });
  const since = await of({ beneficiaryParticipantId: participantId, after: next });
  expect(since.data.map(({ id }: { id: string }) => id)).toEqual([theirs.data[0].id]);
  const other = (await rewardsOf((await buy('bob', 'order-3', '1000')).body.eventId))
    .map(({ beneficiary }: { beneficiary: { participantId: string } }) => beneficiary.participantId)
    .find((id: string) => id !== participantId);
  expect((await of({ rewardId: one.id, beneficiaryParticipantId: other })).data).toEqual([]);
});

describe('somebody who was erased', () => {
  const erase = async (externalId: string) => {
    const { body } = await read('/v1/participants', { externalId });
    const answer = await service.call('DELETE', `/v1/participants/${body.data[0].id}`, {
      as: project.key,
      query: { projectId: project.projectId },
    });
    expect(answer.status).toBe(200);
  };

  test('is owed nothing again by a restoration (D-PART-5)', async () => {
    await addRule('referrer', PERCENT);
    await signUp('bob');
    const { eventId } = (await buy('bob', 'order-1', '1000')).body;
    await adjust('refund', 'order-1', '1000', { sourceEventId: 'refund-1' });
    await erase('ada');
    await adjust('restoration', 'order-1', '1000', { restores: 'refund-1' });
    expect((await rewardsOf(eventId))[0]).toMatchObject({
      money: { netAmountMinor: '100' },
      fulfillmentStatus: 'cancelled',
      delivery: { status: 'cancelled', reason: 'voided' },
      void: { reasonCode: 'participant_deleted' },
    });
    const feed = (await read('/v1/webhook-events', { limit: '500' })).body.events;
    expect(feed.at(-1).type).toBe('reward.voided');
  });

  test('earns nothing by a purchase that waited', async () => {
    await addRule('referrer', PERCENT);
    await addRule('referee', PERCENT);
    await signUp('bob');
    const { projectId } = project;
    const { eventId } = (await buy('bob', 'order-1', '0')).body;
    // As if it had been told before the signup, whose time is up only now.
    await service.database.reads.query(
      `update events set processing_state = 'pending', processing_reason = 'awaiting_attribution',
         next_attempt_at = $3 where project_id = $1 and id = $2`,
      [projectId, eventId, service.clock.now],
    );
    await service.database.reads.query(
      'update purchases set amount_minor = 1000 where project_id = $1 and event_id = $2',
      [projectId, eventId],
    );
    await erase('bob');
    const retried = await write(`/v1/events/${eventId}/retry`, {});
    expect(retried.status).toBe(409);
    service.clock.advance(1);
    await decideDueOnce({
      database: service.database,
      writer: service.writer,
      tracker: makeTracker({
        writer: service.writer,
        keyring: createKeyring(ROOT_KEY),
        listAccounts,
        onFailure: () => undefined,
      }),
      clock: service.clock,
      newId: makeNewId(service.clock.nowMs),
      onFailure: (error: unknown) => expect(error).toBeUndefined(),
    });
    expect(await rewardsOf(eventId)).toMatchObject([{ beneficiaryRole: 'referrer' }]);
  });
});

describe('a dispute and its restoration', () => {
  test('take and give back exactly, and hold what was not granted meanwhile (D-RWD-11)', async () => {
    await addRule('referrer', PERCENT);
    await signUp('bob');
    const { eventId } = (await buy('bob', 'order-1', '999')).body;
    await adjust('dispute', 'order-1', '999', { sourceEventId: 'dispute-1' });
    expect((await rewardsOf(eventId))[0]).toMatchObject({
      money: { netAmountMinor: '0' },
      fulfillmentStatus: 'pending',
      delivery: { status: 'on_hold', reason: 'dispute_open' },
    });
    await adjust('restoration', 'order-1', '500', { restores: 'dispute-1' });
    expect((await rewardsOf(eventId))[0]).toMatchObject({
      money: { netAmountMinor: '50' },
      fulfillmentStatus: 'pending',
      delivery: { status: 'pending', reason: 'awaiting_operator' },
    });
    const over = await adjust('restoration', 'order-1', '500', { restores: 'dispute-1' });
    expect(over.body.error.reason).toBe('adjustment_exceeds_purchase');
    await adjust('restoration', 'order-1', '499', { restores: 'dispute-1' });
    expect((await rewardsOf(eventId))[0].money).toMatchObject({
      amountMinor: '100',
      netAmountMinor: '100',
    });
  });

  test('a dispute is clamped to what is left, and winning it gives back no more than it took', async () => {
    await addRule('referrer', PERCENT);
    await signUp('bob');
    const { eventId } = (await buy('bob', 'order-1', '1000')).body;
    await adjust('refund', 'order-1', '700');
    await adjust('dispute', 'order-1', '1000', { sourceEventId: 'dispute-1' });
    expect((await rewardsOf(eventId))[0].money.netAmountMinor).toBe('0');
    await adjust('restoration', 'order-1', '100', { restores: 'dispute-1' });
    expect((await rewardsOf(eventId))[0].money.netAmountMinor).toBe('10');
    await adjust('restoration', 'order-1', '900', { restores: 'dispute-1' });
    expect((await rewardsOf(eventId))[0].money.netAmountMinor).toBe('30');
    const over = await adjust('restoration', 'order-1', '1', { restores: 'dispute-1' });
    expect(over.status).toBe(409);
  });

  test.each([
    ['nothing that there is', 'nobody-knows', 404],
    ['an adjustment of another purchase', 'dispute-2', 404],
  ])('a restoration of %s is not found', async (_, restores, status) => {
    await signUp('bob');
    await buy('bob', 'order-1', '1000');
    await buy('bob', 'order-2', '1000');
    await adjust('dispute', 'order-2', '10', { sourceEventId: 'dispute-2' });
    const answer = await adjust('restoration', 'order-1', '10', { restores });
    expect(answer.status).toBe(status);
  });
});

describe('custom units', () => {
  test('are voided by a full refund, as the feed tells, and a cap is free again; a restoration lifts that', async () => {
    await addRule('referrer', { ...CUSTOM, maxRewardsPerBeneficiary: 1 });
    await signUp('bob');
    const { eventId } = (await buy('bob', 'order-1', '1000')).body;
    await adjust('refund', 'order-1', '999', { sourceEventId: 'refund-1' });
    expect((await rewardsOf(eventId))[0]).toMatchObject({
      fulfillmentStatus: 'pending',
      void: null,
    });
    const capped = await buy('bob', 'order-2', '1000');
    expect(await rewardsOf(capped.body.eventId)).toEqual([]);

    await adjust('refund', 'order-1', '1');
    const voided = {
      fulfillmentStatus: 'cancelled',
      delivery: { status: 'cancelled', reason: 'voided' },
      void: { reasonCode: 'refund', reason: null },
    };
    expect((await rewardsOf(eventId))[0]).toMatchObject(voided);
    const feed = (await read('/v1/webhook-events', { limit: '500' })).body.events;
    expect(feed.at(-1)).toMatchObject({ type: 'reward.voided', data: { reward: voided } });
    const third = await buy('bob', 'order-3', '1000');
    expect(await rewardsOf(third.body.eventId)).toHaveLength(1);
    await adjust('restoration', 'order-1', '999', { restores: 'refund-1' });
    expect((await rewardsOf(eventId))[0]).toMatchObject({
      fulfillmentStatus: 'pending',
      void: null,
    });
  });

  test('are held while a dispute is open', async () => {
    await addRule('referrer', CUSTOM);
    await signUp('bob');
    const { eventId } = (await buy('bob', 'order-1', '1000')).body;
    await adjust('dispute', 'order-1', '1000', { sourceEventId: 'dispute-1' });
    const delivery = async () => (await rewardsOf(eventId))[0].delivery;
    expect(await delivery()).toMatchObject({ status: 'on_hold', reason: 'dispute_open' });
    await adjust('restoration', 'order-1', '1000', { restores: 'dispute-1' });
    expect(await delivery()).toMatchObject({ status: 'pending', reason: 'awaiting_operator' });
  });
});

describe('bad input', () => {
  test.each([
    ['an amount of zero', { amountMinor: '0' }, 400],
    ['a signed amount', { amountMinor: '-5' }, 400],
    ['a leading zero', { amountMinor: '05' }, 400],
    ['19 digits', { amountMinor: '1'.repeat(19) }, 400],
    ['a number', { amountMinor: 5 }, 400],
    ['an unknown kind', { kind: 'chargeback' }, 400],
    ['a foreign currency', { currency: 'EUR' }, 400],
    ['a wrong exponent', { currencyExponent: 0 }, 400],
    ['gold', { currency: 'XAU' }, 400],
    ['a restoration without what it restores', { kind: 'restoration' }, 400],
    ['a refund that restores', { restores: 'x' }, 400],
    ['a blank id', { sourceEventId: '  ' }, 400],
    ['no time', { occurredAt: undefined }, 400],
    ['a future time', { occurredAt: '2026-11-15T09:35:00.001Z' }, 400],
    ['an ancient time', { occurredAt: '2025-11-15T09:29:59.999Z' }, 400],
    ['an unknown field', { reason: 'because' }, 400],
    ['a signup for a purchase', { purchase: { sourceEventId: 'signup-1' } }, 404],
    ['an unknown source', { sourceNamespaceId: 'src_none' }, 404],
  ])('%s is refused, and nothing is written', async (_, more, status) => {
    service.clock.advance(Date.parse('2026-11-15T09:30:00.000Z') - service.clock.nowMs());
    await track({ type: 'signup', participant: person('bob'), sourceEventId: 'signup-1' });
    await buy('bob', 'order-1', '1000');
    const answer = await adjust('refund', 'order-1', '5', more);
    expect([answer.status, answer.body.success]).toEqual([status, false]);
    const [left] = await service.database.reads.query<{ n: bigint }>(
      'select count(*) as n from purchase_adjustments where project_id = $1',
      [project.projectId],
    );
    expect(left?.n).toBe(0n);
  });
});

test('reading after a cursor misses no adjustment, however many there are', async () => {
  await addRule('referrer', PERCENT);
  await signUp('bob');
  await buy('bob', 'order-1', '100000');
  const start = (await read('/v1/reward-adjustments')).body;
  expect(start.data).toEqual([]);
  for (let n = 0; n < 103; n += 1) await adjust('refund', 'order-1', '100');
  const first = (await read('/v1/reward-adjustments', { after: start.next })).body;
  expect(first.data).toHaveLength(100);
  const rest = (await read('/v1/reward-adjustments', { after: first.next })).body;
  expect(rest.data).toHaveLength(3);
  const none = (await read('/v1/reward-adjustments', { after: rest.next })).body;
  expect(none).toMatchObject({ data: [], next: rest.next });
  const newest = (await read('/v1/reward-adjustments')).body;
  expect(newest.data).toHaveLength(100);
  expect(newest.data[0].id).toBe(rest.data.at(-1).id);
  expect(newest.next).toBe(rest.next);
  const seen: string[] = [];
  for (let after = 'start'; ; ) {
    const page = (await read('/v1/reward-adjustments', { after })).body;
    if (page.data.length === 0) {
      expect(page.next).toBe(after);
      break;
    }
    seen.push(...page.data.map(({ id }: { id: string }) => id));
    after = page.next;
  }
  expect(seen).toEqual([...first.data, ...rest.data].map(({ id }) => id));
  expect((await read('/v1/reward-adjustments', { after: 'x' })).status).toBe(400);
  const beyond = Buffer.from(`adjustments ${project.projectId} 104`).toString('base64url');
  expect((await read('/v1/reward-adjustments', { after: beyond })).status).toBe(400);
  project = await service.newProject();
  expect((await read('/v1/reward-adjustments', { after: start.next })).status).toBe(400);
  const empty = (await read('/v1/reward-adjustments', { after: 'start' })).body;
  expect(empty).toMatchObject({ data: [], next: 'start' });
});
