import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadBook } from '../../src/domain/programs/load-book.ts';
import { isActiveAt, statusAt } from '../../src/domain/programs/program-book.ts';
import { DEFAULT_CONFIG } from '../../src/domain/programs/program-config.ts';
import { findProgram, isOpenForJoining } from '../../src/domain/programs/queries.ts';
import { addToEnrollmentCounts } from '../../src/domain/programs/update-counts.ts';
import { DAY_MS, HOUR_MS, toInstant } from '../../src/platform/kit/instant.ts';
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

const LANDING = 'https://example.com/welcome';
const withLanding = { brandConfig: { landingPageUrl: LANDING } };

function send(method: 'POST' | 'PATCH' | 'PUT', path: string, body: object, of = project) {
  return service.call(method, path, { as: of.key, body: { projectId: of.projectId, ...body } });
}
function read(path: string, of = project): Promise<Answer> {
  return service.call('GET', path, { as: of.key, query: { projectId: of.projectId } });
}
async function newProgram(body: object = {}, of = project) {
  const answer = await send(
    'POST',
    '/v1/programs',
    { kind: 'referral', name: 'Invite', config: withLanding, ...body },
    of,
  );
  expect(answer.status).toBe(200);
  return answer.body.data;
}
const setStatus = (id: string, status: string) =>
  send('POST', `/v1/programs/${id}/status`, { status });
const pathsOf = (answer: Answer) =>
  answer.body.error.details.map(({ path }: { path: string }) => path);
const afterNow = (ms: number) => toInstant(service.clock.nowMs() + ms);

test('a new program is a draft with a whole config, and reads back the same (D-PROG-1)', async () => {
  const made = await send('POST', '/v1/programs', { kind: 'referral', name: 'Invite a friend' });
  expect(made.body).toEqual({
    success: true,
    data: {
      id: expect.stringMatching(/^prg_[0-9a-z]{26}$/),
      createdAt: service.clock.now,
      updatedAt: service.clock.now,
      projectId: project.projectId,
      kind: 'referral',
      key: 'invite-a-friend',
      name: 'Invite a friend',
      status: 'draft',
      startDate: null,
      endDate: null,
      config: DEFAULT_CONFIG,
    },
  });
  expect(made.body.data.config.widgetConfig.referralLink).toBe('');
  expect(Object.keys(made.body.data.config.widgetConfig.enabledPlatforms)).toHaveLength(7);
  const found = await read(`/v1/programs/${made.body.data.id}`);
  expect(found.body).toEqual(made.body);
});

