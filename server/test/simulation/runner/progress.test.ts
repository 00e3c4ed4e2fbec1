import { expect, test } from 'vitest';
import { describeProgress, Progress } from './progress.ts';

test('the line says how many worlds are done, how fast, and how long the rest takes', () => {
  const hour = {
    played: 7_200,
    failed: 2,
    total: 100_000,
    elapsedMs: 3_600_000,
    secondsMax: Infinity,
  };
  expect(describeProgress(hour)).toBe(
    '7,200 of 100,000 worlds, 2 failed, 2.0 a second, 12 h 54 min left',
  );
  const end = { played: 99, failed: 0, total: 100, elapsedMs: 99_000, secondsMax: Infinity };
  expect(describeProgress(end)).toBe('99 of 100 worlds, 0 failed, 1.0 a second, 1 min left');
});

test('a run that may take so long only ends then', () => {
  const night = { played: 600, failed: 0, total: 100_000, elapsedMs: 600_000, secondsMax: 1_200 };
  expect(describeProgress(night)).toContain(', 10 min left');
});

test('a file gets no line for each world', () => {
  const written: string[] = [];
  const write = (text: string) => written.push(text) > 0;
  const progress = new Progress(1_000, Infinity, { isTTY: false, write } as never);
  for (let count = 0; count < 500; count += 1) progress.add(false);
  progress.clear();
  expect(written).toEqual([]);
});
