import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryTracking, parties } from '../../../../test/memory-tracking.ts';
import {
  aPolicy,
  aProgram,
  aRule,
  percentTerms,
  someTerms,
} from '../../../../test/program-book.ts';
import { addMs, DAY_MS, MINUTE_MS } from '../../../platform/kit/instant.ts';
import { NO_CAMPAIGN } from './decide-campaign.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const PAUSED = [{ status: 'paused' as const, startsAt: '2020-01-01T00:00:00.000Z', endsAt: null }];

let shop: MemoryTracking;
beforeEach(() => {
  const rules = [
    aRule([someTerms()], { id: 'thanks', eventType: 'signup' }),
    aRule([someTerms({ id: 'gift', ruleId: 'welcome', beneficiaryRole: 'referee' })], {
      id: 'welcome',
      eventType: 'signup',
      beneficiaryRole: 'referee',
    }),
  ];
  const points = aRule([someTerms({ id: 'points', ruleId: 'loyal' })], {
    id: 'loyal',
    eventType: 'signup',
    beneficiaryRole: 'subject',
  });
  const programs = [
    aProgram({ id: 'open', rules }),
    aProgram({ id: 'paused', intervals: PAUSED }),
    aProgram({ id: 'later', policies: [aPolicy({ bindingTrigger: 'subscription' })] }),
    aProgram({ id: 'loyalty', kind: 'loyalty', rules: [points] }),
  ];
  const referrers = ['ada', 'eve'].flatMap((name) =>
    ['open', 'paused', 'later'].map((programId) => ({ name, programId })),
  );
  shop = new MemoryTracking(NOW, programs, referrers);
});

const signUpWith = (handle: string, name: string, actor?: string, refCode: string | null = null) =>
  shop.track({ type: 'signup', identify: { handle }, refCode, ...parties(name, actor) });
const refuse = (code: string) => ({ accepted: false, reason: code });

