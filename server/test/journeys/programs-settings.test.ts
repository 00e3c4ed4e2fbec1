import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, toInstant } from '../../src/platform/kit/instant.ts';
import { addVersions } from '../add-versions.ts';
import { type Answer, openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  project = await service.newProject();
});

function send(method: 'POST' | 'PUT', path: string, body: object, as = project.key) {
  return service.call(method, path, { as, body: { projectId: project.projectId, ...body } });
}
function read(path: string): Promise<Answer> {
  return service.call('GET', path, { as: project.key, query: { projectId: project.projectId } });
}
async function newProgram(kind = 'referral'): Promise<string> {
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const answer = await send('POST', '/v1/programs', { kind, name: 'Invite', config });
  return answer.body.data.id;
}
const pathsOf = (answer: Answer) =>
  answer.body.error.details.map(({ path }: { path: string }) => path);
const afterNow = (ms: number) => toInstant(service.clock.nowMs() + ms);

test('a program comes with a first attribution policy (D-ATTR-1)', async () => {
  for (const kind of ['referral', 'affiliate']) {
    const programId = await newProgram(kind);
    const { body } = await read(`/v1/programs/${programId}/attribution-policies`);
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^pol_/),
        createdAt: service.clock.now,
        updatedAt: service.clock.now,
        projectId: project.projectId,
        programId,
        version: 1,
        model: 'last_touch',
        windowDays: 90,
        bindingTrigger: 'signup',
        effectiveAt: service.clock.now,
        author: expect.stringMatching(/^key:key_/),
      },
    ]);
  }
});

test('policies are published as versions, newest first, signed by who made them', async () => {
  const path = `/v1/programs/${await newProgram()}/attribution-policies`;
  service.clock.advance(HOUR_MS);
  const second = await send('POST', path, {
    model: 'first_touch',
    windowDays: 30,
    bindingTrigger: 'subscription',
    effectiveAt: afterNow(DAY_MS),
  });
  expect(second.body.data).toMatchObject({
    version: 2,
    model: 'first_touch',
    windowDays: 30,
    bindingTrigger: 'subscription',
    createdAt: service.clock.now,
    effectiveAt: afterNow(DAY_MS),
  });
  const third = await send('POST', path, { windowDays: 7 }, 'operator');
  expect(third.body.data).toMatchObject({
    version: 3,
    model: 'last_touch',
    windowDays: 7,
    bindingTrigger: 'signup',
    effectiveAt: service.clock.now,
    author: 'user:admin-token',
  });
  const { body } = await read(path);
  expect(body.data.slice(0, 2)).toEqual([third.body.data, second.body.data]);
  expect(body.data[2].version).toBe(1);
});

test('a policy begins now or within a year, with a window of a day to a year', async () => {
  const path = `/v1/programs/${await newProgram()}/attribution-policies`;
  const refused: [object, string][] = [
    [{ effectiveAt: afterNow(-1) }, 'effectiveAt'],
    [{ effectiveAt: afterNow(366 * DAY_MS) }, 'effectiveAt'],
    [{ effectiveAt: '2026-12-01' }, 'effectiveAt'],
    [{ windowDays: 0 }, 'windowDays'],
    [{ windowDays: 366 }, 'windowDays'],
    [{ model: 'linear' }, 'model'],
    [{ version: 9 }, 'version'],
  ];
  for (const [body, field] of refused) {
    const answer = await send('POST', path, body);
    expect([field, answer.status]).toEqual([field, 400]);
    expect(pathsOf(answer)).toEqual([field]);
  }
  expect((await send('POST', path, { effectiveAt: afterNow(365 * DAY_MS) })).status).toBe(200);
});

test('loyalty attributes nothing: it has no policies and takes none (D-PROG-5)', async () => {
  const path = `/v1/programs/${await newProgram('loyalty')}/attribution-policies`;
  expect((await read(path)).body.data).toEqual([]);
  const refused = await send('POST', path, {});
  expect([refused.status, refused.body.error.code]).toEqual([400, 'INVALID_REQUEST']);
});

test('a program that is over takes no policy', async () => {
  const programId = await newProgram();
  await send('POST', `/v1/programs/${programId}/status`, { status: 'archived' });
  const refused = await send('POST', `/v1/programs/${programId}/attribution-policies`, {});
  expect([refused.status, refused.body.error.reason]).toEqual([409, 'program_not_open']);
});

test('a program has 500 policy versions at most', async () => {
  const path = `/v1/programs/${await newProgram()}/attribution-policies`;
  await addVersions(service.database, project, 'attribution_policies', 499);
  expect((await send('POST', path, {})).body.data.version).toBe(500);
  const refused = await send('POST', path, {});
  expect([refused.status, refused.body.error.reason]).toEqual([409, 'limit_reached']);
});

