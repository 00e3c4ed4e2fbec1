import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
let made = 0;
beforeAll(async () => {
  service = await openService();
});
beforeEach(async () => {
  project = await service.newProject();
});
afterAll(() => service.close());

const DAY = 86_400_000;
const ada = { kind: 'individual', externalId: 'ada-7731' };
const bob = { kind: 'individual', externalId: 'bob' };

const identify = (body: object, headers?: Record<string, string>) =>
  service.call('POST', '/v1/identify', {
    as: project.key,
    body: { projectId: project.projectId, ...body },
    ...(headers ? { headers } : {}),
  });
const get = (path: string, query: Record<string, string> = {}) =>
  service.call('GET', path, {
    as: project.key,
    query: { projectId: project.projectId, ...query },
  });
const erase = (id: string) =>
  service.call('DELETE', `/v1/participants/${id}`, {
    as: project.key,
    query: { projectId: project.projectId },
  });
const people = async () => (await get('/v1/participants')).body.data;
const inMs = (ms: number) => new Date(service.clock.nowMs() + ms).toISOString();

/** What a click leaves of a browser. */
async function newHandle(): Promise<string> {
  made += 1;
  const id = `hdl_${String(made).padStart(26, '0')}`;
  await service.database.reads.query(
    'insert into handles (project_id, id, created_at, expires_at) values ($1, $2, $3, $4)',
    [project.projectId, id, service.clock.now, inMs(90 * DAY)],
  );
  return id;
}

const handleRow = async (id: string) => {
  const [row] = await service.database.reads.query(
    `select identified_participant_id as "participantId", identified_at as "identifiedAt"
     from handles where project_id = $1 and id = $2`,
    [project.projectId, id],
  );
  return row;
};

type Answered = Awaited<ReturnType<typeof identify>>;
const refusal = ({ status, body }: Answered) => [status, body.error.reason ?? body.error.code];

describe('a handle and a participant', () => {
  test('bind the browser to the person, who is made with one participant.created', async () => {
    const handle = await newHandle();
    const answer = await identify({ handle, participant: ada });
    const [person] = await people();
    expect(answer.body).toEqual({
      success: true,
      identified: true,
      participantId: person.id,
      identifiedAt: service.clock.now,
      reference: null,
    });
    expect(person).toMatchObject(ada);
    expect(await handleRow(handle)).toEqual({
      participantId: person.id,
      identifiedAt: service.clock.now,
    });
    const { events } = (await get('/v1/webhook-events')).body;
    expect(events).toMatchObject([
      { type: 'participant.created', data: { participant: { participantId: person.id, ...ada } } },
    ]);
  });

  test('again return the first result; another person is 409 (D-IDENT-2)', async () => {
    const handle = await newHandle();
    const first = await identify({ handle, participant: ada });
    service.clock.advance(5_000);
    expect((await identify({ handle, participant: ada })).body).toEqual(first.body);
    const other = await identify({ handle, participant: bob });
    expect(refusal(other)).toEqual([409, 'handle_already_identified']);
    // The kind is part of who somebody is.
    const group = await identify({ handle, participant: { ...ada, kind: 'group' } });
    expect(refusal(group)).toEqual([409, 'handle_already_identified']);
    expect(await people()).toHaveLength(1);
    expect((await get('/v1/webhook-events')).body.events).toHaveLength(1);
  });

  test('a person may own many handles, and an expired handle still identifies (D-IDENT-7)', async () => {
    const handles = [await newHandle(), await newHandle()];
    service.clock.advance(91 * DAY);
    const answers = [];
    for (const handle of handles) answers.push(await identify({ handle, participant: ada }));
    const ids = answers.map(({ body }) => body.participantId);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(ids).size).toBe(1);
  });

  test.each([
    ['rubbish', 'rubbish'],
    ['the form of a handle', `hdl_${'z'.repeat(26)}`],
    ['blanks', ' \t'],
    ['padded blanks', '  hdl_x  '],
    ['JSON', '{"a":1}'],
    ['SQL', `'; drop table handles; --`],
    ['10,000 characters', '😀'.repeat(10_000)],
    ['NUL', 'a\u0000'],
  ])(
    'a handle that is none (%s) is 404 and makes nobody (D-IDENT-1, D-PART-2)',
    async (_, handle) => {
      const answer = await identify({ handle, participant: ada });
      expect(refusal(answer)).toEqual([404, 'NOT_FOUND']);
      expect(refusal(await identify({ handle, reference: { key: 'k' } }))[0]).toBe(404);
      expect(await people()).toEqual([]);
      expect((await get('/v1/webhook-events')).body.events).toEqual([]);
    },
  );

  test('a handle and a key of another Project are 404', async () => {
    const handle = await newHandle();
    await identify({ handle, reference: { key: 'k' } });
    project = await service.newProject();
    expect(refusal(await identify({ handle, participant: ada }))[0]).toBe(404);
    expect(refusal(await identify({ reference: { key: 'k' }, participant: ada }))[0]).toBe(404);
  });
});

