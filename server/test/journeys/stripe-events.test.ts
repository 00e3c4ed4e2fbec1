import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestService } from '../harness.ts';
import {
  dispute,
  invoice,
  invoicePayment,
  refund,
  START_S,
  stripeEvent,
  subscription,
} from '../stripe-events.ts';
import { openStripeShop, type StripeShop } from '../stripe-shop.ts';

let service: TestService;
let shop: StripeShop;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openStripeShop(service);
});
afterEach(async () => {
  const { kept } = await verifyProject(service.database, shop.project.projectId);
  expect(kept).toEqual([]);
});

const DONE = { state: 'done', reason: null };
const listEvents = async () =>
  (await shop.read('/v1/events')).body.data.filter(
    (one: { type: string }) => one.type !== 'signup',
  );
/** An invoice of 11.90 with 1.90 tax, and its payment. */
const pay = async () => {
  expect(await shop.sendEvent('invoice.paid', invoice({ total: 1_190, tax: 190 }))).toEqual(DONE);
  expect(await shop.sendEvent('invoice_payment.paid', invoicePayment())).toEqual(DONE);
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
    await shop.sendEvent('invoice.paid', invoice({ total: 1_190, tax: 190, amountPaid: 595 }));
    expect(await shop.reward()).toMatchObject({ net: '50' });
  });

  test('an invoice of nothing is recorded and earns nothing', async () => {
    await shop.sendEvent('invoice.paid', invoice({ total: 0 }));
    expect(await listEvents()).toMatchObject([
      { normalizedFacts: { purchase: { amountMinor: '0', taxAmountMinor: '0' } } },
    ]);
    expect(await shop.reward()).toBeUndefined();
  });

  test('a refund takes its part without tax; one that fails gives exactly that back', async () => {
    await pay();
    expect(await shop.sendEvent('refund.created', refund({ amount: 595 }))).toEqual(DONE);
    expect(await shop.reward()).toMatchObject({ net: '50' });
    expect(await shop.sendEvent('refund.created', refund({ id: 're_2', amount: 595 }))).toEqual(
      DONE,
    );
    expect(await shop.reward()).toMatchObject({ net: '0', status: 'cancelled' });
    expect(
      await shop.sendEvent('refund.failed', refund({ amount: 595, status: 'failed' })),
    ).toEqual(DONE);
    expect(await shop.reward()).toMatchObject({ net: '50', status: 'pending' });
    expect(await shop.sendEvent('refund.created', refund({ id: 're_3', amount: 595 }))).toEqual(
      DONE,
    );
    expect(await shop.reward()).toMatchObject({ net: '0', status: 'cancelled' });
  });

  test('a refund in another currency than the invoice takes nothing', async () => {
    await pay();
    const told = await shop.sendEvent('refund.created', refund({ amount: 595, currency: 'eur' }));
    expect(told).toEqual({ state: 'ignored', reason: 'currency_differs' });
    expect(await shop.reward()).toMatchObject({ net: '100' });
  });

  test('a dispute takes what was withdrawn, and winning it brings it back', async () => {
    await pay();
    await shop.sendEvent('charge.dispute.funds_withdrawn', dispute({ amount: 1_190 }));
    expect(await shop.reward()).toMatchObject({ net: '0' });
    await shop.sendEvent(
      'charge.dispute.funds_reinstated',
      dispute({ amount: 1_190, status: 'won' }),
    );
    expect(await shop.reward()).toMatchObject({ net: '100', status: 'pending' });
  });

  test('a dispute holds what was not granted yet, until it is won', async () => {
    const unit = { key: 'gb', name: 'GB', namePlural: 'GB' };
    await shop.addRule({ benefitKind: 'custom', quantity: 5, unit });
    const delivery = async () => {
      const { body } = await shop.read('/v1/rewards', { benefitKind: 'custom' });
      return [body.data[0].delivery.status, body.data[0].delivery.reason];
    };
    await pay();
    expect(await delivery()).toEqual(['pending', 'awaiting_operator']);
    await shop.sendEvent('charge.dispute.funds_withdrawn', dispute({ amount: 1_190 }));
    expect(await delivery()).toEqual(['on_hold', 'dispute_open']);
    await shop.sendEvent(
      'charge.dispute.funds_reinstated',
      dispute({ amount: 1_190, status: 'won' }),
    );
    expect(await delivery()).toEqual(['pending', 'awaiting_operator']);
  });

  test('a subscription is a fact at each turn', async () => {
    const period = { start: START_S, end: START_S + 2_592_000 };
    await shop.sendEvent('customer.subscription.created', subscription());
    const leaving = { cancelAtPeriodEnd: true, canceledAt: START_S };
    const previous = { cancel_at_period_end: false, canceled_at: null };
    await shop.sendEvent('customer.subscription.updated', subscription(leaving), { previous });
    await shop.sendEvent('customer.subscription.deleted', subscription({ status: 'canceled' }));
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

describe('repeats', () => {
  const count = async (type: string) =>
    (await shop.feed()).filter((one) => one.type === type).length;

  test('the same event ten times is one fact', async () => {
    const event = stripeEvent('invoice.paid', invoice());
    const states = [];
    for (let n = 0; n < 10; n += 1) states.push((await shop.deliver(event)).body.data.state);
    expect(states).toEqual(['done', ...Array(9).fill('repeated')]);
    expect([await count('event.recorded'), await count('reward.earned')]).toEqual([2, 1]);
  });

  test('ten at once are one fact, and all are answered with 200', async () => {
    const event = stripeEvent('invoice.paid', invoice());
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.deliver(event)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const done = answers.filter(({ body }) => body.data.state === 'done');
    expect(done).toHaveLength(1);
    expect([await count('event.recorded'), await count('reward.earned')]).toEqual([2, 1]);
  });

  test('Stripe may tell of one thing in two events: it is one fact', async () => {
    await pay();
    const known = { state: 'ignored', reason: 'known_already' };
    expect(await shop.sendEvent('invoice.paid', invoice({ total: 1_190, tax: 190 }))).toEqual(
      known,
    );
    expect(await shop.sendEvent('refund.created', refund({ amount: 119 }))).toEqual(DONE);
    expect(await shop.sendEvent('refund.created', refund({ amount: 119 }))).toEqual(known);
    const failed = refund({ amount: 119, status: 'failed' });
    expect(await shop.sendEvent('refund.failed', failed)).toEqual(DONE);
    expect(await shop.sendEvent('refund.failed', failed)).toEqual(known);
    await shop.sendEvent('customer.subscription.created', subscription());
    const later = { created: START_S + 1 };
    expect(await shop.sendEvent('customer.subscription.created', subscription(), later)).toEqual(
      known,
    );
    expect(await shop.reward()).toMatchObject({ net: '100' });
  });
});

describe('refunds and disputes that meet', () => {
  const half = ['refund.created', refund({ amount: 595 })] as const;
  const failed = ['refund.failed', refund({ status: 'failed' })] as const;
  const taken = ['charge.dispute.funds_withdrawn', dispute({ amount: 1_190 })] as const;
  const won = ['charge.dispute.funds_reinstated', dispute()] as const;

  test('a dispute that a refund had cut short, until that failed, is won whole', async () => {
    await pay();
    await shop.sendEvent(...half);
    await shop.sendEvent(...taken);
    await shop.sendEvent(...failed);
    expect(await shop.reward()).toMatchObject({ net: '0' });
    await shop.sendEvent(...won);
    expect(await shop.reward()).toMatchObject({ net: '100', status: 'pending' });
    expect(await shop.sendEvent(...won)).toEqual({ state: 'ignored', reason: 'known_already' });
  });

  test('of an invoice that paid an old debt, too, all that was charged can be refunded', async () => {
    const owed = invoice({ total: 1_190, tax: 190, amountPaid: 1_490 });
    await shop.sendEvent('invoice.paid', owed);
    await shop.sendEvent('invoice_payment.paid', invoicePayment());
    expect(await shop.sendEvent('refund.created', refund({ amount: 1_190 }))).toEqual(DONE);
    expect(await shop.sendEvent('refund.created', refund({ id: 're_2', amount: 300 }))).toEqual(
      DONE,
    );
    expect(await shop.reward()).toMatchObject({ net: '0', status: 'cancelled' });
    expect(await shop.sendEvent('refund.created', refund({ id: 're_3', amount: 1 }))).toEqual({
      state: 'parked',
      reason: 'exceeds_purchase',
    });
  });

  test('a refund that came while a dispute had taken everything goes before it', async () => {
    await pay();
    await shop.sendEvent(...taken);
    expect(await shop.sendEvent(...half)).toEqual(DONE);
    expect(await shop.reward()).toMatchObject({ net: '0' });
    await shop.sendEvent(...won);
    expect(await shop.reward()).toMatchObject({ net: '50' });
    expect(await shop.sendEvent(...won)).toEqual({ state: 'ignored', reason: 'known_already' });
    expect(await shop.parked()).toEqual([]);
  });

  test('a dispute that was lost is final, and what it held is not owed (D-ADJ-1)', async () => {
    await pay();
    const lost = ['charge.dispute.closed', dispute({ status: 'lost' })] as const;
    expect(await shop.sendEvent(...lost)).toMatchObject({
      state: 'parked',
      reason: 'reversal_unknown',
    });
    await shop.sendEvent(...taken);
    await service.settleStripe();
    expect(await shop.parked()).toEqual([]);
    expect(await shop.reward()).toMatchObject({ net: '0' });
    expect(await shop.sendEvent(...lost)).toEqual(DONE);
    expect(await shop.sendEvent(...won)).toMatchObject({
      state: 'ignored',
      reason: 'dispute_closed',
    });
    expect(await shop.reward()).toMatchObject({ net: '0' });
  });

  test('all at once, three times each, as it may come after an outage', async () => {
    const refunds = Array.from({ length: 7 }, (_, n) =>
      stripeEvent('refund.created', refund({ id: `re_${n}`, amount: 170 })),
    );
    const events = [
      stripeEvent('invoice.paid', invoice({ total: 1_190, tax: 190 })),
      stripeEvent('invoice_payment.paid', invoicePayment()),
      ...refunds,
    ];
    const answers = await Promise.all(
      [...events, ...events.toReversed(), ...events].map((event) => shop.deliver(event)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(27).fill(200));
    await service.settleStripe();
    // 7 × 1.70 = 11.90: nothing of the purchase is left, whatever was rounded on the way.
    expect(await shop.reward()).toMatchObject({ net: '0', status: 'cancelled' });
    expect(await shop.parked()).toEqual([]);
  });
});

describe('an invoice that the backend tells of, too, in words of its own', () => {
  const report = async (purchase: object) => {
    const { sourceNamespaceId } = (await shop.post('/v1/sources')).body;
    const { status } = await shop.post('/v1/track/events', {
      sourceNamespaceId,
      sourceEventId: 'order_1',
      type: 'purchase',
      participant: { kind: 'individual', externalId: 'bob' },
      purchase: { amountMinor: '2000', currency: 'USD', invoiceId: 'in_1', ...purchase },
    });
    expect(status).toBe(200);
  };
  const paid = () => shop.sendEvent('invoice.paid', invoice({ total: 1_190, tax: 190 }));
  const payment = () => shop.sendEvent('invoice_payment.paid', invoicePayment());
  const half = () => shop.sendEvent('refund.created', refund({ amount: 595 }));
  const rest = () => shop.sendEvent('refund.created', refund({ id: 're_2', amount: 595 }));
  const failed = () => shop.sendEvent('refund.failed', refund({ amount: 595, status: 'failed' }));
  const told = () => report({});

  // The first to tell is believed: 10 % of its amount.
  test.each([
    ['told, paid, payment, half', '100', [told, paid, payment, half]],
    ['paid, told, payment, half', '50', [paid, told, payment, half]],
    ['payment, half, told, paid', '100', [payment, half, told, paid]],
    ['half, told, payment, paid', '100', [half, told, payment, paid]],
    ['half, paid, payment, told', '50', [half, paid, payment, told]],
    ['told, all in two parts', '0', [told, paid, payment, half, rest]],
    ['paid, all in two parts, told', '0', [paid, payment, half, rest, told]],
    ['all in two parts, told, paid', '0', [rest, half, payment, told, paid]],
    ['told, all in two parts, one failed', '100', [told, paid, payment, half, rest, failed]],
  ])('%s', async (_name, net, steps) => {
    for (const step of steps) await step();
    expect(await shop.reward()).toMatchObject({ net });
    expect(await shop.parked()).toEqual([]);
  });

  test('in another currency it is another purchase, and a refund is of Stripe’s own (D-TRACK-5)', async () => {
    await report({ currency: 'EUR' });
    await paid();
    await payment();
    expect(await half()).toEqual(DONE);
    const { data } = (await shop.read('/v1/rewards', { benefitKind: 'cash' })).body;
    const nets = data.map((one: { money: { currency: string; netAmountMinor: string } }) => [
      one.money.currency,
      one.money.netAmountMinor,
    ]);
    expect(nets).toEqual([
      ['USD', '50'],
      ['EUR', '200'],
    ]);
  });
});

describe('a reward by the start of a subscription', () => {
  test('Stripe’s news that it started binds the referral, though the invoice came first', async () => {
    const policy = { bindingTrigger: 'subscription', model: 'last_touch', windowDays: 90 };
    await shop.post(`/v1/programs/${shop.programId}/attribution-policies`, policy);
    service.clock.advance(1_000);
    await shop.signUp('eve');
    const of = { participant_external_id: 'eve' };
    const payer = { customer: 'cus_eve', subscription: 'sub_eve', subscriptionMetadata: of };
    await shop.sendEvent(
      'invoice.paid',
      invoice({ ...payer, billingReason: 'subscription_create' }),
    );
    expect(await shop.reward()).toBeUndefined();
    const started = subscription({ id: 'sub_eve', customer: 'cus_eve', metadata: of });
    expect(await shop.sendEvent('customer.subscription.created', started)).toEqual(DONE);
    const referrals = (await shop.feed()).filter(({ type }) => type === 'referral.created');
    expect(referrals.at(-1)?.data.referral.bindingSubscriptionFactId).toMatch(/^sfact_/);
    expect(await shop.reward()).toEqual({ net: '100', status: 'pending' });
  });
});
