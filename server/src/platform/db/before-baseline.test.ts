import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EARLIER } from '../../../test/earlier-store.ts';
import { awaitsBaseline, BASELINE, LAST_EARLIER, leaveOutEarlier } from './before-baseline.ts';

const rows = Object.entries(EARLIER).map(([name, sql]) => ({
  name,
  checksum: createHash('sha256').update(sql).digest('hex'),
}));
const baseline = { name: BASELINE, checksum: 'any' };

describe('a store of 0.1.0', () => {
  test('has the schema of the baseline when it has all 44 migrations, in whatever order', () => {
    expect(rows).toHaveLength(44);
    expect(rows.at(-1)?.name).toBe(LAST_EARLIER);
    expect(awaitsBaseline(rows)).toBe(true);
    expect(awaitsBaseline(rows.toReversed())).toBe(true);
    expect(awaitsBaseline([...rows, { name: '0002_later.sql', checksum: 'any' }])).toBe(true);
  });

  test('is like any other once the baseline is recorded', () => {
    expect(awaitsBaseline([baseline, ...rows])).toBe(false);
    expect(leaveOutEarlier([baseline, ...rows])).toEqual([baseline]);
  });

  test.each([
    [rows.slice(0, -1), LAST_EARLIER],
    [rows.slice(1), '0001_foundation.sql'],
    [rows.slice(0, 1), '0002_programs.sql and 42 more'],
  ])('is refused with only some of them', (some, lacking) => {
    expect(() => awaitsBaseline(some)).toThrow(
      `The database is older than the last schema of Goodword 0.1.0 (it lacks ${lacking}). Start Goodword 0.1.0 on it once, which migrates it, and then this version.`,
    );
  });

  test('is refused when one of them was edited', () => {
    const edited = rows.with(7, { name: rows[7]?.name ?? '', checksum: 'another' });
    expect(() => awaitsBaseline(edited)).toThrow('are not those of Goodword 0.1.0');
  });
});

test('a store without any of them is none of 0.1.0', () => {
  expect(awaitsBaseline([])).toBe(false);
  expect(awaitsBaseline([baseline])).toBe(false);
});

test('no later migration has the name of one that the baseline replaced', () => {
  const names = readdirSync(new URL('../../../migrations/', import.meta.url));
  const files = names.map((name) => ({ name, checksum: 'any' }));
  expect(leaveOutEarlier(files)).toEqual(files);
});
