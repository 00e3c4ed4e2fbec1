import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test, vi } from 'vitest';
import { verifyWebhook } from './verify-webhook.ts';
import { webcrypto } from './webcrypto.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const SECRET = newSecret();
const OLD = newSecret();
const NOW = Date.parse('2026-11-15T09:30:00Z');
const BODY = JSON.stringify({ id: 'wev_1', type: 'reward.earned', data: { name: 'Žofie ✓' } });

/** Signed by the reference library. */
function sign(body = BODY, { secrets = [SECRET], id = 'wev_1', atMs = NOW } = {}) {
  const signatures = secrets.map((one) => new Webhook(one).sign(id, new Date(atMs), body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(atMs / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}
const options = { nowMs: NOW };

describe('a webhook', () => {
  test('that Goodword signed gives its event, whatever shape body and headers have', async () => {
    const headers = sign();
    const bytes = new TextEncoder().encode(BODY);
    const shouted = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    for (const body of [BODY, bytes, bytes.buffer, Buffer.from(BODY)]) {
      for (const given of [
        headers,
        new Headers(headers),
        new Map(Object.entries(headers)),
        shouted,
      ]) {
        expect(await verifyWebhook(body, given, SECRET, options)).toEqual(JSON.parse(BODY));
      }
    }
  });

  test('is good by any of its signatures and any of our secrets', async () => {
    const check = (signed: string[], known: string[]) =>
      verifyWebhook(BODY, sign(BODY, { secrets: signed }), known, options);
    await expect(check([SECRET, OLD], [OLD])).resolves.toBeDefined();
    await expect(check([SECRET], [OLD, SECRET])).resolves.toBeDefined();
    await expect(check([SECRET], [OLD])).rejects.toMatchObject({ reason: 'signature_wrong' });
    const headers = sign();
    headers['webhook-signature'] = `v1a,xx v1,?? ${headers['webhook-signature']} v2,`;
    await expect(verifyWebhook(BODY, headers, SECRET, options)).resolves.toBeDefined();
  });

  test('with thousands of signatures costs no more than one with a few', async () => {
    const good = sign()['webhook-signature'];
    const wrong = () => `v1,${randomBytes(32).toString('base64')}`;
    const check = (...signatures: string[]) =>
      verifyWebhook(
        BODY,
        { ...sign(), 'webhook-signature': signatures.join(' ') },
        [OLD, SECRET],
        options,
      );
    const hash = vi.spyOn(webcrypto.subtle, 'sign');
    const compare = vi.spyOn(webcrypto.subtle, 'verify');
    await expect(check(...Array.from({ length: 7 }, wrong), good)).resolves.toBeDefined();
    expect(hash.mock.calls.length + compare.mock.calls.length).toBe(2);
    await expect(check(...Array.from({ length: 8 }, wrong), good)).rejects.toMatchObject({
      reason: 'signature_wrong',
    });
    expect(hash.mock.calls.length + compare.mock.calls.length).toBe(4);
    // Values that cannot be signatures are skipped, and a header that is too long is not read.
    await expect(check('v1,AAAA', 'v2,AAAA')).rejects.toMatchObject({ reason: 'signature_wrong' });
    await expect(check(good, ...Array.from({ length: 2_000 }, wrong))).rejects.toMatchObject({
      reason: 'signature_wrong',
    });
    expect(hash.mock.calls.length + compare.mock.calls.length).toBe(4);
    vi.restoreAllMocks();
  });

  test('of another body, id or time is refused', async () => {
    const refused = { name: 'WebhookVerificationError', reason: 'signature_wrong' };
    await fc.assert(
      fc.asyncProperty(
        fc.nat(BODY.length - 1),
        fc.integer({ min: 1, max: 127 }),
        async (at, by) => {
          const bytes = new TextEncoder().encode(BODY);
          bytes[at] = (bytes[at] ?? 0) ^ by;
          await expect(verifyWebhook(bytes, sign(), SECRET, options)).rejects.toMatchObject(
            refused,
          );
        },
      ),
      { numRuns: 20 },
    );
    for (const change of [
      { 'webhook-id': 'wev_2' },
      { 'webhook-timestamp': `${NOW / 1_000 + 1}` },
    ]) {
      const headers = { ...sign(), ...change };
      await expect(verifyWebhook(BODY, headers, SECRET, options)).rejects.toMatchObject(refused);
    }
  });

  test('counts for 300 seconds either way, unless told otherwise', async () => {
    const at = (seconds: number, more = {}) =>
      verifyWebhook(BODY, sign(BODY, { atMs: NOW + seconds * 1_000 }), SECRET, {
        ...options,
        ...more,
      });
    await expect(at(300)).resolves.toBeDefined();
    await expect(at(-300)).resolves.toBeDefined();
    await expect(at(301)).rejects.toMatchObject({ reason: 'timestamp_off' });
    await expect(at(-301)).rejects.toMatchObject({ reason: 'timestamp_off' });
    await expect(at(-11, { toleranceSeconds: 10 })).rejects.toMatchObject({
      reason: 'timestamp_off',
    });
    for (const time of ['', 'now', '1e9', '0x10', `${NOW / 1_000}.0`]) {
      const headers = { ...sign(), 'webhook-timestamp': time };
      await expect(verifyWebhook(BODY, headers, SECRET, options)).rejects.toMatchObject({
        reason: time === '' ? 'headers_missing' : 'timestamp_off',
      });
    }
  });

  test('without its headers, or without a signature of ours, is refused', async () => {
    for (const name of Object.keys(sign())) {
      const headers = { ...sign(), [name]: undefined };
      await expect(verifyWebhook(BODY, headers, SECRET, options)).rejects.toMatchObject({
        reason: 'headers_missing',
      });
    }
    for (const signature of ['v1,', 'v1', sign()['webhook-signature'].slice(3), 'v1,AAAA']) {
      const headers = { ...sign(), 'webhook-signature': signature };
      await expect(verifyWebhook(BODY, headers, SECRET, options)).rejects.toMatchObject({
        reason: 'signature_wrong',
      });
    }
    await expect(verifyWebhook('hi', sign('hi'), SECRET, options)).rejects.toMatchObject({
      reason: 'body_invalid',
    });
  });

  test('is not what a program is blamed for that has no secret, no headers, or a parsed body', async () => {
    const missing = undefined as unknown as string;
    for (const secret of ['', 'whsec_', 'whsec_!', SECRET.slice(6), [], missing, [missing]]) {
      const checked = verifyWebhook(BODY, sign(), secret, options);
      await expect(checked).rejects.toThrow(/^(There is no secret|An endpoint’s secret is)/);
    }
    const headers = undefined as unknown as Headers;
    await expect(verifyWebhook(BODY, headers, SECRET, options)).rejects.toThrow(
      new TypeError('Give the headers of the request.'),
    );
    const parsed = JSON.parse(BODY);
    await expect(verifyWebhook(parsed, sign(), SECRET, options)).rejects.toThrow('as it came');
  });
});