describe('a handle and a key', () => {
  test('bind for 24 hours unless told, at most 90 days (D-IDENT-5)', async () => {
    const handle = await newHandle();
    const answer = await identify({ handle, reference: { key: 'cart-1' } });
    expect(answer.body).toEqual({
      success: true,
      identified: false,
      participantId: null,
      identifiedAt: null,
      reference: { key: 'cart-1', status: 'pending', expiresAt: inMs(DAY), resolvedAt: null },
    });
    const longest = await identify({
      handle,
      reference: { key: 'cart-2', expiresAt: inMs(90 * DAY).replace('Z', '+00:00') },
    });
    expect(longest.body.reference.expiresAt).toBe(inMs(90 * DAY));
    for (const expiresAt of [inMs(90 * DAY + 1), inMs(0), inMs(-1), '2027-01-01', 'soon', 7]) {
      const bad = await identify({ handle, reference: { key: 'cart-3', expiresAt } });
      expect([bad.status, bad.body.error.details[0].path]).toEqual([400, 'reference.expiresAt']);
    }
    expect((await handleRow(handle))?.identifiedAt).toBeNull();
  });

  test('again return the first result while the key lives; then 409 for ever (D-IDENT-3)', async () => {
    const handle = await newHandle();
    const first = await identify({ handle, reference: { key: 'k' } });
    service.clock.advance(DAY - 1);
    const again = await identify({ handle, reference: { key: 'k', expiresAt: inMs(DAY) } });
    expect(again.body).toEqual(first.body);
    const other = await newHandle();
    expect(refusal(await identify({ handle: other, reference: { key: 'k' } }))).toEqual([
      409,
      'reference_bound',
    ]);
    service.clock.advance(1);
    for (const one of [handle, other]) {
      const late = await identify({ handle: one, reference: { key: 'k' } });
      expect(refusal(late)).toEqual([409, 'reference_expired']);
    }
    const late = await identify({ participant: ada, reference: { key: 'k' } });
    expect(refusal(late)).toEqual([409, 'reference_expired']);
    expect(await people()).toEqual([]);
  });

  test('are 409 once the handle is identified or the key resolved', async () => {
    const handle = await newHandle();
    await identify({ handle, reference: { key: 'used' } });
    await identify({ handle, reference: { key: 'open' } });
    await identify({ reference: { key: 'used' }, participant: ada });
    const bind = async (key: string) => refusal(await identify({ handle, reference: { key } }));
    expect(await bind('used')).toEqual([409, 'reference_resolved']);
    expect(await bind('open')).toEqual([409, 'handle_already_identified']);
    expect(await bind('new')).toEqual([409, 'handle_already_identified']);
  });

  test('a handle carries 20 keys', async () => {
    const handle = await newHandle();
    for (let n = 1; n <= 20; n += 1) {
      const { status } = await identify({ handle, reference: { key: `k${n}` } });
      expect(status).toBe(200);
    }
    const more = await identify({ handle, reference: { key: 'k21' } });
    expect(refusal(more)).toEqual([409, 'limit_reached']);
    const repeat = await identify({ handle, reference: { key: 'k20' } });
    expect(repeat.status).toBe(200);
    const other = await identify({ handle: await newHandle(), reference: { key: 'k21' } });
    expect(other.status).toBe(200);
  });
});

