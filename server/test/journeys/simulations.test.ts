import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
let sourceNamespaceId: string;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
/** Each test gets a copy of this one. */
let original: TestProject;
beforeAll(async () => {
  original = await service.newProject();
  project = original;
  sourceNamespaceId = (await write('/v1/sources', {})).body.sourceNamespaceId;
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const program = await write('/v1/programs', { kind: 'referral', name: 'Invite', config });
  const programId = program.body.data.id;
  for (const beneficiaryRole of ['referrer', 'referee']) {
    await write('/v1/benefit-rules', {
      programId,
      eventType: 'signup',
      beneficiaryRole,
      name: 'Thanks',
      terms: {
        benefitKind: 'custom',
        quantity: 5,
        unit: { key: 'gigabyte', name: 'gigabyte', namePlural: 'gigabytes' },
        maxRewardsPerBeneficiary: 1,
      },
    });
  }
  await write(`/v1/programs/${programId}/status`, { status: 'active' });
  await write('/v1/referral-links', { programId, participant: person('ada'), slug: 'ada' });
});
beforeEach(async () => {
  project = await service.copyProject(original);
});

const person = (externalId: string) => ({ kind: 'individual', externalId });
const write = (path: string, body: object, as = project.key) =>
  service.call('POST', path, { as, body: { projectId: project.projectId, ...body } });
const signup = (more: object = {}) => ({
  sourceNamespaceId,
  type: 'signup',
  participant: person('bob'),
  ...more,
});
const simulate = (body: object) => write('/v1/simulations/events', body);
/** Every row of the Project, in whatever table. */
async function everything(): Promise<unknown> {
  const { reads } = service.database;
  const tables = await reads.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'project_id' order by 1`,
  );
  return Promise.all(
    tables.map(async ({ name }) => [
      name,
      await reads.query(`select to_json(t) as row from ${name} t where project_id = $1`, [
        project.projectId,
      ]),
    ]),
  );
}

test('a dry run answers, explains and rewards as the call would, and leaves no trace in any table', async () => {
  const { body: click } = await service.call('POST', '/v1/clicks', {
    body: { projectKey: project.projectKey, ref: 'ada' },
  });
  const before = await everything();
  const { status, body } = await simulate(signup({ identify: { handle: click.handle } }));
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    response: { success: true, identified: true, processingReason: 'attributed' },
    explanation: {
      candidates: [{ verdict: 'selected' }],
      rules: [{ verdict: 'earned' }, { verdict: 'earned' }],
    },
    rewards: [
      { beneficiaryRole: 'referrer', beneficiary: { externalId: 'ada' }, custom: { quantity: 5 } },
      { beneficiaryRole: 'referee', beneficiary: { externalId: 'bob' } },
    ],
  });
  expect(await everything()).toEqual(before);

  // The handle is not spent: the call itself identifies it.
  const real = await write('/v1/track/events', signup({ identify: { handle: click.handle } }));
  expect(real.body).toMatchObject({ identified: true, processingReason: 'attributed' });
  // Nor was the cap used up by the dry run, but by the call.
  const next = await simulate(signup({ participant: person('carol'), refCode: 'ada' }));
  expect(next.body.data.explanation.rules).toMatchObject([
    { beneficiaryRole: 'referrer', verdict: 'skipped', reason: 'cap_reached' },
    { beneficiaryRole: 'referee', verdict: 'earned' },
  ]);
});

test('a dry run of what was told before shows what that led to', async () => {
  const first = await write('/v1/track/events', signup({ refCode: 'ada' }));
  const again = await simulate(signup());
  expect(again.body.data.response).toEqual(first.body);
  expect(again.body.data.explanation.candidates).toHaveLength(1);
  expect(again.body.data).toMatchObject({ isRepeat: true, rewards: [] });
});

test('a dry run is refused where the call would be', async () => {
  const cases: [object, number][] = [
    [signup({ identify: {} }), 400],
    [signup({ sourceNamespaceId: 'src_none' }), 404],
    [signup({ type: 'purchase' }), 400],
    [signup({ occurredAt: '2030-01-01T00:00:00Z' }), 400],
  ];
  for (const [body, status] of cases) {
    const [dry, real] = [await simulate(body), await write('/v1/track/events', body)];
    expect([dry.status, real.status]).toEqual([status, status]);
    const { requestId: _dry, ...predicted } = dry.body.error;
    const { requestId: _real, ...told } = real.body.error;
    expect(predicted).toEqual(told);
  }
});

test('a dry run needs the permission to track', async () => {
  const key = await service.call('POST', '/v1/api-keys', {
    as: 'operator',
    body: {
      workspaceId: project.workspaceId,
      environment: 'sandbox',
      name: 'Reader',
      permissions: 'read_only',
    },
  });
  expect((await write('/v1/simulations/events', signup(), key.body.key)).status).toBe(403);
});
