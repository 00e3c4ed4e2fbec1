import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMs, DAY_MS } from '../../../platform/kit/instant.ts';
import {
  type DetailRequest,
  type DetailsState,
  decideDetailRequest,
  REQUEST_PAUSE_MS,
} from './decide-detail-requests.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const DUE = { participantId: 'par_1', programIds: ['prg_2', 'prg_1'] };
const state = (change: Partial<DetailsState> = {}): DetailsState => ({
  detailsId: null,
  isPayable: false,
  isSuspended: false,
  canBeMailed: true,
  requests: [],
  lastMailAt: null,
  ...change,
});
const request = (change: Partial<DetailRequest> = {}): DetailRequest => ({
  recipientId: 'par_1',
  programId: 'prg_1',
  detailsId: null,
  requestedAt: NOW,
  ...change,
});
const decide = (change: Partial<DetailsState>, now = NOW) =>
  decideDetailRequest(DUE, state(change), now);

describe('somebody with cash that is due', () => {
  test('is asked if there are no payout details, for one Program at a time', () => {
    expect(decide({})).toEqual({ ask: request() });
    expect(decide({ requests: [request()] })).toEqual({ ask: request({ programId: 'prg_2' }) });
    const both = [request(), request({ programId: 'prg_2' })];
    expect(decide({ requests: both })).toBeNull();
  });

  test('is asked again only if other details were given meanwhile', () => {
    const requests = [request(), request({ programId: 'prg_2' })];
    expect(decide({ requests, detailsId: 'pdt_1' })).toEqual({
      ask: request({ detailsId: 'pdt_1' }),
    });
    expect(decide({ requests, detailsId: 'pdt_1', isPayable: true })).toEqual({ answered: true });
  });

  test('is not asked with usable details, or as a suspended Partner', () => {
    expect(decide({ isPayable: true, detailsId: 'pdt_1' })).toBeNull();
    expect(decide({ isSuspended: true })).toBeNull();
  });

  test('is not asked while no mail reaches them, but their details still answer requests', () => {
    expect(decide({ canBeMailed: false })).toBeNull();
    const answered = { requests: [request()], detailsId: 'pdt_1', isPayable: true };
    expect(decide({ ...answered, canBeMailed: false })).toEqual({ answered: true });
  });

  test('is not asked within 30 days of the last mail about it', () => {
    expect(decide({ lastMailAt: addMs(NOW, 1 - REQUEST_PAUSE_MS) })).toBeNull();
    expect(decide({ lastMailAt: addMs(NOW, -REQUEST_PAUSE_MS) })).not.toBeNull();
  });
});

test('whatever happens, nobody is asked twice in 30 days or twice for a Program with the same details', () => {
  const step = fc.record({
    days: fc.integer({ min: 0, max: 40 }),
    detailsId: fc.constantFrom(null, 'pdt_1', 'pdt_2'),
    isPayable: fc.boolean(),
    programIds: fc.subarray(['prg_1', 'prg_2', 'prg_3'], { minLength: 1 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let now: string = NOW;
      let requests: DetailRequest[] = [];
      const asked: DetailRequest[] = [];
      for (const { days, detailsId, isPayable, programIds } of steps) {
        now = addMs(now, days * DAY_MS);
        const lastMailAt = asked.at(-1)?.requestedAt ?? null;
        const found = decideDetailRequest(
          { participantId: 'par_1', programIds },
          state({ detailsId, isPayable: isPayable && detailsId !== null, requests, lastMailAt }),
          now,
        );
        if (found === null) continue;
        if ('answered' in found) {
          requests = [];
          continue;
        }
        const { ask } = found;
        expect(programIds).toContain(ask.programId);
        if (lastMailAt !== null) expect(addMs(lastMailAt, REQUEST_PAUSE_MS) <= now).toBe(true);
        const isSame = (one: DetailRequest) =>
          one.programId === ask.programId && one.detailsId === ask.detailsId;
        expect(requests.some(isSame)).toBe(false);
        requests = [...requests.filter((one) => one.programId !== ask.programId), ask];
        asked.push(ask);
      }
    }),
  );
});
