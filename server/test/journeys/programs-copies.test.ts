import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMs, DAY_MS } from '../../src/platform/kit/instant.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let sandbox: TestProject;
let liveId: string;
let programId: string;
beforeAll(async () => {
  service = await openService();
  sandbox = await service.newProject('sandbox');
  const live = await service.call('POST', '/v1/projects', {
    as: 'operator',
    body: { workspaceId: sandbox.workspaceId, environment: 'live', name: 'Shop' },
  });
  liveId = live.body.data.id;
  const made = await send('/v1/programs', {
    kind: 'referral',
    name: 'Invite a friend',
    config: {
      brandConfig: { landingPageUrl: 'http://shop.example.com/', primaryColor: '#123456' },
      widgetConfig: { title: 'Bring a friend' },
    },
  });
  programId = made.body.data.id;
  await send(`/v1/programs/${programId}/attribution-policies`, { windowDays: 30 });
  await service.call('PUT', `/v1/programs/${programId}/delivery-settings`, {
    as: sandbox.key,
    body: { projectId: sandbox.projectId, cashMethod: 'payout', holdDays: 14 },
  });
  const unit = { key: 'month', name: 'free month', namePlural: 'free months' };
  for (const [beneficiaryRole, eventType] of [
    ['referrer', 'purchase'],
    ['referee', 'signup'],
  ]) {
    const rule = await send('/v1/benefit-rules', {
      programId,
      eventType,
      beneficiaryRole,
      name: `For the ${beneficiaryRole}`,
      terms: { benefitKind: 'custom', quantity: 1, unit },
    });
    await send(`/v1/benefit-rules/${rule.body.data.id}/terms`, {
      terms: { benefitKind: 'custom', quantity: 2, unit },
    });
  }
  await send(`/v1/programs/${programId}/status`, { status: 'active' });
  await send('/v1/referral-codes', {
    programId,
    participant: { kind: 'individual', externalId: 'ada' },
  });
});
afterAll(() => service.close());

function send(path: string, body: object, more: { idempotencyKey?: string } = {}) {
  return service.call('POST', path, {
    as: sandbox.key,
    body: { projectId: sandbox.projectId, ...body },
    ...(more.idempotencyKey ? { headers: { 'idempotency-key': more.idempotencyKey } } : {}),
  });
}
const asOperator = (projectId: string, body: object, headers = {}) =>
  service.call('POST', '/v1/programs/copies', {
    as: 'operator',
    body: { projectId, ...body },
    headers,
  });
const readLive = async (path: string) =>
  (await service.call('GET', path, { as: 'operator', query: { projectId: liveId } })).body.data;

test('a program goes from the sandbox to live with its rules, and without its people', async () => {
  const { status, body } = await asOperator(liveId, {
    fromProjectId: sandbox.projectId,
    programId,
  });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    projectId: liveId,
    name: 'Invite a friend',
    status: 'draft',
    config: {
      brandConfig: { primaryColor: '#123456', landingPageUrl: '' },
      widgetConfig: { title: 'Bring a friend' },
    },
  });
  // A live project takes https only.
  expect(body.warnings).toMatchObject([{ code: 'landing_page_not_allowed' }]);
  const path = `/v1/programs/${body.data.id}`;
  expect(await readLive(`${path}/delivery-settings`)).toMatchObject({
    cashMethod: 'payout',
    holdDays: 14,
  });
  expect(await readLive(`${path}/attribution-policies`)).toMatchObject([
    { version: 1, windowDays: 30 },
  ]);
  const rules = await readLive(`${path}/benefit-rules`);
  expect(rules).toMatchObject([{ name: 'For the referrer' }, { name: 'For the referee' }]);
  for (const { id } of rules) {
    expect(await readLive(`/v1/benefit-rules/${id}/terms`)).toMatchObject([
      { version: 1, quantity: 2, unit: { key: 'month' } },
    ]);
  }
  const [listed] = await readLive('/v1/programs');
  expect(listed).toMatchObject({ enrollmentCount: 0, referralCount: 0 });
});

test('a program is duplicated beside itself, once for each Idempotency-Key', async () => {
  const ask = () =>
    send('/v1/programs/copies', { programId }, { idempotencyKey: 'copy-of-invite' });
  const [first, again] = [await ask(), await ask()];
  expect(first.body.data).toMatchObject({ name: 'Copy of Invite a friend', status: 'draft' });
  expect(again.body.data.id).toBe(first.body.data.id);
  expect(first.body.warnings).toEqual([]);
  const { body } = await service.call('GET', '/v1/programs', {
    as: sandbox.key,
    query: { projectId: sandbox.projectId },
  });
  expect(body.data).toHaveLength(2);
});

