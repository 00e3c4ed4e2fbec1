import { expect, test } from 'vitest';
import { fullRoom, Lane } from './lane.ts';

function takeAll(lane: Lane<number>): number[] {
  const taken: number[] = [];
  for (let task = lane.next(); task !== undefined; task = lane.next()) taken.push(task);
  return taken;
}
function fill(lane: Lane<number>, count: number): void {
  for (let task = 1; task <= count; task += 1) lane.add(task);
}

test('a lane has as many requests at once as it has slots, in order', () => {
  const lane = new Lane<number>('fresh');
  fill(lane, 40);
  expect(takeAll(lane)).toEqual(Array.from({ length: 32 }, (_, index) => index + 1));
  lane.endSending(true);
  expect(lane.next()).toBe(33);
  expect(lane.next()).toBeUndefined();
});

test('a place is free when its outcome is written down, not when it is sent', () => {
  const lane = new Lane<number>('retry');
  fill(lane, fullRoom('retry'));
  expect(lane.room).toBe(0);
  for (const _ of takeAll(lane)) lane.endSending(true);
  expect(lane.room).toBe(0);
  for (let count = 0; count < 64; count += 1) lane.free();
  expect(lane.room).toBe(64);
});

test('less than half a lane is not offered', () => {
  const lane = new Lane<number>('fresh');
  fill(lane, 257);
  expect(lane.room).toBe(0);
  lane.next();
  lane.free();
  expect(lane.room).toBe(256);
});

test('an endpoint that did not answer gets few at a time, until it answers', () => {
  const lane = new Lane<number>('retry');
  fill(lane, 20);
  takeAll(lane);
  for (let count = 0; count < 8; count += 1) {
    lane.endSending(false);
    lane.free();
  }
  expect(takeAll(lane)).toHaveLength(1);
  expect(lane.isIdle).toBe(false);
  lane.endSending(true);
  lane.free();
  expect(takeAll(lane)).toHaveLength(8);
});

test('what waits can be taken back, and what is being sent keeps its place', () => {
  const lane = new Lane<number>('retry');
  fill(lane, 10);
  takeAll(lane);
  expect(lane.empty()).toEqual([9, 10]);
  expect(lane.isWaiting).toBe(false);
  expect(lane.isIdle).toBe(false);
});
