import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listProjectsExpired } from '../../src/domain/tracking/batch/early-store.ts';
import { makeTracker } from '../../src/domain/tracking/batch/track-event.ts';
import { decideDueOnce } from '../../src/domain/tracking/due/worker.ts';
import { normalizeAdjustment } from '../../src/domain/tracking/intake/normalize-billing.ts';
import { normalizeEvent } from '../../src/domain/tracking/intake/normalize-event.ts';
import { listAccounts } from '../../src/outbound/payouts/details/account-queries.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { addMs, DAY_MS } from '../../src/platform/kit/instant.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { type AdjustShop, openAdjustShop } from '../adjust-shop.ts';
import { openService, ROOT_KEY, type TestService } from '../harness.ts';

let service: TestService;
let shop: AdjustShop;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openAdjustShop(service);
});

const send = (kind: string, id: string, amountMinor: string, more: object = {}) =>
  shop.adjust({ kind, id, order: 'order', amountMinor, ...more });
const buy = async (purchase: object = {}) =>
  (await shop.purchase('bob', 'order', purchase)).body.eventId as string;
const kept = async () => {
  const rows = await service.database.reads.query<{ id: string }>(
    'select id from early_adjustments where project_id = $1 order by number',
    [shop.project.projectId],
  );
  return rows.map(({ id }) => id);
};
const drops = async () =>
  (await shop.audit())
    .filter(({ action }) => action === 'adjustment.drop')
    .map(({ targetId, changes }) => [targetId, changes.reason]);
const newTracker = () =>
  makeTracker({
    writer: service.writer,
    keyring: createKeyring(ROOT_KEY),
    listAccounts,
    onFailure: () => undefined,
  });
const runWorker = () =>
  decideDueOnce({
    database: service.database,
    writer: service.writer,
    tracker: newTracker(),
    clock: service.clock,
    newId: makeNewId(service.clock.nowMs),
    onFailure: (error: unknown) => expect(error).toBeUndefined(),
  });

test('a refund before its purchase is kept and applied when that arrives (D-ADJ-1)', async () => {
  const early = await send('refund', 'refund', '400');
  const purchaseAdjustmentId = early.body.purchaseAdjustmentId as string;
  expect([early.status, early.body]).toEqual([
    200,
    { success: true, purchaseAdjustmentId, purchaseId: null, rewardAdjustments: [] },
  ]);
  await shop.verify();
  expect((await send('refund', 'refund', '400')).body).toEqual(early.body);
  const differs = await send('refund', 'refund', '401');
  expect([differs.status, differs.body.error.reason]).toEqual([409, 'event_facts_differ']);

  const eventId = await buy();
  expect([await kept(), await shop.net(eventId)]).toEqual([[], '60']);
  const { data } = (await shop.read('/v1/reward-adjustments')).body;
  expect(data).toMatchObject([{ purchaseAdjustmentId, signedAmountMinor: '-40' }]);
  // Repeated, it is known, and takes nothing twice.
  expect((await send('refund', 'refund', '400')).body).toEqual(early.body);
  expect((await send('refund', 'refund', '401')).status).toBe(409);
  expect(await shop.net(eventId)).toBe('60');
  await send('restoration', 'failed', '400', { restores: 'refund' });
  expect(await shop.net(eventId)).toBe('100');
  await shop.verify();
});

test('several are applied in the order they came: a refund that failed, a dispute that was lost', async () => {
  await send('refund', 'refund', '400');
  await send('restoration', 'failed', '400', { restores: 'refund' });
  await send('dispute', 'dispute', '300');
  await shop.adjust({ kind: 'dispute_lost', id: 'lost', order: 'order', closes: 'dispute' });
  await shop.verify();
  const eventId = await buy();
  expect([await kept(), await drops(), await shop.net(eventId)]).toEqual([[], [], '70']);
  const won = await send('restoration', 'won', '1', { restores: 'dispute' });
  expect(won.body.error.reason).toBe('dispute_closed');
  await shop.verify();
});

test('all of it refunded before it came leaves nothing, also of what loyalty gave, and a purchase that waits', async () => {
  const made = await shop.post('/v1/programs', { kind: 'loyalty', name: 'Points' });
  const programId = made.body.data.id;
  await shop.post(`/v1/programs/${programId}/status`, { status: 'active' });
  await shop.post('/v1/benefit-rules', {
    programId,
    eventType: 'purchase',
    beneficiaryRole: 'subject',
    purpose: 'primary',
    name: 'Points',
    terms: {
      benefitKind: 'credit',
      calculation: 'percentage',
      rateBps: 1_000,
      durationMode: 'forever',
    },
  });
  await send('refund', 'refund', '1000');
  expect(await shop.net(await buy())).toBe('0');
  await shop.adjust({ kind: 'refund', id: 'half', order: 'waits', amountMinor: '500' });
  const waits = (await shop.purchase('carol', 'waits')).body;
  expect(waits.processingState).toBe('pending');
  expect(await shop.net(waits.eventId)).toBe('50');
  await shop.signUp('carol');
  expect(await shop.net(waits.eventId)).toBe('100');

  await shop.adjust({ kind: 'refund', id: 'all', order: 'restored', amountMinor: '1000' });
  const restored = (await shop.purchase('dora', 'restored')).body.eventId;
  expect(await shop.net(restored)).toBe('0');
  const failed = { kind: 'restoration', id: 'failed', order: 'restored', amountMinor: '1000' };
  await shop.adjust({ ...failed, restores: 'all' });
  await shop.signUp('dora');
  expect(await shop.net(restored)).toBe('200');
  await shop.verify();
});

