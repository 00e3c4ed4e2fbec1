import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ConsoleBrowser, joinConsole, setUpConsole } from '../console-browser.ts';
import { startService, type TestService } from '../harness.ts';

let service: TestService;
let owner: ConsoleBrowser;
let workspaceId: string;
let projectId: string;
let tests = 0;
beforeAll(async () => {
  service = await startService({ settings: { requiresTotp: false } });
  ({ browser: owner } = await setUpConsole(service));
});
afterAll(() => service.close());

const newProject = async (name: string) =>
  (await owner.post('/v1/projects', { workspaceId, name, environment: 'sandbox' })).body.data
    .id as string;

beforeEach(async () => {
  tests += 1;
  workspaceId = (await owner.post('/v1/workspaces', { name: `Acme ${tests}` })).body.data.id;
  projectId = await newProject('Shop');
});

const waiting = {
  list: 'rewards',
  name: 'Waiting',
  filters: { fulfillmentStatus: 'pending', earned: 'before_30d' },
};
const places = (id = projectId) => `/v1/projects/${id}/views`;
const save = (by: ConsoleBrowser, view: object = waiting) => by.post(places(), view);
const namesOf = async (by: ConsoleBrowser, id = projectId) =>
  ((await by.get(places(id))).body.data as { name: string }[]).map(({ name }) => name);
const join = (role: 'viewer' | 'finance') =>
  joinConsole(owner, { workspaceId, role, email: `${role}.${tests}@example.com` });
const idOf = async (browser: ConsoleBrowser) => (await browser.session()).body.data.user.id;

test('a view is the user’s own, in one project, whatever their role', async () => {
  const viewer = await join('viewer');
  expect((await save(viewer)).body.data).toMatchObject(waiting);
  expect(await namesOf(viewer)).toEqual(['Waiting']);
  expect(await namesOf(owner)).toEqual([]);
  expect(await namesOf(viewer, await newProject('Other'))).toEqual([]);
});

test('a repeat saves one view; another with the name is refused', async () => {
  const answers = await Promise.all([save(owner), save(owner), save(owner)]);
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  const other = await save(owner, { ...waiting, filters: { fulfillmentStatus: 'failed' } });
  expect([other.status, other.body.error.reason]).toEqual([409, 'name_taken']);
  expect(
    (await save(owner, { ...waiting, list: 'payouts', filters: { status: 'paid' } })).status,
  ).toBe(200);
});

test('names that look the same are one name, and what is not seen is not stored', async () => {
  const saved = await save(owner, { ...waiting, name: ' Wait\u200Bing\n' });
  expect(saved.body.data.name).toBe('Waiting');
  expect((await save(owner)).body.data.id).toBe(saved.body.data.id);
  for (const name of ['waiting', 'Wait\u00ADing\uFE0F', 'ＷAITING']) {
    const { status, body } = await save(owner, {
      ...waiting,
      name,
      filters: { benefitKind: 'cash' },
    });
    expect([name, status, body.error?.reason]).toEqual([name, 409, 'name_taken']);
  }
  const other = (await save(owner, { ...waiting, name: 'Café' })).body.data;
  expect((await save(owner, { ...waiting, name: 'CAFE\u0301' })).status).toBe(409);
  const rename = (name: string) =>
    owner.call('PATCH', `${places()}/${other.id}`, { body: { name } });
  expect((await rename('WAITING')).body.error.reason).toBe('name_taken');
  expect((await rename('café')).body.data.name).toBe('café');
});

test('ids in filters are of the project, and every list takes a view', async () => {
  const foreign = await save(owner, { ...waiting, filters: { programId: 'prg_of_nobody' } });
  expect([foreign.status, foreign.body.error.code]).toEqual([404, 'NOT_FOUND']);
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const program = { projectId, kind: 'referral', name: 'Invite', config };
  const programId = (await owner.post('/v1/programs', program)).body.data.id;
  const own = await save(owner, { ...waiting, filters: { programId } });
  expect([own.status, own.body.data.invalidFilters]).toEqual([200, []]);
  const change = await owner.call('PATCH', `${places()}/${own.body.data.id}`, {
    body: { filters: { programId: 'prg_of_nobody' } },
  });
  expect(change.status).toBe(404);
  const views = {
    participants: { kind: 'group' },
    referrals: { programId, order: 'asc' },
    events: { type: 'custom_visit', processingState: 'failed' },
    payouts: { status: 'paid', method: 'manual_export', currency: 'USD' },
    'payout-batches': { status: 'draft' },
    partners: { status: 'suspended' },
    'partner-applications': { status: 'pending', programId },
    'webhook-deliveries': { status: 'failed' },
    'audit-log': { action: 'reward.void', actorId: 'admin-token' },
    mails: { state: 'waiting' },
  };
  for (const [list, filters] of Object.entries(views)) {
    expect([list, (await save(owner, { list, name: 'One', filters })).status]).toEqual([list, 200]);
  }
});

