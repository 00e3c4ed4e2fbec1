import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eraseRecords } from '../../src/domain/participants/erase-records.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import type { WriteRequest } from '../../src/platform/http/access/principal.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';
import { readDatabase } from '../read-database.ts';

let service: TestService;
let project: TestProject;
let programId: string;
beforeAll(async () => {
  service = await openService();
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

/** Erases what the domain knows of a participant; returns how many statements that took. */
async function countStatements(participantId: string): Promise<number> {
  const request: WriteRequest = {
    workspaceId: project.workspaceId,
    projectId: project.projectId,
    actor: { type: 'system', id: 'test' },
    requestId: 'req_test',
    ip: null,
    idempotency: null,
  };
  return service.writer.run(request, async (write) => {
    let count = 0;
    const counted = (text: string) => {
      count += 1;
      return text;
    };
    const tx: Tx = {
      ...write.tx,
      query: (text, params) => write.tx.query(counted(text), params),
      send: (text, params) => write.tx.send(counted(text), params),
    };
    await eraseRecords({ ...write, tx }, createKeyring(ROOT_KEY), participantId);
    return { answer: count };
  });
}

describe('erasing a participant (D-PART-5)', () => {
  test('leaves the ids and nothing that tells who it was', async () => {
    const id = await makeAda();
    const before = await readDatabase(service);
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
    const after = await readDatabase(service);
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

  test('takes as many statements for many Programs, codes and links as for one', async () => {
    const programIds = [programId];
    for (let n = 2; n <= 4; n += 1) {
      const made = await post('/v1/programs', { kind: 'referral', name: `P${n}` });
      programIds.push(made.body.data.id);
    }
    const join = async (externalId: string, programs: readonly string[]): Promise<string> => {
      const who = { participant: { kind: 'individual', externalId } };
      for (const [n, id] of programs.entries()) {
        const names = { programId: id, code: `${externalId}-code-${n}` };
        await post('/v1/referral-codes', { ...who, ...names });
        for (const m of [1, 2]) {
          const slug = `${externalId}-${n}-${m}`;
          await post('/v1/referral-links', { ...who, programId: id, slug });
        }
      }
      return (await put(who)).body.data.id;
    };
    const few = await join('few', programIds.slice(0, 1));
    const many = await join('many', programIds);
    await join('stays', programIds);
    const statements = await countStatements(few);
    expect(await countStatements(many)).toBe(statements);

    const { data } = (await get('/v1/programs')).body;
    expect(data.map((row: { enrollmentCount: number }) => row.enrollmentCount)).toEqual([
      1, 1, 1, 1,
    ]);
    const shown = (await get(`/v1/participants/${many}`)).body.data;
    const names = [...shown.refCodes, ...shown.links].map(({ id, code, slug }) => [
      id,
      code ?? slug,
    ]);
    expect(names).toHaveLength(12);
    for (const [id, name] of names) expect(name).toBe(`deleted_${id}`);
    const kept = (await get('/v1/participants', { externalId: 'stays' })).body.data[0];
    const theirs = (await get(`/v1/participants/${kept.id}`)).body.data;
    for (const { url } of [...theirs.refCodes, ...theirs.links]) expect(url).toContain('/stays-');
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

describe('erasing a partner (D-PART-5, D-PAY-5)', () => {
  const email = 'Grace.Hopper+shop@example.org';
  const facts = {
    email,
    name: 'Grace Hopper',
    profileType: 'company',
    companyName: 'Flowmatic Compilers',
    website: 'https://flowmatic.example.org',
    message: 'nanoseconds for everyone',
    country: 'US',
  };
  const TOLD = [/grace/i, /hopper/i, /flow-?matic/i, /nanoseconds/];

  async function newAffiliateProgram(): Promise<string> {
    const program = await post('/v1/programs', {
      kind: 'affiliate',
      name: 'Partners',
      config: {
        brandConfig: { landingPageUrl: 'https://shop.example.com' },
        partnerApplicationsOpen: true,
      },
    });
    const { id } = program.body.data;
    await post(`/v1/programs/${id}/status`, { status: 'active' });
    return id;
  }

  /** Applies, proves the address on its page and is approved; returns the participant. */
  async function becomePartner(affiliateId: string): Promise<string> {
    const key = { 'idempotency-key': 'grace' };
    const { id } = (await post('/v1/partner-applications', { programId: affiliateId, ...facts }))
      .body.data;
    const { data } = (await get('/v1/partner-applications', { programId: affiliateId })).body;
    const token = new URL(data[0].verificationUrl).searchParams.get('token') ?? '';
    const url = `${service.url}/partner-applications/verify`;
    const html = await (await fetch(`${url}?token=${token}`)).text();
    const digest = /name="digest" value="([^"]*)"/.exec(html)?.[1] ?? '';
    await fetch(url, { method: 'POST', body: new URLSearchParams({ token, digest }) });
    const approved = await post(`/v1/partner-applications/${id}/approve`, {}, key);
    expect(approved.status).toBe(200);
    return approved.body.data.participantId;
  }

  async function newProjectBeside(): Promise<TestProject> {
    const made = await service.call('POST', '/v1/projects', {
      as: 'operator',
      body: { workspaceId: project.workspaceId, name: 'Second', environment: 'sandbox' },
    });
    const { id, projectKey } = made.body.data;
    return { ...project, projectId: id, projectKey };
  }

  const expectForgotten = async () => {
    const after = await readDatabase(service);
    for (const text of TOLD) expect(after).not.toMatch(text);
  };

  test('leaves nothing that tells who it was, and the same address may become a Partner anew', async () => {
    const affiliateId = await newAffiliateProgram();
    const id = await becomePartner(affiliateId);
    // A second application of theirs, and one that was turned down.
    for (const decision of ['reject', null]) {
      const other = await newAffiliateProgram();
      const applied = await post('/v1/partner-applications', { programId: other, ...facts });
      if (decision) {
        const reason = 'Grace Hopper has other plans';
        await post(`/v1/partner-applications/${applied.body.data.id}/reject`, { reason });
      }
    }
    const before = await readDatabase(service);
    for (const text of TOLD) expect(before).toMatch(text);

    const first = await erase(id);
    expect(first.body.data).toMatchObject({ id, externalId: null, deletedAt: service.clock.now });
    await expectForgotten();
    service.clock.advance(1_000);
    expect((await erase(id)).body).toEqual(first.body);

    const again = await becomePartner(affiliateId);
    expect(again).not.toBe(id);
    await erase(again);
    await expectForgotten();
  });

  test('the Partner goes with the last Project that has it', async () => {
    const here = project;
    const first = await becomePartner(await newAffiliateProgram());
    const beside = await newProjectBeside();
    project = beside;
    const second = await becomePartner(await newAffiliateProgram());
    const partnerOf = async (id: string) =>
      (await get(`/v1/participants/${id}`)).body.data.participant.partnerId;
    const partnerId = await partnerOf(second);
    const partners = () =>
      service.database.reads.query('select id, name, email from partners where workspace_id = $1', [
        project.workspaceId,
      ]);
    project = here;
    expect(await partnerOf(first)).toBe(partnerId);
    await erase(first);
    expect(await partners()).toEqual([{ id: partnerId, name: facts.name, email }]);
    project = beside;
    await erase(second);
    expect(await partners()).toEqual([{ id: partnerId, name: null, email: null }]);
    await expectForgotten();
  });

  test('a crash before the Partner went is mended by erasing again', async () => {
    const id = await becomePartner(await newAffiliateProgram());
    // As a process leaves it that ended right after the participant was erased.
    await erase(id);
    await service.database.transaction((tx) =>
      tx.query(
        `update partners set name = $2, email = $3, email_key = lower($3), erased_at = null
         where workspace_id = $1`,
        [project.workspaceId, facts.name, email],
      ),
    );
    expect((await erase(id)).status).toBe(200);
    await expectForgotten();
  });
});
