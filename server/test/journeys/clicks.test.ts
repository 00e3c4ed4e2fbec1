import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/platform/kit/instant.ts';
import {
  type Answer,
  openService,
  startService,
  type TestProject,
  type TestService,
} from '../harness.ts';

const PAGE = 'https://example.com';
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
      config: { brandConfig: { landingPageUrl: `${PAGE}/welcome` } },
    })
  ).data.id;
  await post(`/v1/programs/${programId}/status`, { status: 'active' });
  await post('/v1/referral-codes', { ...ada, programId, code: 'ada-code' });
  await post('/v1/referral-links', { ...ada, programId, slug: 'ada-blog' });
  await post('/v1/referral-codes', { ...bob, programId, code: 'bob-code' });
});
afterAll(() => service.close());

const ada = { participant: { kind: 'individual', externalId: 'ada' } };
const bob = { participant: { kind: 'individual', externalId: 'bob' } };
const NOTHING = { handle: null, expiresAt: null, maxAgeSeconds: null };

async function post(path: string, body: object) {
  const answer = await service.call('POST', path, {
    as: project.key,
    body: { projectId: project.projectId, ...body },
  });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body;
}

const send = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  service.call('POST', '/v1/clicks', {
    body: { projectKey: project.projectKey, ...body },
    headers,
  });

async function click(body: object) {
  const answer = await send(body);
  expect(answer.status).toBe(200);
  return answer.body as { handle: string; expiresAt: string };
}

/** The token that a followed link brings to the landing page. */
async function follow(name: string): Promise<string> {
  const answer = await fetch(`${service.url}/l/${project.projectKey}/${name}`, {
    redirect: 'manual',
  });
  return new URL(answer.headers.get('location') ?? '').searchParams.get('service_click') ?? '';
}

async function touches() {
  const rows = await service.database.reads.query<{ id: string }>(
    'select id from touches where project_id = $1 order by occurred_at, id',
    [project.projectId],
  );
  return Promise.all(rows.map(async ({ id }) => (await showTouch(id)).body.data));
}

const showTouch = (id: string, of = project) =>
  service.call('GET', `/v1/touches/${id}`, { as: of.key, query: { projectId: of.projectId } });

const identify = (handle: string, who: object) => post('/v1/identify', { handle, ...who });

const minutes = (count: number) => service.clock.advance(count * MINUTE_MS);

describe('a landing (D-CLICK-2, D-TOUCH-1)', () => {
  test('after a followed link gets a handle, and a touch that tells all about it', async () => {
    const token = await follow('ada-blog');
    const answer = await send({
      click: token,
      ref: 'ada-code',
      url: `${PAGE}/welcome?utm_source=blog&utm_content=%F0%9F%98%80&email=x@example.com#frag`,
      referrer: 'https://blog.example.org/private?q=1',
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      handle: expect.stringMatching(/^hdl_[0-9a-hjkmnp-tv-z]{26}$/),
      expiresAt: new Date(service.clock.nowMs() + 90 * DAY_MS).toISOString(),
      maxAgeSeconds: 7_776_000,
    });
    const detail = await service.call('GET', '/v1/participants', {
      as: project.key,
      query: { projectId: project.projectId, externalId: 'ada' },
    });
    const [touch] = await touches();
    expect(touch).toEqual({
      id: expect.stringMatching(/^tch_[0-9a-z]{26}$/),
      createdAt: service.clock.now,
      updatedAt: service.clock.now,
      projectId: project.projectId,
      programId,
      handleId: answer.body.handle,
      refCodeId: expect.stringMatching(/^cod_/),
      linkId: expect.stringMatching(/^lnk_/),
      referrerParticipantId: detail.body.data[0].id,
      source: 'link',
      occurredAt: service.clock.now,
      expiresAt: answer.body.expiresAt,
      landingUrl: `${PAGE}/welcome`,
      referrerOrigin: 'https://blog.example.org',
      utm: { source: 'blog', medium: null, campaign: null, term: null, content: '😀' },
      identifiedParticipantId: null,
      identifiedAt: null,
    });
  });

  test('with a code in the address alone is a touch of another source', async () => {
    await click({ ref: ' ADA-code ' });
    service.clock.advance(1);
    await click({ ref: 'ada-blog' });
    expect(await touches()).toMatchObject([
      { source: 'landing_param', linkId: null, landingUrl: null, referrerOrigin: null },
      { source: 'landing_param', linkId: expect.stringMatching(/^lnk_/) },
    ]);
  });

  test('makes a handle that tells nothing of its time and is new each time', async () => {
    const first = await click({ ref: 'ada-code' });
    const second = await click({ ref: 'ada-code' });
    expect(first.handle.slice(0, 12)).not.toBe(second.handle.slice(0, 12));
    expect(await touches()).toHaveLength(2);
  });

  test('needs neither key nor origin, and the feed says nothing of it', async () => {
    await click({ ref: 'ada-code' });
    const feed = await service.call('GET', '/v1/webhook-events', {
      as: project.key,
      query: { projectId: project.projectId },
    });
    expect(feed.body.events.map((event: { type: string }) => event.type)).toEqual([
      'participant.created',
      'participant.created',
    ]);
  });
});