describe('a key and a participant', () => {
  test('resolve the key once, and with it the handle', async () => {
    const handle = await newHandle();
    const bound = await identify({ handle, reference: { key: 'k' } });
    service.clock.advance(60_000);
    const resolved = await identify({ reference: { key: 'k' }, participant: ada });
    const [person] = await people();
    expect(resolved.body).toEqual({
      success: true,
      identified: true,
      participantId: person.id,
      identifiedAt: service.clock.now,
      reference: {
        key: 'k',
        status: 'resolved',
        expiresAt: bound.body.reference.expiresAt,
        resolvedAt: service.clock.now,
      },
    });
    expect(await handleRow(handle)).toEqual({
      participantId: person.id,
      identifiedAt: service.clock.now,
    });
    // By the handle itself it is the same identification.
    const direct = await identify({ handle, participant: ada });
    expect(direct.body).toEqual({ ...resolved.body, reference: null });

    service.clock.advance(400 * DAY);
    const body = { reference: { key: 'k', expiresAt: '2020-01-01T00:00:00Z' }, participant: ada };
    expect((await identify(body)).body).toEqual(resolved.body);
    const other = await identify({ reference: { key: 'k' }, participant: bob });
    expect(refusal(other)).toEqual([409, 'reference_resolved']);
    expect(await people()).toHaveLength(1);
  });

  test('an unknown key is 404 and makes nobody; keys are compared byte for byte', async () => {
    await identify({ handle: await newHandle(), reference: { key: 'Key' } });
    for (const key of ['key', 'Key ', ' Key', 'nothing']) {
      const answer = await identify({ reference: { key }, participant: ada });
      expect(refusal(answer)).toEqual([404, 'NOT_FOUND']);
    }
    expect(await people()).toEqual([]);
  });

  test('when the handle is somebody’s by now: theirs resolves, another’s is 409 (D-IDENT-4)', async () => {
    const handle = await newHandle();
    await identify({ handle, reference: { key: 'k1' } });
    const first = await identify({ handle, participant: ada });
    service.clock.advance(1_000);
    const other = await identify({ reference: { key: 'k1' }, participant: bob });
    expect(refusal(other)).toEqual([409, 'handle_already_identified']);
    const own = await identify({ reference: { key: 'k1' }, participant: ada });
    expect(own.body).toMatchObject({
      identifiedAt: first.body.identifiedAt,
      reference: { status: 'resolved', resolvedAt: service.clock.now },
    });
  });
});

describe('what has none of the three shapes is 400 (D-IDENT-1)', () => {
  const reference = { key: 'k' };
  test.each<[string, object]>([
    ['nothing', {}],
    ['nulls', { handle: null, participant: null, reference: null }],
    ['a handle alone', { handle: 'h' }],
    ['a participant alone', { participant: ada }],
    ['a key alone', { reference }],
    ['all three', { handle: 'h', participant: ada, reference }],
    ['an empty handle', { handle: '', participant: ada }],
    ['a handle that is no text', { handle: 7, participant: ada }],
    ['NUL in a key', { handle: 'h', reference: { key: 'a\u0000' } }],
    ['an empty reference', { handle: 'h', reference: {} }],
    ['an empty key', { handle: 'h', reference: { key: '' } }],
    ['a blank key', { handle: 'h', reference: { key: ' ' } }],
    ['a key of 256 characters', { handle: 'h', reference: { key: 'x'.repeat(256) } }],
    ['a participant without a kind', { handle: 'h', participant: { externalId: 'a' } }],
    ['an unknown field', { handle: 'h', participant: ada, email: 'a@example.com' }],
    ['an unknown field of the reference', { handle: 'h', reference: { key: 'k', ttl: 1 } }],
  ])('%s', async (_name, body) => {
    expect(refusal(await identify(body))).toEqual([400, 'INVALID_REQUEST']);
    expect(await people()).toEqual([]);
  });

  test('null is absent, so that two of three fields make a shape', async () => {
    const body = { handle: await newHandle(), participant: ada, reference: null };
    expect((await identify(body)).status).toBe(200);
  });
});

test('an Idempotency-Key returns the first answer, its key included', async () => {
  const handle = await newHandle();
  const header = { 'idempotency-key': 'once' };
  const body = { handle, reference: { key: 'k' } };
  const first = await identify(body, header);
  service.clock.advance(DAY - 1);
  await identify({ reference: { key: 'k' }, participant: ada });
  expect((await identify(body, header)).body).toEqual(first.body);
  const other = await identify({ handle, reference: { key: 'other' } }, header);
  expect(refusal(other)).toEqual([409, 'idempotency_key_reused']);
});