test('the list is oldest first, and it alone has the counters', async () => {
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) ids.push((await newProgram({ name })).id);
  const counted = ids[2] as string;
  const request = {
    workspaceId: project.workspaceId,
    projectId: project.projectId,
    actor: { type: 'system', id: 'test' } as const,
    requestId: 'req_test',
    ip: null,
    idempotency: null,
  };
  for (const delta of [5, -2]) {
    await service.writer.run(request, async ({ tx, projectId }) => {
      addToEnrollmentCounts(tx, projectId, [counted], delta);
      return { answer: null };
    });
  }
  const { body } = await read('/v1/programs');
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(
    body.data.map((row: { enrollmentCount: number; referralCount: number }) => [
      row.enrollmentCount,
      row.referralCount,
    ]),
  ).toEqual([
    [0, 0],
    [0, 0],
    [3, 0],
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  expect((await read(`/v1/programs/${counted}`)).body.data).not.toHaveProperty('enrollmentCount');
});

test('another project’s program does not exist here', async () => {
  const other = await service.newProject();
  const { id } = await newProgram({}, other);
  const answers = await Promise.all([
    read(`/v1/programs/${id}`),
    send('PATCH', `/v1/programs/${id}`, { name: 'x' }),
    setStatus(id, 'archived'),
    read(`/v1/programs/${id}/attribution-policies`),
    send('POST', `/v1/programs/${id}/attribution-policies`, {}),
    read(`/v1/programs/${id}/delivery-settings`),
    send('PUT', `/v1/programs/${id}/delivery-settings`, {}),
    read(`/v1/programs/${id}/benefit-rules`),
  ]);
  for (const answer of answers) {
    expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
  }
  expect((await read('/v1/programs')).body.data).toEqual([]);
  expect((await read(`/v1/programs/${id}`, other)).body.data.name).toBe('Invite');
});

test('a key that may only read cannot change programs', async () => {
  const { id } = await newProgram();
  const made = await service.call('POST', '/v1/api-keys', {
    as: 'operator',
    body: {
      workspaceId: project.workspaceId,
      environment: 'sandbox',
      name: 'Reader',
      permissions: ['programs:read'],
    },
  });
  const reader = { ...project, key: made.body.key };
  expect((await read('/v1/programs', reader)).status).toBe(200);
  const refused = await send('PATCH', `/v1/programs/${id}`, { name: 'x' }, reader);
  expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN']);
});

test('a change merges the config, and null clears a date or brings a default back', async () => {
  const { id, createdAt } = await newProgram({
    startDate: '2026-11-15T00:00:00+02:00',
    endDate: '2027-01-01T00:00:00Z',
    config: { ...withLanding, widgetConfig: { cssVariables: { '--a': '1' }, title: 'Hi' } },
  });
  service.clock.advance(HOUR_MS);
  const changed = await send('PATCH', `/v1/programs/${id}`, {
    name: 'Renamed',
    endDate: null,
    config: {
      brandConfig: { primaryColor: '#123abc' },
      widgetConfig: { title: null, cssVariables: { '--b': 'red' }, referralLink: '' },
    },
  });
  expect(changed.body.data).toMatchObject({
    name: 'Renamed',
    createdAt,
    updatedAt: service.clock.now,
    startDate: '2026-11-14T22:00:00.000Z',
    endDate: null,
    config: {
      ...DEFAULT_CONFIG,
      brandConfig: { primaryColor: '#123abc', landingPageUrl: LANDING },
      widgetConfig: { ...DEFAULT_CONFIG.widgetConfig, cssVariables: { '--b': 'red' } },
    },
  });
  service.clock.advance(HOUR_MS);
  const { name, startDate, endDate, config } = changed.body.data;
  const same = await send('PATCH', `/v1/programs/${id}`, { name, startDate, endDate, config });
  expect(same.body).toEqual(changed.body);
});

test('a referral link cannot be set, and is not dropped in silence (D-PROG-4)', async () => {
  const { id } = await newProgram();
  const { status, body } = await send('PATCH', `/v1/programs/${id}`, {
    config: { widgetConfig: { referralLink: 'https://x.y' } },
  });
  expect([status, body.error.details]).toEqual([
    400,
    [{ path: 'config.widgetConfig.referralLink', issue: 'must be ""' }],
  ]);
});

test('a config shows its fields in the documented order, however it came to be', async () => {
  const { id } = await newProgram({ config: { widgetConfig: { title: 'Hi' }, ...withLanding } });
  const documented = [
    'schemaVersion',
    'brandConfig',
    'brandConfig.primaryColor',
    'brandConfig.landingPageUrl',
    'partnerApplicationsOpen',
    'partnerLeaderboard',
    'widgetConfig',
    'widgetConfig.position',
    'widgetConfig.triggerText',
    'widgetConfig.icon',
    'widgetConfig.title',
    'widgetConfig.subtitle',
    'widgetConfig.logoUrl',
    'widgetConfig.cssVariables',
    'widgetConfig.shareMessage',
    'widgetConfig.enabledPlatforms',
    'widgetConfig.enabledPlatforms.facebook',
    'widgetConfig.enabledPlatforms.twitter',
    'widgetConfig.enabledPlatforms.linkedin',
    'widgetConfig.enabledPlatforms.whatsapp',
    'widgetConfig.enabledPlatforms.email',
    'widgetConfig.enabledPlatforms.instagram',
    'widgetConfig.enabledPlatforms.telegram',
    'widgetConfig.referralLink',
    'widgetConfig.productName',
  ];
  const namesIn = (value: object, prefix = ''): string[] =>
    Object.entries(value).flatMap(([name, member]) => [
      `${prefix}${name}`,
      ...(member !== null && typeof member === 'object'
        ? namesIn(member, `${prefix}${name}.`)
        : []),
    ]);
  const changed = await send('PATCH', `/v1/programs/${id}`, {
    config: { widgetConfig: { productName: 'Shop', icon: 'heart' } },
  });
  const found = await read(`/v1/programs/${id}`);
  const listed = await read('/v1/programs');
  for (const { config } of [changed.body.data, found.body.data, listed.body.data[0]]) {
    expect(namesIn(config)).toEqual(documented);
    expect(config.widgetConfig).toMatchObject({ title: 'Hi', productName: 'Shop', icon: 'heart' });
  }
});

test('what does not fit a config is refused where it stands (D-PROG-4)', async () => {
  const widget = (widgetConfig: object) => ({ config: { widgetConfig } });
  const css = (value: string) => widget({ cssVariables: { '--x': value } });
  const refused: [object, string][] = [
    [{ config: { brandConfig: { primaryColor: 'red' } } }, 'config.brandConfig.primaryColor'],
    [{ config: { brandConfig: { logo: '' } } }, 'config.brandConfig.logo'],
    [{ config: { schemaVersion: 2 } }, 'config.schemaVersion'],
    [{ config: { partnerApplicationsOpen: true } }, 'config.partnerApplicationsOpen'],
    [widget({ position: 'middle' }), 'config.widgetConfig.position'],
    [widget({ icon: 'rocket' }), 'config.widgetConfig.icon'],
    [widget({ triggerText: 'x'.repeat(61) }), 'config.widgetConfig.triggerText'],
    [widget({ title: 'x'.repeat(121) }), 'config.widgetConfig.title'],
    [widget({ subtitle: 'x'.repeat(301) }), 'config.widgetConfig.subtitle'],
    [widget({ shareMessage: 'x'.repeat(501) }), 'config.widgetConfig.shareMessage'],
    [widget({ productName: 'x'.repeat(81) }), 'config.widgetConfig.productName'],
    [widget({ logoUrl: 'http://example.com/a.png' }), 'config.widgetConfig.logoUrl'],
    [widget({ enabledPlatforms: { x: true } }), 'config.widgetConfig.enabledPlatforms.x'],
    [
      widget({ enabledPlatforms: { twitter: 'yes' } }),
      'config.widgetConfig.enabledPlatforms.twitter',
    ],
    [widget({ cssVariables: { color: 'red' } }), 'config.widgetConfig.cssVariables.color'],
    [css('x'.repeat(129)), 'config.widgetConfig.cssVariables.--x'],
    ...['a;b', '{', '}', '<', '>', '\\', '@', 'url(a)', '\n URL(a)'].map(
      (value): [object, string] => [css(value), 'config.widgetConfig.cssVariables.--x'],
    ),
    ...['image-set("a" 1x)', 'red, -webkit-Image-Set("a")', 'src("a")', 'image("a")'].map(
      (value): [object, string] => [css(value), 'config.widgetConfig.cssVariables.--x'],
    ),
    [
      widget({
        cssVariables: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`--v${n}`, '1'])),
      }),
      'config.widgetConfig.cssVariables',
    ],
    [{ kind: 'affiliate' }, 'kind'],
  ];
  const { id } = await newProgram();
  for (const [body, path] of refused) {
    const answer = await send('PATCH', `/v1/programs/${id}`, body);
    expect([path, answer.status, answer.body.error?.code]).toEqual([path, 400, 'INVALID_REQUEST']);
    expect(pathsOf(answer)).toEqual([path]);
  }
  const kept = await send('PATCH', `/v1/programs/${id}`, css('rgb(1, 2, 3)'));
  expect(kept.body.data.config.widgetConfig.cssVariables).toEqual({ '--x': 'rgb(1, 2, 3)' });
  const open = { kind: 'affiliate', config: { partnerApplicationsOpen: true } };
  expect((await newProgram(open)).config.partnerApplicationsOpen).toBe(true);
});

