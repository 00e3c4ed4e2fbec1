import { expect, test } from 'vitest';
import { stepOf } from './start-step.ts';

test('the engine’s log says where its start is', () => {
  const lines = [
    'LOG:  database system was interrupted; last known up at 2026-11-16 18:27:39 UTC',
    'LOG:  database system was not properly shut down; automatic recovery in progress',
    'LOG:  redo starts at 0/16EF998',
    'LOG:  invalid record length at 0/175EA70: expected at least 24, got 0',
    'LOG:  redo done at 0/175E628 system usage: CPU: user: 0.00 s',
  ];
  expect(lines.map(stepOf)).toEqual(['sync', 'recover', 'replay', undefined, 'replayed']);
});
