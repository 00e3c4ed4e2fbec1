import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addMs, HOUR_MS, type Instant } from '../../../platform/kit/instant.ts';
import { decideRotation, type KeyEnd } from './decide-rotation.ts';

const NOW = '2026-11-15T09:30:00.000Z' as Instant;
const inHours = (hours: number) => addMs(NOW, hours * HOUR_MS);
const made = (expiresAt: Instant | null): KeyEnd => ({
  expiresAt,
  rotatedAt: null,
  expiresAtBeforeRotation: null,
});

test('the old key ends after the grace period, or when it would have ended', () => {
  expect(decideRotation(made(null), NOW, 24).old.expiresAt).toBe(inHours(24));
  expect(decideRotation(made(inHours(100)), NOW, 24).old.expiresAt).toBe(inHours(24));
  expect(decideRotation(made(inHours(3)), NOW, 24).old.expiresAt).toBe(inHours(3));
  expect(decideRotation(made(null), NOW, 0).old.expiresAt).toBe(NOW);
});

test('rotated again, the newest key does not end with the grace period of the old one', () => {
  const { old } = decideRotation(made(null), NOW, 24);
  expect(decideRotation(old, inHours(1), 24).newExpiresAt).toBeNull();
});

test('however often a key is rotated, each new key has its first expiry, and the old one never ends later', () => {
  const anyEnd = fc.option(fc.integer({ min: 200, max: 9_000 }));
  const rotations = fc.array(fc.integer({ min: 0, max: 168 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(anyEnd, rotations, (endHours, graces) => {
      const end = endHours === null ? null : inHours(endHours);
      let key = made(end);
      for (const [n, grace] of graces.entries()) {
        const { old, newExpiresAt } = decideRotation(key, addMs(NOW, n), grace);
        expect(newExpiresAt).toBe(end);
        if (key.expiresAt !== null) expect(old.expiresAt <= key.expiresAt).toBe(true);
        key = old;
      }
    }),
  );
});
