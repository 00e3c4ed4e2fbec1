import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../harness.ts';
import {
  dispute,
  invoice,
  invoicePayment,
  refund,
  START_S,
  subscription,
} from '../stripe-events.ts';
import { openStripeShop, type StripeShop } from '../stripe-shop.ts';

let service: TestService;
let shop: StripeShop;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openStripeShop(service);
});

const DONE = { state: 'done', reason: null };
const listEvents = async () =>
  (await shop.read('/v1/events')).body.data.filter(
    (one: { type: string }) => one.type !== 'signup',
  );
/** An invoice of 11.90 with 1.90 tax, and its payment. */
const pay = async () => {
  expect(await shop.tell('invoice.paid', invoice({ total: 1_190, tax: 190 }))).toEqual(DONE);
  expect(await shop.tell('invoice_payment.paid', invoicePayment())).toEqual(DONE);
};

describe('what Stripe tells becomes facts (D-SUB-2)', () => {
  test('an invoice that was paid is a purchase, without its tax, and earns', async () => {
    await pay();
    const [event] = await listEvents();
    expect(event).toMatchObject({
      type: 'purchase',
      sourceNamespaceId: shop.sourceNamespaceId,
      sourceEventId: 'in_1',
      occurredAt: new Date((START_S - 10) * 1_000).toISOString(),
      normalizedFacts: {
        purchase: {
          amountMinor: '1000',
          taxAmountMinor: '190',
          currency: 'USD',
          invoiceId: 'in_1',
          billingReason: 'one_time',
        },
      },
      processingReason: 'attributed',
    });
    expect(await shop.reward()).toMatchObject({ net: '100', status: 'pending' });
  });

  test('nobody earns on what a balance paid, our own credit among it', async () => {
    await shop.tell('invoice.paid', invoice({ total: 1_190, tax: 190, amountPaid: 595 }));
    expect(await shop.reward()).toMatchObject({ net: '50' });
  });

  test('an invoice of nothing is recorded and earns nothing', async () => {
    await shop.tell('invoice.paid', invoice({ total: 0 }));
    expect(await listEvents()).toMatchObject([
      { normalizedFacts: { purchase: { amountMinor: '0', taxAmountMinor: '0' } } },
    ]);
    expect(await shop.reward()).toBeUndefined();
  });

  test('a refund takes its part without tax; one that fails gives exactly that back', async () => {
    await pay();
    expect(await shop.tell('refund.created', refund({ amount: 595 }))).toEqual(DONE);
    expect(await shop.reward()).toMatchObject({ net: '50' });
    expect(await shop.tell('refund.created', refund({ id: 're_2', amount: 595 }))).toEqual(DONE);
    expect(await shop.reward()).toMatchObject({ net: '0', status: 'cancelled' });
    expect(await shop.tell('refund.failed', refund({ amount: 595, status: 'failed' }))).toEqual(
      DONE,
    );
    expect(await shop.reward()).toMatchObject({ net: '50', status: 'pending' });
  });

  test('a dispute takes what was withdrawn, and winning it brings it back', async () => {
    await pay();
    await shop.tell('charge.dispute.funds_withdrawn', dispute({ amount: 1_190 }));
    expect(await shop.reward()).toMatchObject({ net: '0' });
    await shop.tell('charge.dispute.funds_reinstated', dispute({ amount: 1_190, status: 'won' }));
    expect(await shop.reward()).toMatchObject({ net: '100', status: 'pending' });
  });

  test('a subscription is a fact at each turn', async () => {
    const period = { start: START_S, end: START_S + 2_592_000 };
    await shop.tell('customer.subscription.created', subscription());
    const leaving = { cancelAtPeriodEnd: true, canceledAt: START_S };
    const previous = { cancel_at_period_end: false, canceled_at: null };
    await shop.tell('customer.subscription.updated', subscription(leaving), { previous });
    await shop.tell('customer.subscription.deleted', subscription({ status: 'canceled' }));
    const facts = await service.database.reads.query(
      `select change, source_event_id as id, subscription_id as of, plan_key as plan, period_end
       from subscription_facts where project_id = $1 order by id`,
      [shop.project.projectId],
    );
    const periodEnd = new Date(period.end * 1_000).toISOString();
    const each = { of: 'sub_1', plan: 'price_pro', period_end: periodEnd };
    expect(facts).toEqual([
      { ...each, change: 'cancelled', id: `sub_1:cancelled:${START_S}` },
      { ...each, change: 'ended', id: 'sub_1:ended' },
      { ...each, change: 'started', id: 'sub_1:started' },
    ]);
  });
});
