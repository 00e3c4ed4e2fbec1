import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await openService();
});
beforeEach(async () => {
  project = await service.newProject();
});
afterAll(() => service.close());

const put = (body: object, headers?: Record<string, string>) =>
  service.call('PUT', '/v1/participants', {
    as: project.key,
    body: { projectId: project.projectId, ...body },
    ...(headers ? { headers } : {}),
  });
const person = (externalId: string) => ({ participant: { kind: 'individual', externalId } });
const team = (externalId: string) => ({ participant: { kind: 'group', externalId } });
const list = (query: Record<string, string> = {}) =>
  service.call('GET', '/v1/participants', {
    as: project.key,
    query: { projectId: project.projectId, ...query },
  });
const feed = async () => {
  const answer = await service.call('GET', '/v1/webhook-events', {
    as: project.key,
    query: { projectId: project.projectId, limit: 500 },
  });
  return answer.body.events;
};

describe('upsert', () => {
  test('makes a participant once and tells of it once (D-PART-2)', async () => {
    const first = await put({ ...person('42'), name: 'Ada' });
    expect(first.status).toBe(200);
    expect(first.body.data).toEqual({
      id: expect.stringMatching(/^par_[0-9a-z]{26}$/),
      createdAt: service.clock.now,
      updatedAt: service.clock.now,
      projectId: project.projectId,
      kind: 'individual',
      externalId: '42',
      billingId: null,
      name: 'Ada',
      email: null,
      partnerId: null,
      deletedAt: null,
      readmittedAt: null,
    });
    await put(person('42'));
    expect(await feed()).toEqual([
      expect.objectContaining({
        type: 'participant.created',
        data: {
          participant: {
            participantId: first.body.data.id,
            kind: 'individual',
            externalId: '42',
          },
        },
      }),
    ]);
  });

  test('the same upsert twenty times at once makes one participant and one event', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => put({ ...person('42'), email: 'ada@example.com' })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1);
    expect((await list()).body.data).toHaveLength(1);
    expect(await feed()).toHaveLength(1);
  });

  test('omitted keeps, null clears, and only a change moves updatedAt (D-PART-3)', async () => {
    await put({ ...person('42'), name: 'Ada', email: 'ada@example.com', billingId: 'cus_1' });
    const before = service.clock.now;
    service.clock.advance(1_000);
    const same = await put({ ...person('42'), name: 'Ada', billingId: 'cus_1' });
    expect(same.body.data).toMatchObject({ email: 'ada@example.com', updatedAt: before });
    const cleared = await put({ ...person('42'), name: null, billingId: null });
    expect(cleared.body.data).toMatchObject({
      name: null,
      email: 'ada@example.com',
      billingId: null,
      createdAt: before,
      updatedAt: service.clock.now,
    });
    expect((await list()).body.data[0]).toMatchObject(cleared.body.data);
  });

  test('individual 42, group 42 and other spellings are all different (D-PART-1, D-GEN-5)', async () => {
    const refs = [person('42'), team('42'), person(' 42'), person('42 '), person('a'), person('A')];
    const answers = await Promise.all(refs.map((ref) => put(ref)));
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(refs.length);
  });

  test('the same name in two Projects is two participants', async () => {
    const here = await put(person('42'));
    project = await service.newProject();
    const there = await put(person('42'));
    expect(there.body.data.id).not.toBe(here.body.data.id);
    expect((await list()).body.data).toHaveLength(1);
  });

  test('a billing id is one participant’s only, and a refused call makes nobody', async () => {
    await put({ ...person('a'), billingId: 'cus_1' });
    const taken = await put({ ...person('b'), billingId: 'cus_1' });
    expect([taken.status, taken.body.error.reason]).toEqual([409, 'billing_id_taken']);
    expect((await list()).body.data).toHaveLength(1);
    expect(await feed()).toHaveLength(1);
    await put({ ...person('a'), billingId: 'cus_2' });
    expect((await put({ ...person('b'), billingId: 'cus_1' })).status).toBe(200);
  });

  test('an e-mail address matches nobody', async () => {
    const a = await put({ ...person('a'), email: 'same@example.com' });
    const b = await put({ ...person('b'), email: 'same@example.com' });
    expect(b.body.data.id).not.toBe(a.body.data.id);
  });

  test.each([
    ['no kind', { participant: { externalId: '42' } }],
    ['an unknown kind', { participant: { kind: 'robot', externalId: '42' } }],
    ['a blank external id', person(' ')],
    ['a long external id', person('x'.repeat(513))],
    ['a NUL', person('a\0b')],
    ['a lone surrogate', person('a\ud800')],
    ['an unknown field', { ...person('42'), nickname: 'A' }],
    ['a blank name', { ...person('42'), name: '' }],
    ['a long name', { ...person('42'), name: 'x'.repeat(201) }],
  ])('refuses %s', async (_, body) => {
    const answer = await put(body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect((await list()).body.data).toEqual([]);
  });

  test.each([
    'ada',
    'a@b@example.com',
    'a da@example.com',
    ' ada@example.com',
    'a@b.de>',
    '<a@b.de>',
    '"ada"@example.com',
    'a@b',
    'a..b@example.com',
    'a\u0007@example.com',
    'a\u200b@example.com',
    'a@example.com, b@example.com',
    `${'x'.repeat(65)}@example.com`,
    `${'x'.repeat(64)}@${'x.'.repeat(100)}example`,
  ])('refuses the address %j', async (email) => {
    const answer = await put({ ...person('42'), email });
    const paths = answer.body.error.details.map((one: { path: string }) => one.path);
    expect([answer.status, ...new Set(paths)]).toEqual([400, 'email']);
    expect((await list()).body.data).toEqual([]);
  });

  test('stores addresses with letters outside ASCII', async () => {
    const answer = await put({ ...person('42'), email: 'zoë@bücher.example' });
    expect([answer.status, answer.body.data.email]).toEqual([200, 'zoë@bücher.example']);
  });

  test('the longest external id is stored and found', async () => {
    const externalId = '😀'.repeat(512);
    const made = await put(person(externalId));
    expect(made.status).toBe(200);
    const found = await list({ externalId });
    expect(found.body.data).toMatchObject([{ id: made.body.data.id, externalId }]);
  });

  test('a repeat under the same Idempotency-Key returns the first answer', async () => {
    const key = { 'idempotency-key': 'one' };
    const first = await put({ ...person('42'), name: 'Ada' }, key);
    await put({ ...person('42'), name: 'Grace' });
    const repeat = await put({ ...person('42'), name: 'Ada' }, key);
    expect(repeat.body).toEqual(first.body);
    expect((await list()).body.data).toMatchObject([{ name: 'Grace' }]);
  });
});

