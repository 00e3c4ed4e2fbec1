import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
let programId: string;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  project = await service.newProject();
  const program = await post('/v1/programs', { kind: 'referral', name: 'Friends' });
  programId = program.body.data.id;
});
afterAll(() => service.close());

const send = (
  method: 'POST' | 'PUT',
  path: string,
  body: object,
  headers?: Record<string, string>,
) =>
  service.call(method, path, {
    as: project.key,
    body: { projectId: project.projectId, ...body },
    ...(headers ? { headers } : {}),
  });
const post = (path: string, body: object, headers?: Record<string, string>) =>
  send('POST', path, body, headers);
const put = (body: object, headers?: Record<string, string>) =>
  send('PUT', '/v1/participants', body, headers);
const get = (path: string, query: Record<string, string> = {}) =>
  service.call('GET', path, {
    as: project.key,
    query: { projectId: project.projectId, ...query },
  });
const erase = (id: string, query: Record<string, string> = {}) =>
  service.call('DELETE', `/v1/participants/${id}`, {
    as: project.key,
    query: { projectId: project.projectId, ...query },
  });

const ada = { participant: { kind: 'individual', externalId: 'ada-7731' } };
const bob = { participant: { kind: 'individual', externalId: 'bob' } };
const PERSONAL = ['ada-7731', 'Ada Lovelace', 'ada@example.com', 'cus_ada', 'ada-code', 'ada-blog'];

async function makeAda(): Promise<string> {
  const key = { 'idempotency-key': 'ada' };
  const made = await put(
    { ...ada, name: 'Ada Lovelace', email: 'ada@example.com', billingId: 'cus_ada' },
    key,
  );
  await post('/v1/referral-codes', { ...ada, programId, code: 'ada-code' }, key);
  await post('/v1/referral-links', { ...ada, programId, slug: 'ada-blog' }, key);
  return made.body.data.id;
}

const enrollmentCount = async () => (await get('/v1/programs')).body.data[0].enrollmentCount;

/** Every text that the database holds anywhere. */
async function readDatabase(): Promise<string> {
  const tables = await service.database.reads.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) => service.database.reads.query(`select t::text as row from ${name} t`)),
  );
  return JSON.stringify(rows);
}

describe('erasing a participant (D-PART-5)', () => {
  test('leaves the ids and nothing that tells who it was', async () => {
    const id = await makeAda();
    const before = await readDatabase();
    for (const text of PERSONAL) expect(before).toContain(text);
    service.clock.advance(1_000);

    const answer = await erase(id);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      id,
      kind: 'individual',
      externalId: `deleted_${id}`,
      name: null,
      email: null,
      billingId: null,
      deletedAt: service.clock.now,
      updatedAt: service.clock.now,
    });
    const after = await readDatabase();
    for (const text of PERSONAL) expect(after).not.toContain(text);
  });

  test('ends enrollments and kills codes and links, whose rows stay', async () => {
    const id = await makeAda();
    expect(await enrollmentCount()).toBe(1);
    service.clock.advance(1_000);
    await erase(id);
    expect(await enrollmentCount()).toBe(0);
    const { data } = (await get(`/v1/participants/${id}`)).body;
    expect(data.enrollments).toMatchObject([{ endsAt: service.clock.now }]);
    const [code] = data.refCodes;
    expect(code).toMatchObject({ code: `deleted_${code.id}`, url: null });
    const [link] = data.links;
    expect(link).toMatchObject({ slug: `deleted_${link.id}`, refCodeId: code.id, url: null });
  });

  test('twice, or with force, gives the same', async () => {
    const id = await makeAda();
    const first = await erase(id);
    service.clock.advance(1_000);
    expect((await erase(id)).body).toEqual(first.body);
    expect((await erase(id, { force: 'true' })).body).toEqual(first.body);
    const audit = await service.call('GET', '/v1/audit-log', {
      as: 'operator',
      query: { workspaceId: project.workspaceId },
    });
    const entries = audit.body.data.filter(
      ({ action }: { action: string }) => action === 'participant.erase',
    );
    expect(entries).toMatchObject([{ targetType: 'participant', targetId: id }]);
  });

  test('nobody comes back under an erased name, whichever write names it', async () => {
    const id = await makeAda();
    await erase(id);
    const feed = (await get('/v1/webhook-events')).body.events;
    const key = { 'idempotency-key': 'ada' };
    for (const answer of [
      await put(ada),
      await put(
        { ...ada, name: 'Ada Lovelace', email: 'ada@example.com', billingId: 'cus_ada' },
        key,
      ),
      await put({ participant: { kind: 'individual', externalId: `deleted_${id}` } }),
      await post('/v1/enrollments', { ...ada, programId }),
      await post('/v1/referral-codes', { ...ada, programId }),
      await post('/v1/referral-codes', { ...ada, programId, code: 'ada-code' }, key),
      await post('/v1/referral-links', { ...ada, programId, slug: 'ada-blog' }),
    ]) {
      expect([answer.status, answer.body.error.reason]).toEqual([409, 'participant_deleted']);
    }
    expect((await get('/v1/participants')).body.data).toHaveLength(1);
    expect((await get('/v1/participants', { externalId: 'ada-7731' })).body.data).toEqual([]);
    expect((await get('/v1/webhook-events')).body.events).toEqual(feed);
  });

  test('the name of the other kind, and in another Project, is somebody else', async () => {
    await erase(await makeAda());
    const group = { participant: { kind: 'group', externalId: 'ada-7731' } };
    expect((await put(group)).status).toBe(200);
    project = await service.newProject();
    expect((await put(ada)).status).toBe(200);
  });

  test('nobody inherits an erased code or slug; the billing id is free again', async () => {
    await erase(await makeAda());
    for (const name of ['ada-code', 'ADA-BLOG']) {
      const code = await post('/v1/referral-codes', { ...bob, programId, code: name });
      expect([code.status, code.body.error.reason]).toEqual([409, 'code_taken']);
      const link = await post('/v1/referral-links', { ...bob, programId, slug: name });
      expect([link.status, link.body.error.reason]).toEqual([409, 'slug_taken']);
    }
    expect((await put({ ...bob, billingId: 'cus_ada' })).status).toBe(200);
  });

  test('events of the past show the erased name only', async () => {
    const id = await makeAda();
    await erase(id);
    const { events } = (await get('/v1/webhook-events')).body;
    expect(events).toHaveLength(1);
    expect(events[0].data).toEqual({
      participant: { participantId: id, kind: 'individual', externalId: `deleted_${id}` },
    });
  });

  test('others keep all that is theirs', async () => {
    const id = await makeAda();
    await put({ ...bob, name: 'Bob', billingId: 'cus_bob' });
    const link = await post('/v1/referral-links', { ...bob, programId, slug: 'bob-blog' });
    await erase(id);
    expect(
      (await post('/v1/referral-links', { ...bob, programId, slug: 'bob-blog' })).body,
    ).toEqual(link.body);
    expect((await get('/v1/participants')).body.data[0]).toMatchObject({
      name: 'Bob',
      billingId: 'cus_bob',
      deletedAt: null,
    });
    expect(await enrollmentCount()).toBe(1);
  });

  test('nobody to erase is 404', async () => {
    const id = await makeAda();
    expect((await erase('par_nobody')).status).toBe(404);
    project = await service.newProject();
    expect((await erase(id)).status).toBe(404);
  });
});
