import { expect, it } from 'vitest';
import { forwardChoices, spanText } from './clock-choices.ts';

const NOW = Date.parse('2026-11-15T10:00:00.000Z');
const moves = (held: readonly string[]) =>
  forwardChoices(held, NOW).map(({ label, to }) => [label, to(NOW)]);

it('offers steps from where the clock is', () => {
  expect(moves([])).toEqual([
    ['+1 hour', '2026-11-15T11:00:00.000Z'],
    ['+1 day', '2026-11-16T10:00:00.000Z'],
    ['+30 days', '2026-12-15T10:00:00.000Z'],
  ]);
});

it('offers the end of holds that still run, and never a way back', () => {
  const [over, soon, late] = ['2026-11-01', '2026-11-20', '2026-11-29'].map(
    (day) => `${day}T00:00:00.000Z`,
  ) as [string, string, string];
  expect(moves([late, over, soon]).slice(3)).toEqual([
    ['Until the next hold ends', soon],
    ['Until all holds end', late],
  ]);
  expect(moves([soon]).slice(3)).toEqual([['Until the next hold ends', soon]]);
  expect(moves([over])).toHaveLength(3);
});

it('says how long a span is in its two largest units', () => {
  expect(spanText(30 * 86_400_000)).toBe('30 days');
  expect(spanText(90_061_000)).toBe('1 day, 1 hour');
  expect(spanText(61_000)).toBe('1 minute, 1 second');
  expect(spanText(5)).toBe('less than a second');
});
