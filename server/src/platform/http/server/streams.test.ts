import { expect, test } from 'vitest';
import { Streams } from './streams.ts';

const LIMITS = { streamsMax: 3, projectStreamsMax: 2 };
/** A Project, by default in a separate Workspace. */
const project = (id: string, workspaceId = `ws_${id}`) => ({ id, workspaceId });

test('a place that was left is free again, for its Project and in all', () => {
  const streams = new Streams(LIMITS);
  const places = ['a', 'a', 'b'].map((id) => streams.enter(project(id)));
  expect(() => streams.enter(project('a'))).toThrow('of this project');
  expect(() => streams.enter(project('b'))).toThrow('Too many streams are open');
  places[0]?.leave();
  expect(streams.count()).toBe(2);
  streams.enter(project('a'));
  expect(() => streams.enter(project('b'))).toThrow('Too many');
});

test('stopping tells all of them to end, waits until they have, and ends what begins', async () => {
  const streams = new Streams(LIMITS);
  const places = [streams.enter(project('a')), streams.enter(project('b'))];
  let isStopped = false;
  const stopping = streams.stop().then(() => {
    isStopped = true;
  });
  expect(places.map(({ stopping: { aborted } }) => aborted)).toEqual([true, true]);
  expect(streams.enter(project('prj_3')).stopping.aborted).toBe(true);
  places[0]?.leave();
  await Promise.resolve();
  expect(isStopped).toBe(false);
  places[1]?.leave();
  await stopping;
});

test('a Workspace that has all places gives way to another, until they have the same', () => {
  const streams = new Streams({ streamsMax: 4, projectStreamsMax: 2 });
  const greedy = ['a', 'a', 'b', 'b'].map((id) => streams.enter(project(id, 'ws_1')));
  expect(() => streams.enter(project('c', 'ws_1'))).toThrow('Too many streams are open');
  const other = [streams.enter(project('d', 'ws_2')), streams.enter(project('d', 'ws_2'))];
  // Its newest ones: their readers reconnect, and are refused.
  expect(greedy.map(({ stopping }) => stopping.aborted)).toEqual([false, false, true, true]);
  expect(() => streams.enter(project('b', 'ws_1'))).toThrow('Too many streams are open');
  expect(() => streams.enter(project('e', 'ws_2'))).toThrow('Too many streams are open');
  for (const place of [...greedy, ...other]) place.leave();
  expect(streams.count()).toBe(0);
  expect(streams.enter(project('a', 'ws_1')).stopping.aborted).toBe(false);
});
