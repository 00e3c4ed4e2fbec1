import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { customer, type EventOptions, stripeEvent } from '../../../../../test/stripe-events.ts';
import { assertOwn, readEvent } from './read-event.ts';

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
  readEvent({ bytes: Buffer.from(text), signature }, secrets, NOW_MS).id;
const refused = expect.objectContaining({ code: 'INVALID_REQUEST', reason: 'invalid_signature' });

describe('a signature', () => {
  test('of any live secret is good', () => {
    expect([read(sign(NEW)), read(sign(OLD))]).toEqual(['evt_1', 'evt_1']);
    expect(read(`${sign(NEW)},v1=${'0'.repeat(64)}`)).toBe('evt_1');
  });

  test('is good for 300 seconds either way, and not one more', () => {
    expect(read(sign(NEW, 300))).toBe('evt_1');
    expect(() => read(sign(NEW, 301))).toThrow(refused);
    expect(read(sign(NEW, -300))).toBe('evt_1');
    expect(() => read(sign(NEW, -301))).toThrow(refused);
  });

  test.each([
    ['another secret', sign('whsec_other')],
    ['another body', sign(NEW, 0, `${payload} `)],
    ['a time that was changed', sign(NEW, 900).replace(/t=\d+/, `t=${NOW_MS / 1_000}`)],
    ['another scheme', sign(NEW).replace('v1=', 'v0=')],
    ['none', ''],
    ['rubbish', 'rubbish'],
    ['no time', 't=,v1='],
  ])('of %s is refused', (_name, signature) => {
    expect(() => read(signature)).toThrow(refused);
  });

  test('means nothing while there is no secret', () => {
    expect(() => read(sign(''), [])).toThrow(refused);
  });

  test('is no use without a snapshot event in the body', () => {
    for (const text of [
      '{"id":"evt_1","object":"v2.core.event"}',
      '{"object":"event"}',
      'null',
      '[]',
    ]) {
      const unusable = expect.objectContaining({ reason: 'snapshot_required' });
      expect(() => read(sign(NEW, 0, text), [NEW], text)).toThrow(unusable);
    }
    expect(() => read(sign(NEW, 0, '{'), [NEW], '{')).toThrow('not valid JSON');
    expect(() => read(sign(NEW, 0, ''), [NEW], '')).toThrow('not valid JSON');
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
