import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMemberAt } from './decide-membership.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const span = (from: number, to: number | null) => ({
  startsAt: at(from),
  endsAt: to === null ? null : at(to),
});

test('who was never enrolled, or was not yet enrolled then, is a member (D-AM-3)', () => {
  expect(isMemberAt([], at(5))).toBe(true);
  expect(isMemberAt([span(10, null)], at(5))).toBe(true);
  expect(isMemberAt([span(10, 20)], at(5))).toBe(true);
});

test.each([
  [9, true],
  [10, true],
  [19, true],
  [20, false],
  [29, false],
  [30, true],
  [99, true],
])(
  'who left at 20 and came back at 30 is a member at minute %i: %s (D-AM-3)',
  (minute, expected) => {
    const spans = [span(10, 20), span(30, null)];
    expect(isMemberAt(spans, at(minute))).toBe(expected);
    expect(isMemberAt(spans.toReversed(), at(minute))).toBe(expected);
  },
);

test('who comes back in the very millisecond of leaving was never out', () => {
  expect(isMemberAt([span(10, 20), span(20, null)], at(20))).toBe(true);
});

test('leaving changes nothing about what happened before it', () => {
  const minutes = fc.uniqueArray(fc.nat({ max: 500 }), { minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(minutes, fc.nat({ max: 500 }), (times, minute) => {
      const bounds = times.toSorted((a, b) => a - b);
      const spans = bounds.flatMap((from, index) =>
        index % 2 === 0 ? [span(from, bounds[index + 1] ?? null)] : [],
      );
      const last = spans.at(-1);
      if (!last || last.startsAt > at(minute)) return;
      const open = [...spans.slice(0, -1), { ...last, endsAt: null }];
      const left = [...spans.slice(0, -1), { ...last, endsAt: at(minute + 1) }];
      expect(isMemberAt(left, at(minute))).toBe(isMemberAt(open, at(minute)));
      expect(isMemberAt(left, at(minute + 1))).toBe(false);
    }),
  );
});
