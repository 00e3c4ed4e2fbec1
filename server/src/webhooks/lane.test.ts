import { expect, test } from 'vitest';
import { firstRoom, Lane, Stock } from './lane.ts';

function takeAll(lane: Lane<number>): number[] {
  const taken: number[] = [];
  for (let task = lane.next(); task !== undefined; task = lane.next()) taken.push(task);
  return taken;
}
function fill(lane: Lane<number>, count: number): void {
  for (let task = 1; task <= count; task += 1) lane.add(task);
}
/** Sends so many, each in this time, until the lane knows its endpoint. */
function send(lane: Lane<number>, count: number, exchangeMs: number): void {
  for (let task = 0; task < count; task += 1) {
    lane.add(task);
    lane.next();
    lane.endSending(exchangeMs);
    lane.free();
  }
}

test('a lane has as many requests at once as it has slots, in order', () => {
  const lane = new Lane<number>('fresh', new Stock());
  fill(lane, 40);
  expect(takeAll(lane)).toEqual(Array.from({ length: 32 }, (_, index) => index + 1));
  lane.endSending(20);
  expect(lane.next()).toBe(33);
  expect(lane.next()).toBeUndefined();
});

test('a place is free when its outcome is written down, not when it is sent', () => {
  const lane = new Lane<number>('retry', new Stock());
  fill(lane, firstRoom('retry'));
  expect(lane.room).toBe(0);
  for (const _ of takeAll(lane)) lane.endSending(1_000);
  expect(lane.room).toBe(0);
  for (let count = 0; count < firstRoom('retry') / 2; count += 1) lane.free();
  expect(lane.room).toBe(firstRoom('retry') / 2);
});

test('less than half a lane is not offered', () => {
  const lane = new Lane<number>('fresh', new Stock());
  fill(lane, firstRoom('fresh') / 2 + 1);
  expect(lane.room).toBe(0);
  lane.next();
  lane.free();
  expect(lane.room).toBe(firstRoom('fresh') / 2);
});

test.each([
  ['fresh', 3, 2_048],
  ['fresh', 500, 320],
  ['fresh', 4_000, 40],
  ['fresh', 10_000, 4],
  ['retry', 500, 80],
  ['retry', 10_000, 1],
] as const)('a %s lane leases no more than it can send in time: at %s ms, %s', (kind, ms, room) => {
  const lane = new Lane<number>(kind, new Stock());
  send(lane, 100, ms);
  expect(lane.room).toBe(room);
});

test('an endpoint that hangs gets few at a time, until it is quicker', () => {
  const lane = new Lane<number>('retry', new Stock());
  fill(lane, 20);
  takeAll(lane);
  for (let count = 0; count < 8; count += 1) {
    lane.endSending(10_000);
    lane.free();
  }
  expect(takeAll(lane)).toHaveLength(1);
  lane.endSending(50);
  lane.free();
  expect(takeAll(lane)).toHaveLength(8);
});

test('what was not sent says nothing of the endpoint', () => {
  const lane = new Lane<number>('retry', new Stock());
  send(lane, 1, 10_000);
  fill(lane, 3);
  lane.next();
  lane.endSending(null);
  expect(takeAll(lane)).toHaveLength(1);
});

test('what waits can be taken back, and what is being sent keeps its place', () => {
  const lane = new Lane<number>('retry', new Stock());
  fill(lane, 10);
  takeAll(lane);
  expect(lane.empty()).toEqual([9, 10]);
  expect(lane.isWaiting).toBe(false);
  expect(lane.isIdle).toBe(false);
});

test('what all lanes have is bounded, but each gets a little', () => {
  const stock = new Stock();
  const lanes = Array.from({ length: 12 }, () => new Lane<number>('fresh', stock));
  for (const lane of lanes) send(lane, 100, 3);
  const rooms = lanes.map((lane) => {
    const { room } = lane;
    fill(lane, room);
    return room;
  });
  expect(rooms).toEqual([...Array(9).fill(2_048), 1_568, 64, 64]);
  for (const lane of lanes) lane.empty();
  expect(stock.size).toBe(0);
});
