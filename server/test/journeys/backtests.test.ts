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
    const { events, refused } = await replayInForce(projectId);
    const seen = JSON.stringify([...steps]);
    expect([...events.differences.values()].flatMap((one) => one?.lines ?? [])).toEqual([]);
    const [first] = events.unlike;
    if (first) {
      const [stored] = await service.database.reads.query<any>('select * from events where id = $1', [first.eventId]);
      const ex = (e: any) => ({ at: e.occurred_at ?? e.occurredAt, rec: e.received_at ?? e.receivedAt, up: e.updated_at, type: e.type, reason: e.processing_reason ?? e.processingReason, prog: e.program_id ?? e.programId, cands: e.explanation.candidates.map((c: any) => [c.touchId.slice(-6), c.referrerParticipantId.slice(-6), c.verdict, c.reason, c.occurredAt].join(' ')), rules: e.explanation.rules.map((r: any) => [r.ruleId.slice(-6), r.verdict, r.reason, r.calculation?.result, JSON.stringify(r.calculation?.tier ?? r.milestone ?? r.calculation?.milestone ?? '')].join(' ')) });
      console.log(JSON.stringify(first.lines, (_, v) => (typeof v === 'bigint' ? String(v) : v)), 'STORED', ex(stored), 'AGAIN', first.explained.actual && ex(first.explained.actual));
    }
    expect({ unlike: events.unlike, refused }, seen).toEqual({ unlike: [], refused: 0 });
  });
});
