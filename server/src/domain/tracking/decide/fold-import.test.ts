import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryTracking, parties } from '../../../../test/memory-tracking.ts';
import {
  aPolicy,
  aProgram,
  aRule,
  percentTerms,
  someTerms,
} from '../../../../test/program-book.ts';
import { addMs, DAY_MS } from '../../../platform/kit/instant.ts';
import type { TrackAnswer } from '../event-schema.ts';
import { normalizeEvent } from '../intake/normalize-event.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const LATER = addMs(NOW, DAY_MS);

let shop: MemoryTracking;
beforeEach(() => {
  const rules = [
    aRule([percentTerms(1_000, { durationMode: 'forever' })]),
    aRule([someTerms()], { id: 'imports', eventType: 'custom_imported' }),
  ];
  const policies = [aPolicy(), aPolicy({ id: 'pol_2', version: 2, effectiveAt: LATER })];
  const paused = [
    { status: 'paused' as const, startsAt: '2020-01-01T00:00:00.000Z', endsAt: null },
  ];
  const programs = [
    aProgram({ rules, policies }),
    aProgram({ id: 'paused', intervals: paused }),
    aProgram({ id: 'loyal', kind: 'loyalty' }),
    aProgram({ id: 'lawless', policies: [] }),
  ];
  shop = new MemoryTracking(
    NOW,
    programs,
    programs.map(({ id }) => ({ name: 'ada', programId: id })),
  );
});

const portrait = () => structuredClone([shop.state, shop.made, shop.introduced, shop.announced]);
const changeAda = (changes: object) => {
  const ada = shop.state.people.get('ada') ?? expect.fail('ada is not there.');
  shop.state.people.set('ada', { ...ada, ...changes });
};

test('an import binds somebody to who brought them elsewhere (D-IMP-1)', () => {
  const answer = shop.import('bob', ' ADA-prg ');
  const [referral] = shop.made.referrals;
  const [touch] = shop.made.touches;
  const bob = shop.idOf('bob');
  expect(touch).toMatchObject({ referrerParticipantId: 'ada', participantId: bob });
  expect(referral).toMatchObject({
    referrerParticipantId: 'ada',
    refereeParticipantId: bob,
    programId: 'prg',
    enrollmentId: 'enr_ada',
    touchId: touch?.id,
    bindingEventId: answer.eventId,
    bindingSubscriptionFactId: null,
    bindingOccurredAt: NOW,
    policyVersionId: 'pol',
  });
  expect(answer).toEqual({
    success: true,
    identified: false,
    identifyReason: null,
    eventId: answer.eventId,
    participantId: bob,
    processingState: 'processed',
    processingReason: 'not_applicable',
    attribution: {
      referralId: referral?.id,
      programId: 'prg',
      referrerParticipantId: 'ada',
      touchId: touch?.id,
    },
    refCode: null,
  });
  expect(shop.introduced).toEqual([bob]);
});

test('its Event is recorded as decided, and earns nothing itself', () => {
  const { eventId } = shop.import('bob', 'ada-prg');
  const [referral] = shop.made.referrals;
  const input = normalizeEvent({
    sourceNamespaceId: 'src',
    sourceEventId: 'imported bob',
    type: 'custom_imported',
    refCode: 'ada-prg',
    ...parties('bob'),
  });
  expect(shop.eventOf('imported bob')).toEqual({
    id: eventId,
    number: 1,
    type: 'custom_imported',
    participantId: shop.idOf('bob'),
    actorParticipantId: null,
    sourceNamespaceId: 'src',
    sourceEventId: 'imported bob',
    occurredAt: NOW,
    receivedAt: NOW,
    facts: input.facts,
    factsHash: input.factsHash,
    processingState: 'processed',
    processingReason: 'not_applicable',
    attemptCount: 1,
    nextAttemptAt: null,
    explanation: {
      candidates: [
        {
          touchId: referral?.touchId,
          programId: 'prg',
          referrerParticipantId: 'ada',
          occurredAt: NOW,
          verdict: 'selected',
          reason: null,
        },
      ],
      rules: [],
    },
    programId: 'prg',
    referralId: referral?.id,
  });
  expect(eventId).toMatch(/^evt_/);
  expect(shop.made.rewards.added.size).toBe(0);
  expect(shop.feed).toEqual(['event.recorded', 'referral.created']);
  expect(shop.announced[0]?.data).toMatchObject({ event: { id: eventId }, attribution: null });
  expect(shop.announced[1]?.data).toMatchObject({ referral: { id: referral?.id } });
  const counted = [...shop.made.counted.values()];
  expect(counted).toContainEqual(
    expect.objectContaining({ subject: 'prg', part: '2026-11-15', name: 'events', value: 1n }),
  );
});

