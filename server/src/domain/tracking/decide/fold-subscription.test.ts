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
import { SUBSCRIPTION_CHANGES } from '../billing-schema.ts';
import { normalizeSubscription } from '../intake/normalize-billing.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const WAITING = { processingState: 'pending', processingReason: 'awaiting_attribution' };

let shop: MemoryTracking;
beforeEach(() => {
  const rules = [
    aRule([percentTerms(1_000, { durationMode: 'forever' })]),
    aRule([someTerms()], { id: 'thanks', eventType: 'signup' }),
  ];
  shop = new MemoryTracking(
    NOW,
    [
      aProgram({ id: 'now' }),
      aProgram({ id: 'later', rules, policies: [aPolicy({ bindingTrigger: 'subscription' })] }),
    ],
    ['ada', 'eve'].flatMap((name) => ['now', 'later'].map((programId) => ({ name, programId }))),
  );
});

const portrait = () => structuredClone([shop.state, shop.made, shop.introduced, shop.announced]);
const subscribe = (sourceEventId: string, more: object = {}) =>
  shop.subscribe({ sourceEventId, ...parties('bob'), ...more });

describe('news of a subscription is refused, and nothing changes by it,', () => {
  test.each<[string, object, object]>([
    [
      'if its source is unknown',
      { sourceNamespaceId: 'elsewhere' },
      { code: 'NOT_FOUND', message: 'No such source in this project.' },
    ],
    ['if its participant was erased', parties('gone'), { reason: 'participant_deleted' }],
    [
      'if it is in the future',
      { occurredAt: addMs(NOW, 5 * MINUTE_MS + 1) },
      { code: 'INVALID_REQUEST' },
    ],
    [
      'if its id came with other facts',
      { subscriptionId: 'other' },
      { reason: 'event_facts_differ' },
    ],
  ])('%s (D-SUB-1)', (_, more, refusal) => {
    (shop.state.participants.erased as Set<string>).add('individual gone');
    if ('subscriptionId' in more) subscribe('1');
    const before = portrait();
    expect(() => subscribe('1', more)).toThrow(expect.objectContaining(refusal));
    expect(portrait()).toEqual(before);
  });
});

test('the same news again gets the first answer, and changes nothing (D-TRACK-5)', () => {
  shop.signUp('bob', 'ada-later');
  const first = subscribe('1');
  const before = portrait();
  expect(subscribe('1')).toEqual(first);
  expect(portrait()).toEqual(before);
});

test('the fact is kept as it was sent, and who is new is introduced (D-SUB-1)', () => {
  const body = {
    planKey: 'pro',
    periodStart: NOW,
    periodEnd: addMs(NOW, 30 * DAY_MS),
    occurredAt: addMs(NOW, -1),
  };
  const answer = subscribe('1', body);
  const { factsHash } = normalizeSubscription({
    sourceNamespaceId: 'src',
    sourceEventId: '1',
    subscriptionId: 'sub',
    change: 'started',
    ...parties('bob'),
    ...body,
  });
  expect(answer).toEqual({
    success: true,
    attribution: null,
    data: {
      ...body,
      id: answer.data.id,
      projectId: 'prj',
      participantId: shop.idOf('bob'),
      sourceNamespaceId: 'src',
      sourceEventId: '1',
      subscriptionId: 'sub',
      change: 'started',
      receivedAt: NOW,
      factsHash,
      reason: 'no_candidate',
      candidates: [],
    },
  });
  expect(answer.data.id).toMatch(/^sfact_/);
  expect([...shop.made.subscriptionFacts.added.values()]).toEqual([answer.data]);
  expect(shop.introduced).toEqual([shop.idOf('bob')]);
  subscribe('2', { change: 'renewed' });
  expect(shop.introduced).toHaveLength(1);
});

test('starts are remembered for a signup to come, the earlier beside the later; other news is not', () => {
  for (const [at, change] of SUBSCRIPTION_CHANGES.entries()) subscribe(`${at}`, { change });
  subscribe('again', { subscriptionId: 'other' });
  const starts = shop.state.starts.get(shop.idOf('bob')) ?? [];
  expect(starts.map((one) => one.sourceEventId)).toEqual(['0', 'again']);
});

