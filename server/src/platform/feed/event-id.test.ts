import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leastIdAt, makeNewId } from '../kit/ids.ts';
import { eventIdAt, positionOf } from './event-id.ts';

const position = fc.integer({ min: 1, max: 2 ** 40 - 1 });
const time = fc.integer({ min: 0, max: 2 ** 43 });

test('an id says at which position its event is', () => {
  fc.assert(
    fc.property(position, time, (at, ms) => {
      const id = eventIdAt(makeNewId(() => ms)('wev'), at);
      expect(id).toMatch(/^wev_[0-9a-hjkmnp-tv-z]{26}$/);
      expect(positionOf(id)).toBe(at);
    }),
  );
});

test('ids sort by their time, after all that have no position', () => {
  fc.assert(
    fc.property(position, position, time, time, (one, other, ms, later) => {
      fc.pre(ms < later);
      const idAt = (at: number, nowMs: number) => eventIdAt(makeNewId(() => nowMs)('wev'), at);
      expect(idAt(one, ms) < idAt(other, later)).toBe(true);
      expect(leastIdAt('wev', later) < idAt(one, ms)).toBe(true);
    }),
  );
});

test('events at the same position of several Projects have different ids, also in one millisecond', () => {
  const newId = makeNewId(() => 0);
  const ids = Array.from({ length: 10_000 }, () => eventIdAt(newId('wev'), 7));
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(['wev_01ka3mzzzzzzzzzzzzzzzzzzzz', 'wev_nobody', 'evt_41ka3mzzzzzzzzzzzzzzzzzzzz', ''])(
  'no position in %s',
  (id) => expect(positionOf(id)).toBeNull(),
);
