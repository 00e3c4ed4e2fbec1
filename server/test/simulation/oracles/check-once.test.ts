import { expect, test } from 'vitest';
import type { Acknowledged } from '../world/acting.ts';
import { generateWorld } from '../world/generate.ts';
import type { Operation } from '../world/operations.ts';
import { checkOnce } from './check-once.ts';
import { timeOfId } from './ordered-facts.ts';

const SPEC = { ...generateWorld(1, 0), operations: [] };
const buy: Operation = { id: 1, gapMs: 0, kind: 'buy', person: 0, order: 7, amountMinor: 1 };
const refund: Operation = {
  ...{ id: 2, gapMs: 0, kind: 'refund', order: 7, refund: 3 },
  ...{ amountMinor: 1, isEarly: false },
};

const answered = (operation: Operation, body: object, status = 200): Acknowledged => ({
  operation,
  answer: { status, body, location: null },
  sent: null,
});

const check = (events: readonly object[], acknowledged: readonly Acknowledged[] = []) =>
  checkOnce({ events: new Map(events.map((one, at) => [String(at), one])) }, SPEC, acknowledged);

test('a repeat with the first answer is as it should be', () => {
  const events = [{ id: 'evt_1', sourceEventId: 'o7' }];
  const first = answered(buy, { eventId: 'evt_1' });
  expect(check(events, [first, first, answered(buy, {}, 409)])).toEqual([]);
});

test('events without an id of the sender are not told apart', () => {
  const erased = { sourceEventId: null };
  expect(
    check([
      { id: 'evt_1', ...erased },
      { id: 'evt_2', ...erased },
    ]),
  ).toEqual([]);
});

test.each([
  [
    'o7 is there 2 times: evt_1, evt_2',
    check([
      { id: 'evt_1', sourceEventId: 'o7' },
      { id: 'evt_2', sourceEventId: 'o7' },
    ]),
  ],
  [
    'o7 is there 2 times: evt_1, evt_2',
    check([], [answered(buy, { eventId: 'evt_1' }), answered(buy, { eventId: 'evt_2' })]),
  ],
  [
    'f3 is there 2 times: adj_1, adj_2',
    check(
      [],
      ['adj_1', 'adj_2'].map((purchaseAdjustmentId) => answered(refund, { purchaseAdjustmentId })),
    ),
  ],
])('%s', (finding, found) => {
  expect(found).toEqual([finding]);
});

test('a refund whose purchase came too late was dropped, and may be reported again', () => {
  const early = 'padj_01m7f8nje0f76zs7yjmbxmrfpg';
  const reports = [early, 'padj_again'].map((purchaseAdjustmentId, at) =>
    answered(refund, { purchaseAdjustmentId, purchaseId: at === 0 ? null : 'pur' }),
  );
  const boughtAt = (hours: number) => ({
    id: 'evt_1',
    sourceEventId: 'o7',
    receivedAt: new Date(Date.parse(timeOfId(early)) + hours * 3_600_000).toISOString(),
  });
  expect(check([boughtAt(24)], reports)).toEqual([]);
  expect(check([boughtAt(23)], reports)).toEqual([`f3 is there 2 times: ${early}, padj_again`]);
});