describe('a signup with a code', () => {
  test('binds who has the code at once, by a touch of its own (D-EVT-2, D-TOUCH-1, D-TRACK-2)', () => {
    const answer = shop.signUp('bob', 'ada-open');
    const [touch] = shop.made.touches;
    const [referral] = shop.made.referrals;
    expect(touch).toEqual({
      id: touch?.id,
      programId: 'open',
      handleId: null,
      participantId: shop.idOf('bob'),
      refCodeId: 'ada',
      linkId: null,
      ...NO_CAMPAIGN,
      referrerParticipantId: 'ada',
      occurredAt: NOW,
      networkHash: null,
    });
    expect(touch?.id).toMatch(/^tch_/);
    expect(referral).toMatchObject({
      refereeParticipantId: shop.idOf('bob'),
      referrerParticipantId: 'ada',
      enrollmentId: 'enr_ada',
      touchId: touch?.id,
      policyVersionId: 'pol',
      bindingEventId: answer.eventId,
      bindingSubscriptionFactId: null,
      bindingOccurredAt: NOW,
      selectedAt: NOW,
    });
    expect(answer).toEqual({
      success: true,
      identified: false,
      identifyReason: null,
      eventId: shop.signupOf('bob').id,
      participantId: shop.idOf('bob'),
      processingState: 'processed',
      processingReason: 'attributed',
      attribution: {
        referralId: referral?.id,
        programId: 'open',
        referrerParticipantId: 'ada',
        touchId: touch?.id,
      },
      refCode: { accepted: true, reason: null },
    });
  });

  test('is recorded as decided in one attempt, with what was weighed and what was earned', () => {
    shop.signUp('bob', 'ada-open');
    const [referral] = shop.made.referrals;
    const rewards = [...shop.made.rewards.added.keys()];
    expect(shop.signupOf('bob')).toMatchObject({
      type: 'signup',
      processingState: 'processed',
      processingReason: 'attributed',
      attemptCount: 1,
      nextAttemptAt: null,
      programId: 'open',
      referralId: referral?.id,
      explanation: {
        candidates: [{ touchId: referral?.touchId, verdict: 'selected', reason: null }],
        rules: [
          { ruleId: 'thanks', verdict: 'earned', rewardId: rewards[0] },
          { ruleId: 'welcome', verdict: 'earned', rewardId: rewards[1] },
          { ruleId: 'loyal', verdict: 'earned', rewardId: rewards[2] },
        ],
      },
    });
    expect(shop.earnedBySignupOf('bob')).toEqual([
      'ada 1000',
      `${shop.idOf('bob')} 1000`,
      `${shop.idOf('bob')} 1000`,
    ]);
    const counted = [...shop.made.counted.values()].map(({ subject, part, name, value }) => [
      subject,
      part,
      name,
      value,
    ]);
    expect(counted).toContainEqual(['prj', '2026-11-15', 'signups', 1n]);
    expect(counted).toContainEqual(['open', '2026-11-15', 'signups', 1n]);
  });

  test('is announced before its referral, and that before what was earned', () => {
    shop.signUp('bob', 'ada-open');
    const [referral] = shop.made.referrals;
    expect(shop.feed).toEqual([
      'event.recorded',
      'referral.created',
      'reward.earned',
      'reward.earned',
      'reward.earned',
    ]);
    expect(shop.announced[0]?.data).toMatchObject({
      event: { type: 'signup', purchase: null },
      attribution: { status: 'attributed', reason: 'attributed', referralId: referral?.id },
    });
    expect(shop.announced[1]?.data).toMatchObject({ referral: { id: referral?.id } });
  });

  test.each([
    ['nobody', 'unknown'],
    ['  ', 'empty'],
    ['x'.repeat(51), 'too_long'],
  ])('that names nothing (%j) falls back to clicks (D-ATTR-6)', (code, reason) => {
    shop.openBrowser('browser', 'eve-open');
    const answer = signUpWith('browser', 'bob', undefined, code);
    expect(answer).toMatchObject({ processingReason: 'attributed', refCode: refuse(reason) });
    expect(shop.referrerOf('bob')).toBe('eve');
    expect(shop.made.touches).toEqual([]);
  });

  test('is read whatever its case and the space around it, and wins over clicks (D-ATTR-3, D-ATTR-6)', () => {
    shop.openBrowser('browser', 'eve-open');
    expect(signUpWith('browser', 'bob', undefined, ' ADA-Open ').refCode?.accepted).toBe(true);
    expect(shop.referrerOf('bob')).toBe('ada');
  });

  test.each<[string, string, (shop: MemoryTracking) => void]>([
    ['program_not_active', 'ada-paused', () => undefined],
    ['enrollment_not_active', 'ada-open', (one) => one.leave('ada')],
    ['self_referral', 'ada-open', (one) => void one.state.creatorOf.set('ada', one.idOf('bob'))],
    ['existing_customer', 'ada-open', (one) => void one.buy('order', 'bob')],
  ])('that cannot be applied says why: %s (D-EVT-1, D-TRACK-1)', (reason, code, prepare) => {
    shop.meet('bob');
    shop.now = addMs(NOW, 2 * DAY_MS);
    prepare(shop);
    shop.now = addMs(NOW, 2 * DAY_MS + 1);
    expect(shop.signUp('bob', code)).toMatchObject({
      processingState: 'processed',
      processingReason: reason,
      attribution: null,
      refCode: refuse(reason),
    });
    expect(shop.signupOf('bob')).toMatchObject({ referralId: null, programId: null });
    expect(shop.announced.findLast(({ type }) => type === 'event.recorded')?.data).toMatchObject({
      attribution: { status: 'not_attributed', reason },
    });
    expect(shop.feed).not.toContain('referral.created');
  });

  test('that waits for a subscription is accepted, and binds nobody yet (D-SUB-1, D-TRACK-1)', () => {
    expect(shop.signUp('bob', 'ada-later')).toMatchObject({
      processingReason: 'awaiting_subscription',
      attribution: null,
      refCode: { accepted: true, reason: null },
    });
    expect(shop.state.promised.get(shop.idOf('bob'))).toEqual(shop.signupOf('bob'));
    shop.signUp('cyd', 'ada-open');
    expect([...shop.state.promised.keys()]).toEqual([shop.idOf('bob')]);
  });
});

