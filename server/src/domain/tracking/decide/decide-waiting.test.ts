import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryTracking } from '../../../../test/memory-tracking.ts';
import { aPolicy, aProgram, aRule, percentTerms } from '../../../../test/program-book.ts';
import { addMs, DAY_MS } from '../../../platform/kit/instant.ts';
import type { BookedProgram } from '../../programs/program-book.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const WAITING = { processingState: 'pending', processingReason: 'awaiting_attribution' };

let shop: MemoryTracking;
beforeEach(() => {
  const terms = percentTerms(1_000, { durationMode: 'forever' });
  shop = new MemoryTracking(
    NOW,
    [
      aProgram({ id: 'signup', rules: [aRule([terms], { id: 'rul_1' })] }),
      aProgram({
        id: 'subscription',
        policies: [aPolicy({ bindingTrigger: 'subscription' })],
        rules: [aRule([terms], { id: 'rul_2' })],
      }),
    ],
    ['ada', 'eve'].flatMap((name) =>
      ['signup', 'subscription'].map((programId) => ({ name, programId })),
    ),
  );
});

const creditOf = (sourceEventId: string) => {
  const { processingReason, referralId } = shop.eventOf(sourceEventId);
  const referral = [...shop.state.referrals.values()].find(({ id }) => id === referralId);
  return [processingReason, referral?.referrerParticipantId ?? null];
};

describe('a group’s purchase before the group’s signup', () => {
  test('waits for it, also if its actor was referred, and leaves the group free to be referred (D-EVT-3)', () => {
    shop.signUp('vic', 'ada-signup');
    expect(shop.buy('order', 'Crew', 'vic')).toMatchObject(WAITING);
    expect(shop.signUp('Crew', 'eve-signup', 'vic').processingReason).toBe('attributed');
    expect(creditOf('order')).toEqual(['attributed', 'eve']);
  });

  test.each(['before', 'after'])('leads to the same if its actor signs up %s it', (when) => {
    if (when === 'before') shop.signUp('vic', 'ada-signup');
    shop.buy('order', 'Crew', 'vic');
    if (when === 'after') shop.signUp('vic', 'ada-signup');
    expect(shop.eventOf('order')).toMatchObject(WAITING);
    shop.signUp('Crew', null, 'vic');
    expect(creditOf('order')).toEqual(['attributed', 'ada']);
  });

  test('counts for whoever referred its actor if the signup does not come (D-AM-2)', () => {
    shop.signUp('vic', 'ada-signup');
    shop.buy('order', 'Crew', 'vic');
    shop.now = addMs(NOW, DAY_MS);
    shop.settleDue('Crew');
    expect(creditOf('order')).toEqual(['attributed', 'ada']);
    shop.now = addMs(NOW, DAY_MS + 1);
    expect(shop.buy('order-2', 'Crew', 'vic').processingReason).toBe('attributed');
  });

  test('earns for what is left if some was refunded meanwhile, and nothing if all was', () => {
    shop.signUp('vic', 'ada-signup');
    shop.buy('order', 'Crew', 'vic');
    shop.buy('returned', 'Crew', 'vic');
    shop.refund('refund', 'order', '400');
    shop.refund('return', 'returned', '1000');
    shop.signUp('Crew', null, 'vic');
    expect(shop.earnedBy('order')).toEqual(['ada 60']);
    expect(shop.earnedBy('returned')).toEqual([]);
  });
});

