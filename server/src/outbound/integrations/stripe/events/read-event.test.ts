import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  charge,
  customer,
  type EventOptions,
  invoice,
  stripeEvent,
} from '../../../../../test/stripe-events.ts';
import { assertOwn, assertShape, readEvent } from './read-event.ts';

const { webhooks } = new Stripe('none');
const NOW_MS = 1_800_000_000_000;
const [OLD, NEW] = ['whsec_old_old_old', 'whsec_new_new_new'];
const payload = JSON.stringify(stripeEvent('customer.created', customer('cus_é'), { id: 'evt_1' }));

const sign = (secret: string, ageSeconds = 0, text = payload) =>
  webhooks.generateTestHeaderString({
    payload: text,
    secret,
    timestamp: NOW_MS / 1_000 - ageSeconds,
  });
const read = (signature: string, secrets = [NEW, OLD], text = payload) =>
  readEvent({ bytes: Buffer.from(text), signature }, secrets, NOW_MS).then(({ id }) => id);
const refused = expect.objectContaining({ code: 'INVALID_REQUEST', reason: 'invalid_signature' });

describe('a signature', () => {
  test('of any live secret is good', async () => {
    expect([await read(sign(NEW)), await read(sign(OLD))]).toEqual(['evt_1', 'evt_1']);
    expect(await read(`${sign(NEW)},v1=${'0'.repeat(64)}`)).toBe('evt_1');
  });

  test('is good for 300 seconds either way, and not one more', async () => {
    expect(await read(sign(NEW, 300))).toBe('evt_1');
    await expect(read(sign(NEW, 301))).rejects.toThrow(refused);
    expect(await read(sign(NEW, -300))).toBe('evt_1');
    await expect(read(sign(NEW, -301))).rejects.toThrow(refused);
  });

  test.each([
    ['another secret', sign('whsec_other')],
    ['another body', sign(NEW, 0, `${payload} `)],
    ['a time that was changed', sign(NEW, 900).replace(/t=\d+/, `t=${NOW_MS / 1_000}`)],
    ['another scheme', sign(NEW).replace('v1=', 'v0=')],
    ['none', ''],
    ['rubbish', 'rubbish'],
    ['no time', 't=,v1='],
  ])('of %s is refused', async (_name, signature) => {
    await expect(read(signature)).rejects.toThrow(refused);
  });

  test('means nothing while there is no secret', async () => {
    await expect(read(sign(''), [])).rejects.toThrow(refused);
  });

  test('is no use without a snapshot event in the body', async () => {
    for (const text of [
      '{"id":"evt_1","object":"v2.core.event"}',
      '{"object":"event"}',
      'null',
      '[]',
    ]) {
      const unusable = expect.objectContaining({ reason: 'snapshot_required' });
      await expect(read(sign(NEW, 0, text), [NEW], text)).rejects.toThrow(unusable);
    }
    await expect(read(sign(NEW, 0, '{'), [NEW], '{')).rejects.toThrow('not valid JSON');
    await expect(read(sign(NEW, 0, ''), [NEW], '')).rejects.toThrow('not valid JSON');
  });
});

describe('an event', () => {
  const own = (options: EventOptions, livemode: boolean) => () =>
    assertOwn(stripeEvent('customer.created', customer('cus_1'), options), livemode);

  test('of the connection’s own account and mode is taken', () => {
    expect(own({ livemode: true }, true)).not.toThrow();
    expect(own({ livemode: false, apiVersion: '2025-03-31.basil' }, false)).not.toThrow();
  });

  test.each<[string, EventOptions, string]>([
    ['of live mode', { livemode: true }, 'livemode_mismatch'],
    ['of an account connected to it', { account: 'acct_1' }, 'foreign_account'],
    ['of a shape from before', { apiVersion: '2025-02-24.acacia' }, 'api_version_unsupported'],
    ['of no shape', { apiVersion: null }, 'api_version_unsupported'],
  ])('%s is refused in test mode', (_name, options, reason) => {
    expect(own(options, false)).toThrow(expect.objectContaining({ reason }));
  });

  test('of test mode is refused in live mode', () => {
    expect(own({ livemode: false }, true)).toThrow(
      expect.objectContaining({ reason: 'livemode_mismatch' }),
    );
  });
});

const isInvalid = expect.objectContaining({ code: 'INVALID_REQUEST' });
const check =
  (type: string, object: unknown, more: object = {}) =>
  () =>
    assertShape({ ...stripeEvent(type, object as object), ...more } as never);
const paid = (more: object) => ({ ...invoice(), ...more });

test('events as Stripe sends them are read, whatever else they have', () => {
  expect(check('invoice.paid', paid({ surprise: { deep: [1.5, null] } }))).not.toThrow();
  expect(check('customer.created', customer('cus_1'))).not.toThrow();
  expect(check('charge.succeeded', charge())).not.toThrow();
  expect(check('charge.succeeded', charge({ fingerprint: null }))).not.toThrow();
  // A type that is not used.
  expect(check('charge.updated', null)).not.toThrow();
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
  ['a charge without an id', 'charge.succeeded', { customer: 'cus_1' }],
  ['a card with a number', 'charge.succeeded', charge({ fingerprint: 4242 as never })],
  ['a time in words', 'customer.created', customer('cus_1'), { created: 'abc' }],
  ['a time beyond all calendars', 'customer.created', customer('cus_1'), { created: 1e18 }],
  ['no mode', 'customer.created', customer('cus_1'), { livemode: undefined }],
  ['NUL in an id', 'customer.created', customer('cus_\0')],
  ['NUL in metadata', 'invoice.paid', paid({ metadata: { participant_external_id: 'x\0' } })],
])('%s is refused', (_name, type, object, more) => {
  expect(check(type, object, more)).toThrow(isInvalid);
});