describe('list (D-GEN-9)', () => {
  test('pages newest first by offset, over all and per kind', async () => {
    const refs = Array.from({ length: 103 }, (_, n) =>
      n % 3 === 0 ? team(`${n}`) : person(`${n}`),
    );
    for (const ref of refs) await put(ref);
    const newestFirst = refs.map((ref) => ref.participant).reverse();

    const pages = [];
    for (let offset: string | null = '0'; offset !== null; ) {
      const { body } = await list({ offset });
      expect(body.hasMore).toBe(body.nextOffset !== null);
      pages.push(body.data);
      offset = body.nextOffset;
    }
    expect(pages.map((page) => page.length)).toEqual([50, 50, 3]);
    expect(pages.flat().map(({ kind, externalId }) => ({ kind, externalId }))).toEqual(newestFirst);
    expect(pages[0][0]).toMatchObject({ isReferrer: false, isReferee: false });

    const people = newestFirst.filter(({ kind }) => kind === 'individual');
    const first = await list({ kind: 'individual' });
    const second = await list({ kind: 'individual', offset: first.body.nextOffset });
    const shown = [...first.body.data, ...second.body.data];
    expect(shown.map(({ externalId }) => externalId)).toEqual(people.map((one) => one.externalId));
    expect(second.body).toMatchObject({ hasMore: false, nextOffset: null });

    const inside = await list({ offset: '7' });
    expect(inside.body.data[0].externalId).toBe(newestFirst[7]?.externalId);
    const beyond = await list({ offset: '999999999' });
    expect(beyond.body).toEqual({ success: true, data: [], hasMore: false, nextOffset: null });
  });

  test('finds by external id, of one kind or both', async () => {
    await put(person('42'));
    await put(team('42'));
    await put(person('43'));
    const both = await list({ externalId: '42' });
    expect(both.body.data.map(({ kind }: { kind: string }) => kind)).toEqual([
      'group',
      'individual',
    ]);
    expect(both.body).toMatchObject({ hasMore: false, nextOffset: null });
    expect((await list({ externalId: '42', kind: 'group' })).body.data).toHaveLength(1);
    expect((await list({ externalId: '42', offset: '2' })).body.data).toEqual([]);
    expect((await list({ externalId: 'nobody' })).body.data).toEqual([]);
  });

  test.each(['-1', '01', '1.5', '1e3', '', ' 1'])('refuses the offset "%s"', async (offset) => {
    expect((await list({ offset })).status).toBe(400);
  });
});

describe('detail', () => {
  const show = (id: string) =>
    service.call('GET', `/v1/participants/${id}`, {
      as: project.key,
      query: { projectId: project.projectId },
    });

  test('shows the participant and nothing else where there is nothing else', async () => {
    const { body } = await put({ ...person('42'), name: 'Ada' });
    const detail = await show(body.data.id);
    expect(detail.body.data).toEqual({
      participant: body.data,
      enrollments: [],
      refCodes: [],
      links: [],
      referredBy: null,
      referrals: [],
      events: [],
      startingMeasures: [],
    });
  });

  test('is 404 for nobody, and for somebody of another Project', async () => {
    expect((await show('par_nobody')).status).toBe(404);
    const { body } = await put(person('42'));
    project = await service.newProject();
    expect((await show(body.data.id)).status).toBe(404);
  });
});
