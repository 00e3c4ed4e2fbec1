import { afterAll, beforeAll, expect, test } from 'vitest';
import { openService, type TestService } from '../harness.ts';
import { openShop } from '../shop.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

test('the first steps tick themselves', async () => {
  const doneOf = async (projectId: string, key: string) => {
    const { status, body } = await service.call('GET', '/v1/first-steps', {
      as: key,
      query: { projectId },
    });
    expect(status).toBe(200);
    return body.data
      .filter(({ isDone }: { isDone: boolean }) => isDone)
      .map(({ step }: { step: string }) => step);
  };
  const empty = await service.newProject();
  expect(await doneOf(empty.projectId, empty.key)).toEqual(['api_key']);
  const shop = await openShop(service);
  const { projectId, key } = shop.project;
  const done = await doneOf(projectId, key);
  expect(done).toEqual(
    expect.arrayContaining(['program', 'api_key', 'source', 'first_event', 'first_signup']),
  );
  expect(done).not.toContain('delivery');
  await shop.setDelivery({ cashMethod: 'payout' });
  expect(await doneOf(projectId, key)).toContain('delivery');
});