test('in a live project a landing page is https or on this machine (D-PROG-2)', async () => {
  const live = await service.newProject('live');
  const config = (landingPageUrl: string) => ({ config: { brandConfig: { landingPageUrl } } });
  const { id } = await newProgram(config('http://localhost:3000'), live);
  for (const answer of [
    await send('PATCH', `/v1/programs/${id}`, config('http://example.com'), live),
    await send(
      'POST',
      '/v1/programs',
      { kind: 'referral', name: 'x', ...config('http://example.com') },
      live,
    ),
  ]) {
    expect(answer.status).toBe(400);
    expect(pathsOf(answer)).toEqual(['config.brandConfig.landingPageUrl']);
  }
  const sandbox = await newProgram(config('http://example.com'));
  expect(sandbox.config.brandConfig.landingPageUrl).toBe('http://example.com');
});

test('an end before its start is refused', async () => {
  const at = service.clock.now;
  const answer = await send('POST', '/v1/programs', {
    kind: 'referral',
    name: 'x',
    startDate: at,
    endDate: at,
  });
  expect([answer.status, pathsOf(answer)]).toEqual([400, ['endDate']]);
});

test('a program goes through its life, and a repeated call changes nothing (D-PROG-2)', async () => {
  const { id } = await newProgram();
  for (const status of ['active', 'paused', 'active', 'ended', 'archived']) {
    service.clock.advance(HOUR_MS);
    const moved = await setStatus(id, status);
    expect(moved.body.data).toMatchObject({ id, status, updatedAt: service.clock.now });
    service.clock.advance(HOUR_MS);
    expect((await setStatus(id, status)).body).toEqual(moved.body);
    expect((await read(`/v1/programs/${id}`)).body).toEqual(moved.body);
  }
  const back = await setStatus(id, 'active');
  expect([back.status, back.body.error.code, back.body.error.reason]).toEqual([
    409,
    'CONFLICT',
    'invalid_transition',
  ]);
  const log = await service.call('GET', '/v1/audit-log', {
    as: 'operator',
    query: { workspaceId: project.workspaceId, projectId: project.projectId },
  });
  const changes = log.body.data
    .filter(({ action }: { action: string }) => action === 'program.change_status')
    .map((entry: { changes: { status: string } }) => entry.changes.status);
  expect(changes.reverse()).toEqual(['active', 'paused', 'active', 'ended', 'archived']);
});

