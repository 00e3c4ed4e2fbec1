import { describe, expect, test } from 'vitest';
import type { AttemptOutcome, DeliveryRow } from './delivery.ts';
import { isSending, statusOf, waitsUntil } from './delivery-status.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const LATER = '2026-11-15T09:30:01.000Z';

const queued = (rest: Partial<NonNullable<DeliveryRow['queued']>> = {}) => ({
  dueAt: LATER,
  isRetry: false,
  leasedUntil: null,
  ...rest,
});
const last = (outcome: AttemptOutcome, isReplayed = false) => ({
  id: 'wha_1',
  startedAt: NOW,
  outcome,
  responseStatus: 500,
  latencyMs: 1,
  failureReason: null,
  failureMessage: null,
  isReplayed,
});

test.each([
  ['waits and was never tried', queued(), null, 'pending'],
  ['waits after an attempt', queued(), last('retrying'), 'pending'],
  ['had succeeded and waits again', queued(), last('succeeded'), 'pending'],
  ['had failed and waits again', queued(), last('failed', true), 'pending'],
  ['was taken', null, last('succeeded'), 'succeeded'],
  ['was given up', null, last('failed'), 'failed'],
  ['waited for a retry when its queue was given up', null, last('retrying'), 'dropped'],
  ['had failed, and waited again when that was', null, last('failed', true), 'dropped'],
] as const)('a delivery that %s', (_, waiting, attempt, status) => {
  expect(statusOf({ queued: waiting, last: attempt })).toBe(status);
});

describe('a delivery that is pending', () => {
  test.each([
    ['new', queued({ dueAt: '1970-01-01T00:00:00.000Z' }), false, null],
    ['waiting for a retry', queued({ isRetry: true }), false, LATER],
    ['overdue for a retry', queued({ isRetry: true, dueAt: NOW }), false, NOW],
    ['being sent', queued({ leasedUntil: LATER }), true, null],
    ['being sent again', queued({ leasedUntil: LATER, isRetry: true }), true, null],
    ['left by a worker that died', queued({ leasedUntil: NOW }), false, null],
  ] as const)('and %s', (_, waiting, sends, until) => {
    expect(isSending({ queued: waiting }, NOW)).toBe(sends);
    expect(waitsUntil({ queued: waiting })).toBe(until);
  });
});

test('what waits for nothing is neither being sent nor has a next attempt', () => {
  expect(isSending({ queued: null }, NOW)).toBe(false);
  expect(waitsUntil({ queued: null })).toBe(null);
});