describe('the token of a followed link', () => {
  test('counts once; after that the code in the address does', async () => {
    const token = await follow('ada-blog');
    await click({ click: token, ref: 'bob-code' });
    service.clock.advance(1);
    await click({ click: token, ref: 'bob-code' });
    expect((await touches()).map(({ source }) => source)).toEqual(['link', 'landing_param']);
    expect(await click({ click: token })).toEqual(NOTHING);
  });

  test('counts once, too, when it comes many times at once', async () => {
    const token = await follow('ada-blog');
    const answers = await Promise.all(Array.from({ length: 12 }, () => click({ click: token })));
    expect(answers.filter(({ handle }) => handle !== null)).toHaveLength(1);
    expect(await touches()).toHaveLength(1);
  });

  test('counts for ten minutes; after that the code in the address does', async () => {
    const [inTime, late] = [await follow('ada-blog'), await follow('ada-blog')];
    service.clock.advance(10 * MINUTE_MS - 1);
    await click({ click: inTime });
    service.clock.advance(1);
    expect(await click({ click: late })).toEqual(NOTHING);
    await click({ click: late, ref: 'ada-code' });
    expect((await touches()).map(({ source }) => source)).toEqual(['link', 'landing_param']);
  });

  test('of another Project, or made up, does not count', async () => {
    const foreign = await follow('ada-blog');
    const mine = project;
    project = await service.newProject();
    expect(await click({ click: foreign })).toEqual(NOTHING);
    project = mine;
    expect(await click({ click: `${foreign}x` })).toEqual(NOTHING);
    expect(await click({ click: 'clk_' })).toEqual(NOTHING);
    expect((await click({ click: foreign })).handle).not.toBeNull();
  });
});

