import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMs, DAY_MS, HOUR_MS, type Instant } from '../../../platform/kit/instant.ts';
import { decideDetailsChange, inUse, type Use, waiting } from './decide-details-change.ts';

const T0 = '2026-11-15T09:30:00.000Z';

interface Saved extends Use {
  readonly account: string;
}

/** The records that are left after saving an account at a time. */
function save(records: readonly Saved[], account: string, now: Instant): Saved[] {
  const change = decideDetailsChange(records, (one) => one.account === account, now);
  const left = records
    .filter(({ id }) => !change.deleted.includes(id))
    .map((one) => (one.id === change.kept?.id ? { ...one, ...change.kept } : one));
  if (change.insertedFrom === null) return left;
  const id = `${account}@${now}`;
  const made = { id, account, usedFrom: change.insertedFrom, usedUntil: null, failedAt: null };
  return [...left, made];
}

const accountAt = (records: readonly Saved[], now: Instant) => inUse(records, now)?.account;

describe('a save', () => {
  test('is a change unless it repeats what was saved last', () => {
    const isChange = (records: readonly Saved[], account: string, now: Instant) =>
      decideDetailsChange(records, (one) => one.account === account, now).isChange;
    const first = save([], 'a', T0);
    expect(isChange([], 'a', T0)).toBe(true);
    expect(isChange(first, 'a', T0)).toBe(false);
    const second = save(first, 'b', T0);
    expect(isChange(first, 'b', T0)).toBe(true);
    expect(isChange(second, 'b', T0)).toBe(false);
    expect(isChange(second, 'a', T0)).toBe(true);
    const failed = first.map((one) => ({ ...one, failedAt: T0 }));
    expect(isChange(failed, 'a', T0)).toBe(true);
    expect(save(failed, 'a', T0)[0]?.failedAt).toBeNull();
    expect(save(failed, 'b', T0)[0]?.failedAt).toBe(T0);
  });
});

describe('any sequence of saves', () => {
  const steps = fc.array(
    fc.record({
      account: fc.constantFrom('a', 'b', 'c'),
      afterMs: fc.oneof(
        fc.constantFrom(0, 1, HOUR_MS, DAY_MS - 1, DAY_MS, DAY_MS + 1),
        fc.nat({ max: 3 * DAY_MS }),
      ),
    }),
    { minLength: 1, maxLength: 12 },
  );

  test('leaves exactly one in use, at most one that waits, and what waits is the last saved', () => {
    fc.assert(
      fc.property(steps, (list) => {
        let now = T0;
        let records: Saved[] = [];
        for (const { account, afterMs } of list) {
          now = addMs(now, afterMs);
          records = save(records, account, now);
          const used = records.filter((one) => inUse([one], now));
          expect(used).toHaveLength(1);
          expect(records.length).toBe(waiting(records, now) ? 2 : 1);
          expect((waiting(records, now) ?? used[0])?.account).toBe(account);
        }
        // In the end the last saved record is used, with no gap in between.
        const until = waiting(records, now)?.usedFrom ?? now;
        expect(accountAt(records, addMs(until, -1)) ?? accountAt(records, until)).toBeDefined();
        expect(accountAt(records, addMs(now, DAY_MS))).toBe(list.at(-1)?.account);
      }),
    );
  });

  test('never lets money go to an account that was not the wish for the last 24 hours, but the first', () => {
    fc.assert(
      fc.property(steps, (list) => {
        let now = T0;
        let records: Saved[] = [];
        let paid = list[0]?.account;
        let wish = { account: paid, since: T0 };
        for (const { account, afterMs } of list) {
          now = addMs(now, afterMs);
          if (now >= addMs(wish.since, DAY_MS)) paid = wish.account;
          if (account !== wish.account) wish = { account, since: now };
          records = save(records, account, now);
          expect(accountAt(records, now)).toBe(paid);
        }
      }),
    );
  });
});
