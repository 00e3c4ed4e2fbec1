import { expect, test } from 'vitest';
import { DueProjects } from './due-projects.ts';

test('a Project is due at the earliest time that was noted, once', () => {
  const due = new DueProjects();
  due.note('a', 200);
  due.note('a', 100);
  due.note('a', 300);
  due.note('b', 150);
  expect(due.take(99)).toEqual([]);
  expect(due.take(100)).toEqual(['a']);
  expect(due.take(1_000)).toEqual(['b']);
  expect(due.take(1_000)).toEqual([]);
});

test('what is noted after it was taken is due again', () => {
  const due = new DueProjects();
  due.note('a', 100);
  due.take(100);
  due.note('a', 200);
  expect(due.take(200)).toEqual(['a']);
});
