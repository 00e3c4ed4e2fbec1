import { describe, expect, test } from 'vitest';
import { addMs, HOUR_MS } from '../../../platform/kit/instant.ts';
import { decideApiVersion } from './decide-api-version.ts';

const NOW = '2027-11-15T09:30:00.000Z';
const [V1, V2, V3] = ['2026-10-04', '2027-01-01', '2027-06-01'];
const pinned = (apiVersion: string, previousApiVersion: string | null = null, hoursAgo = 1) => ({
  apiVersion,
  previousApiVersion,
  apiVersionChangedAt: previousApiVersion === null ? null : addMs(NOW, -hoursAgo * HOUR_MS),
});

describe('an endpoint (D-WH-7)', () => {
  test.each([
    ['the next version', V1, V2],
    ['a version further on', V1, V3],
  ])('goes to %s, and remembers where it came from', (_what, from, to) => {
    expect(decideApiVersion(pinned(from), to, NOW)).toEqual({
      apiVersion: to,
      previousApiVersion: from,
      apiVersionChangedAt: NOW,
    });
  });

  test('goes back to the one it had, for 72 hours and not a millisecond longer', () => {
    const changed = pinned(V3, V1, 0);
    const back = { apiVersion: V1, previousApiVersion: null, apiVersionChangedAt: null };
    const at = (ms: number) => decideApiVersion(changed, V1, addMs(NOW, ms));
    expect(at(0)).toEqual(back);
    expect(at(72 * HOUR_MS - 1)).toEqual(back);
    expect(at(72 * HOUR_MS)).toBeUndefined();
  });

  test.each([
    ['to one it never had', pinned(V2), V1],
    ['to one between the two', pinned(V3, V1), V2],
    ['two steps back', pinned(V3, V2), V1],
  ])('does not go back %s', (_what, from, to) => {
    expect(decideApiVersion(from, to, NOW)).toBeUndefined();
  });

  test('that stays where it is keeps its way back, and gains no time', () => {
    const changed = pinned(V2, V1, 71);
    expect(decideApiVersion(changed, V2, NOW)).toEqual(changed);
  });
});