test('a program without a landing page cannot be activated, unless it is loyalty', async () => {
  const bare = await newProgram({ config: null });
  const refused = await setStatus(bare.id, 'active');
  expect([refused.status, refused.body.error.reason]).toEqual([409, 'invalid_transition']);
  expect(pathsOf(refused)).toEqual(['config.brandConfig.landingPageUrl']);
  const loyalty = await newProgram({ kind: 'loyalty', config: null });
  expect((await setStatus(loyalty.id, 'active')).body.data.status).toBe('active');
});

test('a running program cannot lose its landing page', async () => {
  const { id } = await newProgram();
  await setStatus(id, 'active');
  const answer = await send('PATCH', `/v1/programs/${id}`, {
    config: { brandConfig: { landingPageUrl: null } },
  });
  expect([answer.status, pathsOf(answer)]).toEqual([400, ['config.brandConfig.landingPageUrl']]);
});

test('a later end date reopens what its date ended, not what its status ended (D-AM-4)', async () => {
  for (const isWritten of [false, true]) {
    const { id } = await newProgram({ endDate: afterNow(DAY_MS) });
    await setStatus(id, 'active');
    service.clock.advance(2 * DAY_MS);
    if (isWritten) await send('PATCH', `/v1/programs/${id}`, { name: 'Old' });
    const gap = service.clock.now;
    service.clock.advance(DAY_MS);
    const endDate = afterNow(DAY_MS);
    const opened = await send('PATCH', `/v1/programs/${id}`, { endDate });
    expect(opened.body.data).toMatchObject({ status: 'active', endDate });
    expect((await send('PATCH', `/v1/programs/${id}`, { endDate })).body).toEqual(opened.body);
    const intervals = await service.database.reads.query<{ status: string }>(
      `select status from program_intervals where project_id = $1 and program_id = $2
         and starts_at <= $3 and (ends_at is null or ends_at > $3)`,
      [project.projectId, id, gap],
    );
    expect(intervals).toEqual([{ status: 'ended' }]);
    await setStatus(id, 'ended');
    const closed = await send('PATCH', `/v1/programs/${id}`, { endDate: afterNow(9 * DAY_MS) });
    expect([closed.status, closed.body.error.reason]).toEqual([409, 'invalid_transition']);
  }
});

test('the end date ends a program for every reader, and then stands (D-PROG-2)', async () => {
  const endDate = afterNow(DAY_MS);
  const { id } = await newProgram({ endDate });
  await setStatus(id, 'active');
  service.clock.advance(DAY_MS - 1);
  expect((await read(`/v1/programs/${id}`)).body.data.status).toBe('active');
  service.clock.advance(1);
  expect((await read(`/v1/programs/${id}`)).body.data.status).toBe('ended');
  expect((await read('/v1/programs')).body.data[0].status).toBe('ended');
  const { reads } = service.database;
  const state = await findProgram(reads, project.projectId, id, service.clock.now);
  expect(state).toMatchObject({ id, kind: 'referral', name: 'Invite', status: 'ended' });
  expect(state && isOpenForJoining(state)).toBe(false);

  for (const body of [{ endDate: afterNow(-1) }, { startDate: afterNow(-1) }]) {
    const moved = await send('PATCH', `/v1/programs/${id}`, body);
    expect([moved.status, moved.body.error.reason]).toEqual([409, 'invalid_transition']);
  }
  const revived = await setStatus(id, 'active');
  expect([revived.status, revived.body.error.reason]).toEqual([409, 'invalid_transition']);
  expect((await setStatus(id, 'ended')).body.data.status).toBe('ended');
  expect((await send('PATCH', `/v1/programs/${id}`, { name: 'Old' })).body.data).toMatchObject({
    name: 'Old',
    status: 'ended',
    endDate,
  });
});

