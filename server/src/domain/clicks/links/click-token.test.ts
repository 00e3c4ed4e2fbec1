import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeyring } from '../../../platform/kit/keyring.ts';
import { type Click, makeClickToken, readClickToken } from './click-token.ts';

const keyring = createKeyring(Buffer.alloc(32, 1));
const NOW_MS = Date.parse('2026-11-15T09:30:00.000Z');

const clicks: fc.Arbitrary<Click> = fc.record({
  id: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((b) => Buffer.from(b).toString('hex')),
  name: fc.stringMatching(/^[a-z0-9][a-z0-9-]{1,48}[a-z0-9]$/),
  expiresMs: fc.integer({ min: NOW_MS + 1, max: NOW_MS + 600_000 }),
});

test('a token is read back as it was made, by its own Project only (D-CLICK-1)', () => {
  fc.assert(
    fc.property(clicks, (click) => {
      const token = makeClickToken(keyring, 'prj_a', click);
      expect(token).toMatch(/^clk_[\w-]{52,}$/);
      expect(readClickToken(keyring, 'prj_a', token, NOW_MS)).toEqual(click);
      expect(readClickToken(keyring, 'prj_b', token, NOW_MS)).toBeUndefined();
    }),
  );
});

test('whatever character of it is changed, added or taken away, it no longer counts', () => {
  const character = fc.constantFrom(...'AZaz09-_=+/. ');
  fc.assert(
    fc.property(clicks, fc.nat(), character, fc.nat({ max: 2 }), (click, at, other, how) => {
      const token = makeClickToken(keyring, 'prj_a', click);
      const place = at % token.length;
      const rest = token.slice(how === 1 ? place : place + 1);
      const changed = token.slice(0, place) + (how === 2 ? '' : other) + rest;
      fc.pre(changed !== token);
      expect(readClickToken(keyring, 'prj_a', changed, NOW_MS)).toBeUndefined();
    }),
    { numRuns: 1_000 },
  );
});

test('it counts until just before its end', () => {
  const click: Click = { id: '0'.repeat(32), name: 'ada', expiresMs: NOW_MS + 600_000 };
  const token = makeClickToken(keyring, 'prj_a', click);
  expect(readClickToken(keyring, 'prj_a', token, NOW_MS + 599_999)).toEqual(click);
  expect(readClickToken(keyring, 'prj_a', token, NOW_MS + 600_000)).toBeUndefined();
});

test('rubbish of any form is no token', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.string().map((text) => `clk_${text}`),
    fc.base64String(),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(readClickToken(keyring, 'prj_a', text, NOW_MS)).toBeUndefined();
    }),
  );
});
