import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { neighboursOf, rememberList } from './shown-lists.ts';

const NONE = { href: null, previous: null, next: null };

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

test('a thing has the neighbours of the list that was shown last, and the way back to it', () => {
  rememberList('/p/1/rewards?state=pending', ['rwd_3', 'rwd_2', 'rwd_1']);
  expect(neighboursOf('rwd_2')).toEqual({
    href: '/p/1/rewards?state=pending',
    previous: 'rwd_3',
    next: 'rwd_1',
  });
  expect(neighboursOf('rwd_3')).toMatchObject({ previous: null, next: 'rwd_2' });
  expect(neighboursOf('rwd_1')).toMatchObject({ previous: 'rwd_2', next: null });
});

test('a thing that was in no list has none', () => {
  rememberList('/p/1/events', ['evt_1']);
  rememberList('/p/1/events?type=purchase', []);
  expect([neighboursOf('evt_9'), neighboursOf('po_1')]).toEqual([NONE, NONE]);
  expect(neighboursOf('evt_1').href).toBe('/p/1/events');
});

test('a list of any length fits: the first rows of it are kept', () => {
  rememberList(
    '/p/1/rewards',
    Array.from({ length: 5_000 }, (_, at) => `rwd_${at}`),
  );
  expect(neighboursOf('rwd_1999')).toMatchObject({ previous: 'rwd_1998', next: null });
  expect(neighboursOf('rwd_2000')).toEqual(NONE);
});