test('an end date in the past ends a running program now, and what it was stays what it was', async () => {
  const { id } = await newProgram();
  await setStatus(id, 'active');
  const { now: activeAt } = service.clock;
  service.clock.advance(2 * HOUR_MS);
  const ended = await send('PATCH', `/v1/programs/${id}`, { endDate: afterNow(-HOUR_MS) });
  expect(ended.body.data).toMatchObject({ status: 'ended', endDate: service.clock.now });
  expect((await read(`/v1/programs/${id}`)).body).toEqual(ended.body);
  const { programs } = await loadBook(service.database.reads, project.projectId);
  const activity = programs.get(id);
  if (!activity) throw new Error('The program is gone.');
  for (const at of [activeAt, afterNow(-HOUR_MS), afterNow(-1)]) {
    expect([at, isActiveAt(activity, at)]).toEqual([at, true]);
  }
  expect(statusAt(activity, service.clock.now)).toBe('ended');
});

test('a start that has passed stands', async () => {
  const { id } = await newProgram({ startDate: afterNow(HOUR_MS) });
  await setStatus(id, 'active');
  const start = (startDate: string | null) => send('PATCH', `/v1/programs/${id}`, { startDate });
  const moved = await start(afterNow(2 * HOUR_MS));
  expect(moved.body.data.startDate).toBe(afterNow(2 * HOUR_MS));
  const { startDate } = moved.body.data;
  for (const asked of [afterNow(-1), null]) {
    const refused = await start(asked);
    expect([refused.status, pathsOf(refused)]).toEqual([400, ['startDate']]);
  }
  service.clock.advance(2 * HOUR_MS);
  for (const asked of [afterNow(HOUR_MS), afterNow(-DAY_MS), null]) {
    const refused = await start(asked);
    expect([refused.status, pathsOf(refused)]).toEqual([400, ['startDate']]);
  }
  expect((await start(startDate)).body).toEqual(moved.body);
});

test('how a program stood at any moment can be told afterwards', async () => {
  const { id } = await newProgram({ endDate: afterNow(10 * HOUR_MS) });
  const hour = async (status?: string) => {
    if (status !== undefined) await setStatus(id, status);
    const { now } = service.clock;
    service.clock.advance(HOUR_MS);
    return now;
  };
  const moments = {
    draft: await hour(),
    active: await hour('active'),
    paused: await hour('paused'),
    again: await hour('active'),
  };
  service.clock.advance(20 * HOUR_MS);
  const lapsed = toInstant(Date.parse(moments.draft) + 10 * HOUR_MS);
  for (const archived of [false, true]) {
    if (archived) expect((await setStatus(id, 'archived')).status).toBe(200);
    const { programs } = await loadBook(service.database.reads, project.projectId);
    const activity = programs.get(id);
    if (!activity) throw new Error('The program is gone.');
    expect(Object.values(moments).map((at) => isActiveAt(activity, at))).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(statusAt(activity, lapsed)).toBe('ended');
    expect(isActiveAt(activity, toInstant(Date.parse(lapsed) - 1))).toBe(true);
    expect(statusAt(activity, service.clock.now)).toBe(archived ? 'archived' : 'ended');
  }
});

test('drafts and active programs are open for joining, others are not', () => {
  const open = (['draft', 'active', 'paused', 'ended', 'archived'] as const).filter((status) =>
    isOpenForJoining({ status }),
  );
  expect(open).toEqual(['draft', 'active']);
});

test('an Idempotency-Key makes one program out of two calls (D-IDEM-1)', async () => {
  const post = () =>
    service.call('POST', '/v1/programs', {
      as: project.key,
      body: { projectId: project.projectId, kind: 'loyalty', name: 'Points' },
      headers: { 'idempotency-key': 'make-points' },
    });
  const first = await post();
  expect((await post()).body).toEqual(first.body);
  expect((await read('/v1/programs')).body.data).toHaveLength(1);
});

test('a project has 500 programs at most', async () => {
  for (let made = 0; made < 500; made += 50) {
    await Promise.all(Array.from({ length: 50 }, () => newProgram({ config: null })));
  }
  const refused = await send('POST', '/v1/programs', { kind: 'loyalty', name: 'one more' });
  expect([refused.status, refused.body.error.reason]).toEqual([409, 'limit_reached']);
  expect((await read('/v1/programs')).body.data).toHaveLength(500);
});
