import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { replayHistory } from '../../src/domain/backtests/replay-history.ts';
import { loadBook } from '../../src/domain/programs/load-book.ts';
import { openService, type TestService } from '../harness.ts';
import { fillRandomly } from '../random-history.ts';
import { fillProject } from '../varied-store.ts';

const SEEDS = process.env.TEST_SEEDS?.split(',').map(Number) ?? [1, 2, 3];
const STEPS = Number(process.env.TEST_STEPS ?? 250);

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const ALWAYS = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };

async function replayInForce(projectId: string) {
  const book = await loadBook(service.database.reads, projectId);
  const replay = await replayHistory(service.database.reads, {
    projectId,
    programId: '',
    actual: book,
    proposed: book,
    ...ALWAYS,
  });
  return replay;
}

describe('what is in force differs in nothing from what was decided (D-BT-2)', () => {
  test('in a varied project', async () => {
    const { projectId } = await fillProject(service);
    const { events, refused } = await replayInForce(projectId);
    expect([...events.differences.values()].filter(Boolean)).toEqual([]);
    expect({ unlike: events.unlike, refused }).toEqual({ unlike: [], refused: 0 });
    expect(events.compared).toBeGreaterThan(15);
  });

  test.each(SEEDS)('in a random history with seed %i', async (seed) => {
    const { projectId, steps } = await fillRandomly(service, seed, STEPS);
    const { events, refused, referrals } = await replayInForce(projectId);
    const stored = await service.database.reads.query<{ referee: string; referrer: string }>(
      `select referee_participant_id as referee, referrer_participant_id as referrer
       from referrals where project_id = $1`,
      [projectId],
    );
    const bound = [...referrals.actual].map(([referee, one]) => ({
      referee,
      referrer: one.referrerParticipantId,
    }));
    const byReferee = (a: { referee: string }, b: { referee: string }) =>
      a.referee < b.referee ? -1 : 1;
    expect(bound.sort(byReferee)).toEqual(stored.sort(byReferee));
    const seen = JSON.stringify([...steps]);
    expect([...events.differences.values()].flatMap((one) => one?.lines ?? [])).toEqual([]);
    expect({ unlike: events.unlike, refused }, seen).toEqual({ unlike: [], refused: 0 });
  });
});
