import { afterAll, beforeAll, expect, test } from 'vitest';
import { replayHistory } from '../../src/domain/backtests/replay-history.ts';
import { loadBook } from '../../src/domain/programs/load-book.ts';
import { openService, type TestService } from '../harness.ts';
import { fillProject } from '../varied-store.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const ALWAYS = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };

test('what is in force differs in nothing from what was decided (D-BT-2)', async () => {
  const { projectId } = await fillProject(service);
  const book = await loadBook(service.database.reads, projectId);
  const replay = await replayHistory(service.database.reads, {
    projectId,
    actual: book,
    proposed: book,
    ...ALWAYS,
  });
  const { events } = replay;
  expect([...events.differences.values()].filter(Boolean)).toEqual([]);
  expect({ unlike: events.unlike, refused: replay.refused }).toEqual({ unlike: [], refused: 0 });
  expect(events.compared).toBeGreaterThan(15);
});
