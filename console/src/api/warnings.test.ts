import { expect, test } from 'vitest';
import { readWarnings } from './warnings.ts';

test('what an answer warns of is read from its list, and an answer without one warns of nothing', () => {
  const warnings = [{ code: 'second_granting_endpoint', message: 'Two endpoints grant rewards.' }];
  expect(readWarnings({ endpoint: {}, warnings })).toEqual(['Two endpoints grant rewards.']);
  expect(readWarnings({ endpoint: {}, warnings: [] })).toEqual([]);
  for (const answer of [{ endpoint: {} }, null, undefined, { warnings: 'none' }])
    expect(readWarnings(answer)).toEqual([]);
});

test('a warning of another shape is shown rather than dropped', () => {
  expect(readWarnings({ warnings: ['Plain.', { code: 'new_code' }] })).toEqual([
    'Plain.',
    'new_code',
  ]);
});
