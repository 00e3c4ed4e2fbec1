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

const AT_END = '2100-01-01T00:00:00.000Z';

test('purchases are forgotten after their last adjustment, and still count as they were decided', () => {
  const kept = [200, 400].map((events) => {
    const replay = foldInMemory(events, 1_100, 50, { refundAfter: 10 });
    const { purchases, rewards, waiting, earnings } = replay.kept;
    replay.finish(AT_END);
    const { compared, notReproduced } = replay.events;
    // The refunds of the ten newest are not in this history.
    expect({ compared, notReproduced, refused: replay.refused }).toEqual({
      compared: events,
      notReproduced: 10,
      refused: 0,
    });
    return { purchases, rewards, waiting, earnings };
  });
  // The newest ten facts are purchases that are not refunded yet, in both courses.
  expect(kept).toEqual(
    [0, 1].map(() => ({ purchases: 20, rewards: 20, waiting: 10, earnings: 0 })),
  );
});

test('of rules that earn for months only the first Reward of each referral is kept', () => {
  const terms = { durationMode: 'months', durationMonths: 3 } as const;
  const { kept, events } = foldInMemory(1_000, 1_100, 10, { terms });
  expect(kept.earnings).toBe(20);
  expect(events.notReproduced).toBe(0);
});

test('the first Reward of a period that was refunded does not begin it, whatever was forgotten', () => {
  const terms = { durationMode: 'months', durationMonths: 3 } as const;
  const { kept, events } = foldInMemory(1_000, 1_100, 10, { terms, refundAfter: 10 });
  expect({ earnings: kept.earnings, notReproduced: events.notReproduced }).toEqual({
    earnings: 20,
    notReproduced: 0,
  });
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