test('a signup without a code or a click is processed and says that there was nobody (D-EVT-1)', () => {
  expect(shop.signUp('bob')).toMatchObject({
    processingState: 'processed',
    processingReason: 'no_candidate',
    attribution: null,
    refCode: null,
  });
  expect(shop.feed).toEqual(['event.recorded', 'reward.earned']);
});

test('a touch a little after the signup counts, as clocks differ, and one later does not (D-SUB-1)', () => {
  for (const [name, laterMs, reason] of [
    ['bob', 5 * MINUTE_MS, 'attributed'],
    ['cyd', 5 * MINUTE_MS + 1, 'no_candidate'],
  ] as const) {
    shop.meet(name);
    shop.click(name, 'eve-open', addMs(NOW, laterMs));
    expect(shop.signUp(name).processingReason).toBe(reason);
  }
});

test('somebody who was bound before signs up to that referral, whatever code they bring (D-ATTR-2)', () => {
  const { attribution } = shop.import('bob', 'eve-open');
  const answer = shop.signUp('bob', 'ada-open');
  expect(answer).toMatchObject({
    processingReason: 'attributed',
    attribution,
    refCode: refuse('already_referred'),
  });
  expect(shop.made.referrals).toHaveLength(1);
  expect(shop.feed.filter((type) => type === 'referral.created')).toHaveLength(1);
  expect(shop.earnedBySignupOf('bob')).toContain('eve 1000');
});

test('a customer who was bound before is credited at signup all the same (D-ATTR-5)', () => {
  shop.import('bob', 'eve-open');
  shop.buy('order', 'bob');
  shop.signUp('bob', 'ada-open');
  expect(shop.signupOf('bob').explanation?.candidates).toMatchObject([
    { referrerParticipantId: 'ada', reason: 'already_referred' },
  ]);
});

describe('the browser that comes with a signup', () => {
  test('becomes the person’s, and its clicks count (D-TRACK-2)', () => {
    shop.openBrowser('browser', 'eve-open');
    expect(signUpWith('browser', 'bob')).toMatchObject({ identified: true, identifyReason: null });
    expect(shop.ownerOf('browser')).toBe(shop.idOf('bob'));
    expect(shop.referrerOf('bob')).toBe('eve');
  });

  test('becomes the actor’s where a group signs up, and without an actor the group’s (D-ATTR-7)', () => {
    shop.openBrowser('of zoe', 'eve-open');
    shop.openBrowser('of the team', 'ada-open');
    expect(signUpWith('of zoe', 'Crew', 'zoe').identified).toBe(true);
    expect(signUpWith('of the team', 'Team').identified).toBe(true);
    expect(shop.ownerOf('of zoe')).toBe(shop.idOf('zoe'));
    expect(shop.ownerOf('of the team')).toBe(shop.idOf('Team'));
    expect([shop.referrerOf('Crew'), shop.referrerOf('Team')]).toEqual(['eve', 'ada']);
  });

  test.each([
    ['no such handle', 'not_a_handle'],
    ['of ada', 'handle_already_identified'],
  ])('that is not theirs (%s) fails nothing (D-TRACK-2)', (handle, identifyReason) => {
    shop.openBrowser('of ada', 'eve-open', 'ada');
    expect(signUpWith(handle, 'bob')).toMatchObject({
      success: true,
      identified: false,
      identifyReason,
      processingReason: 'no_candidate',
    });
    expect(shop.ownerOf('of ada')).toBe('ada');
  });

  test('that is the person’s already is identified, and its clicks count once', () => {
    shop.meet('bob');
    shop.openBrowser('browser', 'eve-open', 'bob');
    shop.state.touchesOf.set(shop.idOf('bob'), [
      ...(shop.state.touchesOfHandle.get('browser') ?? []),
    ]);
    expect(signUpWith('browser', 'bob')).toMatchObject({ identified: true, identifyReason: null });
    expect(shop.state.touchesOf.get(shop.idOf('bob'))).toHaveLength(1);
    expect(shop.referrerOf('bob')).toBe('eve');
  });

  test('adds its clicks to those that the person had', () => {
    shop.meet('bob');
    shop.click('bob', 'ada-open', addMs(NOW, -1));
    shop.openBrowser('browser', 'eve-open');
    signUpWith('browser', 'bob');
    expect(shop.state.touchesOf.get(shop.idOf('bob'))).toHaveLength(2);
    expect(shop.referrerOf('bob')).toBe('eve');
  });

  test('that is the group’s stays the group’s when its creator signs it up', () => {
    shop.meet('Crew');
    shop.openBrowser('browser', 'eve-open', 'Crew');
    expect(signUpWith('browser', 'Crew', 'zoe')).toMatchObject({
      identified: true,
      identifyReason: null,
    });
    expect(shop.ownerOf('browser')).toBe(shop.idOf('Crew'));
  });

  test('that is the actor’s already counts for the group that they sign up (D-ATTR-7)', () => {
    shop.meet('zoe');
    shop.click('zoe', 'ada-open', addMs(NOW, -1));
    shop.openBrowser('browser', 'eve-open', 'zoe');
    expect(signUpWith('browser', 'Crew', 'zoe').identified).toBe(true);
    expect(shop.state.touchesOf.get(shop.idOf('zoe'))).toHaveLength(2);
    expect(shop.referrerOf('Crew')).toBe('eve');
  });

  test('may have no clicks', () => {
    shop.openBrowser('browser', null);
    shop.state.touchesOfHandle.delete('browser');
    expect(signUpWith('browser', 'bob').processingReason).toBe('no_candidate');
    expect(shop.state.touchesOf.get(shop.idOf('bob'))).toEqual([]);
  });
});

