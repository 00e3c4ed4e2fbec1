import { expect, test } from 'vitest';
import { describeCheck, readReferences, sayUnassigned } from './restores.ts';

test('every state of a check has its words', () => {
  const override = { reason: 'compared', by: 'user:1', at: '2026-11-15T09:30:00.000Z' };
  expect(describeCheck({ status: 'asked', override }).label).toBe('Checked');
  expect(describeCheck({ status: 'failed', override }).label).toBe('Skipped');
  const labels = (['asking', 'failed', 'cannot_list'] as const).map(
    (status) => describeCheck({ status, override: null }).label,
  );
  expect(labels).toEqual(['Being checked', 'No answer yet', 'Cannot be checked']);
});

test('one transfer without a payee is one, and several are several', () => {
  expect(sayUnassigned(1)).toMatch(/^The payee of 1 transfer is not known/);
  expect(sayUnassigned(2)).toMatch(/^The payees of 2 transfers are not known/);
});

test('ids are read however they are separated, each once', () => {
  expect(readReferences(' A1, B2\nA1;C3 ')).toEqual(['A1', 'B2', 'C3']);
  expect(readReferences('  ')).toEqual([]);
});
