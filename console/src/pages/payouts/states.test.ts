import { describe, expect, test } from 'vitest';
import {
  BATCH_TRANSITIONS,
  PAYOUT_STATUSES,
  PAYOUT_TRANSITIONS,
} from '../../../../server/src/outbound/payouts/states.ts';
import {
  BATCH_STATES,
  batchStateOf,
  isMoving,
  outcomesFor,
  PAYOUT_STATES,
  payoutStateOf,
} from './states.ts';

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

  test('what a provider sends is on its way; what is paid by hand waits for the operator', () => {
    const status = 'processing';
    expect(payoutStateOf({ status, method: 'wise' }).label).toBe('On its way');
    expect(payoutStateOf({ status, method: 'manual_export' })).toMatchObject({
      label: 'To be paid',
      explanation: expect.stringContaining('record the result'),
    });
    expect(payoutStateOf({ status: 'paid', method: 'manual_export' })).toBe(PAYOUT_STATES.paid);
  });

  test('a submitted batch says whether results are missing, and of whom', () => {
    const batch: Parameters<typeof batchStateOf>[0] = {
      status: 'submitted',
      method: 'manual_export',
      awaitsResults: true,
      projectIds: ['prj_1'],
    };
    expect(batchStateOf(batch)).toMatchObject({
      tone: 'care',
      label: 'To be paid',
      explanation: expect.stringContaining('upload the results'),
    });
    expect(batchStateOf({ ...batch, method: 'paypal' })).toBe(BATCH_STATES.submitted);
    for (const method of ['manual_export', 'paypal'] as const) {
      expect(batchStateOf({ ...batch, method, awaitsResults: false })).toMatchObject({
        tone: 'good',
        label: 'Done',
      });
    }
    expect(batchStateOf({ ...batch, status: 'draft', awaitsResults: false })).toBe(
      BATCH_STATES.draft,
    );
  });

  test('a batch over several projects is done in one of them, which says nothing of the others', () => {
    const batch: Omit<Parameters<typeof batchStateOf>[0], 'awaitsResults'> = {
      status: 'submitted',
      method: 'manual_export',
      projectIds: ['prj_1', 'prj_2'],
    };
    expect(batchStateOf({ ...batch, awaitsResults: true }).label).toBe('To be paid');
    expect(batchStateOf({ ...batch, awaitsResults: false })).toMatchObject({
      label: 'Done here',
      explanation: expect.stringMatching(/of this project .* other projects/),
    });
  });
});
