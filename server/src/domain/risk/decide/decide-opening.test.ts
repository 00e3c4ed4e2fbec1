import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RISK_MODES } from '../../programs/policies/risk-policy.ts';
import { REVIEW_STATUSES } from '../schema.ts';
import { decideOpening } from './decide-opening.ts';
import { NO_RISK, type PinnedVerdict } from './risk-facts.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const referral = {
  id: 'ref',
  projectId: 'prj',
  programId: 'prg',
  referrerParticipantId: 'ada',
  refereeParticipantId: 'bob',
  reviewStatus: null,
};
const verdict: PinnedVerdict = {
  referralId: 'ref',
  policyVersionId: 'rkp',
  mode: 'review',
  reviewAt: 60,
  score: 60,
  facts: { ...NO_RISK, sameAddresses: 1 },
  signals: [{ signal: 'email_alias', value: '1', points: 60 }],
  model: 1,
};
const open = (of: object = {}, by: Partial<PinnedVerdict> = {}) => {
  let numbers = 0;
  const review = decideOpening(
    { ...referral, ...of },
    { ...verdict, ...by },
    {
      eventId: 'evt',
      now: NOW,
      newId: (prefix) => `${prefix}_new`,
      nextNumber: () => {
        numbers += 1;
        return numbers;
      },
    },
  );
  expect(numbers).toBe(review === null ? 0 : 1);
  return review;
};

test('a review is of the referral and the Event, and keeps the score and what it was for', () => {
  expect(open()).toEqual({
    id: 'rvw_new',
    projectId: 'prj',
    number: 1,
    programId: 'prg',
    referralId: 'ref',
    referrerParticipantId: 'ada',
    refereeParticipantId: 'bob',
    eventId: 'evt',
    policyVersionId: 'rkp',
    score: 60,
    reviewAt: 60,
    signals: verdict.signals,
    facts: verdict.facts,
    status: 'open',
    openedAt: NOW,
    decidedAt: null,
    decidedBy: null,
    note: null,
    isUnfinished: false,
  });
});

test('one is opened exactly if the policy reviews, the score is reached and there never was one', () => {
  const cases = fc.record({
    mode: fc.constantFrom(...RISK_MODES),
    score: fc.nat(100),
    reviewAt: fc.integer({ min: 1, max: 100 }),
    reviewStatus: fc.constantFrom(null, ...REVIEW_STATUSES),
    policyVersionId: fc.constantFrom(null, 'rkp'),
  });
  fc.assert(
    fc.property(cases, ({ reviewStatus, ...by }) => {
      const isDue = by.mode === 'review' && by.score >= by.reviewAt && by.policyVersionId !== null;
      expect(open({ reviewStatus }, by) !== null).toBe(isDue && reviewStatus === null);
    }),
  );
});