test('delivery settings start with the operator and no hold, and keep what is left out (D-RWD-10)', async () => {
  const programId = await newProgram();
  const path = `/v1/programs/${programId}/delivery-settings`;
  const first = await read(path);
  expect(first.body.data).toEqual({
    programId,
    holdDays: 0,
    cashMethod: 'operator',
    creditMethod: 'operator',
    discountMethod: 'operator',
    customMethod: 'operator',
    planUpgrades: [],
    options: {
      cash: ['operator', 'manual', 'payout'],
      credit: ['operator', 'manual'],
      discount: ['operator', 'manual'],
      custom: ['operator', 'manual'],
    },
    updatedAt: service.clock.now,
  });
  service.clock.advance(HOUR_MS);
  const planUpgrades = [{ unitKey: 'pro_month', plan: 'Pro', periods: 3 }];
  const changed = await send('PUT', path, { holdDays: 14, cashMethod: 'payout', planUpgrades });
  expect(changed.body.data).toEqual({
    ...first.body.data,
    holdDays: 14,
    cashMethod: 'payout',
    planUpgrades,
    updatedAt: service.clock.now,
  });
  expect((await read(path)).body).toEqual(changed.body);
  const reset = await send('PUT', path, { cashMethod: null, planUpgrades: null });
  expect(reset.body.data).toEqual({
    ...first.body.data,
    holdDays: 14,
    updatedAt: expect.anything(),
  });
});

test('delivery settings can be sent back as they were read', async () => {
  const path = `/v1/programs/${await newProgram()}/delivery-settings`;
  await send('PUT', path, { holdDays: 3, creditMethod: 'manual' });
  const { data } = (await read(path)).body;
  const other = { ...data, programId: 'prg_other', options: {}, updatedAt: 'yesterday' };
  for (const body of [data, other]) {
    const answer = await send('PUT', path, body);
    expect(answer.body.data).toEqual(data);
  }
});

test('a PUT that changes nothing leaves no trace', async () => {
  const path = `/v1/programs/${await newProgram()}/delivery-settings`;
  const planUpgrades = [{ unitKey: 'pro_month', plan: 'Pro', periods: 3 }];
  const { data } = (await send('PUT', path, { holdDays: 3, planUpgrades })).body;
  service.clock.advance(HOUR_MS);
  for (const body of [{}, { holdDays: 3 }, { planUpgrades, cashMethod: null }, data]) {
    expect((await send('PUT', path, body)).body.data).toEqual(data);
  }
  expect((await read(path)).body.data).toEqual(data);
  const log = await service.call('GET', '/v1/audit-log', {
    as: 'operator',
    query: { workspaceId: project.workspaceId, projectId: project.projectId },
  });
  const changes = log.body.data.filter(
    ({ action }: { action: string }) => action === 'delivery_settings.change',
  );
  expect(changes).toHaveLength(1);
});

test('delivery settings show their fields in the documented order', async () => {
  const path = `/v1/programs/${await newProgram()}/delivery-settings`;
  const changed = await send('PUT', path, {
    planUpgrades: [{ periods: 3, plan: 'Pro', unitKey: 'pro_month' }],
  });
  for (const { body } of [changed, await read(path)]) {
    expect(Object.keys(body.data.planUpgrades[0])).toEqual(['unitKey', 'plan', 'periods']);
    expect(Object.keys(body.data)).toEqual([
      'programId',
      'holdDays',
      'cashMethod',
      'creditMethod',
      'discountMethod',
      'customMethod',
      'planUpgrades',
      'options',
      'updatedAt',
    ]);
  }
});

test('delivery settings that cannot work are refused where they stand', async () => {
  const path = `/v1/programs/${await newProgram()}/delivery-settings`;
  const upgrade = (extra: object) => ({
    planUpgrades: [{ unitKey: 'pro', plan: 'Pro', periods: 1, ...extra }],
  });
  const many = Array.from({ length: 51 }, (_, n) => ({ unitKey: `u${n}`, plan: 'P', periods: 1 }));
  const refused: [object, string][] = [
    [{ holdDays: 366 }, 'holdDays'],
    [{ holdDays: -1 }, 'holdDays'],
    [{ holdDays: 1.5 }, 'holdDays'],
    [{ cashMethod: 'paypal' }, 'cashMethod'],
    [{ creditMethod: 'stripe_balance' }, 'creditMethod'],
    [{ discountMethod: 'payout' }, 'discountMethod'],
    [{ customMethod: '' }, 'customMethod'],
    [upgrade({ periods: 37 }), 'planUpgrades.0.periods'],
    [upgrade({ periods: 0 }), 'planUpgrades.0.periods'],
    [upgrade({ plan: 'x'.repeat(121) }), 'planUpgrades.0.plan'],
    [upgrade({ unitKey: 'Pro' }), 'planUpgrades.0.unitKey'],
    [
      { planUpgrades: [...upgrade({}).planUpgrades, ...upgrade({}).planUpgrades] },
      'planUpgrades.1.unitKey',
    ],
    [{ planUpgrades: many }, 'planUpgrades'],
    [{ holdHours: 1 }, 'holdHours'],
  ];
  const before = (await read(path)).body;
  for (const [body, field] of refused) {
    const answer = await send('PUT', path, body);
    expect([field, answer.status]).toEqual([field, 400]);
    expect(new Set(pathsOf(answer))).toEqual(new Set([field]));
  }
  expect((await read(path)).body).toEqual(before);
});
