import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openService, type TestProject, type TestService } from '../../../test/harness.ts';
import { DAY_MS } from '../../platform/kit/instant.ts';
import { purgeOnce } from './worker.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
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
    purgeOnce({
      database: service.database,
      clock: service.clock,
      auditRetentionDays: 30,
      attemptRetentionDays: 36_500,
    });
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
  expect(await audited()).toBe(1);
  service.clock.advance(29 * DAY_MS);
  expect(await purge()).toBe(1);
  expect(await audited()).toBe(0);
  expect(await purge()).toBe(0);
});

describe('applications to become a partner', () => {
  let project: TestProject;
  let programId: string;
  beforeEach(async () => {
    // After everything that earlier tests have left.
    service.clock.advance(400 * DAY_MS);
    while ((await purge()) > 0);
    project = await service.newProject();
    const program = await write('/v1/programs', {
      kind: 'affiliate',
      name: 'Partners',
      config: {
        brandConfig: { landingPageUrl: 'https://example.com' },
        partnerApplicationsOpen: true,
      },
    });
    programId = program.body.data.id;
    await write(`/v1/programs/${programId}/status`, { status: 'active' });
  });

  const write = (path: string, body: object) =>
    service.call('POST', path, {
      as: project.key,
      body: { projectId: project.projectId, ...body },
    });
  const apply = async (email: string): Promise<string> => {
    const fields = { programId, name: 'Ada', email, profileType: 'individual' };
    return (await write('/v1/partner-applications', fields)).body.data.id;
  };
  const purge = () =>
    purgeOnce({
      database: service.database,
      clock: service.clock,
      auditRetentionDays: 9_999,
      attemptRetentionDays: 36_500,
    });
  const listed = async (): Promise<string[]> => {
    const { body } = await service.call('GET', '/v1/partner-applications', {
      as: project.key,
      query: { projectId: project.projectId },
    });
    return body.data.map((one: { id: string }) => one.id);
  };
  const unproven = async () => {
    const [row] = await service.database.reads.query<{ unproven: number }>(
      'select unproven from partner_application_counts where project_id = $1',
      [project.projectId],
    );
    return row?.unproven;
  };

  test('those whose e-mail was never proven are deleted after 30 days, and their place is free', async () => {
    await apply('old@example.com');
    service.clock.advance(DAY_MS);
    const recent = await apply('new@example.com');
    service.clock.advance(29 * DAY_MS);
    expect(await purge()).toBe(0);
    service.clock.advance(1);
    expect(await purge()).toBe(1);
    expect(await listed()).toEqual([recent]);
    expect(await unproven()).toBe(1);
  });

  test('one that was sent again, or whose link was mailed again, has 30 days from then', async () => {
    const again = await apply('again@example.com');
    const mailed = await apply('mailed@example.com');
    const due = await apply('due@example.com');
    const silent = await apply('silent@example.com');
    service.clock.advance(29 * DAY_MS);
    await apply('again@example.com');
    const mark = (id: string, set: string) =>
      service.database.transaction((tx) =>
        tx.query(`update partner_applications set ${set} where project_id = $1 and id = $2`, [
          project.projectId,
          id,
        ]),
      );
    await mark(mailed, `mail_due_at = null, mail_sent_at = '${service.clock.now}'`);
    await mark(due, `mail_due_at = '${service.clock.now}'`);
    service.clock.advance(DAY_MS + 1);
    expect(await purge()).toBe(1);
    expect((await listed()).sort()).toEqual([again, mailed, due].sort());
    expect(await listed()).not.toContain(silent);
    service.clock.advance(29 * DAY_MS);
    expect(await purge()).toBe(3);
    expect(await unproven()).toBe(0);
  });

  test('those rejected or withdrawn are deleted 365 days after that', async () => {
    const rejected = await apply('rejected@example.com');
    const withdrawn = await apply('withdrawn@example.com');
    service.clock.advance(10 * DAY_MS);
    await write(`/v1/partner-applications/${rejected}/reject`, { reason: 'No.' });
    await service.call('DELETE', `/v1/partner-applications/${withdrawn}`, {
      as: project.key,
      query: { projectId: project.projectId },
    });
    service.clock.advance(365 * DAY_MS);
    expect(await purge()).toBe(0);
    service.clock.advance(1);
    expect(await purge()).toBe(2);
    expect(await listed()).toEqual([]);
    expect(await unproven()).toBe(0);
  });
});
