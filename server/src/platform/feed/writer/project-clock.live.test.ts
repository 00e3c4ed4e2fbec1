import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../../../test/database.ts';
import { TestClock } from '../../../../test/harness.ts';
import { newHead, noteHandler, requestFor } from '../../../../test/write-notes.ts';
import { queueDeliveries } from '../../../outbound/webhooks/queue/queue-deliveries.ts';
import type { Database } from '../../db/database.ts';
import { makeNewId } from '../../kit/ids.ts';
import { addMs, DAY_MS, HOUR_MS, type Instant, toMs } from '../../kit/instant.ts';
import { findHead } from '../store.ts';
import { purgeAnswers } from './kept-answers.ts';
import { findProjectClock, listCutoffs, projectNow } from './project-clock.ts';
import { createProjectWriter } from './writer.ts';

let database: Database;
let projects = 0;
let projectId: string;
let here: ReturnType<typeof newProcess>;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  projects += 1;
  projectId = `prj_${projects}`;
  await newHead(database, projectId);
  here = newProcess();
});

/** A process with its own clock, set by the test. */
function newProcess() {
  const clock = new TestClock();
  const newId = makeNewId(clock.nowMs);
  return {
    clock,
    writer: createProjectWriter({
      database,
      clock,
      newId,
      queueMax: 1_000,
      fanOut: queueDeliveries,
    }),
  };
}

const note = ({ writer } = here, keyHash?: string) =>
  writer.submit(noteHandler, requestFor(projectId, keyHash), { text: 'x' });

const set = (now: Instant, { writer } = here) =>
  writer.run(requestFor(projectId), async (write) => {
    write.moveClock(now, toMs(now) - toMs(write.realNow));
    return { answer: { now: write.now, realNow: write.realNow } };
  });

describe('a Project’s clock (D-CLOCK-1, D-TIME-1)', () => {
  test('is the real one until it is set, then runs on from what it was set to', async () => {
    expect((await note()).at).toBe(here.clock.now);
    const asked = addMs(here.clock.now, 30 * DAY_MS);
    expect(await set(asked)).toEqual({ now: here.clock.now, realNow: here.clock.now });
    expect((await note()).at).toBe(asked);
    here.clock.advance(HOUR_MS);
    expect((await note()).at).toBe(addMs(asked, HOUR_MS));
    const again = await set(addMs(asked, 2 * HOUR_MS));
    expect(again).toEqual({ now: addMs(asked, HOUR_MS), realNow: here.clock.now });
    expect((await note()).at).toBe(addMs(asked, 2 * HOUR_MS));
  });

  test('is the same for every process, and no process turns it back', async () => {
    const behind = newProcess();
    behind.clock.advance(-HOUR_MS);
    const asked = addMs(here.clock.now, DAY_MS);
    await set(asked);
    expect((await note(behind)).at).toBe(asked);
    expect((await findProjectClock(database.reads, behind.clock, projectId)).now).toBe(asked);
    behind.clock.advance(HOUR_MS + 1);
    expect((await note(behind)).at).toBe(addMs(asked, 1));
    expect((await note()).at).toBe(addMs(asked, 1));
  });

  test('keeps its offset when other writes follow', async () => {
    await set(addMs(here.clock.now, DAY_MS));
    await note();
    expect(await findHead(database.reads, projectId)).toMatchObject({
      clockOffsetMs: DAY_MS,
      lastAt: addMs(here.clock.now, DAY_MS),
      feedPosition: 1,
    });
  });

  test('is its own Project’s alone', async () => {
    await set(addMs(here.clock.now, DAY_MS));
    await newHead(database, 'prj_other');
    const other = requestFor('prj_other');
    const { at } = await here.writer.submit(noteHandler, other, { text: 'x' });
    expect(at).toBe(here.clock.now);
  });
});

describe('the time outside a write', () => {
  test('is that of the Project’s clock in a sandbox', async () => {
    const asked = addMs(here.clock.now, DAY_MS);
    await set(asked);
    here.clock.advance(5);
    const sandbox = { id: projectId, environment: 'sandbox' } as const;
    expect(await projectNow(database.reads, here.clock, sandbox)).toBe(addMs(asked, 5));
    expect(await findProjectClock(database.reads, here.clock, projectId)).toEqual({
      now: addMs(asked, 5),
      offsetMs: DAY_MS,
    });
  });

  test('is the real one in a live Project, without asking the database', async () => {
    const query = () => Promise.reject(new Error('asked'));
    const live = { id: projectId, environment: 'live' } as const;
    expect(await projectNow({ query }, here.clock, live)).toBe(here.clock.now);
  });
});

test('an Idempotency-Key answers for 24 real hours, however the clock is set (D-IDEM-1)', async () => {
  const first = await note(here, 'key');
  await set(addMs(here.clock.now, 30 * DAY_MS));
  expect(await note(here, 'key')).toEqual(first);
  const later = await note(here, 'later key');
  here.clock.advance(DAY_MS - 1);
  expect(await note(here, 'key')).toEqual(first);
  await purgeAnswers(database, here.clock.now, 100);
  expect(await note(here, 'later key')).toEqual(later);
  here.clock.advance(1);
  expect((await note(here, 'later key')).number).toBeGreaterThan(later.number);
  const kept = () =>
    database.reads.query('select 1 from idempotency_keys where project_id = $1', [projectId]);
  here.clock.advance(1);
  await purgeAnswers(database, here.clock.now, 100);
  expect(await kept()).toHaveLength(1);
  here.clock.advance(DAY_MS);
  await purgeAnswers(database, here.clock.now, 100);
  expect(await kept()).toEqual([]);
});

test('what is to be purged is told by each Project’s own time', async () => {
  await set(addMs(here.clock.now, 7 * DAY_MS));
  const before = addMs(here.clock.now, -DAY_MS);
  const cutoffs = await listCutoffs(database.reads, before, async (_, asked) => {
    expect(asked).toBe(before);
    return ['prj_found', projectId];
  });
  expect(cutoffs.get('prj_found')).toBe(before);
  expect(cutoffs.get(projectId)).toBe(addMs(before, 7 * DAY_MS));
});