describe('what does not fit when the purchase arrives is dropped, and the audit log says why', () => {
  test.each([
    ['another currency', 'currency_differs', { currency: 'EUR' }],
    ['more than was paid', 'adjustment_exceeds_purchase', { amountMinor: '1001' }],
  ])('%s', async (_, reason, more) => {
    const { purchaseAdjustmentId } = (await send('refund', 'refund', '400', more)).body;
    const failed = (await send('restoration', 'failed', '400', { restores: 'refund' })).body;
    const fits = await send('refund', 'fits', '100');
    expect(fits.status).toBe(200);
    const eventId = await buy();
    expect(await shop.net(eventId)).toBe('90');
    expect(await drops()).toEqual([
      [purchaseAdjustmentId, reason],
      [failed.purchaseAdjustmentId, 'adjustment_unknown'],
    ]);
    // Sent again, it is judged by the purchase that is there now.
    expect((await send('refund', 'refund', '400', more)).body.success).toBe(false);
    expect((await send('refund', 'refund', '200')).status).toBe(200);
    await shop.verify();
  });

  test('a purchase without an amount', async () => {
    const { purchaseAdjustmentId } = (await send('refund', 'refund', '400')).body;
    await shop.post('/v1/track/events', {
      sourceNamespaceId: shop.sourceNamespaceId,
      type: 'purchase',
      participant: { kind: 'individual', externalId: 'bob' },
      sourceEventId: 'order',
    });
    expect(await drops()).toEqual([[purchaseAdjustmentId, 'purchase_without_amount']]);
    const { status, body } = await send('refund', 'refund', '400');
    expect([status, body.error.reason]).toEqual([404, 'purchase_without_amount']);
    await shop.verify();
  });
});

describe('after 24 hours it is dropped', () => {
  test('by the worker; then the purchase and the refund are as new', async () => {
    const { purchaseAdjustmentId } = (await send('refund', 'refund', '400')).body;
    service.clock.advance(DAY_MS - 1);
    await runWorker();
    expect(await kept()).toEqual([purchaseAdjustmentId]);
    service.clock.advance(1);
    await runWorker();
    expect(await kept()).toEqual([]);
    expect(await drops()).toEqual([[purchaseAdjustmentId, 'purchase_not_reported']]);
    const eventId = await buy();
    expect(await shop.net(eventId)).toBe('100');
    const again = await send('refund', 'refund', '400');
    expect(again.body.purchaseId).not.toBeNull();
    expect(await shop.net(eventId)).toBe('60');
    await shop.verify();
  });

  test('by moving the clock', async () => {
    const { purchaseAdjustmentId } = (await send('refund', 'refund', '400')).body;
    const { key, projectId } = shop.project;
    const now = addMs(service.clock.now, DAY_MS);
    const path = `/v1/projects/${projectId}/clock`;
    expect((await service.call('PUT', path, { as: key, body: { now } })).status).toBe(200);
    expect([await kept(), await drops()]).toEqual([
      [],
      [[purchaseAdjustmentId, 'purchase_not_reported']],
    ]);
  });

  test('also if nobody came by: a late purchase finds it too old', async () => {
    await send('refund', 'refund', '400');
    service.clock.advance(DAY_MS);
    expect(await shop.net(await buy())).toBe('100');
    expect(await drops()).toHaveLength(1);
    await shop.verify();
  });
});

test('one with the id of its own purchase is refused, before the purchase as after it', async () => {
  const before = await send('refund', 'order', '400');
  expect([before.status, before.body.error.reason]).toEqual([409, 'event_facts_differ']);
  const eventId = await buy();
  expect((await send('refund', 'order', '400')).status).toBe(409);
  expect(await shop.net(eventId)).toBe('100');
});

test('one that names the signup of somebody is refused at once', async () => {
  const { body } = await shop.purchase('bob', 'order');
  const answer = await send('refund', 'refund', '400', { order: `signup:${body.participantId}` });
  expect([answer.status, answer.body.error.reason]).toEqual([404, 'purchase_without_amount']);
  expect(await kept()).toEqual([]);
});

