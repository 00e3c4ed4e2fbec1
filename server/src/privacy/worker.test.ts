import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/harness.ts';
import { DAY_MS } from '../kit/instant.ts';
import { purgeOnce } from './worker.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('kept answers go after a day, audit entries after their retention, and not before (D-RET-1)', async () => {
  const project = await service.newProject();
  await service.call('POST', '/v1/sources', {
    as: project.key,
    body: { projectId: project.projectId },
    headers: { 'idempotency-key': 'k' },
  });
  const purge = () =>
    purgeOnce({ reads: service.database.reads, clock: service.clock, auditRetentionDays: 30 });
  const audited = async () =>
    (
      await service.call('GET', '/v1/audit-log', {
        as: 'operator',
        query: { workspaceId: project.workspaceId },
      })
    ).body.data.length;

  service.clock.advance(DAY_MS);
  expect(await purge()).toBe(0);
  service.clock.advance(1);
  expect(await purge()).toBe(1);
  expect(await audited()).toBe(4);
  service.clock.advance(29 * DAY_MS);
  expect(await purge()).toBe(4);
  expect(await audited()).toBe(0);
  expect(await purge()).toBe(0);
});

test('an application whose e-mail was never proven is deleted after 30 days, and its place is free', async () => {
  const project = await service.newProject();
  const write = (path: string, body: object) =>
    service.call('POST', path, {
      as: project.key,
      body: { projectId: project.projectId, ...body },
    });
  const program = await write('/v1/programs', {
    kind: 'affiliate',
    name: 'Partners',
    config: {
      brandConfig: { landingPageUrl: 'https://example.com' },
      partnerApplicationsOpen: true,
    },
  });
  const programId = program.body.data.id;
  await write(`/v1/programs/${programId}/status`, { status: 'active' });
  const apply = (email: string) =>
    write('/v1/partner-applications', {
      programId,
      name: 'Ada',
      email,
      profileType: 'individual',
    });
  await apply('old@example.com');
  service.clock.advance(DAY_MS);
  await apply('new@example.com');
  service.clock.advance(29 * DAY_MS + 1);
  const retention = { reads: service.database.reads, clock: service.clock };
  expect(await purgeOnce({ ...retention, auditRetentionDays: 730 })).toBe(1);
  const list = await service.call('GET', '/v1/partner-applications', {
    as: project.key,
    query: { projectId: project.projectId },
  });
  expect(list.body.data.map((one: { email: string }) => one.email)).toEqual(['new@example.com']);
  const [count] = await service.database.reads.query(
    'select unproven from partner_application_counts where project_id = $1',
    [project.projectId],
  );
  expect(count).toEqual({ unproven: 1 });
});
