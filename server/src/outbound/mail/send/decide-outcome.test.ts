import { describe, expect, test } from 'vitest';
import { decideHindrance, decideOutcome, type Hindrances } from './decide-outcome.ts';

const NOW = '2026-11-15T09:30:00.000Z';

describe('an attempt', () => {
  test('that failed for now is repeated later and later, and at some time no more', () => {
    const waits = Array.from({ length: 10 }, (_, index) => {
      const { dueAt } = decideOutcome('retry', index + 1, NOW);
      return dueAt === null ? null : (Date.parse(dueAt) - Date.parse(NOW)) / 60_000;
    });
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, null]);
    expect(decideOutcome('retry', 10, NOW)).toMatchObject({
      state: 'failed',
      reason: 'attempts_exhausted',
    });
  });
  test.each([
    ['accepted', 'sent'],
    ['unknown', 'unknown'],
    ['refused', 'bounced'],
    ['rejected', 'failed'],
    ['unusable', 'dropped'],
    ['unsupported', 'dropped'],
  ] as const)('that was %s is never repeated: %s', (fate, state) => {
    expect(decideOutcome(fate, 1, NOW)).toMatchObject({ state, dueAt: null });
  });
});

describe('a mail is', () => {
  const free: Hindrances = {
    hasSender: true,
    address: 'ada@example.com',
    isMailable: true,
    isSwitchedOn: true,
    hasOptedOut: false,
    hasBounced: false,
    sandbox: null,
    sandboxAddresses: [],
  };
  test('sent if nothing is in the way', () => {
    expect(decideHindrance(free)).toBeNull();
    expect(decideHindrance({ ...free, sandbox: 'marked' })).toBeNull();
    const sandboxAddresses = ['Ada@Example.com'];
    expect(decideHindrance({ ...free, sandbox: 'listed', sandboxAddresses })).toBeNull();
  });
  test.each([
    [{ address: null, isMailable: false }, 'dropped', 'no_address'],
    [{ isMailable: false }, 'dropped', 'unusable_address'],
    [{ isMailable: false, sandbox: 'preview' }, 'dropped', 'unusable_address'],
    [{ isSwitchedOn: false }, 'dropped', 'switched_off'],
    [{ hasSender: false }, 'dropped', 'no_sender'],
    [{ hasOptedOut: true }, 'suppressed', 'unsubscribed'],
    [{ hasBounced: true }, 'suppressed', 'bounced_before'],
    [{ sandbox: 'preview' }, 'preview', 'sandbox'],
    [{ sandbox: 'listed', sandboxAddresses: ['bob@example.com'] }, 'preview', 'not_listed'],
    [{ sandbox: 'preview', hasSender: false }, 'preview', 'sandbox'],
  ] as const)('not sent with %o', (more, state, reason) => {
    expect(decideHindrance({ ...free, ...more })).toEqual({ state, reason });
  });
});
