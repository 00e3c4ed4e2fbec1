import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/platform/kit/instant.ts';
import { purgeOnce } from '../../src/surfaces/privacy/worker.ts';
import { startService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await startService({ settings: { trustProxy: 1 } });
});
beforeEach(async () => {
  project = await service.newProject();
  const program = await post('/v1/programs', {
    kind: 'referral',
    name: 'Friends',
    config: { brandConfig: { landingPageUrl: 'https://example.com/' } },
  });
  const programId = program.data.id;
  await post(`/v1/programs/${programId}/status`, { status: 'active' });
  await post('/v1/referral-codes', {
    participant: { kind: 'individual', externalId: 'ada' },
    programId,
    code: 'ada-code',
  });
});
afterAll(() => service.close());

async function post(path: string, body: object) {
  const answer = await service.call('POST', path, {
    as: project.key,
    body: { projectId: project.projectId, ...body },
  });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body;
}

async function click(body: object = {}, from = '203.0.113.7'): Promise<string> {
  const answer = await service.call('POST', '/v1/clicks', {
    body: {
      projectKey: project.projectKey,
      ref: 'ada-code',
      url: 'https://example.com/for-carol?utm_source=carols-letter',
      referrer: 'https://carol.example.org/',
      ...body,
    },
    headers: { 'x-forwarded-for': from },
  });
  return answer.body.handle;
}

const rows = (table: 'handles' | 'touches' | 'spent_clicks') =>
  service.database.reads.query<Record<string, unknown>>(
    `select * from ${table} where project_id = $1`,
    [project.projectId],
  );

const purge = () =>
  purgeOnce({
    database: service.database,
    clock: service.clock,
    auditRetentionDays: 36_500,
    attemptRetentionDays: 36_500,
  });

test('a handle that nobody was identified by goes 30 days after its end, with its touches (D-RET-1)', async () => {
  const lonely = await click();
  const claimed = await click();
  await post('/v1/identify', {
    handle: claimed,
    participant: { kind: 'individual', externalId: 'carol' },
  });
  service.clock.advance(120 * DAY_MS);
  await purge();
  expect((await rows('handles')).map(({ id }) => id).toSorted()).toEqual(
    [lonely, claimed].toSorted(),
  );
  // An expired handle still identifies until then (D-IDENT-7).
  service.clock.advance(1);
  await purge();
  expect((await rows('handles')).map(({ id }) => id)).toEqual([claimed]);
  expect((await rows('touches')).map((touch) => touch.handle_id)).toEqual([claimed]);
  expect(await purge()).toBe(0);
});

test('where a touch came from in the network is kept as a hash of the network, for 30 days', async () => {
  const hashOf = async (from: string) => {
    const handle = await click({}, from);
    return (await rows('touches')).find((touch) => touch.handle_id === handle)?.ip_hash;
  };
  const hash = await hashOf('203.0.113.7');
  expect(hash).toMatch(/^[\w-]{43}$/);
  expect(await hashOf('203.0.113.250')).toBe(hash);
  expect(await hashOf('203.0.114.7')).not.toBe(hash);
  expect(await hashOf('unknown')).toBeNull();
  expect(JSON.stringify(await rows('touches'))).not.toContain('203.0');
  service.clock.advance(30 * DAY_MS);
  await purge();
  expect((await rows('touches')).map((touch) => touch.ip_hash)).toContain(hash);
  service.clock.advance(1);
  expect(await purge()).toBe(3);
  expect(new Set((await rows('touches')).map((touch) => touch.ip_hash))).toEqual(new Set([null]));
});

test('a spent token is forgotten when it would no longer work anyway', async () => {
  const answer = await fetch(`${service.url}/l/${project.projectKey}/ada-code`, {
    redirect: 'manual',
  });
  const token = new URL(answer.headers.get('location') ?? '').searchParams.get('service_click');
  await click({ click: token });
  service.clock.advance(10 * MINUTE_MS - 1);
  await purge();
  expect(await rows('spent_clicks')).toHaveLength(1);
  service.clock.advance(1);
  await purge();
  expect(await rows('spent_clicks')).toEqual([]);
});

test('erasing a person takes from their touches where they came from, and whose they were (D-PART-5)', async () => {
  const handle = await click();
  const stranger = await click();
  const { participantId } = await post('/v1/identify', {
    handle,
    participant: { kind: 'individual', externalId: 'carol' },
  });
  service.clock.advance(1_000);
  const erased = await service.call('DELETE', `/v1/participants/${participantId}`, {
    as: project.key,
    query: { projectId: project.projectId },
  });
  expect(erased.status).toBe(200);
  const read = async (handleId: string) => {
    const touch = (await rows('touches')).find((one) => one.handle_id === handleId);
    const { body } = await service.call('GET', `/v1/touches/${touch?.id}`, {
      as: project.key,
      query: { projectId: project.projectId },
    });
    return { ...body.data, hash: touch?.ip_hash };
  };
  expect(await read(handle)).toMatchObject({
    updatedAt: service.clock.now,
    landingUrl: null,
    referrerOrigin: null,
    utm: { source: null, medium: null, campaign: null, term: null, content: null },
    hash: null,
    identifiedParticipantId: null,
    identifiedAt: null,
  });
  expect(await read(stranger)).toMatchObject({
    landingUrl: 'https://example.com/for-carol',
    utm: { source: 'carols-letter' },
  });
  // The handle stays closed: whoever comes next does not inherit the touch.
  expect(await click({ handle })).not.toBe(handle);
});
