import { describe, expect, test } from 'vitest';
import {
  charge,
  customer,
  dispute,
  type InvoiceOptions,
  invoice,
  invoicePayment,
  refund,
  START_S,
  stripeEvent,
  subscription,
  subscriptionItem,
} from '../../../../../test/stripe-events.ts';
import { EVENT_TYPES, type Mapped, mapEvent } from './map-event.ts';

const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
const map = (...event: Parameters<typeof stripeEvent>): Mapped =>
  mapEvent(stripeEvent(...event), (card) => `hash of ${card}`);
const paid = (options: InvoiceOptions) => map('invoice.paid', invoice(options));

describe('an invoice that was paid is a purchase (D-SUB-2)', () => {
  test('with all that the fact needs, and nothing of who the payer is but ids', () => {
    const options = { total: 1_190, tax: 190, subscription: 'sub_1' };
    expect(paid(options)).toEqual({
      fact: {
        kind: 'purchase',
        invoiceId: 'in_1',
        payer: { customerId: 'cus_bob', participant: null },
        paidMinor: '1190',
        chargedMinor: '1190',
        netMinor: '1000',
        currency: 'USD',
        subscriptionId: 'sub_1',
        billingReason: 'subscription_cycle',
        occurredAt: at(START_S - 10),
      },
    });
  });

  test.each<[string, InvoiceOptions, string, string]>([
    ['without tax', { total: 1_000 }, '1000', '1000'],
    ['with tax', { total: 1_190, tax: 190 }, '1190', '1000'],
    ['half paid by a balance', { total: 1_190, tax: 190, amountPaid: 595 }, '595', '500'],
    ['paid by a balance alone', { total: 1_190, tax: 190, amountPaid: 0 }, '0', '0'],
    ['rounded half up, once', { total: 3, tax: 2, amountPaid: 2 }, '2', '1'],
    [
      'overpaid: the rest went to the balance',
      { total: 1_190, tax: 190, amountPaid: 2_000 },
      '1190',
      '1000',
    ],
    ['of nothing', { total: 0 }, '0', '0'],
    ['below zero: a credit', { total: -500, amountPaid: 0 }, '0', '0'],
    [
      'total without tax not told',
      { total: 1_190, tax: 190, totalExcludingTax: null },
      '1190',
      '1000',
    ],
    ['in yen, which have no decimals', { currency: 'jpy', total: 1_100, tax: 100 }, '1100', '1000'],
    [
      'in dinars, which have three',
      { currency: 'kwd', total: 11_000, tax: 1_000 },
      '11000',
      '10000',
    ],
    [
      'in krónur, which Stripe writes with two',
      { currency: 'isk', total: 119_000, tax: 19_000 },
      '1190',
      '1000',
    ],
    ['in krónur, with odd tax', { currency: 'isk', total: 100_000, tax: 19_355 }, '1000', '806'],
    [
      'in shillings, which Stripe writes with two',
      { currency: 'ugx', total: 500_000 },
      '5000',
      '5000',
    ],
    [
      'in ariary, which Stripe writes with none',
      { currency: 'mga', total: 5_000 },
      '500000',
      '500000',
    ],
  ])('%s', (_name, options, paidMinor, netMinor) => {
    expect(paid(options)).toMatchObject({ fact: { paidMinor, netMinor } });
  });

  test.each<[string, InvoiceOptions, string]>([
    ['a currency that nobody knows', { currency: 'zzz' }, 'currency_unsupported'],
    ['part of a króna', { currency: 'isk', total: 119_050 }, 'amount_unsupported'],
    ['a thousandth of a dinar', { currency: 'kwd', total: 10_005 }, 'amount_unsupported'],
  ])('%s is no purchase', (_name, options, ignored) => {
    expect(paid(options)).toEqual({ ignored });
  });

  test.each([
    ['manual', null, 'one_time'],
    ['automatic_pending_invoice_item_invoice', null, 'one_time'],
    ['subscription_create', 'sub_1', 'subscription_create'],
    ['subscription_cycle', 'sub_1', 'subscription_cycle'],
    ['subscription_update', 'sub_1', 'subscription_update'],
    ['subscription_threshold', 'sub_1', 'subscription_cycle'],
    ['subscription', 'sub_1', null],
  ])('billed for %s', (billingReason, subscriptionId, expected) => {
    const mapped = paid({ billingReason, subscription: subscriptionId });
    expect(mapped).toMatchObject({ fact: { billingReason: expected, subscriptionId } });
  });

  test('when Stripe does not say when it was paid, it is when it said so', () => {
    expect(paid({ paidAt: null })).toMatchObject({ fact: { occurredAt: at(START_S) } });
  });
});

