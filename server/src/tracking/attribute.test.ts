import { expect, test } from 'vitest';
import { MemoryTracking } from '../../test/memory-tracking.ts';
import { aPolicy, aProgram } from '../../test/program-book.ts';
import { addMs, MINUTE_MS } from '../kit/instant.ts';

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