describe('the start of a subscription (D-SUB-1)', () => {
  test('binds whom the signup left waiting, and rewards that signup', () => {
    shop.signUp('bob', 'ada-later');
    expect(shop.referrerOf('bob')).toBeNull();
    const occurredAt = addMs(NOW, MINUTE_MS);
    shop.now = addMs(NOW, DAY_MS);
    const { data, attribution } = subscribe('1', { occurredAt });
    const [referral] = shop.made.referrals;
    expect(referral).toMatchObject({
      referrerParticipantId: 'ada',
      bindingEventId: null,
      bindingSubscriptionFactId: data.id,
      bindingOccurredAt: occurredAt,
      selectedAt: shop.now,
    });
    expect(attribution).toEqual({
      referralId: referral?.id,
      programId: 'later',
      referrerParticipantId: 'ada',
      touchId: referral?.touchId,
    });
    expect(data).toMatchObject({
      reason: 'attributed',
      candidates: [{ touchId: referral?.touchId, verdict: 'selected', reason: null }],
    });
    expect(shop.earnedBySignupOf('bob')).toEqual(['ada 1000']);
    expect(shop.signupOf('bob').processingReason).toBe('attributed');
    expect(shop.feed).toEqual(['event.recorded', 'referral.created', 'reward.earned']);
  });

  test.each(SUBSCRIPTION_CHANGES.filter((change) => change !== 'started'))(
    'is what binds: %s does not',
    (change) => {
      shop.signUp('bob', 'ada-later');
      expect(subscribe('1', { change })).toMatchObject({
        data: { reason: 'not_applicable', candidates: [] },
        attribution: null,
      });
      expect(shop.referrerOf('bob')).toBeNull();
      expect(shop.signupOf('bob').processingReason).toBe('awaiting_subscription');
    },
  );

  test('binds nobody who has a referral (D-ATTR-2)', () => {
    shop.signUp('bob', 'ada-now');
    shop.click('bob', 'eve-later');
    expect(subscribe('1')).toMatchObject({ data: { reason: 'not_applicable' }, attribution: null });
    expect(shop.made.referrals).toHaveLength(1);
  });

  test('prefers the code of the signup to clicks, also later ones', () => {
    shop.signUp('bob', 'ada-later');
    shop.now = addMs(NOW, MINUTE_MS);
    shop.click('bob', 'eve-later');
    subscribe('1');
    expect(shop.referrerOf('bob')).toBe('ada');
  });

  test('counts touches up to five minutes after it, as clocks differ', () => {
    for (const [name, laterMs, referrer] of [
      ['bob', 5 * MINUTE_MS, 'eve'],
      ['cyd', 5 * MINUTE_MS + 1, null],
    ] as const) {
      shop.meet(name);
      shop.click(name, 'eve-later', addMs(NOW, laterMs));
      shop.start(`of ${name}`, name);
      expect(shop.referrerOf(name)).toBe(referrer);
    }
  });

  test('decides the purchases that waited for it (D-EVT-3)', () => {
    shop.signUp('bob', 'ada-later');
    expect(shop.buy('order', 'bob')).toMatchObject(WAITING);
    subscribe('1', { change: 'renewed' });
    expect(shop.eventOf('order')).toMatchObject(WAITING);
    subscribe('2');
    expect(shop.earnedBy('order')).toEqual(['ada 100']);
  });

  test('leaves them waiting if it must not fail with them', () => {
    shop.signUp('bob', 'ada-later');
    shop.buy('order', 'bob');
    const subscription = normalizeSubscription({
      sourceNamespaceId: 'src',
      sourceEventId: '1',
      subscriptionId: 'sub',
      change: 'started',
      occurredAt: NOW,
      ...parties('bob'),
    });
    shop.submit({ kind: 'subscription', subscription, leavesWaiting: true });
    expect(shop.referrerOf('bob')).toBe('ada');
    expect(shop.eventOf('order')).toMatchObject(WAITING);
  });

  test('does not bind a customer from before who never signed up, its own invoice aside (D-ATTR-5)', () => {
    for (const [name, subscriptionId, reason] of [
      ['bob', 'sub', 'attributed'],
      ['cyd', null, 'existing_customer'],
    ] as const) {
      shop.now = NOW;
      shop.meet(name);
      shop.now = addMs(NOW, 2 * DAY_MS);
      shop.click(name, 'eve-later');
      shop.buy(`order of ${name}`, name, undefined, { subscriptionId });
      expect(shop.start(`start of ${name}`, name).data.reason).toBe(reason);
    }
  });
});
