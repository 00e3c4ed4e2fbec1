import { expect, test } from 'vitest';
import { Streams } from './streams.ts';

const LIMITS = { streamsMax: 3, projectStreamsMax: 2 };

test('a place that was left is free again, for its Project and in all', () => {
  const streams = new Streams(LIMITS);
  const places = ['a', 'a', 'b'].map((projectId) => streams.enter(projectId));
  expect(() => streams.enter('a')).toThrow('of this project');
  expect(() => streams.enter('b')).toThrow('Too many streams are open');
  places[0]?.leave();
  expect(streams.count()).toBe(2);
  streams.enter('a');
  expect(() => streams.enter('b')).toThrow('Too many');
});

test('stopping tells all of them to end, waits until they have, and ends what begins', async () => {
  const streams = new Streams(LIMITS);
  const places = [streams.enter('a'), streams.enter('b')];
  let isStopped = false;
  const stopping = streams.stop().then(() => {
    isStopped = true;
  });
  expect(places.map(({ stopping: { aborted } }) => aborted)).toEqual([true, true]);
  expect(streams.enter('prj_3').stopping.aborted).toBe(true);
  places[0]?.leave();
  await Promise.resolve();
  expect(isStopped).toBe(false);
  places[1]?.leave();
  await stopping;
});