describe('what leads nowhere is no error, and records nothing', () => {
  test.each<[string, object]>([
    ['nothing at all', {}],
    ['nulls', { click: null, ref: null, handle: null, url: null, referrer: null }],
    ['an unknown code', { ref: 'newsletter' }],
    ['an empty code', { ref: '' }],
    ['what no code can be', { ref: "'; drop table touches; --" }],
    ['a very long one', { ref: 'x'.repeat(2_048) }],
  ])('%s', async (_name, body) => {
    expect(await click(body)).toEqual(NOTHING);
    expect(await touches()).toEqual([]);
  });

  test('a Program that is not active, an owner who no longer takes part, an erased one', async () => {
    const token = await follow('ada-blog');
    await post(`/v1/programs/${programId}/status`, { status: 'paused' });
    expect(await click({ click: token, ref: 'ada-code' })).toEqual(NOTHING);
    await post(`/v1/programs/${programId}/status`, { status: 'active' });
    const enrollment = await post('/v1/enrollments', { ...ada, programId });
    await post(`/v1/enrollments/${enrollment.data.id}/end`, {});
    expect(await click({ click: token, ref: 'ada-code' })).toEqual(NOTHING);
    // The token was not spent on nothing.
    await post('/v1/enrollments', { ...ada, programId });
    expect((await click({ click: token })).handle).not.toBeNull();
    await service.call('DELETE', `/v1/participants/${enrollment.data.participantId}`, {
      as: project.key,
      query: { projectId: project.projectId },
    });
    expect(await click({ ref: 'ada-code' })).toEqual(NOTHING);
    expect(await touches()).toHaveLength(1);
  });

  test('a visitor who has a handle keeps it', async () => {
    const { handle } = await click({ ref: 'ada-code' });
    expect(await click({ ref: 'newsletter', handle })).toEqual(NOTHING);
    minutes(61);
    expect((await click({ ref: 'ada-code', handle })).handle).toBe(handle);
  });
});

describe('a browser’s handle', () => {
  test('is kept, and gains a touch for each code', async () => {
    const first = await click({ ref: 'ada-code' });
    minutes(1);
    const second = await click({ ref: 'bob-code', handle: first.handle });
    expect(second.handle).toBe(first.handle);
    expect(second.expiresAt > first.expiresAt).toBe(true);
    const all = await touches();
    expect(all.map(({ handleId }) => handleId)).toEqual([first.handle, first.handle]);
    expect(new Set(all.map(({ refCodeId }) => refCodeId)).size).toBe(2);
  });

  test('and the same code within 60 minutes are the same touch', async () => {
    const { handle } = await click({ ref: 'ada-code' });
    service.clock.advance(60 * MINUTE_MS - 1);
    expect((await click({ click: await follow('ada-blog'), handle })).handle).toBe(handle);
    expect(await touches()).toHaveLength(1);
    service.clock.advance(1);
    await click({ ref: 'ada-code', handle });
    expect(await touches()).toHaveLength(2);
  });

  test('gets one touch from many clicks at once', async () => {
    const { handle } = await click({ ref: 'bob-code' });
    await Promise.all(Array.from({ length: 10 }, () => click({ ref: 'ada-code', handle })));
    expect(await touches()).toHaveLength(2);
  });

  test('lasts for 90 days from its last click', async () => {
    const { handle } = await click({ ref: 'ada-code' });
    for (let n = 0; n < 2; n += 1) {
      service.clock.advance(90 * DAY_MS - 1);
      expect((await click({ ref: 'ada-code', handle })).handle).toBe(handle);
    }
    service.clock.advance(90 * DAY_MS);
    const next = await click({ ref: 'ada-code', handle });
    expect(next.handle).not.toBe(handle);
    expect(next.handle).not.toBeNull();
  });

  test('that is not ours is replaced, never taken over', async () => {
    const { handle } = await click({ ref: 'ada-code' });
    const mine = project;
    for (const made of ['', 'rubbish', 'hdl_', `hdl_${'0'.repeat(26)}`, 'x'.repeat(2_048)]) {
      const answer = await click({ ref: 'ada-code', handle: made });
      expect(answer.handle).toMatch(/^hdl_/);
      expect(answer.handle).not.toBe(made);
    }
    project = await service.newProject();
    programId = (
      await post('/v1/programs', {
        kind: 'referral',
        name: 'x',
        config: { brandConfig: { landingPageUrl: PAGE } },
      })
    ).data.id;
    await post(`/v1/programs/${programId}/status`, { status: 'active' });
    await post('/v1/referral-codes', { ...ada, programId, code: 'ada-code' });
    expect((await click({ ref: 'ada-code', handle })).handle).not.toBe(handle);
    project = mine;
  });

  test('that somebody was identified by is closed: the next click gets a new one (D-IDENT-7)', async () => {
    const { handle } = await click({ ref: 'ada-code' });
    minutes(5);
    const identified = await identify(handle, {
      participant: { kind: 'individual', externalId: 'carol' },
    });
    const at = service.clock.now;
    minutes(5);
    const next = await click({ ref: 'ada-code', handle });
    expect(next.handle).not.toBe(handle);
    const [first, second] = await touches();
    expect(first).toMatchObject({
      handleId: handle,
      identifiedParticipantId: identified.participantId,
      identifiedAt: at,
    });
    expect(second).toMatchObject({ handleId: next.handle, identifiedParticipantId: null });
  });

  test('that is being identified at this moment gains no touch behind its back', async () => {
    const { handle } = await click({ ref: 'ada-code' });
    let asked: Promise<{ handle: string }> | undefined;
    await service.database.transaction(async (tx) => {
      await tx.query(
        `update handles set identified_participant_id = 'par_carol', identified_at = $3
         where project_id = $1 and id = $2`,
        [project.projectId, handle, service.clock.now],
      );
      asked = click({ ref: 'bob-code', handle });
      // Until the click has come as far as it can while the row is locked; the embedded engine
      // runs one transaction at a time, so that there it has not begun.
      const waiting = () => tx.query('select 1 from pg_locks where not granted');
      while (service.database.kind === 'postgres' && (await waiting()).length === 0);
    });
    expect((await asked)?.handle).not.toBe(handle);
    const rows = await service.database.reads.query(
      'select 1 from touches where project_id = $1 and handle_id = $2',
      [project.projectId, handle],
    );
    expect(rows).toHaveLength(1);
  });
});