describe('erasing a participant (D-PART-5)', () => {
  const KEYS = ['ada@example.com', 'order of ada'];

  async function makeAda() {
    const [direct, byKey] = [await newHandle(), await newHandle()];
    const { body } = await identify({ handle: direct, participant: ada });
    await identify({ handle: byKey, reference: { key: KEYS[0] } }, { 'idempotency-key': '1' });
    await identify({ handle: byKey, reference: { key: KEYS[1] } }, { 'idempotency-key': '2' });
    await identify({ reference: { key: KEYS[0] }, participant: ada }, { 'idempotency-key': '3' });
    return { id: body.participantId as string, handles: [direct, byKey] };
  }

  async function readDatabase(): Promise<string> {
    const tables = await service.database.reads.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'project_id'`,
    );
    const rows = await Promise.all(
      tables.map(({ name }) =>
        service.database.reads.query(`select t::text as row from ${name} t where project_id = $1`, [
          project.projectId,
        ]),
      ),
    );
    return JSON.stringify(rows);
  }

  test('leaves none of the keys that stood for their browsers', async () => {
    const { id } = await makeAda();
    const before = await readDatabase();
    for (const key of KEYS) expect(before).toContain(key);
    expect((await erase(id)).status).toBe(200);
    const after = await readDatabase();
    for (const key of KEYS) expect(after).not.toContain(key);
  });

  test('unlinks their handles, which stay closed to everybody', async () => {
    const { id, handles } = await makeAda();
    const identifiedAt = service.clock.now;
    service.clock.advance(1_000);
    await erase(id);
    for (const handle of handles) {
      expect(await handleRow(handle)).toEqual({ participantId: null, identifiedAt });
      const other = await identify({ handle, participant: bob });
      expect(refusal(other)).toEqual([409, 'handle_already_identified']);
      const own = await identify({ handle, participant: ada });
      expect(refusal(own)).toEqual([409, 'participant_deleted']);
      const bind = await identify({ handle, reference: { key: 'new' } });
      expect(refusal(bind)).toEqual([409, 'handle_already_identified']);
    }
    expect(await people()).toHaveLength(1);
  });

  test('leaves their keys used for ever', async () => {
    const { id, handles } = await makeAda();
    await erase(id);
    const fresh = await newHandle();
    const [resolved, pending] = KEYS;
    const reasonOf = async (body: object) => refusal(await identify(body))[1];
    expect(await reasonOf({ handle: fresh, reference: { key: resolved } })).toBe(
      'reference_resolved',
    );
    expect(await reasonOf({ handle: fresh, reference: { key: pending } })).toBe('reference_bound');
    expect(await reasonOf({ handle: handles[1], reference: { key: pending } })).toBe(
      'handle_already_identified',
    );
    expect(await reasonOf({ reference: { key: resolved }, participant: bob })).toBe(
      'reference_resolved',
    );
    expect(await reasonOf({ reference: { key: pending }, participant: bob })).toBe(
      'handle_already_identified',
    );
    for (const key of KEYS) {
      expect(await reasonOf({ reference: { key }, participant: ada })).toBe('participant_deleted');
    }
    service.clock.advance(DAY);
    expect(await reasonOf({ handle: fresh, reference: { key: pending } })).toBe(
      'reference_expired',
    );
  });

  test('also erases a key whose handle was purged before', async () => {
    const { id, handles } = await makeAda();
    await service.database.reads.query('delete from handles where project_id = $1 and id = $2', [
      project.projectId,
      handles[1],
    ]);
    await erase(id);
    expect(await readDatabase()).not.toContain(KEYS[0]);
  });

  test('others keep their handles and keys', async () => {
    const { id } = await makeAda();
    const handle = await newHandle();
    await identify({ handle, reference: { key: 'k' } });
    const first = await identify({ reference: { key: 'k' }, participant: bob });
    await erase(id);
    expect((await identify({ reference: { key: 'k' }, participant: bob })).body).toEqual(
      first.body,
    );
  });
});
