import { expect, test } from 'vitest';
import { describeCheck, readReferences } from './restores.ts';

test('every state of a check has its words', () => {
  const override = { reason: 'compared', by: 'user:1', at: '2026-11-15T09:30:00.000Z' };
  expect(describeCheck({ status: 'asked', override }).label).toBe('Asked');
  expect(describeCheck({ status: 'failed', override }).label).toBe('Not asked: overridden');
  const labels = (['asking', 'failed', 'cannot_list'] as const).map(
    (status) => describeCheck({ status, override: null }).label,
  );
  expect(labels).toEqual(['Being asked', 'No answer yet', 'Cannot list']);
});

test('ids are read however they are separated, each once', () => {
  expect(readReferences(' A1, B2\nA1;C3 ')).toEqual(['A1', 'B2', 'C3']);
  expect(readReferences('  ')).toEqual([]);
});
