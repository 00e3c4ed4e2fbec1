import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/platform/kit/instant.ts';
import { BROWSER } from '../follow-link.ts';
import { openService, startService, type TestProject, type TestService } from '../harness.ts';

const LANDING = 'https://example.com/welcome?lang=en&x=%20y#offer';

let service: TestService;
let project: TestProject;
let programId: string;
beforeAll(async () => {
  service = await openService();
});
beforeEach(async () => {
  project = await service.newProject();
  programId = (
    await post('/v1/programs', {
      kind: 'referral',
      name: 'Friends',
      config: { brandConfig: { landingPageUrl: LANDING } },
    })
  ).data.id;
  await move('active');
  await post('/v1/referral-codes', { ...ada, programId, code: 'ada-code' });
  await post('/v1/referral-links', { ...ada, programId, slug: 'ada-blog' });
});
afterAll(() => service.close());

const ada = { participant: { kind: 'individual', externalId: 'ada' } };

async function post(path: string, body: object, of = service) {
  const answer = await of.call('POST', path, {
    as: project.key,
    body: { projectId: project.projectId, ...body },
  });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body;
}

const move = (status: string) => post(`/v1/programs/${programId}/status`, { status });

const follow = (name: string, init: RequestInit = {}, of = service) =>
  fetch(`${of.url}/l/${project.projectKey}/${name}`, {
    redirect: 'manual',
    ...init,
    headers: { 'user-agent': BROWSER, ...init.headers },
  });

const locationOf = (answer: Response) => new URL(answer.headers.get('location') ?? '');

async function counted(of = service) {
  await of.flushClicks();
  return of.database.reads.query(
    `select c.day::text as day, c.clicks::int as clicks, l.slug, k.code from click_counts c
     left join ref_links l on l.project_id = c.project_id and l.id = c.shared_id
     left join ref_codes k on k.project_id = c.project_id and k.id = c.shared_id
     where c.project_id = $1 and c.program_id = $2 order by 1, 3, 4`,
    [project.projectId, programId],
  );
}

describe('a followed link (D-CLICK-1)', () => {
  test('leads to the landing page with the code and a token, and is not cached', async () => {
    const answer = await follow('ada-blog');
    expect(answer.status).toBe(302);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('location')).toMatch(
      /^https:\/\/example\.com\/welcome\?lang=en&x=%20y&ref=ada-code&service_click=clk_[\w-]+#offer$/,
    );
  });

  test('may be a code itself, in any case', async () => {
    for (const name of ['ada-code', 'ADA-CODE', 'Ada-Blog']) {
      expect(locationOf(await follow(name)).searchParams.get('ref')).toBe('ada-code');
    }
    const upper = await fetch(`${service.url}/l/${project.projectKey.toUpperCase()}/ada-code`, {
      redirect: 'manual',
    });
    expect(upper.status).toBe(302);
  });

  test('writes nothing by itself', async () => {
    await follow('ada-blog');
    const rows = await service.database.reads.query(
      `select 1 from click_counts where project_id = $1
       union all select 1 from handles where project_id = $1
       union all select 1 from touches where project_id = $1
       union all select 1 from spent_clicks where project_id = $1`,
      [project.projectId],
    );
    expect(rows).toEqual([]);
  });

  test('is counted per name and day', async () => {
    await follow('ada-blog');
    await follow('ADA-BLOG');
    await follow('ada-code');
    expect(await counted()).toEqual([
      { day: '2026-11-15', clicks: 2, slug: 'ada-blog', code: null },
      { day: '2026-11-15', clicks: 1, slug: null, code: 'ada-code' },
    ]);
    service.clock.advance(DAY_MS);
    await follow('ada-blog');
    expect((await counted()).map(({ clicks }) => clicks)).toEqual([2, 1, 1]);
    service.clock.advance(-DAY_MS);
  });

  test.each<[string, RequestInit]>([
    ['HEAD', { method: 'HEAD' }],
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch' } }],
    ['a prerender', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ['an older prefetch', { headers: { purpose: 'prefetch' } }],
    ['a robot', { headers: { 'user-agent': 'Twitterbot/1.0' } }],
    ['a program without a name', { headers: { 'user-agent': '' } }],
  ])('by %s is led on and not counted', async (_name, init) => {
    const answer = await follow('ada-blog', init);
    expect(answer.status).toBe(302);
    expect(locationOf(answer).searchParams.get('ref')).toBe('ada-code');
    expect(await counted()).toEqual([]);
  });

  test('too often from one address is led on and no longer counted (D-LIM-1)', async () => {
    const strict = await startService({ settings: { linkVisitsPerMinute: 3 } });
    const [outer, outerProgram] = [project, programId];
    try {
      project = await strict.newProject();
      const made = await post(
        '/v1/programs',
        { kind: 'referral', name: 'x', config: { brandConfig: { landingPageUrl: LANDING } } },
        strict,
      );
      programId = made.data.id;
      await post(`/v1/programs/${programId}/status`, { status: 'active' }, strict);
      await post('/v1/referral-codes', { ...ada, programId, code: 'ada-code' }, strict);
      for (let n = 0; n < 5; n += 1) {
        expect((await follow('ada-code', {}, strict)).status).toBe(302);
      }
      expect((await counted(strict))[0]).toMatchObject({ clicks: 3 });
      strict.clock.advance(MINUTE_MS / 3);
      await follow('ada-code', {}, strict);
      expect((await counted(strict))[0]).toMatchObject({ clicks: 4 });
    } finally {
      [project, programId] = [outer, outerProgram];
      await strict.close();
    }
  });
});

