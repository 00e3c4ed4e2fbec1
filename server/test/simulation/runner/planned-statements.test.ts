import { expect, test } from 'vitest';
import { askClose, askPrepare, askRun, askScript } from '../../../src/platform/db/embedded/wire.ts';
import { StatementLog, WorldStatements } from './planned-statements.ts';

const description = Buffer.from('T\0\0\0\x06\0\0', 'latin1');
const statements = () =>
  new WorldStatements(new Map([['select 1', { name: 'planned7', description }]]));
const firstRun = (name: string, text: string) =>
  Buffer.concat([askPrepare(name, text), askRun(name, ['é', null])]);

test('a planned statement is neither parsed nor described again, and runs under its own name', () => {
  const world = statements();
  const first = world.translate(firstRun('s1', 'select 1'));
  expect(first.request).toEqual(askRun('planned7', ['é', null]));
  expect(first.response).toEqual(description);
  const again = world.translate(askRun('s1', ['2', null]));
  expect(again).toEqual({ request: askRun('planned7', ['2', null]), response: null });
});

test('what is not planned is sent as it is', () => {
  const world = statements();
  for (const request of [
    firstRun('s1', 'select 2'),
    askRun('s1', []),
    askScript('commit'),
    askClose('s1'),
  ])
    expect(world.translate(request)).toEqual({ request, response: null });
});

test('a closed statement is known no more, and stays planned for the next name', () => {
  const world = statements();
  world.translate(firstRun('s1', 'select 1'));
  expect(world.translate(askClose('s1')).request).toEqual(Buffer.from('S\0\0\0\x04', 'latin1'));
  expect(world.translate(askRun('s1', [])).request).toEqual(askRun('s1', []));
  expect(world.translate(firstRun('s2', 'select 1')).response).toEqual(description);
});

test('a statement is noted with the script that opened its transaction', () => {
  const log = new StatementLog();
  const requests = [
    firstRun('s1', 'select 1'),
    askScript('begin; set local jit=off'),
    firstRun('s2', 'select 2'),
    askRun('s1', []),
    askScript('commit'),
    firstRun('s3', 'select 3'),
  ];
  for (const request of requests) log.note(request);
  expect(log.used).toEqual([
    { text: 'select 1', opening: null },
    { text: 'select 2', opening: 'begin; set local jit=off' },
    { text: 'select 3', opening: null },
  ]);
});
