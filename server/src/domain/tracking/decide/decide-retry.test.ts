import { expect, test } from 'vitest';
import { addMs, HOUR_MS, MINUTE_MS } from '../../../platform/kit/instant.ts';
import { postponeEvent } from './decide-retry.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const SECOND_MS = 1_000;

test.each([
  [0, 30 * SECOND_MS],
  [1, MINUTE_MS],
  [2, 2 * MINUTE_MS],
  [6, 32 * MINUTE_MS],
  [7, HOUR_MS],
  [8, HOUR_MS],
  [18, HOUR_MS],
])(
  'after %i failed attempts, another failure is retried in %i ms (D-EVT-3)',
  (attemptCount, waitMs) => {
    expect(postponeEvent({ attemptCount, id: 'evt' }, NOW)).toEqual({
      id: 'evt',
      attemptCount: attemptCount + 1,
      processingState: 'pending',
      processingReason: 'retry_scheduled',
      nextAttemptAt: addMs(NOW, waitMs),
    });
  },
);

test('after the twentieth failure the Event is not retried any more (D-EVT-3)', () => {
  expect(postponeEvent({ attemptCount: 19, id: 'evt' }, NOW)).toEqual({
    id: 'evt',
    attemptCount: 20,
    processingState: 'failed',
    processingReason: 'attempts_exhausted',
    nextAttemptAt: null,
  });
});