test('copies that are made at once all have names of their own, and a name that was asked for stays', async () => {
  const project = await service.newProject('sandbox');
  const ask = (body: object) =>
    service.call('POST', '/v1/programs/copies', {
      as: project.key,
      body: { projectId: project.projectId, ...body },
    });
  const made = await service.call('POST', '/v1/programs', {
    as: project.key,
    body: { projectId: project.projectId, kind: 'referral', name: 'Invite' },
  });
  const original = made.body.data.id;
  const answers = await Promise.all([1, 2, 3].map(() => ask({ programId: original })));
  expect(answers.map(({ body }) => body.data.name).toSorted()).toEqual([
    'Copy of Invite',
    'Copy of Invite 2',
    'Copy of Invite 3',
  ]);
  const named = await ask({ programId: original, name: 'Invite' });
  expect([named.status, named.body.data.name]).toEqual([200, 'Invite']);
});

test('what cannot be copied is refused with its reason', async () => {
  const key = sandbox.key;
  const toLive = await service.call('POST', '/v1/programs/copies', {
    as: key,
    body: { projectId: sandbox.projectId, fromProjectId: liveId, programId },
  });
  expect([toLive.status, toLive.body.error.code]).toEqual([403, 'ENVIRONMENT_MISMATCH']);
  const unknown = await send('/v1/programs/copies', { programId: 'prg_unknown' });
  expect([unknown.status, unknown.body.error.code]).toEqual([404, 'NOT_FOUND']);
  const other = await service.newProject('sandbox');
  const foreign = await send('/v1/programs/copies', { programId, fromProjectId: other.projectId });
  expect([foreign.status, foreign.body.error.code]).toEqual([404, 'NOT_FOUND']);
  const nameless = await send('/v1/programs/copies', { programId, name: '' });
  expect([nameless.status, nameless.body.error.details[0].path]).toEqual([400, 'name']);
});

test('a unit of the same key and another name is a conflict, and nothing is left behind', async () => {
  const made = await service.call('POST', '/v1/projects', {
    as: 'operator',
    body: { workspaceId: sandbox.workspaceId, environment: 'sandbox', name: 'Other' },
  });
  const projectId = made.body.data.id;
  const create = (path: string, body: object) =>
    service.call('POST', path, { as: 'operator', body: { projectId, ...body } });
  const own = await create('/v1/programs', { kind: 'referral', name: 'Own' });
  await create('/v1/benefit-rules', {
    programId: own.body.data.id,
    eventType: 'signup',
    beneficiaryRole: 'referrer',
    name: 'Months',
    terms: {
      benefitKind: 'custom',
      quantity: 1,
      unit: { key: 'month', name: 'month of tea', namePlural: 'months of tea' },
    },
  });
  const refused = await asOperator(projectId, { fromProjectId: sandbox.projectId, programId });
  expect([refused.status, refused.body.error.reason]).toEqual([409, 'unit_mismatch']);
  const { body } = await service.call('GET', '/v1/programs', {
    as: 'operator',
    query: { projectId },
  });
  expect(body.data).toHaveLength(1);
});

test('terms that are still to come start in the copy when they would have started', async () => {
  const effectiveAt = addMs(service.clock.now, 30 * DAY_MS);
  const config = { brandConfig: { landingPageUrl: 'https://example.com/' } };
  const made = await send('/v1/programs', { kind: 'referral', name: 'Later', config });
  await send('/v1/benefit-rules', {
    programId: made.body.data.id,
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    name: 'Half',
    terms: { benefitKind: 'cash', calculation: 'percentage', rateBps: 5_000, effectiveAt },
  });
  const copy = await send('/v1/programs/copies', { programId: made.body.data.id });
  const read = async (path: string) => {
    const query = { projectId: sandbox.projectId };
    return (await service.call('GET', path, { as: sandbox.key, query })).body.data;
  };
  const [rule] = await read(`/v1/programs/${copy.body.data.id}/benefit-rules`);
  expect(rule.initialEffectiveAt).toBe(effectiveAt);
  expect(await read(`/v1/benefit-rules/${rule.id}/terms`)).toMatchObject([{ effectiveAt }]);
});