test('what comes after it earns as ever, and what waited is decided', () => {
  shop.buy('order', 'bob');
  shop.import('bob', 'ada-prg');
  expect(shop.earnedBy('order')).toEqual(['ada 100']);
  shop.buy('order-2', 'bob');
  expect(shop.earnedBy('order-2')).toEqual(['ada 100']);
  expect(shop.introduced).toHaveLength(1);
});

test('neither what was bought before nor the window matters', () => {
  shop.signUp('bob');
  shop.buy('order', 'bob');
  shop.now = addMs(NOW, 300 * DAY_MS);
  expect(shop.import('bob', 'ada-prg').attribution?.referrerParticipantId).toBe('ada');
  expect(shop.made.referrals).toMatchObject([{ policyVersionId: 'pol_2' }]);
});

test('a repeat through the same source gets the answer of the import', () => {
  const answer = shop.import('bob', 'ada-prg');
  expect(shop.made.keys).toMatchObject([{ sourceEventId: 'imported bob', answer }]);
  const body = { type: 'custom_imported', sourceEventId: 'imported bob', refCode: 'ada-prg' };
  expect(shop.track({ ...body, ...parties('bob') })).toEqual(answer);
});

describe('an import is refused, and nothing changes by it,', () => {
  const notOpen = {
    code: 'CONFLICT',
    reason: 'program_not_open',
    message: 'This code can no longer refer anyone.',
  };
  test.each<[string, () => unknown, object]>([
    ['of who was erased', () => shop.import('gone', 'ada-prg'), { reason: 'participant_deleted' }],
    [
      'by an unknown code',
      () => shop.import('bob', 'nobody'),
      { code: 'NOT_FOUND', message: 'No such referral code in this project.' },
    ],
    [
      'of who has a referral (D-ATTR-2)',
      () => shop.import('cyd', 'ada-prg'),
      { reason: 'limit_reached', message: 'The participant already has a referral.' },
    ],
    [
      'by their own code (D-ATTR-4)',
      () => shop.import('dan', 'ada-prg'),
      {
        code: 'INVALID_REQUEST',
        details: [{ path: 'refCode', issue: 'would be a self-referral' }],
      },
    ],
    ['into a paused Program', () => shop.import('bob', 'ada-paused'), notOpen],
    ['into a loyalty Program', () => shop.import('bob', 'ada-loyal'), notOpen],
    ['into a Program without a policy', () => shop.import('bob', 'ada-lawless'), notOpen],
    [
      'by the code of who left',
      () => {
        shop.leave('ada');
        return shop.import('bob', 'ada-prg');
      },
      notOpen,
    ],
    [
      'by the code of who was erased',
      () => {
        changeAda({ deletedAt: NOW });
        return shop.import('bob', 'ada-prg');
      },
      notOpen,
    ],
    [
      'by the code of a suspended partner',
      () => {
        changeAda({ suspendedAt: NOW });
        return shop.import('bob', 'ada-prg');
      },
      notOpen,
    ],
  ])('%s', (_, run, refusal) => {
    (shop.state.participants.erased as Set<string>).add('individual gone');
    shop.signUp('cyd', 'ada-prg');
    shop.meet('dan');
    shop.state.creatorOf.set('ada', shop.idOf('dan'));
    const before = [shop.made, shop.introduced, shop.announced];
    const kept = structuredClone(before);
    expect(run).toThrow(expect.objectContaining(refusal));
    expect(before).toEqual(kept);
  });

  test('by a code that names no Program any more', () => {
    (shop.state.book.programs as Map<string, unknown>).delete('prg');
    const before = portrait();
    expect(() => shop.import('bob', 'ada-prg')).toThrow(expect.objectContaining(notOpen));
    expect(portrait()).toEqual(before);
  });

  test('without a code or an id', () => {
    const body = { sourceNamespaceId: 'src', type: 'signup', ...parties('bob') };
    for (const more of [{ sourceEventId: '1' }, { refCode: 'ada-prg' }]) {
      const event = normalizeEvent({ ...body, ...more });
      const run = () => shop.submit<TrackAnswer>({ kind: 'import', event });
      expect(run).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    }
  });
});

test('a code that was moved stands for what it was moved to (D-AM-4)', () => {
  const [first] = shop.state.names.get('ada-paused') ?? [];
  const [now] = shop.state.names.get('ada-prg') ?? [];
  const moved = [{ ...first, movedAt: NOW }, now];
  (shop.state.names as Map<string, unknown>).set('ada-paused', moved);
  expect(shop.import('bob', 'ada-paused').attribution?.programId).toBe('prg');
});
