import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AdjustShop, openAdjustShop } from '../adjust-shop.ts';
import { openService, type TestService } from '../harness.ts';

let service: TestService;
let shop: AdjustShop;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openAdjustShop(service);
  await shop.signUp('carol');
});

const INVOICE = { invoiceId: '0001' };
const refund = (id: string, order: string, more: object = {}) =>
  shop.adjust({ kind: 'refund', id, order, amountMinor: '1000', ...more });

test('two people with the same invoice number made two purchases, and each refund is of its own (D-TRACK-5)', async () => {
  const bobs = (await shop.purchase('bob', 'order-b', INVOICE)).body;
  const carols = (await shop.purchase('carol', 'order-c', INVOICE)).body;
  expect(carols.processingReason).toBe('attributed');
  expect([await shop.net(bobs.eventId), await shop.net(carols.eventId)]).toEqual(['100', '100']);

  const { body } = await refund('refund-c', 'order-c');
  expect(body.rewardAdjustments).toHaveLength(1);
  expect([await shop.net(bobs.eventId), await shop.net(carols.eventId)]).toEqual(['100', '0']);
  await refund('refund-b', 'order-b');
  expect(await shop.net(bobs.eventId)).toBe('0');
  await shop.verify();
});

test('an invoice number in another currency is another purchase of the same person', async () => {
  const dollars = (await shop.purchase('bob', 'order-1', INVOICE)).body;
  const euros = (await shop.purchase('bob', 'order-2', { ...INVOICE, currency: 'EUR' })).body;
  const again = (await shop.purchase('bob', 'order-3', { ...INVOICE, currency: 'EUR' })).body;
  expect([dollars, euros, again].map((one) => one.processingReason)).toEqual([
    'attributed',
    'attributed',
    'duplicate_invoice',
  ]);
  // What names the duplicate is of the counted purchase: the one in euros.
  await refund('refund-1', 'order-3', { currency: 'EUR' });
  expect([await shop.net(dollars.eventId), await shop.net(euros.eventId)]).toEqual(['100', '0']);
  await shop.verify();
});

test('individual and group of one name are two people to an invoice number, too', async () => {
  await shop.purchase('bob', 'order-1', INVOICE);
  const { body } = await shop.post('/v1/track/events', {
    sourceNamespaceId: shop.sourceNamespaceId,
    type: 'purchase',
    participant: { kind: 'group', externalId: 'bob' },
    sourceEventId: 'order-2',
    purchase: { amountMinor: '1000', currency: 'USD', ...INVOICE },
  });
  expect(body.processingReason).not.toBe('duplicate_invoice');
});

test('in one batch, and in a dry run, the same', async () => {
  const purchase = (externalId: string, sourceEventId: string, currency = 'USD') => ({
    sourceNamespaceId: shop.sourceNamespaceId,
    type: 'purchase',
    participant: { kind: 'individual', externalId },
    sourceEventId,
    purchase: { amountMinor: '1000', currency, ...INVOICE },
  });
  const events = [
    purchase('bob', 'order-1'),
    purchase('carol', 'order-2'),
    purchase('bob', 'order-3'),
    purchase('bob', 'order-4', 'EUR'),
    purchase('dora', 'order-5'),
    purchase('dora', 'order-6'),
  ];
  const { results } = (await shop.post('/v1/track/events/batch', { events })).body;
  const reasons = results.map((one: { processingReason: string }) => one.processingReason);
  expect(reasons).toEqual([
    'attributed',
    'attributed',
    'duplicate_invoice',
    'attributed',
    'awaiting_attribution',
    'duplicate_invoice',
  ]);
  const simulate = async (one: object) =>
    (await shop.post('/v1/simulations/events', one)).body.data.response.processingReason;
  expect(await simulate(purchase('carol', 'order-7'))).toBe('duplicate_invoice');
  expect(await simulate(purchase('carol', 'order-7', 'EUR'))).toBe('attributed');
  await shop.verify();
});

test('what an earlier version stored as a duplicate of somebody else’s purchase is never adjusted for it', async () => {
  const bobs = (await shop.purchase('bob', 'order-b', INVOICE)).body;
  await shop.purchase('carol', 'order-c', { invoiceId: '0002' });
  // As the version before left it: its number was taken for that of bob's purchase.
  await service.database.reads.query(
    `update purchases p set invoice_id = '0001', duplicate_of =
       (select f.id from purchases f where f.project_id = $1 and f.event_id = $2)
     from events e where p.project_id = $1 and e.project_id = $1 and e.id = p.event_id
       and e.source_event_id = 'order-c'`,
    [shop.project.projectId, bobs.eventId],
  );
  const answer = await refund('refund-c', 'order-c');
  expect([answer.status, answer.body.error.reason]).toEqual([404, 'purchase_not_counted']);
  expect(await shop.net(bobs.eventId)).toBe('100');
  // The number is still free for carol herself.
  const { body } = await shop.purchase('carol', 'order-d', INVOICE);
  expect(body.processingReason).toBe('attributed');
});
