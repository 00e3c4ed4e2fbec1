import { expect, test } from 'vitest';
import { sayRelative } from './say-relative.ts';

const NOW = Date.parse('2026-11-18T12:00:00Z');
const english = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const say = (at: string) => sayRelative(Date.parse(at), NOW, english);

test.each([
  ['2026-11-18T11:59:40Z', 'now'],
  ['2026-11-18T11:59:20Z', '1 minute ago'],
  ['2026-11-18T11:01:00Z', '59 minutes ago'],
  ['2026-11-18T10:30:00Z', '1 hour ago'],
  ['2026-11-18T15:00:00Z', 'in 3 hours'],
  ['2026-11-17T11:00:00Z', 'yesterday'],
  ['2026-11-24T12:00:00Z', 'in 6 days'],
  ['2026-11-11T12:00:00Z', null],
  ['2026-11-25T12:00:00Z', null],
])('%s is %s', (at, words) => {
  expect(say(at)).toBe(words);
});
