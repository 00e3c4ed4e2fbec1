import { expect, test } from 'vitest';
import type { StoredReferral } from '../batch/facts.ts';
import { findCredit } from './find-credit.ts';

const AT = '2026-11-15T09:30:00.000Z';
const of = (refereeParticipantId: string, referrerParticipantId: string): StoredReferral => ({
  id: `${referrerParticipantId} of ${refereeParticipantId}`,
  createdAt: AT,
  updatedAt: AT,
  projectId: 'prj',
  referrerParticipantId,
  refereeParticipantId,
  enrollmentId: 'enr',
  programId: 'prg',
  touchId: 'tch',
  bindingEventId: 'evt',
  bindingSubscriptionFactId: null,
  bindingOccurredAt: AT,
  selectedAt: AT,
  policyVersionId: 'pol',
  linkId: null,
  campaign: null,
  firstPurchaseAt: null,
  reviewStatus: null,
});

function credit(actorParticipantId: string | null, ...all: StoredReferral[]) {
  const { referral, isSelf } = findCredit(
    {
      referrals: new Map(all.map((one) => [one.refereeParticipantId, one])),
      creatorOf: new Map([
        ['crew', 'creator'],
        ['band', 'creator'],
      ]),
    },
    { participantId: 'crew', actorParticipantId },
  );
  return referral?.id ?? (isSelf ? 'self' : 'nobody');
}

test('a group’s own referral comes first, then its actor’s, then its creator’s (D-AM-2)', () => {
  const [own, actors, creators] = [of('crew', 'ada'), of('actor', 'ada'), of('creator', 'ada')];
  expect(credit('actor', creators, actors, own)).toBe('ada of crew');
  expect(credit('actor', creators, actors)).toBe('ada of actor');
  expect(credit('actor', creators)).toBe('ada of creator');
  expect(credit(null, creators, actors)).toBe('ada of creator');
  expect(credit('actor')).toBe('nobody');
});

test('nobody is credited for their own group, and the next referral is asked', () => {
  const creators = of('creator', 'ada');
  for (const own of ['crew', 'band', 'creator']) {
    expect(credit('actor', of('actor', own))).toBe('self');
    expect(credit('actor', of('actor', own), creators)).toBe('ada of creator');
  }
  expect(credit('actor', of('creator', 'actor'))).toBe('self');
});
