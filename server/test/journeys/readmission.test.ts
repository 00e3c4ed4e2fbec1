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

const person = (externalId: string, kind = 'individual') => ({ participant: { kind, externalId } });
const send = (method: 'POST' | 'PUT', path: string, body: object, as = project.key) =>
  service.call(method, path, { as, body: { projectId: project.projectId, ...body } });
const name = (externalId: string, more: object = {}) =>
  send('PUT', '/v1/participants', { ...person(externalId), ...more });
const make = async (externalId: string, more: object = {}): Promise<string> =>
  (await name(externalId, more)).body.data.id;
const erase = (id: string) =>
  service.call('DELETE', `/v1/participants/${id}`, {
    as: project.key,
    query: { projectId: project.projectId },
  });
const readmit = (id: string, as = 'operator') =>
  send('POST', `/v1/participants/${id}/readmit`, {}, as);
const reasonOf = ({ status, body }: Awaited<ReturnType<typeof readmit>>) => [
  status,
  body.error?.reason,
];

describe('readmitting an erased participant (D-AM-8)', () => {
  test('lets the same id be named again, as somebody new', async () => {
    const id = await make('ada', { name: 'Ada', billingId: 'cus_ada' });
    await erase(id);
    expect(reasonOf(await name('ada'))).toEqual([409, 'participant_deleted']);
    service.clock.advance(1_000);
    const answer = await readmit(id);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      id,
      externalId: `deleted_${id}`,
      name: null,
      readmittedAt: service.clock.now,
      updatedAt: service.clock.now,
    });
    const anew = await name('ada', { billingId: 'cus_ada' });
    expect(anew.body.data).toMatchObject({
      externalId: 'ada',
      name: null,
      deletedAt: null,
      readmittedAt: null,
      createdAt: service.clock.now,
    });
    expect(anew.body.data.id).not.toBe(id);
    const old = await service.call('GET', `/v1/participants/${id}`, {
      as: project.key,
      query: { projectId: project.projectId },
    });
    expect(old.body.data.participant).toEqual(answer.body.data);
  });

  test('again returns the same, and is written down once', async () => {
    const id = await make('ada');
    await erase(id);
    const first = await readmit(id);
    service.clock.advance(1_000);
    expect((await readmit(id)).body).toEqual(first.body);
    const { data } = (
      await service.call('GET', '/v1/audit-log', {
        as: 'operator',
        query: { workspaceId: project.workspaceId, action: 'participant.readmit' },
      })
    ).body;
    expect(data).toMatchObject([{ targetType: 'participant', targetId: id }]);
  });

  test('after a second erasure there are two erased, and the first opens nothing any more', async () => {
    const first = await make('ada');
    await erase(first);
    await readmit(first);
    const second = await make('ada');
    expect((await erase(second)).body.data.externalId).toBe(`deleted_${second}`);
    expect((await readmit(first)).status).toBe(200);
    expect(reasonOf(await name('ada'))).toEqual([409, 'participant_deleted']);
    expect((await readmit(second)).status).toBe(200);
    const third = await make('ada');
    expect(new Set([first, second, third]).size).toBe(3);
    expect((await erase(first)).body.data.deletedAt).not.toBe(null);
    expect((await name('ada')).body.data.id).toBe(third);
  });

  test('is of that person alone', async () => {
    const [ada, bob] = [await make('ada'), await make('bob')];
    const group = (await send('PUT', '/v1/participants', person('ada', 'group'))).body.data.id;
    for (const id of [ada, bob, group]) await erase(id);
    await readmit(ada);
    expect((await name('ada')).status).toBe(200);
    expect(reasonOf(await name('bob'))).toEqual([409, 'participant_deleted']);
    const named = await send('PUT', '/v1/participants', person('ada', 'group'));
    expect(reasonOf(named)).toEqual([409, 'participant_deleted']);
  });

  test('codes that were shared stay dead, for the same person too', async () => {
    const program = await send('POST', '/v1/programs', { kind: 'referral', name: 'Friends' });
    const programId = program.body.data.id;
    const code = { ...person('ada'), programId, code: 'ada-code' };
    await send('POST', '/v1/referral-codes', code);
    const id = await make('ada');
    await erase(id);
    await readmit(id);
    expect(reasonOf(await send('POST', '/v1/referral-codes', code))).toEqual([409, 'code_taken']);
    const other = await send('POST', '/v1/referral-codes', { ...code, code: 'ada-anew' });
    expect(other.status).toBe(200);
  });

  test('of readmissions and names at once, every one sees a whole state', async () => {
    const id = await make('ada');
    await erase(id);
    const answers = await Promise.all([
      name('ada'),
      readmit(id),
      readmit(id),
      ...Array.from({ length: 6 }, () => name('ada')),
    ]);
    const [, one, two, ...later] = answers;
    expect([one?.status, two?.status]).toEqual([200, 200]);
    const made = later.filter(({ status }) => status === 200).map(({ body }) => body.data.id);
    expect(new Set([...made, (await name('ada')).body.data.id]).size).toBe(1);
  });

  test('signups count for the new participant, and what the erased one did stays theirs', async () => {
    const source = await send('POST', '/v1/sources', {});
    const { sourceNamespaceId } = source.body;
    const signup = (sourceEventId: string) =>
      send('POST', '/v1/track/events', {
        ...person('ada'),
        type: 'signup',
        sourceNamespaceId,
        sourceEventId,
        occurredAt: service.clock.now,
      });
    await signup('s-1');
    const id = await make('ada');
    await erase(id);
    await readmit(id);
    // What a source sent once counts once, whoever it was about.
    const repeated = await signup('s-1');
    expect([repeated.status, repeated.body.error.code]).toEqual([409, 'CONFLICT']);
    expect(repeated.body.error.message).toContain('for a participant who was erased');
    expect((await signup('s-2')).status).toBe(200);
    const events = await service.call('GET', '/v1/events', {
      as: project.key,
      query: { projectId: project.projectId },
    });
    const people = events.body.data.map((event: { participantId: string }) => event.participantId);
    expect(people).toEqual([await make('ada'), id]);
  });

  test('is refused for who was not erased, or is not there', async () => {
    const id = await make('ada');
    expect(reasonOf(await readmit(id))).toEqual([409, 'participant_not_deleted']);
    expect((await readmit('par_nobody')).status).toBe(404);
    const there = project;
    project = await service.newProject();
    expect((await readmit(id)).status).toBe(404);
    project = there;
    await erase(id);
    expect((await readmit(id, project.key)).status).toBe(403);
  });

  test('works for who was erased by an earlier version, unless several were at one moment', async () => {
    const forgetTie = () =>
      service.database.transaction((tx) =>
        tx.query('update participants set tombstone_hash = null where project_id = $1', [
          project.projectId,
        ]),
      );
    const alone = await make('ada');
    await erase(alone);
    service.clock.advance(1_000);
    const [one, two] = [await make('bob'), await make('cy')];
    await erase(one);
    await erase(two);
    await forgetTie();
    expect((await readmit(alone)).status).toBe(200);
    expect((await name('ada')).status).toBe(200);
    expect(reasonOf(await readmit(one))).toEqual([409, 'no_tombstone']);
    expect(reasonOf(await name('bob'))).toEqual([409, 'participant_deleted']);
  });
});
