import { expect, test } from 'vitest';
import { describeHealth, type HealthAttempt } from './endpoint-health.ts';

const attempt = (startedAt: string, own: Partial<HealthAttempt> = {}): HealthAttempt => ({
  startedAt,
  outcome: 'succeeded',
  responseStatus: 200,
  failureReason: null,
  failureMessage: null,
  ...own,
});

test('an endpoint without attempts has no health yet', () => {
  expect(describeHealth('whe_1', [])).toEqual({
    endpointId: 'whe_1',
    attempts: 0,
    succeeded: 0,
    lastSuccessAt: null,
    lastFailure: null,
  });
});

test('the latest success and failure are by time, whatever the order', () => {
  const health = describeHealth('whe_1', [
    attempt('2026-11-18T10:00:00Z', { outcome: 'retrying', responseStatus: 500 }),
    attempt('2026-11-18T12:00:00Z'),
    attempt('2026-11-18T11:00:00Z', {
      outcome: 'failed',
      responseStatus: null,
      failureReason: 'timed_out',
      failureMessage: 'No response within 10 s.',
    }),
    attempt('2026-11-18T09:00:00Z'),
  ]);
  expect(health).toEqual({
    endpointId: 'whe_1',
    attempts: 4,
    succeeded: 2,
    lastSuccessAt: '2026-11-18T12:00:00Z',
    lastFailure: {
      at: '2026-11-18T11:00:00Z',
      responseStatus: null,
      failure: { reason: 'timed_out', message: 'No response within 10 s.' },
    },
  });
});