describe('whom it is about', () => {
  const named = (externalId: string, kind?: string) => ({
    participant_external_id: externalId,
    ...(kind ? { participant_kind: kind } : {}),
  });

  test.each<[string, InvoiceOptions, object | null]>([
    [
      'metadata of the invoice',
      { metadata: named('b', 'group') },
      { kind: 'group', externalId: 'b' },
    ],
    [
      'metadata of the subscription',
      { subscription: 'sub_1', subscriptionMetadata: named('c') },
      { kind: 'individual', externalId: 'c' },
    ],
    [
      'the invoice before the subscription',
      { metadata: named('b'), subscription: 'sub_1', subscriptionMetadata: named('c') },
      { kind: 'individual', externalId: 'b' },
    ],
    ['a kind that there is not', { metadata: named('b', 'company') }, null],
    ['a blank name', { metadata: named('  ') }, null],
    ['a name that cannot be stored', { metadata: named('a\0b') }, null],
    ['half a character', { metadata: named('a\ud800') }, null],
    ['a name that is too long', { metadata: named('x'.repeat(513)) }, null],
    ['a kind alone', { metadata: { participant_kind: 'group' } }, null],
  ])('%s', (_name, options, participant) => {
    expect(paid(options)).toMatchObject({
      fact: { payer: { customerId: 'cus_bob', participant } },
    });
  });

  test('a customer that is sent in full counts by its id', () => {
    const object = { ...invoice(), customer: customer('cus_1') };
    expect(map('invoice.paid', object)).toMatchObject({ fact: { payer: { customerId: 'cus_1' } } });
  });

  test('a customer whose metadata names somebody is a link; others are nothing', () => {
    for (const type of ['customer.created', 'customer.updated']) {
      expect(map(type, customer('cus_1', named('42')))).toEqual({
        fact: {
          kind: 'customer',
          customerId: 'cus_1',
          participant: { kind: 'individual', externalId: '42' },
        },
      });
      expect(map(type, customer('cus_1'))).toEqual({ ignored: 'no_fact' });
    }
  });
});