test('a handle lasts as long as the longest window in force, 90 days at least (D-AM-7)', async () => {
  const days = async () => {
    const { expiresAt, maxAgeSeconds } = (await click({ ref: 'ada-code' })) as {
      expiresAt: string;
      maxAgeSeconds?: number;
    };
    expect(Date.parse(expiresAt) - service.clock.nowMs()).toBe((maxAgeSeconds ?? 0) * 1000);
    return (maxAgeSeconds ?? 0) / 86_400;
  };
  const publish = (windowDays: number, effectiveAt?: string) =>
    post(`/v1/programs/${programId}/attribution-policies`, {
      windowDays,
      ...(effectiveAt ? { effectiveAt } : {}),
    });
  await publish(30);
  expect(await days()).toBe(90);
  await publish(365);
  expect(await days()).toBe(365);
  const draft = await post('/v1/programs', { kind: 'referral', name: 'Draft' });
  await post(`/v1/programs/${draft.data.id}/attribution-policies`, { windowDays: 300 });
  await publish(120);
  expect(await days()).toBe(120);
  await publish(200, new Date(service.clock.nowMs() + DAY_MS).toISOString());
  expect(await days()).toBe(120);
  service.clock.advance(DAY_MS);
  expect(await days()).toBe(200);
});

describe('GET /v1/touches/{id}', () => {
  test('knows a code that came with a signup by its participant', async () => {
    await service.database.transaction(async (tx) =>
      tx.send(
        `insert into touches (project_id, id, program_id, participant_id, ref_code_id,
           referrer_participant_id, source, occurred_at, expires_at, utm, created_at, updated_at)
         values ($1, 'tch_signup', $2, 'par_carol', 'cod_1', 'par_ada', 'ref_code', $3, $3,
           $4::json, $3, $3)`,
        [
          project.projectId,
          programId,
          service.clock.now,
          '{"source":null,"medium":null,"campaign":null,"term":null,"content":null}',
        ],
      ),
    );
    expect((await showTouch('tch_signup')).body.data).toMatchObject({
      handleId: null,
      source: 'ref_code',
      identifiedParticipantId: 'par_carol',
      identifiedAt: service.clock.now,
    });
  });

  test('is 404 for what is not there, or in another Project', async () => {
    await click({ ref: 'ada-code' });
    const [touch] = await touches();
    expect((await showTouch('tch_nothing')).status).toBe(404);
    expect((await showTouch(touch.id, await service.newProject())).status).toBe(404);
  });
});