test('one that expired and is sent again together with its purchase is applied', async () => {
  const { purchaseAdjustmentId } = (await send('refund', 'refund', '400')).body;
  service.clock.advance(DAY_MS);
  const tracker = newTracker();
  const request = {
    workspaceId: shop.project.workspaceId,
    projectId: shop.project.projectId,
    actor: { type: 'system', id: 'test' } as const,
    requestId: 'req_test',
    ip: null,
    idempotency: null,
  };
  const { sourceNamespaceId } = shop;
  const person = (externalId: string) => ({ kind: 'individual', externalId }) as const;
  const money = { currency: 'USD', currencyExponent: 2 };
  // While the first is written, the others wait and make one batch, in this order.
  const [, bought, again] = await Promise.all([
    tracker.track(
      request,
      normalizeEvent({ sourceNamespaceId, type: 'signup', participant: person('carol') }),
    ),
    tracker.track(
      request,
      normalizeEvent({
        sourceNamespaceId,
        type: 'purchase',
        participant: person('bob'),
        sourceEventId: 'order',
        purchase: { amountMinor: '1000', currency: 'USD' },
      }),
    ),
    tracker.adjust(
      request,
      normalizeAdjustment({
        sourceNamespaceId,
        sourceEventId: 'refund',
        purchase: { sourceEventId: 'order' },
        kind: 'refund',
        amountMinor: '400',
        occurredAt: service.clock.now,
        ...money,
      }),
    ),
  ]);
  expect(await drops()).toEqual([[purchaseAdjustmentId, 'purchase_not_reported']]);
  expect(again.purchaseId).not.toBeNull();
  expect(await shop.net(bought.eventId)).toBe('60');
  await shop.verify();
});

test('a Project with very much that expired does not hide others from the worker', async () => {
  await send('refund', 'refund', '400');
  const other = await openAdjustShop(service);
  await other.adjust({ kind: 'refund', id: 'refund', order: 'order', amountMinor: '400' });
  const projectIds = [shop.project.projectId, other.project.projectId];
  await service.database.transaction((tx) =>
    tx.query(
      `insert into early_adjustments
       select project_id, id || n, number + n, purchase_namespace_id, purchase_event_id,
         source_namespace_id, source_event_id || n, facts_hash, fact, kept_at,
         expires_at - interval '1 hour'
       from early_adjustments, generate_series(1, 250) as n where project_id = $1`,
      [shop.project.projectId],
    ),
  );
  const expiredAt = addMs(service.clock.now, DAY_MS);
  const expired = await listProjectsExpired(service.database.reads, expiredAt);
  expect(expired).toEqual(expect.arrayContaining(projectIds));
  expect(new Set(expired).size).toBe(expired.length);
});

test('at the same moment, in either order, each is applied once', async () => {
  const orders = Array.from({ length: 6 }, (_, n) => `order-${n}`);
  const answers = await Promise.all(
    orders.flatMap((order, n) => {
      const refund = () =>
        shop.adjust({ kind: 'refund', id: `of-${order}`, order, amountMinor: '400' });
      const purchase = () => shop.purchase('bob', order);
      return n % 2 === 0 ? [refund(), purchase()] : [purchase(), refund()];
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  for (const { body } of answers.filter(({ body }) => body.eventId)) {
    expect(await shop.net(body.eventId)).toBe('60');
  }
  await shop.verify();
});

test('a dry run of the purchase knows of it, and leaves it', async () => {
  await send('refund', 'refund', '400');
  const { body } = await shop.post('/v1/simulations/events', {
    sourceNamespaceId: shop.sourceNamespaceId,
    type: 'purchase',
    participant: { kind: 'individual', externalId: 'bob' },
    sourceEventId: 'order',
    purchase: { amountMinor: '1000', currency: 'USD' },
  });
  expect(body.data.rewards).toMatchObject([{ money: { netAmountMinor: '60' } }]);
  expect(await kept()).toHaveLength(1);
});

test.each([
  ['an unknown source', { sourceNamespaceId: 'src_none' }, 'source_unknown'],
  [
    'an unknown source of the purchase',
    { purchase: { sourceNamespaceId: 'src_none', sourceEventId: 'order' } },
    'source_unknown',
  ],
  ['nothing that it restores', { kind: 'restoration', restores: 'none' }, 'adjustment_unknown'],
  ['what is no purchase', { purchase: { sourceEventId: 'signup' } }, 'purchase_without_amount'],
])('%s is not found, with the reason', async (_, more, reason) => {
  await shop.post('/v1/track/events', {
    sourceNamespaceId: shop.sourceNamespaceId,
    type: 'signup',
    participant: { kind: 'individual', externalId: 'zoe' },
    sourceEventId: 'signup',
  });
  const answer = await send('refund', 'refund', '400', more);
  expect([answer.status, answer.body.error.reason]).toEqual([404, reason]);
  expect(await kept()).toEqual([]);
});
