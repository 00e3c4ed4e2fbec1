import { describe, expect, test } from 'vitest';
import { API_VERSIONS, type ApiVersion, createApiVersions } from './api-versions.ts';

const second: ApiVersion = {
  name: '2027-01-01',
  changes: { 'reward.earned': ({ amount, ...rest }) => ({ ...rest, total: amount }) },
};
const third: ApiVersion = {
  name: '2027-06-01',
  changes: { 'reward.earned': (data) => ({ ...data, isLarge: Number(data.total) > 100 }) },
};
const versions = createApiVersions('2026-10-04', [second, third]);
const stored = { id: 'rwd', amount: 250 };

test('today there is one version, and it shows data as they are stored', () => {
  expect(API_VERSIONS.names).toEqual(['2026-10-04']);
  expect(API_VERSIONS.newest).toBe('2026-10-04');
  expect(API_VERSIONS.shape('2026-10-04', 'reward.earned', stored)).toBe(stored);
});

describe('with versions after the first', () => {
  test('the newest is the last, whatever was added', () => {
    expect(versions.names).toEqual(['2026-10-04', '2027-01-01', '2027-06-01']);
    expect(versions.newest).toBe('2027-06-01');
  });

  test.each([
    ['2026-10-04', { id: 'rwd', amount: 250 }],
    ['2027-01-01', { id: 'rwd', total: 250 }],
    ['2027-06-01', { id: 'rwd', total: 250, isLarge: true }],
  ])('%s has the changes up to it, and none of those after it', (name, data) => {
    expect(versions.shape(name, 'reward.earned', stored)).toEqual(data);
    expect(stored).toEqual({ id: 'rwd', amount: 250 });
  });

  test('a type that a version does not change stays as it was', () => {
    for (const name of versions.names) {
      expect(versions.shape(name, 'reward.voided', stored)).toBe(stored);
    }
  });

  test('a version that this program does not know is an error, never another shape', () => {
    expect(() => versions.shape('2028-01-01', 'reward.earned', stored)).toThrow('2028-01-01');
  });
});

test.each([
  ['out of order', '2026-10-04', ['2027-06-01', '2027-01-01']],
  ['the same day twice', '2026-10-04', ['2026-10-04']],
  ['no day', 'v2', []],
])('versions are refused when they are %s', (_what, first, later) => {
  const list = later.map((name) => ({ name, changes: {} }));
  expect(() => createApiVersions(first, list)).toThrow('Versions are days');
});
