import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, toInstant } from '../../src/platform/kit/instant.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { EACH_FIGURE } from '../figures.ts';
import { BROWSER } from '../follow-link.ts';
import { type Answer, openService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

let service: TestService;
let shop: Shop;
/** Ends in an hour. */
let before: string;
let after: string;
beforeAll(async () => {
  service = await openService();
});
beforeEach(async () => {
  shop = await openShop(service);
  before = await newProgram('before', { endDate: fromNow(HOUR_MS) });
  await shop.post(`/v1/programs/${before}/status`, { status: 'active' });
  after = await newProgram('after');
  await shop.post(`/v1/programs/${after}/status`, { status: 'active' });
});
afterAll(() => service.close());

const grace = { kind: 'individual', externalId: 'grace' };
const fromNow = (ms: number) => toInstant(service.clock.nowMs() + ms);
const pastEnd = () => service.clock.advance(HOUR_MS);

async function newProgram(name: string, more: object = {}): Promise<string> {
  const config = { brandConfig: { landingPageUrl: `https://${name}.example.com` } };
  return ok(await shop.post('/v1/programs', { kind: 'referral', name, config, ...more })).id;
}

function ok(answer: Answer) {
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer.body.data;
}

const move = async (programId: string, status: string) =>
  ok(await shop.post(`/v1/programs/${programId}/status`, { status }));
const askCode = (programId: string, code?: string, participant: object = grace) =>
  shop.post('/v1/referral-codes', { programId, participant, ...(code ? { code } : {}) });
const askLink = (programId: string, slug: string, participant: object = grace) =>
  shop.post('/v1/referral-links', { programId, participant, slug });
const reopen = async (programId: string) => {
  const { projectId, key } = shop.project;
  const body = { projectId, endDate: fromNow(DAY_MS) };
  ok(await service.call('PATCH', `/v1/programs/${programId}`, { as: key, body }));
};
const reasonOf = ({ status, body }: Answer) => [status, body.error?.reason];

/** Somebody opens a shared link; returns where they were led to. */
async function follow(name: string): Promise<URL> {
  const address = `${service.url}/l/${shop.project.projectKey}/${name}`;
  const headers = { 'user-agent': BROWSER };
  const answer = await fetch(address, { redirect: 'manual', headers });
  expect(answer.status).toBe(302);
  return new URL(answer.headers.get('location') ?? '');
}

/** Somebody lands on a page; returns their handle. */
async function land(body: object): Promise<string | null> {
  const { projectKey } = shop.project;
  return (await service.call('POST', '/v1/clicks', { body: { projectKey, ...body } })).body.handle;
}

async function signUp(externalId: string, more: object) {
  const { sourceNamespaceId } = shop;
  const participant = { kind: 'individual', externalId };
  const body = { sourceNamespaceId, type: 'signup', participant, ...more };
  const answer = await shop.post('/v1/track/events', body);
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer.body;
}

async function clicksOf(programId: string): Promise<number> {
  await service.flushClicks();
  const [row] = await service.database.reads.query<{ clicks: number }>(
    `select coalesce(sum(value), 0)::int as clicks from ${EACH_FIGURE} as f
     where project_id = $1 and subject = $2 and name = 'clicks'`,
    [shop.project.projectId, programId],
  );
  return row?.clicks ?? 0;
}

const sharedBy = async (externalId = 'grace') => {
  const [found] = (await shop.read('/v1/participants', { externalId })).body.data;
  const { refCodes, links } = (await shop.read(`/v1/participants/${found.id}`)).body.data;
  return { id: found.id as string, refCodes, links };
};
const sound = async () =>
  expect((await verifyProject(service.database, shop.project.projectId)).kept).toEqual([]);

describe('a code of a Program that is over (D-AM-4)', () => {
  test('moves with its owner: visits count for the new Program, what was stays with the old', async () => {
    const old = ok(await askCode(before, 'grace-code'));
    const token = (await follow('grace-code')).searchParams.get('service_click');
    const handle = await land({ click: token, ref: 'grace-code' });
    expect((await signUp('early', { refCode: 'grace-code' })).attribution.programId).toBe(before);
    pastEnd();
    expect((await follow('grace-code')).href).toBe('https://before.example.com/');
    const late = await signUp('late', { refCode: 'grace-code' });
    expect(late.refCode).toEqual({ accepted: false, reason: 'program_not_active' });

    service.clock.advance(MINUTE_MS);
    const moved = ok(await askCode(after, 'Grace-Code'));
    expect(moved).toEqual({
      ...old,
      id: expect.not.stringMatching(old.id),
      programId: after,
      createdAt: service.clock.now,
      updatedAt: service.clock.now,
    });
    expect((await sharedBy()).refCodes).toEqual([moved]);

    const visit = await follow('GRACE-CODE');
    expect([visit.origin, visit.searchParams.get('ref')]).toEqual([
      'https://after.example.com',
      'grace-code',
    ]);
    expect([await clicksOf(before), await clicksOf(after)]).toEqual([1, 1]);
    // The same browser within the hour: another Program, so another touch.
    const again = await land({ handle, click: visit.searchParams.get('service_click') });
    expect(again).toBe(handle);
    const signup = await signUp('new', { identify: { handle } });
    expect(signup.attribution.programId).toBe(after);
    const [first, second] = (
      await shop.read(`/v1/events/${signup.eventId}/explanation`)
    ).body.data.candidates.toSorted((a: { occurredAt: string }, b: { occurredAt: string }) =>
      a.occurredAt < b.occurredAt ? -1 : 1,
    );
    expect([first, second]).toMatchObject([
      { programId: before, verdict: 'rejected', reason: 'program_not_active' },
      { programId: after, verdict: 'selected' },
    ]);
    expect((await signUp('typed', { refCode: 'grace-code' })).attribution.programId).toBe(after);
    const touch = (await shop.read(`/v1/touches/${first.touchId}`)).body.data;
    expect(touch).toMatchObject({ programId: before, refCodeId: old.id });
    expect(ok(await shop.read('/v1/search', { q: old.id }))).toMatchObject([
      { type: 'referral_code', id: moved.id, label: 'grace-code' },
    ]);
    await sound();
  });

  test('a late fact counts for the Program that the code was of when it happened (D-AM-3)', async () => {
    ok(await askCode(before, 'grace-code'));
    const occurredAt = fromNow(MINUTE_MS);
    service.clock.advance(2 * HOUR_MS);
    ok(await askCode(after, 'grace-code'));
    const late = await signUp('late', { refCode: 'grace-code', occurredAt });
    expect([late.attribution.programId, late.refCode.accepted]).toEqual([before, true]);
    const now = await signUp('now', { refCode: 'grace-code' });
    expect(now.attribution.programId).toBe(after);
    await sound();
  });

  test('the same call again returns the moved one, and an archived Program gives it away, too', async () => {
    ok(await askCode(before, 'grace-code'));
    pastEnd();
    await move(before, 'archived');
    const moved = ok(await askCode(after, 'grace-code'));
    service.clock.advance(MINUTE_MS);
    expect(ok(await askCode(after, 'grace-code'))).toEqual(moved);
    expect(ok(await askCode(after))).toEqual(moved);
    expect(reasonOf(await askCode(before, 'grace-code'))).toEqual([409, 'program_not_open']);
    expect(reasonOf(await askCode(before))).toEqual([409, 'program_not_open']);
    const { enrollmentCount } = (await shop.read('/v1/programs')).body.data.find(
      ({ id }: { id: string }) => id === after,
    );
    expect(enrollmentCount).toBe(1);
  });

  test('is taken for anybody else, as a slug, and while its Program is not over', async () => {
    ok(await askCode(before, 'grace-code'));
    ok(await askLink(before, 'grace-blog'));
    const other = { kind: 'individual', externalId: 'other' };
    const group = { ...grace, kind: 'group' };
    const draft = await newProgram('draft');
    ok(await askCode(draft, 'in-draft'));
    expect(reasonOf(await askCode(after, 'in-draft'))).toEqual([409, 'code_taken']);
    expect(reasonOf(await askCode(after, 'grace-code'))).toEqual([409, 'code_taken']);
    await move(before, 'paused');
    expect(reasonOf(await askCode(after, 'grace-code'))).toEqual([409, 'code_taken']);
    expect(reasonOf(await askLink(after, 'grace-blog'))).toEqual([409, 'slug_taken']);
    pastEnd();
    for (const who of [other, group]) {
      expect(reasonOf(await askCode(after, 'grace-code', who))).toEqual([409, 'code_taken']);
      expect(reasonOf(await askLink(after, 'grace-blog', who))).toEqual([409, 'slug_taken']);
    }
    expect(reasonOf(await askCode(after, 'grace-blog'))).toEqual([409, 'code_taken']);
    expect(reasonOf(await askLink(after, 'grace-code'))).toEqual([409, 'slug_taken']);
    await move(after, 'paused');
    expect(reasonOf(await askCode(after, 'grace-code'))).toEqual([409, 'program_not_open']);
    expect((await follow('grace-code')).hostname).toBe('before.example.com');
    expect((await shop.read('/v1/participants', { externalId: 'other' })).body.data).toEqual([]);
  });

  test('counts for the limit of the new Program, and no longer for that of the old', async () => {
    for (const n of [1, 2, 3, 4, 5]) ok(await askCode(before, `old-${n}`));
    for (const n of [1, 2, 3, 4]) ok(await askCode(after, `new-${n}`));
    pastEnd();
    ok(await askCode(after, 'old-1'));
    expect(reasonOf(await askCode(after, 'old-2'))).toEqual([409, 'limit_reached']);
    await reopen(before);
    expect(ok(await askCode(before)).code).toBe('old-2');
    ok(await askCode(before, 'old-6'));
    expect(reasonOf(await askCode(before, 'old-7'))).toEqual([409, 'limit_reached']);
    expect(ok(await askCode(before)).code).toBe('old-2');
  });
});

test('a reopened Program has not got back what was moved; its owner gets a new code (D-AM-4)', async () => {
  const old = ok(await askCode(before, 'grace-code'));
  pastEnd();
  const moved = ok(await askCode(after, 'grace-code'));
  await reopen(before);
  expect((await follow('grace-code')).hostname).toBe('after.example.com');
  expect(reasonOf(await askCode(before, 'grace-code'))).toEqual([409, 'code_taken']);
  const fresh = ok(await askCode(before));
  expect(fresh.code).not.toBe('grace-code');
  expect((await sharedBy()).refCodes).toHaveLength(2);

  // And back, once the other Program is over.
  await move(after, 'ended');
  const back = ok(await askCode(before, 'grace-code'));
  expect(back).toMatchObject({ code: 'grace-code', programId: before });
  expect([old.id, moved.id]).not.toContain(back.id);
  expect((await follow('grace-code')).hostname).toBe('before.example.com');
  expect((await signUp('new', { refCode: 'grace-code' })).attribution.programId).toBe(before);
  expect(ok(await askCode(before)).code).toBe(fresh.code);
  await sound();
});

test('a slug moves likewise, onto the oldest code in the new Program', async () => {
  const old = ok(await askLink(before, 'grace-blog'));
  await follow('grace-blog');
  pastEnd();
  const moved = ok(await askLink(after, 'grace-blog'));
  const { refCodes, links } = await sharedBy();
  expect(links).toEqual([moved]);
  expect(moved.url).toBe(old.url);
  const code = refCodes.find(({ programId }: { programId: string }) => programId === after);
  expect(moved.refCodeId).toBe(code.id);
  const visit = await follow('grace-blog');
  expect([visit.hostname, visit.searchParams.get('ref')]).toEqual(['after.example.com', code.code]);
  expect([await clicksOf(before), await clicksOf(after)]).toEqual([1, 1]);
  expect(ok(await askLink(after, 'grace-blog'))).toEqual(moved);
  expect((await signUp('new', { refCode: 'grace-blog' })).attribution.programId).toBe(after);
  await reopen(before);
  expect(reasonOf(await askLink(before, 'grace-blog'))).toEqual([409, 'slug_taken']);
  await sound();
});

test('links stay when their code moves, and lead by themselves once the Program is reopened', async () => {
  ok(await askCode(before, 'grace-code'));
  const link = ok(await askLink(before, 'grace-blog'));
  pastEnd();
  ok(await askCode(after, 'grace-code'));
  expect((await follow('grace-blog')).href).toBe('https://before.example.com/');
  expect((await sharedBy()).links).toEqual([link]);
  await reopen(before);
  expect(ok(await askLink(before, 'grace-blog'))).toEqual(link);
  const visit = await follow('grace-blog');
  expect([visit.hostname, visit.searchParams.get('ref')]).toEqual([
    'before.example.com',
    'grace-blog',
  ]);
  const handle = await land({ ref: visit.searchParams.get('ref') });
  const signup = await signUp('new', { identify: { handle } });
  expect(signup.attribution.programId).toBe(before);
  const other = ok(await askLink(before, 'grace-news'));
  expect(other.refCodeId).not.toBe(link.refCodeId);
  await sound();
});

test('an erasure leaves nothing of a name that was moved, and nobody gets it', async () => {
  ok(await askCode(before, 'secret-code'));
  ok(await askLink(before, 'secret-slug'));
  pastEnd();
  ok(await askCode(after, 'secret-code'));
  ok(await askLink(after, 'secret-slug'));
  const { id } = await sharedBy();
  const { projectId, key } = shop.project;
  const gone = await service.call('DELETE', `/v1/participants/${id}`, {
    as: key,
    query: { projectId },
  });
  expect(gone.status).toBe(200);
  const rows = await service.database.reads.query(
    `select code as name from ref_codes where project_id = $1 and code like 'secret%'
     union all select slug from ref_links where project_id = $1 and slug like 'secret%'
     union all select name from ref_names where project_id = $1 and name like 'secret%'`,
    [projectId],
  );
  expect(rows).toEqual([]);
  const other = { kind: 'individual', externalId: 'other' };
  expect(reasonOf(await askCode(after, 'secret-code', other))).toEqual([409, 'code_taken']);
  expect(reasonOf(await askLink(after, 'secret-slug', other))).toEqual([409, 'slug_taken']);
  const typed = await signUp('new', { refCode: 'secret-code' });
  expect(typed.refCode).toEqual({ accepted: false, reason: 'unknown' });
  const body = { projectId };
  ok(await service.call('POST', `/v1/participants/${id}/readmit`, { as: 'operator', body }));
  expect(reasonOf(await askCode(after, 'secret-code'))).toEqual([409, 'code_taken']);
  await sound();
});

test('an import moves what it names, and a rehearsal nothing', async () => {
  ok(await askCode(before, 'grace-code'));
  ok(await askLink(before, 'grace-blog'));
  const rows = [
    { externalId: 'grace', code: 'grace-code', slug: 'grace-blog' },
    { externalId: 'carol', referredByCode: 'grace-blog' },
    { externalId: 'dave', code: 'grace-code' },
  ];
  const take = async (more: object = {}) => {
    const data = ok(await shop.post('/v1/imports/rows', { programId: after, rows, ...more }));
    return data.results.map(({ status }: { status: string }) => status);
  };
  expect(await take()).toEqual(['invalid', 'invalid', 'invalid']);
  pastEnd();
  expect(await take({ dryRun: true })).toEqual(['updated', 'created', 'invalid']);
  expect((await follow('grace-code')).hostname).toBe('before.example.com');
  expect(await take()).toEqual(['updated', 'created', 'invalid']);
  expect(await take()).toEqual(['unchanged', 'unchanged', 'invalid']);
  for (const name of ['grace-code', 'grace-blog']) {
    expect((await follow(name)).hostname).toBe('after.example.com');
  }
  await sound();
});

test('the widget shows the oldest code that is left, and a new one once the Program is reopened', async () => {
  const { secret } = await newWidgetSecret(service, shop.project);
  const sign = makeSigner(service, shop.project, secret);
  const start = async (programId: string) =>
    service.call('POST', '/v1/widget/init', {
      as: 'nobody',
      headers: { authorization: `Bearer ${await sign({ claims: { sub: 'grace' } })}` },
      body: { projectId: shop.project.projectId, programId },
    });
  for (const name of ['grace-1', 'grace-2']) ok(await askCode(before, name));
  pastEnd();
  ok(await askCode(after, 'grace-1'));
  expect((await start(before)).body.referral.code).toBe('grace-2');
  expect((await start(after)).body.referral.code).toBe('grace-1');
  ok(await askCode(after, 'grace-2'));
  expect(reasonOf(await start(before))).toEqual([409, 'program_not_open']);
  await reopen(before);
  const { code } = (await start(before)).body.referral;
  expect(['grace-1', 'grace-2']).not.toContain(code);
  expect((await start(before)).body.referral.code).toBe(code);
});

test('of many who move it at once to two Programs, and a reopening, one wins', async () => {
  ok(await askCode(before, 'grace-code'));
  ok(await askLink(before, 'grace-blog'));
  const third = await newProgram('third');
  await move(third, 'active');
  pastEnd();
  const targets = [after, third, after, third, after, third];
  const [answers] = await Promise.all([
    Promise.all(targets.map((id) => askCode(id, 'grace-code'))),
    Promise.all(targets.map((id) => askLink(id, 'grace-blog'))),
    reopen(before),
  ]);
  const won = new Set(answers.flatMap(({ body }) => body.data?.programId ?? []));
  const holders = (await sharedBy()).refCodes.filter(
    ({ code }: { code: string }) => code === 'grace-code',
  );
  // Reopened first, the old Program keeps its code.
  expect(holders).toMatchObject([{ programId: [...won][0] ?? before }]);
  expect(won.size).toBeLessThanOrEqual(1);
  for (const answer of answers) {
    if (answer.status !== 200) expect(reasonOf(answer)).toEqual([409, 'code_taken']);
  }
  expect((await sharedBy()).links).toHaveLength(1);
  await sound();
});
