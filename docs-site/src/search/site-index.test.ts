import { expect, test } from 'vitest';
import { type Entry, indexEntries } from './site-index.ts';

const entry = (u: string, t: string, w: string, x = ''): Entry => ({ u, t, w, x });

const index = await indexEntries([
  entry('/docs/webhooks', 'Webhooks', 'Guides', 'Every request is signed.'),
  entry(
    '/docs/webhooks#rotate',
    'Rotate the secret',
    'Guides › Webhooks',
    'For 24 hours both sign.',
  ),
  entry('/docs/upgrades', 'Upgrades', 'Operations', 'Back up first.'),
  entry('/docs/team', 'The team: signing in', 'Start', 'Passwords of people.'),
  entry('/docs/sign', 'Signups', 'Start', 'A signup is a fact. Tokens are for signing.'),
  entry('/docs/scaling#zone', 'Connections', 'Operations', 'The server’s time zone is UTC.'),
  entry('/docs/api#track', 'Tell a fact', 'POST /v1/track/events', 'Events of programs, events'),
  entry('/docs/api#batch', 'Tell many', 'POST /v1/track/events/batch', 'events events events'),
  entry('/docs/feed', 'The feed', 'Guides', 'Call /v1/track/events, then read webhookEvents.'),
]);
const search = (query: string) => index.search(query).map(({ entry: { u } }) => u);

test('every word must be there, in any field, and a word may be typed in part', () => {
  expect(search('rotate secret')).toEqual(['/docs/webhooks#rotate']);
  expect(search('webho sec')).toEqual(['/docs/webhooks#rotate']);
  expect(search('rotate nowhere')).toEqual([]);
  expect(search(' /// ')).toEqual([]);
});

test('titles come before what is below them, and pages before their parts', () => {
  expect(search('webhooks')[0]).toBe('/docs/webhooks');
  expect(search('signup')[0]).toBe('/docs/sign');
});

test('a path finds its call first, with its method or without, then the calls below it', () => {
  const calls = ['/docs/api#track', '/docs/api#batch'];
  expect(search('/v1/track/events').slice(0, 2)).toEqual(calls);
  expect(search('post /v1/track/events').slice(0, 2)).toEqual(calls);
});

test('other forms of a word are found, and after the word itself', () => {
  expect(search('upgrading')).toEqual(['/docs/upgrades']);
  expect(search('rotating')).toEqual(['/docs/webhooks#rotate']);
  expect(search('timezone')).toEqual(['/docs/scaling#zone']);
  expect(search('signing')[0]).toBe('/docs/team');
});

test('a name is found by its parts', () => {
  expect(search('webhook events')).toContain('/docs/feed');
});

test('a slip of the keyboard is forgiven if nothing is found without it', () => {
  const [hit] = index.search('webhoks');
  expect(hit?.entry.u).toBe('/docs/webhooks');
  expect(hit?.marks).toContain('webhooks');
});

test('what is marked is the word as typed or its stem, whatever the page makes of it', () => {
  const marksOf = (query: string) => index.search(query)[0]?.marks;
  expect(marksOf('rotating')).toEqual(['rotating', 'rotat']);
  expect(marksOf('timezone')).toEqual(['timezone', 'time zone']);
});
