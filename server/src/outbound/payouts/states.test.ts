import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BATCH_STATUSES,
  BATCH_TRANSITIONS,
  BATCH_TRIGGERS,
  batchTransition,
  PAYOUT_STATUSES,
  PAYOUT_TRANSITIONS,
  PAYOUT_TRIGGERS,
  transition,
} from './states.ts';

/** The transitions of the decision. */
const MOVES = [
  'draft approve approved',
  'approved submit processing',
  'processing pay paid',
  'processing fail failed',
  'processing return returned',
  'paid return returned',
  'draft cancel cancelled',
  'approved cancel cancelled',
];

test('every move of the table happens, and no other (D-PAY-1)', () => {
  const moves = PAYOUT_STATUSES.flatMap((from) =>
    PAYOUT_TRIGGERS.flatMap((trigger) => {
      const to = transition(from, trigger);
      return to === undefined ? [] : [`${from} ${trigger} ${to}`];
    }),
  );
  expect(moves.toSorted()).toEqual(MOVES.toSorted());
});

test('no sequence of triggers leaves the tables, or moves what is terminal', () => {
  const terminal = ['failed', 'returned', 'cancelled'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PAYOUT_TRIGGERS)), (triggers) => {
      let status: (typeof PAYOUT_STATUSES)[number] = 'draft';
      for (const trigger of triggers) {
        const next = transition(status, trigger);
        if (terminal.includes(status)) expect(next).toBeUndefined();
        status = next ?? status;
        expect(PAYOUT_STATUSES).toContain(status);
      }
    }),
  );
});

const BATCH_MOVES = [
  'reserving finish draft',
  'reserving cancel cancelling',
  'draft approve approving',
  'draft cancel cancelling',
  'approving finish approved',
  'approved submit submitting',
  'approved cancel cancelling',
  'submitting finish submitted',
  'cancelling finish cancelled',
];

test('every move of a batch happens, and no other', () => {
  const moves = BATCH_STATUSES.flatMap((from) =>
    BATCH_TRIGGERS.flatMap((trigger) => {
      const to = batchTransition(from, trigger);
      return to === undefined ? [] : [`${from} ${trigger} ${to}`];
    }),
  );
  expect(moves.toSorted()).toEqual(BATCH_MOVES.toSorted());
});

test('a batch that was submitted is not cancelled, and every move that begins also ends', () => {
  for (const status of BATCH_STATUSES) {
    for (const trigger of BATCH_TRIGGERS.filter((one) => one !== 'finish')) {
      const moving = batchTransition(status, trigger);
      if (moving) expect(batchTransition(moving, 'finish')).toBeDefined();
    }
  }
  expect(batchTransition('submitting', 'cancel')).toBeUndefined();
  expect(batchTransition('submitted', 'cancel')).toBeUndefined();
  expect(batchTransition('approving', 'cancel')).toBeUndefined();
});

/** A table as drawn in the README. */
function draw(table: Record<string, Record<string, string>>): string {
  const [first = ''] = Object.keys(table);
  const moves = Object.entries(table).flatMap(([from, triggers]) =>
    Object.entries(triggers).map(([trigger, to]) => `  ${from} --> ${to}: ${trigger}`),
  );
  const ends = Object.keys(table).filter((from) => Object.keys(table[from] ?? {}).length === 0);
  return [
    '```mermaid',
    'stateDiagram-v2',
    `  [*] --> ${first}`,
    ...moves,
    ...ends.map((from) => `  ${from} --> [*]`),
    '```',
  ].join('\n');
}

test('the README draws the tables as they are', () => {
  const readme = readFileSync(new URL('./README.md', import.meta.url), 'utf8');
  expect(readme).toContain(draw(PAYOUT_TRANSITIONS as Record<string, Record<string, string>>));
  expect(readme).toContain(draw(BATCH_TRANSITIONS as Record<string, Record<string, string>>));
});