describe('a link that does not count leads to the plain page', () => {
  const expectPlain = async (name = 'ada-blog') => {
    const answer = await follow(name);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, LANDING]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await counted()).toEqual([]);
  };

  test('while the Program is paused, and once it has ended', async () => {
    await move('paused');
    await expectPlain();
    await move('active');
    expect(locationOf(await follow('ada-blog')).searchParams.has('ref')).toBe(true);
    await service.flushClicks();
    await service.database.transaction(async (tx) =>
      tx.send('delete from click_counts where project_id = $1', [project.projectId]),
    );
    await move('ended');
    await expectPlain();
  });

  test('before the Program’s first day and from its end on', async () => {
    const made = await post('/v1/programs', {
      kind: 'referral',
      name: 'Summer',
      startDate: new Date(service.clock.nowMs() + DAY_MS).toISOString(),
      endDate: new Date(service.clock.nowMs() + 2 * DAY_MS).toISOString(),
      config: { brandConfig: { landingPageUrl: LANDING } },
    });
    programId = made.data.id;
    await move('active');
    await post('/v1/referral-links', { ...ada, programId, slug: 'summer' });
    await expectPlain('summer');
    service.clock.advance(DAY_MS);
    expect(locationOf(await follow('summer', { method: 'HEAD' })).search).toContain('ref=');
    service.clock.advance(DAY_MS);
    await expectPlain('summer');
  });

  test('once its owner no longer takes part, and not when they take part again', async () => {
    const enrollment = await post('/v1/enrollments', { ...ada, programId });
    await post(`/v1/enrollments/${enrollment.data.id}/end`, {});
    await expectPlain();
    await post('/v1/enrollments', { ...ada, programId });
    expect(locationOf(await follow('ada-blog')).searchParams.has('ref')).toBe(true);
  });
});

describe('a link that nobody has is a page that says so', () => {
  const expectUnknown = async (path: string) => {
    const answer = await fetch(`${service.url}/l/${path}`, { redirect: 'manual' });
    expect([path, answer.status]).toEqual([path, 404]);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const text = await answer.text();
    expect(text).toContain('This link does not work');
    return text;
  };

  test('whatever stands in it', async () => {
    const key = project.projectKey;
    await expectUnknown('nobodyskey/ada-blog');
    await expectUnknown(`${key}/nobody`);
    await expectUnknown(`${key}/${'x'.repeat(500)}`);
    await expectUnknown(`${key}/%00`);
    await expectUnknown(`%00/%00`);
    const text = await expectUnknown(`${key}/%3Cscript%3Ealert(1)%3C%2Fscript%3E`);
    expect(text).not.toContain('alert(1)');
    const other = await service.newProject();
    await expectUnknown(`${other.projectKey}/ada-blog`);
  });

  test('once its owner was erased (D-PART-5)', async () => {
    const made = await post('/v1/enrollments', { ...ada, programId });
    const erased = await service.call('DELETE', `/v1/participants/${made.data.participantId}`, {
      as: project.key,
      query: { projectId: project.projectId },
    });
    expect(erased.status).toBe(200);
    await expectUnknown(`${project.projectKey}/ada-blog`);
    await expectUnknown(`${project.projectKey}/ada-code`);
  });

  test('while a draft has no landing page', async () => {
    const draft = await post('/v1/programs', { kind: 'referral', name: 'Draft' });
    await post('/v1/referral-codes', { ...ada, programId: draft.data.id, code: 'early' });
    await expectUnknown(`${project.projectKey}/early`);
  });
});

test('the landing script is served to every origin, for an hour', async () => {
  const answer = await fetch(`${service.url}/landing/v1.js`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await answer.text()).toContain('service_handle');
});
