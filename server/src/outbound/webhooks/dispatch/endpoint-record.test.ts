import { expect, test } from 'vitest';
import {
  afterExchange,
  afterSilence,
  type EndpointRecord,
  type Exchange,
  leasesOf,
  slotsOf,
  UNKNOWN,
} from './endpoint-record.ts';

const quick: Exchange = { ms: 20, result: 'succeeded' };
const timeOut: Exchange = { ms: 10_000, result: 'unanswered' };
const after = (...exchanges: Exchange[]) => exchanges.reduce(afterExchange, UNKNOWN);
const times = (count: number, exchange: Exchange) => Array<Exchange>(count).fill(exchange);
const slots = (record: EndpointRecord) => [slotsOf(record, 'fresh'), slotsOf(record, 'retry')];

test('an endpoint of which nothing is known gets one at a time, and none ahead', () => {
  expect(slots(UNKNOWN)).toEqual([1, 1]);
  expect([leasesOf(UNKNOWN, 'fresh'), leasesOf(UNKNOWN, 'retry')]).toEqual([1, 1]);
});

test('five quick answers make it full speed', () => {
  expect(times(5, quick).map((_, made) => after(...times(made + 1, quick)).window)).toEqual([
    2, 4, 8, 16, 32,
  ]);
  expect(slots(after(...times(9, quick)))).toEqual([32, 8]);
});

test('silence, and a time-out, end that at once', () => {
  const proven = after(...times(5, quick));
  for (const record of [afterSilence(proven), afterExchange(proven, timeOut)]) {
    expect(record.pace).toBe('slow');
    expect(slots(record)).toEqual([1, 1]);
    expect(leasesOf(record, 'fresh')).toBe(1);
  }
});

test('one that has recovered is back at full speed after five quick answers', () => {
  expect(after(...times(50, timeOut), ...times(5, quick))).toMatchObject({
    pace: 'quick',
    window: 32,
  });
});

test.each([
  ['answers after two seconds', { ms: 2_000, result: 'succeeded' }, 32],
  ['refuses after two seconds', { ms: 2_000, result: 'refused' }, 1],
  ['answers after six seconds', { ms: 6_000, result: 'succeeded' }, 4],
  ['never answers', timeOut, 1],
] as const)('one that %s is slow, and gets up to %s', (_, exchange, window) => {
  const record = after(...times(100, exchange));
  expect(record).toMatchObject({ pace: 'slow', window });
  expect(leasesOf(record, 'fresh')).toBe(window);
  expect(afterSilence(record)).toEqual(record);
});

test.each(['refused', 'unanswered'] as const)(
  'one that is quickly %s always gets one at a time and none ahead, until it answers',
  (result) => {
    const failure = { ms: 5, result };
    expect(after(failure)).toMatchObject({ pace: 'failing', window: 1 });
    const record = after(...times(5, quick), ...times(5, failure));
    expect(record).toMatchObject({ pace: 'failing', window: 1 });
    expect([leasesOf(record, 'fresh'), leasesOf(record, 'retry')]).toEqual([1, 1]);
    expect(times(5, quick).reduce(afterExchange, record)).toMatchObject({
      pace: 'quick',
      window: 32,
    });
  },
);

test('one that refuses now and then keeps its speed', () => {
  const refusal: Exchange = { ms: 5, result: 'refused' };
  const record = after(...times(20, quick), refusal, ...times(9, quick), refusal, quick);
  expect(record).toMatchObject({ pace: 'quick', window: 32 });
});

test.each([
  [3, 2_048, 2_048],
  [500, 320, 80],
  [900, 178, 44],
])('a quick one is leased what it can get in time: at %s ms, %s and %s', (ms, fresh, retry) => {
  const record = after(...times(100, { ms, result: 'succeeded' }));
  expect([leasesOf(record, 'fresh'), leasesOf(record, 'retry')]).toEqual([fresh, retry]);
});
