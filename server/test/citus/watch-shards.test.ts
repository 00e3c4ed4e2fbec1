import { afterAll, beforeAll, expect, test } from 'vitest';
import { openService, type TestService } from '../harness.ts';
import { takeFindings } from './watch-shards.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

test('a transaction that writes to two shards is noticed, and one that writes to one is not', async () => {
  const ids: string[] = [];
  // By chance, some of so many are on different shards.
  while (ids.length < 12) ids.push((await service.newProject()).projectId);
  takeFindings();
  const update = `update project_heads set feed_position = feed_position where project_id = $1`;
  await service.database.transaction(async (tx) => {
    for (let count = 0; count < 2; count += 1) tx.send(update, [ids[0]]);
  });
  expect(takeFindings()).toEqual([]);
  await service.database.transaction(async (tx) => {
    for (const id of ids) tx.send(update, [id]);
  });
  expect(takeFindings()).not.toEqual([]);
});
