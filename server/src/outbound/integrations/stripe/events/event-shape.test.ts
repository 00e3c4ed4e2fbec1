import { expect, test } from 'vitest';
import { customer, invoice, stripeEvent } from '../../../../../test/stripe-events.ts';
import { assertShape } from './event-shape.ts';

const refused = expect.objectContaining({ code: 'INVALID_REQUEST' });
const check =
  (type: string, object: unknown, more: object = {}) =>
  () =>
    assertShape({ ...stripeEvent(type, object as object), ...more } as never);
const paid = (more: object) => ({ ...invoice(), ...more });

test('events as Stripe sends them are read, whatever else they have', () => {
  expect(check('invoice.paid', paid({ surprise: { deep: [1.5, null] } }))).not.toThrow();
  expect(check('customer.created', customer('cus_1'))).not.toThrow();
  expect(check('charge.succeeded', null)).not.toThrow();
});

test.each<[string, string, unknown, object?]>([
  ['no object', 'invoice.paid', null],
  ['an invoice without an id', 'invoice.paid', paid({ id: undefined })],
  ['a total in words', 'invoice.paid', paid({ total: 'abc' })],
  ['half a cent', 'invoice.paid', paid({ amount_paid: 100.5 })],
  ['more money than there is', 'invoice.paid', paid({ total: 1e18 })],
  ['no currency', 'invoice.paid', paid({ currency: null })],
  ['a payment of nothing', 'invoice_payment.paid', { invoice: 'in_1' }],
  ['a refund without an amount', 'refund.created', { id: 're_1', currency: 'usd', created: 1 }],
  [
    'a subscription without items',
    'customer.subscription.created',
    { id: 'sub_1', status: 'active' },
  ],
  ['a customer without an id', 'customer.updated', {}],
  ['a time in words', 'customer.created', customer('cus_1'), { created: 'abc' }],
  ['a time beyond all calendars', 'customer.created', customer('cus_1'), { created: 1e18 }],
  ['no mode', 'customer.created', customer('cus_1'), { livemode: undefined }],
  ['NUL in an id', 'customer.created', customer('cus_\0')],
  ['NUL in metadata', 'invoice.paid', paid({ metadata: { participant_external_id: 'x\0' } })],
])('%s is refused', (_name, type, object, more) => {
  expect(check(type, object, more)).toThrow(refused);
});
