import { describe, expect, test } from 'vitest';
import { type FeedEvent, partiesOf, sayEvent, thingsOf } from './say-event.ts';

const ada = { participantId: 'par_ada', kind: 'individual', externalId: 'ada' };
const bob = { participantId: 'par_bob', kind: 'individual', externalId: 'bob' };
const partner = { participantId: 'par_ptn', kind: 'individual', externalId: null };
const money = { amountMinor: '1250', currency: 'USD', currencyExponent: 2 };
const of = (type: string, data: unknown) => ({ type, data }) as FeedEvent;
const reward = { id: 'rwd_1', beneficiary: ada, money, discount: null, custom: null };
const units = { quantity: 3, unitName: 'gigabyte', unitNamePlural: 'gigabytes' };

describe('an event in words', () => {
  test.each([
    [of('participant.created', { participant: ada }), 'ada is here for the first time'],
    [of('participant.created', { participant: partner }), 'A partner is here for the first time'],
    [
      of('referral.created', { referral: { id: 'ref_1', referrer: ada, referee: bob } }),
      'ada brought bob',
    ],
    [
      of('event.recorded', {
        event: { id: 'evt_1', type: 'signup', participant: bob, purchase: null },
        attribution: { status: 'attributed', referrer: ada },
      }),
      'Signup by bob, credited to ada',
    ],
    [
      of('event.recorded', {
        event: { id: 'evt_1', type: 'purchase', participant: bob, purchase: money },
        attribution: { status: 'not_attributed', referrer: null },
      }),
      'Purchase of $12.50 by bob',
    ],
    [
      of('event.recorded', {
        event: { id: 'evt_1', type: 'custom_first_post', participant: bob, purchase: null },
        attribution: null,
      }),
      'Custom first post by bob',
    ],
    [of('reward.earned', { reward }), 'ada earned $12.50'],
    [of('reward.voided', { reward }), '$12.50 of ada was voided'],
    [of('reward.restored', { reward }), '$12.50 of ada counts again'],
    [
      of('reward.fulfilled', { reward: { ...reward, money: null, custom: units } }),
      'ada got 3 gigabytes',
    ],
    [
      of('reward.revoked', { reward: { ...reward, money: null, discount: { rateBps: 2000 } } }),
      'A discount of 20% was taken back from ada',
    ],
    [
      of('payout.paid', { payout: { id: 'po_1', ...money, failureReason: null } }),
      'A transfer of $12.50 was paid',
    ],
    [
      of('payout.failed', { payout: { id: 'po_1', ...money, failureReason: 'account_closed' } }),
      'A transfer of $12.50 failed: account closed',
    ],
    [
      of('payout.returned', { payout: { id: 'po_1', ...money, failureReason: null } }),
      'A transfer of $12.50 was returned',
    ],
    [of('moon.landed', {}), 'moon.landed'],
    [of('moon.landed', null), 'moon.landed'],
  ])('%j: %s', (event, said) => {
    expect(sayEvent(event, new Map())).toBe(said);
  });

  test('leads to what it is about', () => {
    expect(
      thingsOf(of('reward.earned', { reward }), new Map()).map(({ type, id }) => [type, id]),
    ).toEqual([
      ['reward', 'rwd_1'],
      ['participant', 'par_ada'],
    ]);
    expect(thingsOf(of('moon.landed', {}), new Map())).toEqual([]);
  });
});

test('people are called by their names where they are known', () => {
  const names = new Map([
    ['par_ada', 'Ada King'],
    ['par_ptn', 'Acme Ltd'],
  ]);
  const referral = of('referral.created', {
    referral: { id: 'ref_1', referrer: partner, referee: bob },
  });
  expect(partiesOf(referral)).toEqual(['par_ptn', 'par_bob']);
  expect(sayEvent(referral, names)).toBe('Acme Ltd brought bob');
  const earned = of('reward.earned', { reward });
  expect(partiesOf(earned)).toEqual(['par_ada']);
  expect(sayEvent(earned, names)).toBe('Ada King earned $12.50');
  expect(thingsOf(earned, names).at(-1)?.label).toBe('Ada King');
});
