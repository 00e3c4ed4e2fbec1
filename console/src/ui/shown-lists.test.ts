import { expect, test } from 'vitest';
import { neighboursOf, rememberList } from './shown-lists.ts';

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
  const none = { href: null, previous: null, next: null };
  expect([neighboursOf('evt_9'), neighboursOf('po_1')]).toEqual([none, none]);
  expect(neighboursOf('evt_1').href).toBe('/p/1/events');
});
