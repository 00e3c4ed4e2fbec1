import { expect, test } from 'vitest';
import type { JudgedCandidate, RejectReason } from '../attribution/decide-attribution.ts';
import { judgeCode, readRefCode } from './ref-code.ts';

const code = { refCodeId: 'cod', linkId: null, programId: 'prg', participantId: 'par' };
const names = new Map([['ada', code]]);

test.each([
  ['ada', { code }],
  ['  ADA ', { code }],
  ['', { verdict: { accepted: false, reason: 'empty' } }],
  ['   ', { verdict: { accepted: false, reason: 'empty' } }],
  ['x'.repeat(51), { verdict: { accepted: false, reason: 'too_long' } }],
  ['nobody', { verdict: { accepted: false, reason: 'unknown' } }],
])('the text %j is read as people type it (D-ATTR-6)', (text, expected) => {
  expect(readRefCode(text, names)).toEqual(expected);
});

const judged = (reason: RejectReason | null): JudgedCandidate => ({
  touchId: 'tch',
  programId: 'prg',
  referrerParticipantId: 'par',
  occurredAt: '2026-11-15T09:30:00.000Z',
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
