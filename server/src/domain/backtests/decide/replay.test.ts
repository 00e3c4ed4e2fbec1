import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldInMemory } from '../../../../test/backtest-memory.ts';
import { isBefore, type Place } from './history.ts';
import { Schedule } from './schedule.ts';

test('the same book on both sides differs in nothing, and each purchase earns its tenth (D-BT-2)', () => {
  const { events, referrals, refused } = foldInMemory(40);
  expect([...events.differences.values()].filter(Boolean)).toEqual([]);
  expect({ compared: events.compared, refused }).toEqual({ compared: 40, refused: 0 });
  expect(referrals.actual.size).toBe(20);
});

test('what is planned is taken in the order of its places, up to an end', () => {
  const aPlace = fc.record({
    at: fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03'),
    order: fc.constantFrom('', 'a', 'b', '~'),
  });
  fc.assert(
    fc.property(fc.array(aPlace), aPlace, (places, end) => {
      const schedule = new Schedule<Place>();
      for (const place of places) schedule.add(place, place);
      const taken: Place[] = [];
      for (let next = schedule.takeBefore(end); next; next = schedule.takeBefore(end)) {
        taken.push(next.what);
      }
      expect(taken.some((place, at) => at > 0 && isBefore(place, taken[at - 1] as Place))).toBe(
        false,
      );
      expect(taken.length).toBe(places.filter((place) => isBefore(place, end)).length);
      expect(schedule.size).toBe(places.length - taken.length);
    }),
  );
});