describe('pages of other origins (D-WID-6)', () => {
  const allow = (allowedOrigins: string[], of = project) =>
    service.call('PATCH', `/v1/projects/${of.projectId}`, {
      as: 'operator',
      body: { allowedOrigins },
    });
  const preflight = (origin?: string) =>
    fetch(`${service.url}/v1/clicks`, {
      method: 'OPTIONS',
      headers: {
        ...(origin === undefined ? {} : { origin }),
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
  const corsHeaders = (headers: Headers) =>
    Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

  test('may ask ahead if any Project allows them', async () => {
    await allow(['https://ahead.example.com']);
    const answer = await preflight('https://ahead.example.com');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('vary')).toBe('Origin');
    expect(corsHeaders(answer.headers)).toEqual({
      'access-control-allow-origin': 'https://ahead.example.com',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '600',
    });
    await allow([]);
    for (const origin of ['https://ahead.example.com', 'null', undefined]) {
      const refused = await preflight(origin);
      expect([refused.status, corsHeaders(refused.headers)]).toEqual([204, {}]);
      expect(refused.headers.get('vary')).toBe('Origin');
    }
  });

  test('may read the answer if the very Project allows exactly them', async () => {
    await allow(['https://shop.example.com']);
    const other = await service.newProject();
    await allow(['https://other.example.com'], other);
    const ask = async (origin: string) => {
      const { headers, status } = await send({ ref: 'ada-code' }, { origin });
      expect([status, headers.get('vary')]).toEqual([200, 'Origin']);
      return corsHeaders(headers);
    };
    expect(await ask('https://shop.example.com')).toEqual({
      'access-control-allow-origin': 'https://shop.example.com',
    });
    for (const origin of [
      'https://other.example.com',
      'https://shop.example.com.evil.example',
      'http://shop.example.com',
      'https://shop.example.com:8443',
      'null',
    ]) {
      expect([origin, await ask(origin)]).toEqual([origin, {}]);
    }
    await allow(['https://moved.example.com']);
    expect(await ask('https://shop.example.com')).toEqual({});
    expect(await ask('https://moved.example.com')).not.toEqual({});
  });

  test('are never let near a route with a key', async () => {
    await allow(['https://shop.example.com']);
    const { headers } = await service.call('GET', '/v1/sources', {
      as: project.key,
      query: { projectId: project.projectId },
      headers: { origin: 'https://shop.example.com' },
    });
    expect(corsHeaders(headers)).toEqual({});
  });
});

describe('limits and bad bodies', () => {
  test.each<[string, object, string]>([
    ['an unknown field', { refCode: 'ada-code' }, 'refCode'],
    ['a number for a code', { ref: 7 }, 'ref'],
    ['a handle without end', { handle: 'x'.repeat(2_049) }, 'handle'],
    ['an address without end', { url: 'x'.repeat(8_193) }, 'url'],
    ['NUL', { ref: 'a\u0000' }, 'ref'],
    ['no Project', { projectKey: undefined }, 'projectKey'],
  ])('%s is 400', async (_name, body, path) => {
    const answer = await send(body);
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
  });

  test('an unknown Project is 404', async () => {
    expect((await send({ projectKey: 'nobodyskey' })).status).toBe(404);
  });

  test('an address may call so often a minute, then it is 429 (D-LIM-1)', async () => {
    const strict = await startService({ settings: { clicksPerMinute: 2 } });
    try {
      const mine = await strict.newProject();
      const call = () =>
        strict.call('POST', '/v1/clicks', { body: { projectKey: mine.projectKey } });
      expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
      const refused = await call();
      expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
      expect(refused.headers.get('retry-after')).toBe('30');
      strict.clock.advance(30_000);
      expect((await call()).status).toBe(200);
    } finally {
      await strict.close();
    }
  });
});
