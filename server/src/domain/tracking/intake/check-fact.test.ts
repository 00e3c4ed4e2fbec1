import { expect, test } from 'vitest';
import type { JudgedCandidate, RejectReason } from '../../attribution/decide-attribution.ts';
import { firstAnswer, judgeCode, readRefCode } from './check-fact.ts';
import { sourceKey } from './normalize-event.ts';

const REF = { sourceNamespaceId: 'src', sourceEventId: 'order' };
const answerTo = (stored: string, sent: string) => {
  const known = { factsHash: stored, answer: { success: true } };
  return firstAnswer({ keys: new Map([[sourceKey(REF), known]]) }, { ...REF, factsHash: sent });
};
const refusal = (message: RegExp) => ({
  refused: { reason: 'event_facts_differ', message: expect.stringMatching(message) },
});

test('a fact whose id came before gets the first answer, or hears why not', () => {
  expect(answerTo('a', 'a')).toEqual({ answer: { success: true } });
  expect(answerTo('a', 'b')).toMatchObject(refusal(/already used with other facts\. /));
  expect(answerTo('', 'a')).toMatchObject(
    refusal(/already used for a participant who was erased, /),
  );
});

const at = '2026-11-15T09:30:00.000Z';
const code = {
  refCodeId: 'cod',
  linkId: null,
  programId: 'prg',
  participantId: 'par',
  movedAt: null,
};
const names = new Map([['ada', [code]]]);

test.each([
  ['ada', { code }],
  ['  ADA ', { code }],
  ['', { verdict: { accepted: false, reason: 'empty' } }],
  ['   ', { verdict: { accepted: false, reason: 'empty' } }],
  ['x'.repeat(51), { verdict: { accepted: false, reason: 'too_long' } }],
  ['nobody', { verdict: { accepted: false, reason: 'unknown' } }],
])('the text %j is read as people type it (D-ATTR-6)', (text, expected) => {
  expect(readRefCode(text, names, at)).toEqual(expected);
});

test('a code names what it stood for when it was typed, whatever it was moved to since (D-AM-4)', () => {
  const first = { ...code, programId: 'first', movedAt: '2026-11-10T00:00:00.000Z' };
  const second = { ...code, programId: 'second', movedAt: '2026-11-20T00:00:00.000Z' };
  const moved = new Map([['ada', [first, second, code]]]);
  const programAt = (moment: string) => {
    const read = readRefCode('ada', moved, moment);
    return 'code' in read ? read.code.programId : read;
  };
  expect(programAt('2026-11-09T23:59:59.999Z')).toBe('first');
  expect(programAt('2026-11-10T00:00:00.000Z')).toBe('second');
  expect(programAt('2026-11-20T00:00:00.000Z')).toBe('prg');
});

const judged = (reason: RejectReason | null): JudgedCandidate => ({
  touchId: 'tch',
  programId: 'prg',
  referrerParticipantId: 'par',
  occurredAt: at,
  verdict: reason === null ? 'selected' : 'rejected',
  reason,
});

test('a code is accepted if it was applied or waits, and else says why not (D-TRACK-1)', () => {
  expect(judgeCode(judged(null))).toEqual({ accepted: true, reason: null });
  expect(judgeCode(judged('awaiting_subscription'))).toEqual({ accepted: true, reason: null });
  for (const reason of ['self_referral', 'existing_customer', 'already_referred'] as const) {
    expect(judgeCode(judged(reason))).toEqual({ accepted: false, reason });
  }
});
