import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addMs, DAY_MS } from '../../src/platform/kit/instant.ts';
import { purgeOnce } from '../../src/surfaces/privacy/worker.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let moved: TestProject;
let other: TestProject;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  [moved, other] = [await service.newProject(), await service.newProject()];
});

const post = (project: TestProject, path: string, body: object, headers = {}) =>
  service.call('POST', path, {
    as: project.key,
    body: { projectId: project.projectId, ...body },
    headers,
  });

async function newProgram(project: TestProject, kind: string): Promise<string> {
  const { body } = await post(project, '/v1/programs', {
    kind,
    name: kind,
    config: {
      brandConfig: { landingPageUrl: 'https://example.com' },
      partnerApplicationsOpen: kind === 'affiliate',
    },
  });
  await post(project, `/v1/programs/${body.data.id}/status`, { status: 'active' });
  return body.data.id;
}

async function moveTo(ms: number): Promise<void> {
  const { status } = await service.call('PUT', `/v1/projects/${moved.projectId}/clock`, {
    as: moved.key,
    body: { now: addMs(service.clock.now, ms) },
  });
  expect(status).toBe(200);
}

const purge = () =>
  purgeOnce({
    database: service.database,
    clock: service.clock,
    auditRetentionDays: 30,
    attemptRetentionDays: 36_500,
  });

async function count(project: TestProject, table: string, where = 'true'): Promise<number> {
  const rows = await service.database.reads.query(
    `select 1 from ${table} where project_id = $1 and ${where}`,
    [project.projectId],
  );
  return rows.length;
}

test('handles and what they came from age by their Project’s clock (D-RET-1, D-CLOCK-1)', async () => {
  for (const project of [moved, other]) {
    const programId = await newProgram(project, 'referral');
    const participant = { kind: 'individual', externalId: 'ada' };
    await post(project, '/v1/referral-codes', { participant, programId, code: 'ada-code' });
    await service.call('POST', '/v1/clicks', {
      body: { projectKey: project.projectKey, ref: 'ada-code' },
    });
  }
  const left = async (project: TestProject) => [
    await count(project, 'touches', 'ip_hash is not null'),
    await count(project, 'handles'),
  ];
  await moveTo(30 * DAY_MS);
  await purge();
  expect(await left(moved)).toEqual([1, 1]);
  await moveTo(30 * DAY_MS + 1);
  await purge();
  expect(await left(moved)).toEqual([0, 1]);
  await moveTo(120 * DAY_MS);
  await purge();
  expect(await left(moved)).toEqual([0, 1]);
  await moveTo(120 * DAY_MS + 1);
  await purge();
  expect(await left(moved)).toEqual([0, 0]);
  expect(await left(other)).toEqual([1, 1]);

  // One that comes now has its whole time before it.
  await service.call('POST', '/v1/clicks', {
    body: { projectKey: moved.projectKey, ref: 'ada-code' },
  });
  await purge();
  expect(await left(moved)).toEqual([1, 1]);
  service.clock.advance(30 * DAY_MS + 1);
  await purge();
  expect(await left(moved)).toEqual([0, 1]);
  service.clock.advance(90 * DAY_MS);
  await purge();
  expect(await left(moved)).toEqual([0, 0]);
});

test('applications age by their Project’s clock, unproven and rejected ones', async () => {
  for (const project of [moved, other]) {
    const programId = await newProgram(project, 'affiliate');
    const apply = async (email: string): Promise<string> => {
      const fields = { programId, name: 'Ada', email, profileType: 'individual' };
      return (await post(project, '/v1/partner-applications', fields)).body.data.id;
    };
    await apply('unproven@example.com');
    const rejected = await apply('rejected@example.com');
    await post(project, `/v1/partner-applications/${rejected}/reject`, {});
  }
  const left = async (project: TestProject) => count(project, 'partner_applications');
  await moveTo(30 * DAY_MS);
  await purge();
  expect(await left(moved)).toBe(2);
  await moveTo(30 * DAY_MS + 1);
  await purge();
  expect(await left(moved)).toBe(1);
  await moveTo(365 * DAY_MS);
  await purge();
  expect(await left(moved)).toBe(1);
  await moveTo(365 * DAY_MS + 1);
  await purge();
  expect(await left(moved)).toBe(0);
  expect(await left(other)).toBe(2);
});

test('the audit log and kept answers age by the real time', async () => {
  await moveTo(3_000 * DAY_MS);
  await post(moved, '/v1/sources', {}, { 'idempotency-key': 'k' });
  const left = async () => [
    await count(moved, 'idempotency_keys'),
    await count(moved, 'audit_entries'),
  ];
  const [, audited] = await left();
  expect(audited).toBe(2);
  service.clock.advance(DAY_MS);
  await purge();
  expect(await left()).toEqual([1, audited]);
  service.clock.advance(1);
  await purge();
  expect(await left()).toEqual([0, audited]);
  service.clock.advance(29 * DAY_MS);
  await purge();
  expect(await left()).toEqual([0, 0]);
});
