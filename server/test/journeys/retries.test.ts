import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeTracker } from '../../src/domain/tracking/batch/track-event.ts';
import { decideDueOnce } from '../../src/domain/tracking/due/worker.ts';
import { listAccounts } from '../../src/outbound/payouts/details/account-queries.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { addMs, HOUR_MS } from '../../src/platform/kit/instant.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';

const DAY_MS = 24 * HOUR_MS;
let service: TestService;
let project: TestProject;
let sourceNamespaceId: string;
let failures: unknown[];
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
/** Each test gets a copy of this one. */
let original: TestProject;
beforeAll(async () => {
  failures = [];
  original = await service.newProject();
  project = original;
  sourceNamespaceId = (await write('/v1/sources', {})).body.sourceNamespaceId;
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const program = await write('/v1/programs', { kind: 'referral', name: 'Invite', config });
  await write(`/v1/programs/${program.body.data.id}/status`, { status: 'active' });
});
beforeEach(async () => {
  project = await service.copyProject(original);
});

const write = (path: string, body: object) =>
  service.call('POST', path, { as: project.key, body: { projectId: project.projectId, ...body } });
const readEvent = async (id: string) =>
  (
    await service.call('GET', `/v1/events/${id}`, {
      as: project.key,
      query: { projectId: project.projectId },
    })
  ).body.data;
const buy = async (externalId: string) => {
  const { body } = await write('/v1/track/events', {
    sourceNamespaceId,
    type: 'purchase',
    participant: { kind: 'individual', externalId },
    sourceEventId: `order-${externalId}`,
    purchase: { amountMinor: '1000', currency: 'USD' },
  });
  expect(body.processingState).toBe('pending');
  return body as { eventId: string; participantId: string };
};
const work = () =>
  decideDueOnce({
    database: service.database,
    writer: service.writer,
    tracker: makeTracker({
      writer: service.writer,
      keyring: createKeyring(ROOT_KEY),
      listAccounts,
      onFailure: () => undefined,
    }),
    clock: service.clock,
    newId: makeNewId(service.clock.nowMs),
    onFailure: (error) => failures.push(error),
  });

/** A Referral of a Program that is not there: what no call can make, and no decision expects. */
const spoil = (participantId: string) =>
  service.database.reads.query(
    `insert into referrals (project_id, id, referrer_participant_id, referee_participant_id,
       enrollment_id, program_id, touch_id, binding_event_id, binding_occurred_at, selected_at,
       policy_version_id, created_at, updated_at)
     values ($1, 'ref_spoilt', 'par_none', $2, 'enr_none', 'prg_none', 'tch_none', 'evt_none',
       $3, $3, 'pol_none', $3, $3)`,
    [project.projectId, participantId, service.clock.now],
  );
const mend = () =>
  service.database.reads.query('delete from referrals where project_id = $1', [project.projectId]);

test('a decision that fails is tried again later and later, then given up, and holds up nobody (D-EVT-3)', async () => {
  const bad = await buy('bob');
  await spoil(bad.participantId);
  const good = await buy('carol');
  service.clock.advance(DAY_MS);
  expect(await work()).toBe(2);
  expect(failures).toHaveLength(1);
  expect(await readEvent(good.eventId)).toMatchObject({ processingReason: 'no_signup' });

  const waits: number[] = [];
  for (let attempt = 1; attempt < 20; attempt += 1) {
    const event = await readEvent(bad.eventId);
    expect(event).toMatchObject({
      processingState: 'pending',
      processingReason: 'retry_scheduled',
      attemptCount: attempt,
    });
    const waitMs = Date.parse(event.nextAttemptAt) - service.clock.nowMs();
    waits.push(waitMs / 1_000);
    service.clock.advance(waitMs - 1);
    expect(await work()).toBe(0);
    service.clock.advance(1);
    expect(await work()).toBe(1);
  }
  expect(waits.slice(0, 9)).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
  expect(await readEvent(bad.eventId)).toMatchObject({
    processingState: 'failed',
    processingReason: 'attempts_exhausted',
    attemptCount: 20,
    nextAttemptAt: null,
  });
  service.clock.advance(DAY_MS);
  expect(await work()).toBe(0);
});

test('a failed Event that was put back is decided at once if the cause is gone', async () => {
  const { eventId, participantId } = await buy('bob');
  await spoil(participantId);
  service.clock.advance(DAY_MS);
  await work();
  const again = await write(`/v1/events/${eventId}/retry`, {});
  expect([again.status, again.body.data]).toMatchObject([
    200,
    { processingState: 'pending', processingReason: 'retry_scheduled', attemptCount: 2 },
  ]);
  expect(again.body.data.nextAttemptAt).toBe(addMs(service.clock.now, 60_000));
  await mend();
  const mended = await write(`/v1/events/${eventId}/retry`, {});
  expect(mended.body.data).toMatchObject({
    processingState: 'processed',
    processingReason: 'no_signup',
    attemptCount: 3,
    nextAttemptAt: null,
  });
  const over = await write(`/v1/events/${eventId}/retry`, {});
  expect([over.status, over.body.error.reason]).toEqual([409, 'invalid_transition']);
  expect((await write('/v1/events/evt_none/retry', {})).status).toBe(404);
});

test('a signup does not fail with a purchase that waited for it', async () => {
  const { eventId } = await buy('bob');
  await service.database.reads.query(
    `update events set explanation = '{"rules": 7}' where project_id = $1 and id = $2`,
    [project.projectId, eventId],
  );
  const signup = await write('/v1/track/events', {
    sourceNamespaceId,
    type: 'signup',
    participant: { kind: 'individual', externalId: 'bob' },
  });
  expect([signup.status, signup.body.processingReason]).toEqual([200, 'no_candidate']);
  expect(service.log.some((line) => line.includes('fact failed'))).toBe(true);
  expect(await readEvent(eventId)).toMatchObject({ processingState: 'pending' });
  service.clock.advance(DAY_MS);
  await work();
  expect(await readEvent(eventId)).toMatchObject({ processingReason: 'retry_scheduled' });
});

test('a fact that fails by our fault fails alone in its batch, and is logged (D-BATCH-1)', async () => {
  const { participantId } = await buy('bob');
  await spoil(participantId);
  const purchase = (externalId: string, n: number) => ({
    sourceNamespaceId,
    type: 'purchase',
    participant: { kind: 'individual', externalId },
    sourceEventId: `batch-${n}`,
    purchase: { amountMinor: '1000', currency: 'USD' },
  });
  const events = [purchase('carol', 1), purchase('bob', 2), purchase('carol', 3)];
  const { status, body } = await write('/v1/track/events/batch', { events });
  expect(status).toBe(200);
  expect(body.results).toMatchObject([
    { success: true },
    { success: false, error: { code: 'INTERNAL_ERROR' } },
    { success: true },
  ]);
  const { requestId } = body.results[1].error;
  expect(service.log.some((line) => line.includes(requestId) && line.includes('fact failed'))).toBe(
    true,
  );
});
