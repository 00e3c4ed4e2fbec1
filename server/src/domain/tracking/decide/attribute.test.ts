import { describe, expect, test } from 'vitest';
import { MemoryTracking } from '../../../../test/memory-tracking.ts';
import { aPolicy, aProgram } from '../../../../test/program-book.ts';
import { addMs, DAY_MS, MINUTE_MS } from '../../../platform/kit/instant.ts';

const NOW = '2026-11-15T09:30:00.000Z';

function openShop(): MemoryTracking {
  return new MemoryTracking(
    NOW,
    [
      aProgram({ id: 'signup' }),
      aProgram({ id: 'subscription', policies: [aPolicy({ bindingTrigger: 'subscription' })] }),
    ],
    ['ada', 'eve'].flatMap((name) =>
      ['signup', 'subscription'].map((programId) => ({ name, programId })),
    ),
  );
}

test('a code that the actor typed at signup reaches a group that they sign up (D-ATTR-7, D-SUB-1)', () => {
  const shop = openShop();
  shop.signUp('vic', 'ada-subscription');
  expect(shop.signUp('Crew', null, 'vic').processingReason).toBe('awaiting_subscription');
  expect(shop.start('crew started', 'Crew').data.reason).toBe('attributed');
  expect(shop.referrerOf('Crew')).toBe('ada');
  expect(shop.signupOf('Crew').processingReason).toBe('attributed');
});

test('the code reaches a group also if the actor typed it after signing the group up', () => {
  const shop = openShop();
  expect(shop.signUp('Crew', null, 'vic').processingReason).toBe('no_candidate');
  shop.signUp('vic', 'ada-subscription');
  expect(shop.start('crew started', 'Crew').data.reason).toBe('attributed');
});

test('a code that the group signed up with comes first, and a click of the group itself', () => {
  const typed = openShop();
  typed.signUp('vic', 'ada-subscription');
  typed.signUp('Crew', 'eve-subscription', 'vic');
  typed.start('crew started', 'Crew');
  expect(typed.referrerOf('Crew')).toBe('eve');
  const clicked = openShop();
  clicked.signUp('vic', 'ada-subscription');
  clicked.meet('Crew');
  clicked.click('Crew', 'eve-subscription');
  clicked.signUp('Crew', null, 'vic');
  clicked.start('crew started', 'Crew');
  expect(clicked.referrerOf('Crew')).toBe('eve');
});

test('when the subscription starts, the actor’s code comes before their clicks, also later ones', () => {
  const shop = openShop();
  shop.signUp('vic', 'ada-subscription');
  shop.now = addMs(NOW, MINUTE_MS);
  shop.click('vic', 'eve-subscription');
  shop.signUp('Crew', null, 'vic');
  shop.start('crew started', 'Crew');
  expect(shop.referrerOf('Crew')).toBe('ada');
  shop.start('vic started', 'vic');
  expect(shop.referrerOf('vic')).toBe('ada');
});

test('at signup a later click of the actor comes before a code that they typed when they came', () => {
  const shop = openShop();
  shop.signUp('vic', 'ada-signup');
  shop.now = addMs(NOW, MINUTE_MS);
  shop.click('vic', 'eve-signup');
  shop.signUp('Crew', null, 'vic');
  expect(shop.referrerOf('Crew')).toBe('eve');
});

test('the explanation names a touch once, though it also made the actor’s referral', () => {
  const shop = openShop();
  const { attribution } = shop.signUp('vic', 'ada-signup');
  shop.signUp('Crew', null, 'vic');
  expect(shop.signupOf('Crew').explanation?.candidates).toMatchObject([
    { touchId: attribution?.touchId, verdict: 'selected', reason: null },
  ]);
});

