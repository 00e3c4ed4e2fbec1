import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Exchange } from '../dispatch/endpoint-record.ts';
import { EndpointWork } from '../dispatch/endpoint-work.ts';
import { NOT_QUICK_MAX, SENDING_MAX, SLOW_MAX, SlotPools } from './slot-pools.ts';

const QUICK: Exchange = { ms: 5, result: 'succeeded' };
const TIME_OUT: Exchange = { ms: 10_000, result: 'unanswered' };

/** Leases and sends as much as it may. */
function fill(work: EndpointWork<number>): number {
  for (let room = work.room('fresh'); room > 0; room -= 1) work.add('fresh', room);
  let sent = 0;
  for (let next = work.next(); next && next !== 'full'; next = work.next()) sent += 1;
  return sent;
}
function end(work: EndpointWork<number>, exchange: Exchange): void {
  work.endSending('fresh', exchange);
  work.free('fresh');
}
function prove(work: EndpointWork<number>): void {
  for (let count = 0; count < 5; count += 1) {
    work.add('fresh', count);
    work.next();
    end(work, QUICK);
  }
}
const newWorks = (pools: SlotPools, count: number) =>
  Array.from({ length: count }, () => new EndpointWork<number>(pools));

test('however many hang, a slot is left for one that is proven, and for one that is new', () => {
  const pools = new SlotPools();
  const proven = new EndpointWork<number>(pools);
  prove(proven);
  const hanging = newWorks(pools, 2_000);
  for (const work of hanging) fill(work);
  expect(pools.sending).toBe(NOT_QUICK_MAX);
  expect(fill(proven)).toBeGreaterThanOrEqual(10);

  // Each is recognised as slow, and from then on they share the smaller pool.
  for (const work of hanging) work.noteSilence(work.answers);
  for (const work of hanging.slice(0, NOT_QUICK_MAX)) end(work, TIME_OUT);
  const sent = hanging.map(fill).reduce((sum, count) => sum + count);
  expect(sent).toBe(SLOW_MAX);
  expect(fill(new EndpointWork<number>(pools))).toBe(1);
});

test('endpoints that were quick and all hang at once do not use up everything', () => {
  const pools = new SlotPools();
  const works = newWorks(pools, 100);
  const late = new EndpointWork<number>(pools);
  for (const work of [...works, late]) prove(work);
  for (const work of works) fill(work);
  expect(pools.sending).toBeLessThan(SENDING_MAX);
  expect(fill(late)).toBeGreaterThan(0);
});

test('one that has answered another request since is not silent', () => {
  const work = new EndpointWork<number>(new SlotPools());
  prove(work);
  fill(work);
  const { answers } = work;
  end(work, QUICK);
  work.noteSilence(answers);
  expect(work.pace).toBe('quick');
  work.noteSilence(work.answers);
  expect([work.pace, work.isAnswering]).toEqual(['slow', false]);
});

test('alone, a quick one has all its slots', () => {
  const work = new EndpointWork<number>(new SlotPools());
  prove(work);
  for (let n = 0; n < 8; n += 1) work.add('retry', n);
  expect(fill(work)).toBe(40);
});

test('one that turns out to hang gives back what was leased ahead', () => {
  const pools = new SlotPools();
  const [work = new EndpointWork<number>(pools)] = newWorks(pools, 1);
  prove(work);
  fill(work);
  const ahead = pools.leased - pools.sending;
  expect(ahead).toBeGreaterThan(0);
  work.noteSilence(work.answers);
  expect(work.takeExcess()).toHaveLength(ahead);
  expect(pools.leased).toBe(pools.sending);
  expect(work.room('fresh')).toBe(0);
});

/** The steps of an adversary with its endpoints. */
const steps = fc.array(
  fc.record({
    endpoint: fc.nat({ max: 59 }),
    does: fc.constantFrom('fill', 'fill', 'answer', 'hang', 'timeOut', 'fail'),
  }),
  { maxLength: 400 },
);
const EXCHANGES: Readonly<Record<string, Exchange>> = {
  answer: QUICK,
  timeOut: TIME_OUT,
  fail: { ms: 5, result: 'refused' },
};

test('whatever others do: all in flight is bounded, and a healthy one has a slot within one time-out', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const pools = new SlotPools();
      const works = newWorks(pools, 60);
      const inFlight = works.map(() => 0);
      const healthy = new EndpointWork<number>(pools);
      prove(healthy);
      for (const { endpoint, does } of all) {
        const work = works[endpoint] as EndpointWork<number>;
        const exchange = EXCHANGES[does];
        if (does === 'fill') inFlight[endpoint] = (inFlight[endpoint] ?? 0) + fill(work);
        else if (!exchange) work.noteSilence(work.answers);
        else if ((inFlight[endpoint] ?? 0) > 0) {
          inFlight[endpoint] = (inFlight[endpoint] ?? 0) - 1;
          end(work, exchange);
        }
        assert.ok(pools.sending <= SENDING_MAX);
        assert.equal(
          pools.sending,
          inFlight.reduce((sum, count) => sum + count, 0),
        );
      }
      // 60 endpoints cannot fill the pool of the quick ones: a slot is free at once.
      expect(fill(healthy)).toBeGreaterThan(0);
      // After the duration of one attempt all hanging requests have ended, and each endpoint may
      // continue.
      for (const [index, work] of works.entries()) {
        for (let left = inFlight[index] ?? 0; left > 0; left -= 1) end(work, TIME_OUT);
        work.takeBack();
        assert.ok(fill(work) > 0);
        work.endSending('fresh', QUICK);
        work.takeBack();
        work.free('fresh');
        prove(work);
        assert.equal(work.pace, 'quick');
      }
    }),
    { numRuns: 200 },
  );
});
