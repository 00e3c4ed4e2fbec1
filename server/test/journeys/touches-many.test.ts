import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addMs, DAY_MS, HOUR_MS } from '../../src/platform/kit/instant.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
let sourceNamespaceId: string;
let programId: string;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
/** Each test gets a copy of this one. */
let original: TestProject;
beforeAll(async () => {
  original = await service.newProject();
  project = original;
  sourceNamespaceId = (await write('/v1/sources', {})).body.sourceNamespaceId;
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const program = await write('/v1/programs', { kind: 'referral', name: 'Invite', config });
  programId = program.body.data.id;
  await write(`/v1/programs/${programId}/status`, { status: 'active' });
});
beforeEach(async () => {
  project = await service.copyProject(original);
});

const person = (externalId: string) => ({ kind: 'individual', externalId });
const write = (path: string, body: object) =>
  service.call('POST', path, { as: project.key, body: { projectId: project.projectId, ...body } });
const read = (path: string) =>
  service.call('GET', path, { as: project.key, query: { projectId: project.projectId } });
const signUp = (externalId: string, rest: object = {}) =>
  write('/v1/track/events', {
    sourceNamespaceId,
    type: 'signup',
    participant: person(externalId),
    ...rest,
  });
const candidatesOf = async (eventId: string) =>
  (await read(`/v1/events/${eventId}/explanation`)).body.data.candidates;

async function newReferrer(externalId: string): Promise<string> {
  const named = { participant: person(externalId), programId };
  const made = await write('/v1/referral-codes', named);
  return made.body.data.participantId;
}

const HANDLE = `hdl_${'0'.repeat(26)}`;

/** A browser that came by the links of these people, so long ago each. */
async function browse(visits: readonly (readonly [referrerId: string, agoMs: number])[]) {
  const { projectId } = project;
  const { now } = service.clock;
  await service.database.transaction(async (tx) => {
    tx.send(
      'insert into handles (project_id, id, created_at, expires_at) values ($1, $2, $3, $4)',
      [projectId, HANDLE, now, addMs(now, 90 * DAY_MS)],
    );
    tx.send(
      `insert into touches (project_id, id, program_id, handle_id, ref_code_id,
         referrer_participant_id, source, occurred_at, expires_at, utm, created_at, updated_at)
       select h.project_id, v.id, $2, $3, 'cod', v.referrer_id, 'link', v.at, v.at, '{}', v.at, v.at
       from project_heads h
       cross join unnest($4::text[], $5::text[], $6::timestamptz[]) as v (id, referrer_id, at)
       where h.project_id = $1`,
      [
        projectId,
        programId,
        HANDLE,
        visits.map((_, index) => `tch_${index}`),
        visits.map(([referrerId]) => referrerId),
        visits.map(([, agoMs]) => addMs(now, -agoMs)),
      ],
    );
  });
}
const hourly = (referrerId: string, count: number, firstAgoMs: number) =>
  Array.from({ length: count }, (_, n) => [referrerId, firstAgoMs - n * HOUR_MS] as const);

test('of thousands of touches the last one counts, and few are loaded', async () => {
  const [ada, bob] = [await newReferrer('ada'), await newReferrer('bob')];
  await browse([...hourly(ada, 2_000, 85 * DAY_MS), [bob, 1_000]]);
  const { body } = await signUp('carl', { identify: { handle: HANDLE } });
  expect(body.attribution).toMatchObject({ referrerParticipantId: bob, touchId: 'tch_2000' });
  expect(await candidatesOf(body.eventId)).toHaveLength(200);
});

test('they count as well when the browser was identified before', async () => {
  const [ada, bob] = [await newReferrer('ada'), await newReferrer('bob')];
  await browse([...hourly(ada, 300, 80 * DAY_MS), [bob, 1_000]]);
  await write('/v1/identify', { handle: HANDLE, participant: person('carl') });
  const { body } = await signUp('carl');
  expect(body.attribution).toMatchObject({ referrerParticipantId: bob, touchId: 'tch_300' });
});

test('the first one inside the window counts, however many lie before and after it (D-ATTR-3)', async () => {
  const [ada, bob] = [await newReferrer('ada'), await newReferrer('bob')];
  // The Program's first policy had 90 days, and one that never opened has them still.
  const policy = { model: 'first_touch', windowDays: 60, bindingTrigger: 'signup' };
  await write(`/v1/programs/${programId}/attribution-policies`, policy);
  await write('/v1/programs', { kind: 'referral', name: 'Draft' });
  await browse([
    ...hourly(ada, 150, 70 * DAY_MS),
    [bob, 60 * DAY_MS],
    ...hourly(ada, 300, 50 * DAY_MS),
  ]);
  const { body } = await signUp('carl', { identify: { handle: HANDLE } });
  expect(body.attribution).toMatchObject({ referrerParticipantId: bob, touchId: 'tch_150' });
  expect(await candidatesOf(body.eventId)).toHaveLength(200);
});

test('one that is too old still tells why nobody is credited (D-EVT-1)', async () => {
  await browse([[await newReferrer('ada'), 91 * DAY_MS]]);
  const { body } = await signUp('carl', { identify: { handle: HANDLE } });
  expect(body).toMatchObject({ attribution: null, processingReason: 'outside_window' });
});

test('touches that are among the newest and the oldest are weighed once', async () => {
  const ada = await newReferrer('ada');
  await browse(hourly(ada, 120, 30 * DAY_MS));
  const { body } = await signUp('carl', { identify: { handle: HANDLE } });
  expect(await candidatesOf(body.eventId)).toHaveLength(120);
});