describe('of the clicks before a signup (D-ATTR-3)', () => {
  /** Two Programs, by the model of each. */
  function openTwo(...models: ('first_touch' | 'last_touch')[]): MemoryTracking {
    const programs = models.map((model, at) =>
      aProgram({ id: `prg${at}`, policies: [aPolicy({ id: `pol${at}`, model, windowDays: 30 })] }),
    );
    const referrers = ['ada', 'eve'].flatMap((name) =>
      programs.map(({ id: programId }) => ({ name, programId })),
    );
    const shop = new MemoryTracking(NOW, programs, referrers);
    shop.meet('bob');
    return shop;
  }
  const ago = (ms: number) => addMs(NOW, -ms);

  test('one at the end of the window counts, and one before it does not', () => {
    const shop = openTwo('last_touch');
    shop.click('bob', 'ada-prg0', ago(30 * DAY_MS));
    expect(shop.signUp('bob').processingReason).toBe('attributed');
    const late = openTwo('last_touch');
    late.click('bob', 'ada-prg0', ago(30 * DAY_MS + 1));
    expect(late.signUp('bob')).toMatchObject({
      processingReason: 'outside_window',
      attribution: null,
    });
  });

  test.each([
    ['first_touch', 'ada'],
    ['last_touch', 'eve'],
  ] as const)('%s picks that of %s', (model, referrer) => {
    const shop = openTwo(model);
    shop.click('bob', 'ada-prg0', ago(DAY_MS));
    shop.click('bob', 'eve-prg0', ago(MINUTE_MS));
    shop.signUp('bob');
    expect(shop.referrerOf('bob')).toBe(referrer);
  });

  test('each Program picks by its own model, and then the latest is taken', () => {
    const shop = openTwo('first_touch', 'last_touch');
    shop.click('bob', 'ada-prg0', ago(3 * DAY_MS));
    shop.click('bob', 'eve-prg1', ago(2 * DAY_MS));
    shop.click('bob', 'ada-prg0', ago(DAY_MS));
    shop.signUp('bob');
    expect(shop.referrerOf('bob')).toBe('eve');
  });

  test('at the same time, that with the smaller id', () => {
    const shop = openTwo('last_touch', 'last_touch');
    shop.click('bob', 'eve-prg1');
    shop.click('bob', 'ada-prg0');
    shop.signUp('bob');
    expect(shop.referrerOf('bob')).toBe('eve');
  });

  test.each([{ deletedAt: NOW }, { suspendedAt: NOW }])(
    'none of a referrer who is no longer there: %o',
    (gone) => {
      const shop = openTwo('last_touch');
      shop.click('bob', 'eve-prg0', ago(DAY_MS));
      shop.click('bob', 'ada-prg0', ago(MINUTE_MS));
      shop.change('ada', gone);
      shop.signUp('bob');
      expect(shop.referrerOf('bob')).toBe('eve');
      shop.meet('cyd');
      shop.click('cyd', 'ada-prg0');
      expect(shop.signUp('cyd').processingReason).toBe('referrer_unavailable');
    },
  );

  test('if none will do, the Event says what is wrong with the latest (D-EVT-1)', () => {
    const shop = openTwo('last_touch');
    shop.click('bob', 'eve-prg0', ago(31 * DAY_MS));
    shop.click('bob', 'ada-prg0', ago(DAY_MS));
    shop.change('ada', { deletedAt: NOW });
    expect(shop.signUp('bob').processingReason).toBe('referrer_unavailable');
    expect(shop.signupOf('bob').explanation?.candidates.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['outside_window', 'referrer_unavailable']),
    );
  });

  test('the policy in effect when the signup happened decides, and is kept (D-ATTR-1)', () => {
    const policies = [
      aPolicy({ id: 'wide', windowDays: 90 }),
      aPolicy({ id: 'narrow', version: 2, windowDays: 1, effectiveAt: NOW }),
    ];
    const shop = new MemoryTracking(
      addMs(NOW, DAY_MS),
      [aProgram({ policies })],
      [{ name: 'ada', programId: 'prg' }],
    );
    for (const name of ['bob', 'cyd']) {
      shop.meet(name);
      shop.click(name, 'ada-prg', ago(2 * DAY_MS));
    }
    shop.signUp('bob', null, undefined, ago(1));
    expect(shop.state.referrals.get(shop.idOf('bob'))?.policyVersionId).toBe('wide');
    expect(shop.signUp('cyd', null, undefined, NOW).processingReason).toBe('outside_window');
  });
});