describe('one person', () => {
  test('earns once by a signup rule, however many groups they sign up (D-ATTR-8)', () => {
    shop.signUp('Crew', 'ada-open', 'zoe');
    shop.signUp('Team', 'ada-open', 'zoe');
    expect(shop.earnedBySignupOf('Crew').filter((one) => one.startsWith('ada'))).toHaveLength(1);
    expect(shop.earnedBySignupOf('Team').filter((one) => one.startsWith('ada'))).toEqual([]);
    expect(shop.state.creatorOf).toEqual(
      new Map(['Crew', 'Team'].map((name) => [shop.idOf(name), shop.idOf('zoe')])),
    );
  });

  test('cannot refer a group of theirs (D-ATTR-4)', () => {
    shop.state.participants.byRef.set('individual ada', {
      ...shop.state.people.get('ada'),
      id: 'ada',
    } as never);
    expect(shop.signUp('Crew', 'ada-open', 'ada')).toMatchObject({
      processingReason: 'self_referral',
      refCode: refuse('self_referral'),
    });
  });

  test('is rewarded in loyalty for a signup that nobody brought (D-RULE-2)', () => {
    shop.signUp('bob');
    expect(shop.earnedBySignupOf('bob')).toEqual([`${shop.idOf('bob')} 1000`]);
    expect(shop.made.enrollments).toMatchObject([{ programId: 'loyalty', startsAt: NOW }]);
  });
});

test('the terms are those in effect when the signup happened, not when it was reported (D-TERM-5)', () => {
  const later = addMs(NOW, DAY_MS);
  const rule = aRule(
    [someTerms(), someTerms({ id: 'trm_2', version: 2, fixedAmountMinor: 7n, effectiveAt: later })],
    { eventType: 'signup' },
  );
  const store = new MemoryTracking(
    later,
    [aProgram({ rules: [rule, aRule([percentTerms(1)], { id: 'other' })] })],
    [{ name: 'ada', programId: 'prg' }],
  );
  store.signUp('bob', 'ada-prg', undefined, NOW);
  store.signUp('cyd', 'ada-prg');
  expect(store.earnedBySignupOf('bob')).toEqual(['ada 1000']);
  expect(store.earnedBySignupOf('cyd')).toEqual(['ada 7']);
});