describe('money that goes back', () => {
  test.each([
    ['a payment intent', { paymentIntent: 'pi_9' }, 'pi_9'],
    ['a charge without one', { charge: 'ch_9' }, 'ch_9'],
  ])('%s is known by its invoice', (_name, options, paymentId) => {
    expect(map('invoice_payment.paid', invoicePayment({ invoice: 'in_9', ...options }))).toEqual({
      fact: { kind: 'payment', paymentId, invoiceId: 'in_9' },
    });
  });

  test('what was paid outside Stripe is not refunded there', () => {
    const record = invoicePayment({ record: 'pr_1' });
    expect(map('invoice_payment.paid', record)).toEqual({ ignored: 'no_fact' });
  });

  test('a refund counts from when it was made, a dispute from when the money was withdrawn', () => {
    expect(map('refund.created', refund({ amount: 595 }))).toEqual({
      fact: {
        kind: 'reversal',
        reversal: 'refund',
        id: 're_1',
        paymentId: 'pi_1',
        paidMinor: '595',
        currency: 'USD',
        occurredAt: at(START_S - 5),
      },
    });
    expect(map('charge.dispute.funds_withdrawn', dispute({ amount: 595 }))).toEqual({
      fact: {
        kind: 'reversal',
        reversal: 'dispute',
        id: 'dp_1',
        paymentId: 'pi_1',
        paidMinor: '595',
        currency: 'USD',
        occurredAt: at(START_S),
      },
    });
  });

  test('of a charge without an intent, by the charge; of no payment at all, nothing', () => {
    const mapped = map('refund.created', refund({ paymentIntent: null }));
    expect(mapped).toMatchObject({ fact: { paymentId: 'ch_1' } });
    const nobodys = refund({ paymentIntent: null, charge: null });
    expect(map('refund.created', nobodys)).toEqual({ ignored: 'no_fact' });
  });

  test.each([
    ['jpy', 500, '500'],
    ['kwd', 5_120, '5120'],
    ['isk', 50_000, '500'],
    ['ugx', 50_000, '500'],
  ])('in %s', (currency, amount, paidMinor) => {
    for (const [type, make] of [
      ['refund.created', refund],
      ['charge.dispute.funds_withdrawn', dispute],
    ] as const) {
      expect(map(type, make({ currency, amount }))).toMatchObject({ fact: { paidMinor } });
    }
  });

  test.each([
    ['refund.failed', refund({ status: 'failed' }), 'refund', 're_1'],
    ['refund.updated', refund({ status: 'canceled' }), 'refund', 're_1'],
    ['refund.updated', refund({ status: 'failed' }), 'refund', 're_1'],
    ['charge.dispute.funds_reinstated', dispute({ status: 'won' }), 'dispute', 'dp_1'],
  ])('%s restores', (type, object, reversal, id) => {
    expect(map(type, object)).toEqual({
      fact: { kind: 'restoration', reversal, id, occurredAt: at(START_S) },
    });
  });

  test('a dispute that was lost ends; one that closed otherwise is nothing', () => {
    expect(map('charge.dispute.closed', dispute({ status: 'lost' }))).toEqual({
      fact: { kind: 'loss', id: 'dp_1', occurredAt: at(START_S) },
    });
    for (const status of ['won', 'warning_closed', 'prevented']) {
      expect(map('charge.dispute.closed', dispute({ status }))).toEqual({ ignored: 'no_fact' });
    }
  });

  test('any other change of a refund is nothing', () => {
    for (const status of ['pending', 'succeeded', 'requires_action']) {
      expect(map('refund.updated', refund({ status }))).toEqual({ ignored: 'no_fact' });
    }
  });
});

