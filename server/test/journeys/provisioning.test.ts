import { afterAll, beforeAll, expect, test } from 'vitest';
import { openService, type TestService } from '../harness.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

test('an operator makes a workspace, a project and a key', async () => {
  const project = await service.newProject();
  expect(project.key).toMatch(/^gw_sandbox_[0-9A-Za-z]{49}$/);
  const feed = await service.call('GET', '/v1/webhook-events', {
    as: project.key,
    query: { projectId: project.projectId },
  });
  expect(feed.status).toBe(200);
  expect(feed.body.events).toEqual([]);
});
