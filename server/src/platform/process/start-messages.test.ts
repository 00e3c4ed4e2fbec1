import { expect, test } from 'vitest';
import { createReport } from './start-messages.ts';

function open() {
  const lines: string[] = [];
  let ms = 500;
  const report = createReport(
    ({ elapsedMs, migration = '' }, what) => lines.push(`${elapsedMs} ${what} ${migration}`.trim()),
    () => ms,
  );
  const at = (elapsedMs: number, ...step: Parameters<typeof report>) => {
    ms = 500 + elapsedMs;
    report(...step);
  };
  return { at, lines };
}

test('a start that is short says nothing', () => {
  const { at, lines } = open();
  for (const [ms, what] of [
    [0, 'opening'],
    [900, 'checking'],
    [1_999, 'ready'],
  ] as const)
    at(ms, what);
  expect(lines).toEqual([]);
});

test('one that recovers tells of every step from there on', () => {
  const { at, lines } = open();
  at(0, 'opening');
  at(100, 'recovering', { isRare: true });
  at(200, 'checking');
  at(300, 'ready');
  expect(lines).toEqual(['100 start: recovering', '200 start: checking', '300 start: ready']);
});

test('one that takes long says every two seconds at most what it is at', () => {
  const { at, lines } = open();
  at(0, 'opening');
  for (let number = 1; number <= 50; number += 1) {
    at(number * 100, `migration ${number} of 50`, { migration: `m${number}` });
  }
  expect(lines).toEqual([
    '2000 start: migration 20 of 50 m20',
    '4000 start: migration 40 of 50 m40',
  ]);
});