test('a view from before a value was changed says so, and is renamed and mended', async () => {
  const { id } = (await save(owner)).body.data;
  await service.database.transaction(async (tx) =>
    tx.send(
      `update saved_views set filters = '{"fulfillmentStatus": "gone", "order": "asc"}' where id = $1`,
      [id],
    ),
  );
  const shown = async () => (await owner.get(places())).body.data[0];
  expect(await shown()).toMatchObject({
    filters: { fulfillmentStatus: 'gone' },
    invalidFilters: ['fulfillmentStatus'],
  });
  const change = (body: object) => owner.call('PATCH', `${places()}/${id}`, { body });
  expect((await change({ name: 'Old' })).status).toBe(200);
  expect((await change({ filters: { fulfillmentStatus: 'failed' } })).status).toBe(200);
  expect(await shown()).toMatchObject({ name: 'Old', invalidFilters: [] });
});

test('a list has at most 20 views, also if they are saved at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 23 }, (_, index) => save(owner, { ...waiting, name: `View ${index}` })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status, body }) => [status, body.error.reason])).toEqual(
    Array.from({ length: 3 }, () => [409, 'limit_reached']),
  );
  expect(await namesOf(owner)).toHaveLength(20);
});

test('a view is renamed, gets other filters and is deleted, twice if need be', async () => {
  const { id } = (await save(owner)).body.data;
  await save(owner, { ...waiting, name: 'Taken' });
  const change = (body: object) => owner.call('PATCH', `${places()}/${id}`, { body });
  expect((await change({ name: 'Taken' })).body.error).toMatchObject({ reason: 'name_taken' });
  expect((await change({ name: 'Late' })).body.data).toMatchObject({ ...waiting, name: 'Late' });
  const filters = { fulfillmentStatus: 'failed', order: 'asc' };
  expect((await change({ filters })).body.data).toMatchObject({ name: 'Late', filters });
  expect((await owner.get(places())).body.data[0]).toMatchObject({ id, name: 'Late', filters });
  for (const _ of ['once', 'again']) {
    expect((await owner.call('DELETE', `${places()}/${id}`)).status).toBe(200);
  }
  expect(await namesOf(owner)).toEqual(['Taken']);
  expect((await change({ name: 'Late' })).status).toBe(404);
});

test('nobody reaches the views of others', async () => {
  const { id } = (await save(owner)).body.data;
  const viewer = await join('viewer');
  const place = `${places()}/${id}`;
  expect((await viewer.call('PATCH', place, { body: { name: 'Mine' } })).status).toBe(404);
  expect((await viewer.call('DELETE', place)).status).toBe(200);
  expect(await namesOf(owner)).toEqual(['Waiting']);
  const foreign = await service.newProject();
  expect((await viewer.get(places(foreign.projectId))).status).toBe(404);
  expect((await service.call('GET', places(), { as: 'operator' })).status).toBe(403);
});

test.each([
  ['filters.q', { ...waiting, filters: { q: 'ada@example.com' } }],
  ['filters', { ...waiting, filters: {} }],
  ['filters.fulfillmentStatus', { ...waiting, filters: { fulfillmentStatus: 7 } }],
  ['filters.fulfillmentStatus', { ...waiting, filters: { fulfillmentStatus: 'waiting' } }],
  ['filters.earned', { ...waiting, filters: { earned: 'yesterday' } }],
  ['filters.earnedFrom', { ...waiting, filters: { earnedFrom: '2026-02-30' } }],
  ['filters.order', { ...waiting, filters: { fulfillmentStatus: 'failed', order: 'newest' } }],
  ['filters.currency', { list: 'payouts', name: 'Euro', filters: { currency: 'euro' } }],
  ['name', { ...waiting, name: '\u200B\u202E' }],
  ['name', { ...waiting, name: 'x'.repeat(61) }],
  ['name', { ...waiting, name: ' ' }],
  ['list', { ...waiting, list: 'secrets' }],
  ['color', { ...waiting, color: 'red' }],
])('what a list does not have is refused by its path: %s', async (path, view) => {
  const { status, body } = await save(owner, view);
  expect([status, body.error.details[0].path]).toEqual([400, path]);
});

test('whoever leaves the workspace leaves no views, and keeps those of others', async () => {
  const viewer = await join('viewer');
  await save(viewer);
  const elsewhere = (await owner.post('/v1/workspaces', { name: 'Elsewhere' })).body.data.id;
  const userId = await idOf(viewer);
  const first = { workspaceId, projectId };
  workspaceId = elsewhere;
  projectId = await newProject('Shop');
  const invited = await owner.post('/v1/invitations', {
    workspaceId,
    email: `viewer.${tests}@example.com`,
    role: 'viewer',
  });
  const token = new URL(invited.body.link).hash.slice(1);
  expect((await viewer.post('/v1/invitations/accept', { token })).status).toBe(200);
  await save(viewer);
  const remove = (id: string) =>
    owner.call('DELETE', `/v1/users/${userId}`, { query: { workspaceId: id } });
  expect((await remove(first.workspaceId)).status).toBe(200);
  expect(await namesOf(viewer)).toEqual(['Waiting']);
  const count = async () =>
    service.database.reads.query('select 1 from saved_views where user_id = $1', [userId]);
  expect(await count()).toHaveLength(1);
  expect((await remove(workspaceId)).status).toBe(200);
  expect(await count()).toHaveLength(0);
});
