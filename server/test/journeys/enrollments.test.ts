import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
let programId: string;
beforeAll(async () => {
  service = await openService();
});
beforeEach(async () => {
  project = await service.newProject();
  programId = await newProgram('referral', 'active');
});
afterAll(() => service.close());

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body: object = {}) => {
  const named = { projectId: project.projectId, ...body };
  const isBody = method === 'POST' || method === 'PUT';
  return service.call(method, path, {
    as: project.key,
    ...(isBody ? { body: named } : { query: named }),
  });
};

async function newProgram(kind: string, ...statuses: string[]): Promise<string> {
  const config = kind === 'loyalty' ? {} : { landingPageUrl: 'https://example.com' };
  const made = await call('POST', '/v1/programs', {
    kind,
    name: kind,
    config: { brandConfig: config },
  });
  for (const status of statuses) await move(made.body.data.id, status);
  return made.body.data.id;
}

async function move(id: string, status: string): Promise<void> {
  const { status: code } = await call('POST', `/v1/programs/${id}/status`, { status });
  expect(code).toBe(200);
}

const ada = { participant: { kind: 'individual', externalId: 'ada' } };
const bob = { participant: { kind: 'individual', externalId: 'bob' } };
const enroll = (who: object, program = programId) =>
  call('POST', '/v1/enrollments', { ...who, programId: program });
const end = (id: string) => call('POST', `/v1/enrollments/${id}/end`);
const code = (who: object, wish: object = {}, program = programId) =>
  call('POST', '/v1/referral-codes', { ...who, programId: program, ...wish });
const link = (who: object, slug: string, program = programId) =>
  call('POST', '/v1/referral-links', { ...who, programId: program, slug });
const show = async (id: string) => (await call('GET', `/v1/participants/${id}`)).body.data;
const everybody = async () => (await call('GET', '/v1/participants')).body.data;
const events = async () => (await call('GET', '/v1/webhook-events')).body.events;

const count = async (program = programId): Promise<number> => {
  const { body } = await call('GET', '/v1/programs');
  return body.data.find(({ id }: { id: string }) => id === program).enrollmentCount;
};

function expectConflict(answer: { status: number; body: { error: unknown } }, reason: string) {
  expect([answer.status, (answer.body.error as { reason: string }).reason]).toEqual([409, reason]);
}

