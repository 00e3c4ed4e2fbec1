import { expect, test } from 'vitest';
import { type ChecklistView, viewOf } from './checklist-view.ts';

test('without a choice the steps are open until all are done, then one line is left', () => {
  expect(viewOf(null, false, false)).toBe('steps');
  expect(viewOf(null, false, true)).toBe('line');
  expect(viewOf(null, true, false)).toBe('line');
});

test.each<[ChecklistView, boolean, boolean, ChecklistView]>([
  ['line', false, false, 'line'],
  ['steps', false, true, 'line'],
  ['steps', true, true, 'steps'],
  ['nothing', true, true, 'nothing'],
  ['nothing', false, false, 'nothing'],
  ['nothing', false, true, 'nothing'],
])('chosen %s (all done then: %s), all done now: %s → %s', (view, wasDone, isDone, shown) => {
  expect(viewOf({ view, wasDone }, isDone, false)).toBe(shown);
});
