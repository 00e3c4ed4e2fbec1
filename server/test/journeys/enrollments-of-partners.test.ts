import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { joinAsPartner } from '../../src/domain/participants/enrollments/join-as-partner.ts';
import type { WriteRequest } from '../../src/platform/http/access/principal.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
let programId: string;
beforeAll(async () => {
  service = await openService();
});
beforeEach(async () => {
  project = await service.newProject();
  programId = await newProgram();
});
afterAll(() => service.close());

async function newProgram(): Promise<string> {
  const made = await service.call('POST', '/v1/programs', {
    as: project.key,
    body: { projectId: project.projectId, kind: 'affiliate', name: 'Partners' },
  });
  return made.body.data.id;
}

function join(partnerId: string, slugHint: string, program = programId) {
  const request: WriteRequest = {
    workspaceId: project.workspaceId,
    projectId: project.projectId,
    actor: { type: 'system', id: 'test' },
    requestId: 'req_test',
    ip: null,
    idempotency: null,
  };
  return service.writer.run(request, async (write) => ({
    answer: await joinAsPartner(
      write,
      { keyring: createKeyring(ROOT_KEY) },
      {
        partnerId,
        searched: { name: 'Zoë', email: 'zoe@example.com' },
        kind: 'group',
        programId: program,
        slugHint,
      },
    ),
  }));
}

const get = async (path: string) => {
  const { projectId } = project;
  return (await service.call('GET', path, { as: project.key, query: { projectId } })).body;
};

test('a partner joins as a participant without an external id, enrolled and ready to share', async () => {
  const joined = await join('ptn_1', 'Zoë’s Café');
  expect(joined.slug).toBe('zoe-s-cafe');
  const { data } = await get(`/v1/participants/${joined.participantId}`);
  expect(data.participant).toMatchObject({ kind: 'group', externalId: null, partnerId: 'ptn_1' });
  expect(data.enrollments).toMatchObject([{ id: joined.enrollmentId, programId, endsAt: null }]);
  expect(data.refCodes).toMatchObject([{ code: joined.code }]);
  expect(data.links).toMatchObject([{ slug: joined.slug, refCodeId: data.refCodes[0].id }]);
  const { events } = await get('/v1/webhook-events');
  expect(events.map(({ data }: { data: unknown }) => data)).toEqual([
    { participant: { participantId: joined.participantId, kind: 'group', externalId: null } },
  ]);
  expect((await get('/v1/programs')).data).toMatchObject([{ enrollmentCount: 1 }]);
});

test('joining again, twenty times at once, changes nothing', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => join('ptn_1', 'Zoe')));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(await join('ptn_1', 'Another name')).toEqual(answers[0]);
  expect((await get('/v1/webhook-events')).events).toHaveLength(1);
  expect((await get('/v1/programs')).data).toMatchObject([{ enrollmentCount: 1 }]);
});

test('one partner in two Programs is one participant with two enrollments', async () => {
  const first = await join('ptn_1', 'Zoe');
  const second = await join('ptn_1', 'Zoe', await newProgram());
  expect(second.participantId).toBe(first.participantId);
  expect(second.enrollmentId).not.toBe(first.enrollmentId);
  expect(second.slug).toBe('zoe-2');
  expect((await get('/v1/webhook-events')).events).toHaveLength(1);
});

test('partners of one name get slugs of their own, by number and then by chance', async () => {
  const slugs = [];
  for (let n = 1; n <= 11; n += 1) slugs.push((await join(`ptn_${n}`, 'Zoe')).slug);
  expect(slugs.slice(0, 3)).toEqual(['zoe', 'zoe-2', 'zoe-3']);
  expect(slugs[9]).toMatch(/^zoe-[2-9a-hjkmnp-z]{8}$/);
  expect(new Set(slugs).size).toBe(slugs.length);
});

test('a partner who left joins anew with the code and link they had', async () => {
  const first = await join('ptn_1', 'Zoe');
  await service.call('POST', `/v1/enrollments/${first.enrollmentId}/end`, {
    as: project.key,
    body: { projectId: project.projectId },
  });
  const again = await join('ptn_1', 'Zoe');
  expect(again).toEqual({ ...first, enrollmentId: again.enrollmentId });
  expect(again.enrollmentId).not.toBe(first.enrollmentId);
});

test('an erased partner stays erased, and their slug is nobody’s (D-PART-5)', async () => {
  const joined = await join('ptn_1', 'Zoe');
  const erased = await service.call('DELETE', `/v1/participants/${joined.participantId}`, {
    as: project.key,
    query: { projectId: project.projectId },
  });
  expect(erased.body.data).toMatchObject({ externalId: null, deletedAt: service.clock.now });
  await expect(join('ptn_1', 'Zoe')).rejects.toMatchObject({ reason: 'participant_deleted' });
  expect((await join('ptn_2', 'Zoe')).slug).toBe('zoe-2');
});

test('an unknown Program refuses, and nobody is made', async () => {
  await expect(join('ptn_1', 'Zoe', 'prg_unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await get('/v1/participants')).data).toEqual([]);
});