describe('enrollments (D-ENR-1)', () => {
  test('one is made, with its participant, and given back until it ends', async () => {
    const first = await enroll(ada);
    expect(first.body.data).toEqual({
      id: expect.stringMatching(/^enr_[0-9a-z]{26}$/),
      createdAt: service.clock.now,
      updatedAt: service.clock.now,
      projectId: project.projectId,
      participantId: (await everybody())[0].id,
      programId,
      startsAt: service.clock.now,
      endsAt: null,
    });
    expect(await events()).toHaveLength(1);
    expect((await enroll(ada)).body).toEqual(first.body);
    expect(await count()).toBe(1);

    service.clock.advance(1_000);
    const endedAt = service.clock.now;
    const ended = await end(first.body.data.id);
    expect(ended.body.data).toEqual({ ...first.body.data, endsAt: endedAt, updatedAt: endedAt });
    expect(await count()).toBe(0);
    service.clock.advance(1_000);
    expect((await end(first.body.data.id)).body).toEqual(ended.body);
    expect(await count()).toBe(0);

    const second = await enroll(ada);
    expect(second.body.data.id).not.toBe(first.body.data.id);
    expect(await count()).toBe(1);
    const detail = await show(second.body.data.participantId);
    expect(detail.enrollments).toEqual([ended.body.data, second.body.data]);
    expect(await events()).toHaveLength(1);
  });

  test('twenty at once make one participant, one event, one enrollment', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => enroll(ada)));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await everybody()).toHaveLength(1);
    expect(await events()).toHaveLength(1);
    expect(await count()).toBe(1);
  });

  test('a draft takes people; a paused or ended Program gives only what exists', async () => {
    const draft = await newProgram('referral');
    expect((await enroll(ada, draft)).status).toBe(200);

    const first = await enroll(ada);
    for (const status of ['paused', 'ended', 'archived']) {
      await move(programId, status);
      expect((await enroll(ada)).body).toEqual(first.body);
      expectConflict(await enroll(bob), 'program_not_open');
    }
    expect(await everybody()).toHaveLength(1);
    expect((await end(first.body.data.id)).status).toBe(200);
    expectConflict(await enroll(ada), 'program_not_open');
  });

  test('an unknown Program or enrollment is 404 and nobody is made', async () => {
    for (const answer of [
      await enroll(ada, 'prg_unknown'),
      await code(ada, {}, 'prg_unknown'),
      await link(ada, 'ada', 'prg_unknown'),
      await end('enr_unknown'),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
    expect(await everybody()).toEqual([]);
  });

  test('a Program of another Project is unknown here', async () => {
    const foreign = programId;
    project = await service.newProject();
    expect((await enroll(ada, foreign)).status).toBe(404);
  });

  test('affiliate Programs take nobody this way, loyalty ones enroll but share nothing (D-PROG-5)', async () => {
    const affiliate = await newProgram('affiliate', 'active');
    const loyalty = await newProgram('loyalty', 'active');
    for (const answer of [
      await enroll(ada, affiliate),
      await code(ada, {}, affiliate),
      await link(ada, 'ada', affiliate),
      await code(ada, {}, loyalty),
      await link(ada, 'ada', loyalty),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_REQUEST']);
    }
    expect(await everybody()).toEqual([]);
    expect((await enroll(ada, loyalty)).status).toBe(200);
    expect(await count(loyalty)).toBe(1);
  });
});

describe('referral codes (D-CODE-1)', () => {
  test('a random code enrolls its owner and is given back', async () => {
    const first = await code(ada);
    const { data } = first.body;
    expect(data).toEqual({
      id: expect.stringMatching(/^cod_[0-9a-z]{26}$/),
      createdAt: service.clock.now,
      updatedAt: service.clock.now,
      projectId: project.projectId,
      code: expect.stringMatching(/^[2-9a-hjkmnp-z]{8}$/),
      participantId: expect.stringMatching(/^par_/),
      programId,
      url: `https://refer.example.com/l/${project.projectKey}/${data.code}`,
    });
    expect((await code(ada)).body).toEqual(first.body);
    expect(await count()).toBe(1);
    const detail = await show(data.participantId);
    expect(detail.refCodes).toEqual([data]);
    expect(detail.enrollments).toHaveLength(1);
  });

  test('a wished code is made lower-case; without a wish the oldest is given', async () => {
    const first = await code(ada, { code: 'Ada-Friends' });
    expect(first.body.data.code).toBe('ada-friends');
    const second = await code(ada, { code: 'ada-2' });
    expect(second.body.data.id).not.toBe(first.body.data.id);
    expect((await code(ada)).body).toEqual(first.body);
    expect((await code(ada, { code: null })).body).toEqual(first.body);
    expect((await code(ada, { code: 'ADA-2' })).body).toEqual(second.body);
    expect((await show(first.body.data.participantId)).refCodes).toEqual([
      first.body.data,
      second.body.data,
    ]);
  });

  test('another’s code is taken, in every Program of the Project and no other', async () => {
    await code(ada, { code: 'friends' });
    const other = await newProgram('referral', 'active');
    expectConflict(await code(bob, { code: 'FRIENDS' }), 'code_taken');
    expectConflict(await code(ada, { code: 'friends' }, other), 'code_taken');
    expect(await everybody()).toHaveLength(1);
    project = await service.newProject();
    programId = await newProgram('referral', 'active');
    expect((await code(bob, { code: 'friends' })).status).toBe(200);
  });

  test('the sixth code is refused', async () => {
    for (let n = 1; n <= 5; n += 1) {
      expect((await code(ada, { code: `ada-${n}` })).status).toBe(200);
    }
    expectConflict(await code(ada, { code: 'ada-6' }), 'limit_reached');
    expect((await code(ada, { code: 'ada-5' })).status).toBe(200);
    const other = await newProgram('referral', 'active');
    expect((await code(ada, { code: 'ada-6' }, other)).status).toBe(200);
  });

  test('who left gets no code and no link, and once enrolled again those they had', async () => {
    const first = await code(ada);
    const shared = await link(ada, 'ada-blog');
    const { enrollments } = await show(first.body.data.participantId);
    await end(enrollments[0].id);
    expectConflict(await code(ada), 'enrollment_ended');
    expectConflict(await code(ada, { code: first.body.data.code }), 'enrollment_ended');
    expectConflict(await code(ada, { code: 'again' }), 'enrollment_ended');
    expectConflict(await link(ada, 'ada-blog'), 'enrollment_ended');
    expectConflict(await link(ada, 'again'), 'enrollment_ended');
    expect((await code(ada, {}, 'prg_unknown')).status).toBe(404);
    expect((await link(ada, 'ada-blog', 'prg_unknown')).status).toBe(404);
    await enroll(ada);
    expect((await code(ada)).body).toEqual(first.body);
    expect((await link(ada, 'ada-blog')).body).toEqual(shared.body);
    expect((await code(ada, { code: 'again' })).status).toBe(200);
    expect(await count()).toBe(1);
  });

  test('a Program that is not open gives what exists and makes nothing', async () => {
    const first = await code(ada);
    await move(programId, 'paused');
    expect((await code(ada)).body).toEqual(first.body);
    expectConflict(await code(ada, { code: 'more' }), 'program_not_open');
    expectConflict(await code(bob), 'program_not_open');
    expectConflict(await link(bob, 'bob'), 'program_not_open');
    expect(await everybody()).toHaveLength(1);
  });

  test('twenty at once make one participant, one event, one code', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => code(ada)));
    expect(new Set(answers.map(({ body }) => body.data.code)).size).toBe(1);
    expect(await events()).toHaveLength(1);
    expect((await show(answers[0]?.body.data.participantId)).refCodes).toHaveLength(1);
    expect(await count()).toBe(1);
  });

  test('of twenty people who want one code at once, one gets it and no other is made', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        code({ participant: { kind: 'individual', externalId: `${n}` } }, { code: 'wanted' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await everybody()).toHaveLength(1);
    expect(await count()).toBe(1);
  });

  test.each(['ab', '-abc', 'abc-', 'a_c', 'a c', 'äbc', '', 'x'.repeat(33)])(
    'refuses the code "%s"',
    async (wish) => {
      expect((await code(ada, { code: wish })).status).toBe(400);
    },
  );
});

