import { describe, expect, test } from 'vitest';
import {
  BATCH_TRANSITIONS,
  PAYOUT_STATUSES,
  PAYOUT_TRANSITIONS,
} from '../../../../server/src/payouts/states.ts';
import { BATCH_STATES, isMoving, outcomesFor, PAYOUT_STATES } from './states.ts';

describe('states of payouts', () => {
  test('every state that there is has a name and a sentence', () => {
    expect(Object.keys(PAYOUT_STATES).sort()).toEqual([...PAYOUT_STATUSES].sort());
    expect(Object.keys(BATCH_STATES).sort()).toEqual(Object.keys(BATCH_TRANSITIONS).sort());
    for (const { explanation } of [...Object.values(PAYOUT_STATES), ...Object.values(BATCH_STATES)])
      expect(explanation).toMatch(/^[A-Z].*\.$/);
  });

  test.each(PAYOUT_STATUSES)('of a %s one, exactly what can happen may be recorded', (status) => {
    const triggers = { paid: 'pay', failed: 'fail', returned: 'return' } as const;
    const can = Object.entries(triggers)
      .filter(([, trigger]) => PAYOUT_TRANSITIONS[status][trigger] !== undefined)
      .map(([outcome]) => outcome);
    expect(outcomesFor(status)).toEqual(can);
  });

  test('a batch moves by itself exactly while something is to be finished', () => {
    for (const [status, triggers] of Object.entries(BATCH_TRANSITIONS))
      expect(isMoving(status as keyof typeof BATCH_TRANSITIONS)).toBe('finish' in triggers);
  });
});
