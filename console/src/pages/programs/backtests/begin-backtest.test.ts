import { expect, test } from 'vitest';
import { beginFrom, beginWith } from './begin-backtest.ts';

test('a new back-test is of the last quarter by the clock of the project', () => {
  expect(beginWith('2027-01-18T00:00:00.000Z')).toEqual({
    from: '2026-10-01',
    to: '2027-01-01',
    definition: '',
  });
});

const days = { from: '2026-07-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' };
const asked = (definition: unknown) => beginFrom({ ...days, definition }).definition;

test('an earlier back-test begins with the days and the file that it was asked', () => {
  const file = 'kind: Program\n';
  expect(beginFrom({ ...days, definition: file })).toEqual({
    from: '2026-07-01',
    to: '2026-10-01',
    definition: file,
  });
});

test('a definition that was asked as an object is a text that says the same', () => {
  const definition = { kind: 'Program', rules: { a: { terms: { rateBps: 2000 } } } };
  expect(JSON.parse(asked(definition))).toEqual(definition);
  expect(asked(null)).toBe('');
});