describe('referral links (D-LINK-1)', () => {
  test('a link hangs on the oldest code, which is made if missing', async () => {
    const first = await link(ada, 'Ada-Blog');
    const { body: owned } = await code(ada);
    expect(first.body.data).toEqual({
      id: expect.stringMatching(/^lnk_[0-9a-z]{26}$/),
      createdAt: service.clock.now,
      updatedAt: service.clock.now,
      projectId: project.projectId,
      slug: 'ada-blog',
      refCodeId: owned.data.id,
      url: `https://refer.example.com/l/${project.projectKey}/ada-blog`,
    });
    await code(ada, { code: 'younger' });
    const second = await link(ada, 'ada-mail');
    expect(second.body.data.refCodeId).toBe(owned.data.id);
    expect((await link(ada, 'ADA-BLOG')).body).toEqual(first.body);
    const detail = await show(owned.data.participantId);
    expect(detail.links).toEqual([first.body.data, second.body.data]);
    expect(await count()).toBe(1);
    expect(await events()).toHaveLength(1);
  });

  test('codes and slugs share one namespace', async () => {
    await code(ada, { code: 'ada-code' });
    await link(ada, 'ada-slug');
    expectConflict(await link(bob, 'ada-slug'), 'slug_taken');
    expectConflict(await link(bob, 'ada-code'), 'slug_taken');
    expectConflict(await code(bob, { code: 'ada-slug' }), 'code_taken');
    expectConflict(await link(ada, 'ada-code'), 'slug_taken');
    expectConflict(await code(ada, { code: 'ada-slug' }), 'code_taken');
    const other = await newProgram('referral', 'active');
    expectConflict(await link(ada, 'ada-slug', other), 'slug_taken');
    expect(await everybody()).toHaveLength(1);
  });

  test('the twenty-first link is refused', async () => {
    for (let n = 1; n <= 20; n += 1) expect((await link(ada, `ada-${n}`)).status).toBe(200);
    expectConflict(await link(ada, 'ada-21'), 'limit_reached');
    expect((await link(ada, 'ada-20')).status).toBe(200);
  });

  test('twenty at once make one participant, one event, one code, one link', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => link(ada, 'ada')));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    const detail = await show((await everybody())[0].id);
    expect(detail.links).toHaveLength(1);
    expect(detail.refCodes).toHaveLength(1);
    expect(await events()).toHaveLength(1);
    expect(await count()).toBe(1);
  });

  test('a slug is required and has 3 to 50 characters', async () => {
    expect((await call('POST', '/v1/referral-links', { ...ada, programId })).status).toBe(400);
    expect((await link(ada, 'ab')).status).toBe(400);
    expect((await link(ada, 'x'.repeat(51))).status).toBe(400);
    expect((await link(ada, 'x'.repeat(50))).status).toBe(200);
  });
});
