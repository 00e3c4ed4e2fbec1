import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addMs, DAY_MS } from '../../../platform/kit/instant.ts';
import { liveSecrets, makeSecret, signatureHeaders } from './sign.ts';

// The independent verifier reads the clock itself.
const NOW = '2026-11-15T09:30:00.789Z';
beforeEach(() => void vi.useFakeTimers({ now: Date.parse(NOW), toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const newSecret = () => makeSecret(randomBytes(32));
const secret = newSecret();
const older = newSecret();
const text = JSON.stringify({ type: 'reward.earned', data: { note: 'Grüße, 你好 🎉' } });
const body = Buffer.from(text);
const sign = (secrets: readonly string[], signedAt = NOW) =>
  signatureHeaders({ id: 'wev_01ka3m', signedAt, body, secrets });

test('an independent verifier accepts what is signed', () => {
  const headers = sign([secret]);
  expect(headers['webhook-id']).toBe('wev_01ka3m');
  expect(headers['webhook-timestamp']).toBe(String(Math.floor(Date.parse(NOW) / 1000)));
  expect(new Webhook(secret).verify(text, headers)).toEqual(JSON.parse(text));
});

test('any body, signed as bytes, is accepted; with one byte changed it is not', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, at) => {
      const bytes = Buffer.from(json);
      const headers = signatureHeaders({
        id: 'wev_1',
        signedAt: NOW,
        body: bytes,
        secrets: [secret],
      });
      expect(new Webhook(secret).verify(bytes, headers)).toEqual(JSON.parse(json));
      const index = at % bytes.length;
      bytes[index] = (bytes[index] ?? 0) ^ 1;
      expect(() => new Webhook(secret).verify(bytes, headers)).toThrow('No matching signature');
    }),
  );
});

test('the verifier refuses another id, another time, another secret', () => {
  const headers = sign([secret]);
  const verify = (changed: object, key = secret) =>
    new Webhook(key).verify(text, { ...headers, ...changed });
  expect(() => verify({ 'webhook-id': 'wev_other' })).toThrow('No matching signature');
  const next = String(Number(headers['webhook-timestamp']) + 1);
  expect(() => verify({ 'webhook-timestamp': next })).toThrow('No matching signature');
  expect(() => verify({}, older)).toThrow('No matching signature');
});

test('the verifier refuses a timestamp more than 300 seconds from its clock', () => {
  const verify = (signedAt: string) => new Webhook(secret).verify(text, sign([secret], signedAt));
  expect(() => verify(addMs(NOW, -301_000))).toThrow('too old');
  expect(() => verify(addMs(NOW, 302_000))).toThrow('too new');
  expect(() => verify(addMs(NOW, -299_000))).not.toThrow();
});

test('every live secret signs, newest first, and each verifies by itself', () => {
  const headers = sign([secret, older]);
  const [first, second, ...rest] = headers['webhook-signature'].split(' ');
  expect(rest).toEqual([]);
  expect(first).toBe(sign([secret])['webhook-signature']);
  expect(second).toBe(sign([older])['webhook-signature']);
  for (const key of [secret, older]) {
    expect(() => new Webhook(key).verify(text, headers)).not.toThrow();
  }
  expect(() => new Webhook(newSecret()).verify(text, headers)).toThrow('No matching signature');
});

test('a secret is whsec_ and the base64 of exactly 32 bytes (D-WH-3)', () => {
  expect(makeSecret(new Uint8Array(32).fill(255))).toBe(`whsec_${'/'.repeat(42)}8=`);
  expect(() => makeSecret(new Uint8Array(24))).toThrow('32 bytes');
});

test('what is no secret signs nothing, and the error does not tell it', () => {
  for (const wrong of [
    '',
    'whsec_',
    'whsec_c2hvcnQ=',
    secret.slice(6),
    `whsek_${secret.slice(6)}`,
  ]) {
    expect(() => sign([wrong])).toThrow(/^Not a signing secret\.$/);
  }
  expect(() => sign([])).toThrow('Nothing to sign with');
});

test('a rotated secret signs for 24 hours after its rotation, to the millisecond', () => {
  const secrets = [
    { secret: older, rotatedAt: NOW },
    { secret, rotatedAt: null },
  ];
  const liveAt = (ms: number) => liveSecrets(secrets, addMs(NOW, ms)).map((one) => one.secret);
  expect(liveAt(0)).toEqual([secret, older]);
  expect(liveAt(DAY_MS - 1)).toEqual([secret, older]);
  expect(liveAt(DAY_MS)).toEqual([secret]);
});

test('at most three secrets are live, the newest ones (D-WH-3)', () => {
  const secrets = [3, 1, 4, 2].map((hours) => ({
    secret: `rotated ${hours} h ago`,
    rotatedAt: addMs(NOW, -hours * 3_600_000),
  }));
  const live = liveSecrets([...secrets, { secret, rotatedAt: null }], NOW);
  expect(live.map((one) => one.secret)).toEqual([secret, 'rotated 1 h ago', 'rotated 2 h ago']);
});