describe('a group’s purchase while the signup of its actor or creator waits for a subscription', () => {
  /** A group that is not referred: its creator's code arrived too late for it. */
  const found = (creator: string) => {
    shop.signUp('Crew', null, creator);
    shop.signUp(creator, 'ada-subscription');
    expect(shop.signupOf('Crew').processingReason).toBe('no_candidate');
  };

  test('waits, and is decided when that starts (D-EVT-3, D-AM-2)', () => {
    found('vic');
    expect(shop.buy('order', 'Crew')).toMatchObject(WAITING);
    expect(shop.buy('order-2', 'Crew', 'zoe')).toMatchObject(WAITING);
    shop.start('vic started', 'vic');
    expect(creditOf('order')).toEqual(['attributed', 'ada']);
    expect(creditOf('order-2')).toEqual(['attributed', 'ada']);
    expect(shop.buy('order-3', 'Crew').processingReason).toBe('attributed');
  });

  test('of somebody who acts in it and did not create the group', () => {
    shop.signUp('Crew', null, 'vic');
    shop.signUp('zoe', 'ada-subscription');
    expect(shop.buy('other', 'Crew', 'vic').processingReason).toBe('no_referral');
    expect(shop.buy('order', 'Crew', 'zoe')).toMatchObject(WAITING);
    shop.start('vic started', 'vic');
    expect(shop.eventOf('order')).toMatchObject(WAITING);
    shop.start('zoe started', 'zoe');
    expect(creditOf('order')).toEqual(['attributed', 'ada']);
  });

  test('is decided when that start binds nobody, and at its deadline', () => {
    found('vic');
    shop.buy('order', 'Crew');
    shop.leave('ada');
    shop.start('vic started', 'vic');
    expect(creditOf('order')).toEqual(['no_referral', null]);
    expect(shop.buy('order-2', 'Crew').processingReason).toBe('no_referral');
    shop.signUp('zoe', 'eve-subscription');
    shop.buy('order-3', 'Crew', 'zoe');
    shop.now = addMs(NOW, DAY_MS);
    shop.settleDue('Crew');
    expect(creditOf('order-3')).toEqual(['no_referral', null]);
  });

  test('waits for its actor even if its creator was referred, whose referral counts after (D-AM-2)', () => {
    shop.signUp('Crew', null, 'vic');
    shop.signUp('vic', 'eve-signup');
    shop.signUp('zoe', 'ada-subscription');
    expect(shop.buy('order', 'Crew', 'zoe')).toMatchObject(WAITING);
    shop.leave('ada');
    shop.start('zoe started', 'zoe');
    expect(creditOf('order')).toEqual(['attributed', 'eve']);
  });

  test('does not wait for its creator if its actor was referred', () => {
    found('vic');
    shop.signUp('zoe', 'eve-signup');
    expect(shop.buy('order', 'Crew', 'zoe').attribution?.referrerParticipantId).toBe('eve');
  });

  test('is decided when its actor is referred meanwhile, and once', () => {
    found('vic');
    expect(shop.buy('order', 'Crew', 'zoe')).toMatchObject(WAITING);
    shop.signUp('zoe', 'eve-signup');
    expect(creditOf('order')).toEqual(['attributed', 'eve']);
    shop.start('vic started', 'vic');
    shop.start('vic started again', 'vic');
    expect(creditOf('order')).toEqual(['attributed', 'eve']);
    expect(shop.earnedBy('order')).toEqual(['eve 100']);
  });

  test('outlasts the group’s own signup: what came before that waits on for the subscription', () => {
    shop.signUp('zoe', 'ada-subscription');
    shop.buy('order', 'Crew', 'zoe');
    shop.signUp('Crew', null, 'vic');
    expect(shop.eventOf('order')).toMatchObject(WAITING);
    shop.start('zoe started', 'zoe');
    expect(creditOf('order')).toEqual(['attributed', 'ada']);
  });

  test('is no purchase of a person: theirs wait for nobody else', () => {
    found('vic');
    shop.signUp('max');
    expect(shop.buy('order', 'max').processingReason).toBe('no_referral');
  });
});

describe('of the purchases that wait', () => {
  const waitingOf = (name: string) => shop.state.waiting.get(shop.idOf(name)) ?? [];

  test('those of others wait on, even if they would not wait by now: they have a deadline of their own', () => {
    shop.buy('order', 'bob');
    for (const program of shop.state.book.programs.values()) {
      const ended = { ...program, intervals: [] };
      (shop.state.book.programs as Map<string, BookedProgram>).set(program.id, ended);
    }
    shop.signUp('cyd');
    expect(shop.eventOf('order')).toMatchObject(WAITING);
    shop.signUp('bob');
    expect(shop.eventOf('order').processingState).toBe('processed');
  });

  test('of several groups are decided in the order they came, and no longer wait', () => {
    for (const name of ['Crew', 'Team']) shop.signUp(name, null, 'vic');
    shop.signUp('vic', 'ada-subscription');
    shop.buy('1', 'Crew', 'vic');
    shop.buy('2', 'Team', 'vic');
    shop.buy('3', 'Crew', 'vic');
    shop.announced.length = 0;
    shop.start('vic started', 'vic');
    const orders = shop.announced.flatMap(({ type, data }) =>
      type === 'event.recorded' ? [(data.event as { sourceEventId: string }).sourceEventId] : [],
    );
    expect(orders).toEqual(['1', '2', '3']);
    expect([...waitingOf('Crew'), ...waitingOf('Team')]).toEqual([]);
  });

  test('only what is due is decided at a deadline, also if that is nothing', () => {
    shop.signUp('bob');
    shop.settleDue('bob');
    shop.buy('order', 'cyd');
    shop.now = addMs(NOW, DAY_MS / 2);
    shop.buy('order-2', 'cyd');
    shop.now = addMs(NOW, DAY_MS);
    shop.settleDue('cyd');
    expect(shop.eventOf('order').processingReason).toBe('no_signup');
    expect(waitingOf('cyd').map(({ sourceEventId }) => sourceEventId)).toEqual(['order-2']);
  });

  test('one whose person is missing is a fault, and decides nothing', () => {
    shop.buy('order', 'bob');
    shop.state.people.delete(shop.idOf('bob'));
    expect(() => shop.buy('order-2', 'bob')).toThrow('has no participant');
  });

  describe('of a group whose creator waits for a subscription', () => {
    beforeEach(() => {
      shop.signUp('Crew', null, 'vic');
      shop.signUp('max', 'ada-subscription');
      const promised = shop.state.promised as Map<string, unknown>;
      promised.set('eve', promised.get(shop.idOf('max')));
    });

    test('its actor’s referral by that creator does not count, so it waits', () => {
      shop.signUp('zoe', 'eve-signup');
      shop.state.creatorOf.set(shop.idOf('Crew'), 'eve');
      expect(shop.buy('order', 'Crew', 'zoe')).toMatchObject(WAITING);
    });

    test('its own referral counts, whoever made it', () => {
      shop.signUp('Team', 'eve-signup', 'vic');
      shop.state.creatorOf.set(shop.idOf('Team'), 'eve');
      expect(shop.buy('order', 'Team').attribution?.referrerParticipantId).toBe('eve');
    });
  });
});