describe('subscriptions', () => {
  const month = 2_592_000;
  const next = subscriptionItem({ start: START_S + month });
  const items = (...data: object[]) => ({ items: { data } });

  test.each<[string, object, object | undefined, string | null]>([
    ['created and paid', subscription(), undefined, 'started'],
    ['created with a trial', subscription({ status: 'trialing' }), undefined, 'started'],
    ['created, not paid yet', subscription({ status: 'incomplete' }), undefined, null],
  ])('%s', (_name, object, _previous, change) => {
    const mapped = map('customer.subscription.created', object);
    if (change === null) expect(mapped).toEqual({ ignored: 'no_fact' });
    else expect(mapped).toMatchObject({ fact: { changeId: 'sub_1:started', fact: { change } } });
  });

  test.each<[string, object, object, string | null]>([
    ['paid at last', subscription(), { status: 'incomplete' }, 'sub_1:started'],
    ['never paid', subscription({ status: 'incomplete_expired' }), { status: 'incomplete' }, null],
    [
      'a new period',
      subscription({ items: [next] }),
      { latest_invoice: 'in_0', ...items(subscriptionItem()) },
      `sub_1:renewed:${START_S + month}`,
    ],
    [
      'a period that was moved, without an invoice',
      subscription({ items: [next] }),
      items(subscriptionItem()),
      null,
    ],
    [
      'another price',
      subscription({ items: [subscriptionItem({ price: 'price_max' })] }),
      items(subscriptionItem()),
      'sub_1:changed:evt_x',
    ],
    [
      'another price from a new period on',
      subscription({ items: [subscriptionItem({ price: 'price_max', start: START_S + month })] }),
      { latest_invoice: 'in_0', ...items(subscriptionItem()) },
      'sub_1:changed:evt_x',
    ],
    [
      'one more item',
      subscription({ items: [subscriptionItem(), subscriptionItem({ id: 'si_2' })] }),
      items(subscriptionItem()),
      'sub_1:changed:evt_x',
    ],
    [
      'to end with its period',
      subscription({ cancelAtPeriodEnd: true, canceledAt: START_S - 1 }),
      { cancel_at_period_end: false, canceled_at: null },
      `sub_1:cancelled:${START_S - 1}`,
    ],
    [
      'to end some day',
      subscription({ cancelAt: START_S + month, canceledAt: START_S - 2 }),
      { cancel_at: null, canceled_at: null },
      `sub_1:cancelled:${START_S - 2}`,
    ],
    [
      'to go on after all',
      subscription(),
      { cancel_at_period_end: true, canceled_at: START_S - 1 },
      'sub_1:changed:evt_x',
    ],
    ['a payment that is late', subscription({ status: 'past_due' }), { status: 'active' }, null],
    ['other metadata', subscription(), { metadata: { a: 'b' } }, null],
    ['nothing that is told', subscription(), {}, null],
  ])('updated: %s', (_name, object, previous, changeId) => {
    const mapped = map('customer.subscription.updated', object, { id: 'evt_x', previous });
    if (changeId === null) expect(mapped).toEqual({ ignored: 'no_fact' });
    else expect(mapped).toMatchObject({ fact: { changeId } });
  });

  test('deleted is ended, with its plan and period', () => {
    const item = subscriptionItem({ lookupKey: 'pro' });
    const object = subscription({
      status: 'canceled',
      items: [item],
      metadata: { participant_external_id: '42' },
    });
    expect(map('customer.subscription.deleted', object)).toEqual({
      fact: {
        kind: 'subscription',
        changeId: 'sub_1:ended',
        payer: { customerId: 'cus_bob', participant: { kind: 'individual', externalId: '42' } },
        fact: {
          subscriptionId: 'sub_1',
          change: 'ended',
          planKey: 'pro',
          periodStart: at(START_S),
          periodEnd: at(START_S + month),
          occurredAt: at(START_S),
        },
      },
    });
  });
});

describe('a payment by card', () => {
  test('is the keyed hash of the card, and nothing else about it', () => {
    expect(map('charge.succeeded', charge())).toEqual({
      fact: {
        kind: 'card',
        chargeId: 'ch_1',
        payer: { customerId: 'cus_bob', participant: null },
        cardHash: 'hash of Xt5EWLLDS7FJjR1c',
        occurredAt: at(START_S),
      },
    });
  });

  test('by another method, or of nobody, is no fact', () => {
    for (const options of [{ fingerprint: null }, { customer: null }]) {
      expect(map('charge.succeeded', charge(options))).toEqual({ ignored: 'no_fact' });
    }
  });
});

test('every other type is none of ours, and all that we ask for are', () => {
  for (const type of ['invoice.created', 'charge.refunded', 'charge.dispute.created', 'x.y']) {
    expect(map(type, invoice())).toEqual({ ignored: 'other_type' });
  }
  const object = {
    ...(subscription() as object),
    ...(invoice() as object),
    payment: {},
    metadata: {},
    payment_method_details: null,
  };
  for (const type of EVENT_TYPES) {
    expect(map(type, object)).not.toEqual({ ignored: 'other_type' });
  }
});
