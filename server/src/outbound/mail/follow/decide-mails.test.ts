import { describe, expect, test } from 'vitest';
import { decideMails, type FollowedEvent } from './decide-mails.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const reward = {
  id: 'rwd_1',
  programId: 'prg_1',
  beneficiary: { $party: 'par_1' },
  benefitKind: 'cash',
  money: { netAmountMinor: '500', currency: 'USD', currencyExponent: 2 },
  discount: null,
  custom: null,
  earnedAt: NOW,
  availableAt: NOW,
  delivery: { method: 'payout' },
};
const payout = {
  id: 'po_1',
  currency: 'USD',
  currencyExponent: 2,
  amountMinor: '1500',
  rewards: [
    { rewardId: 'rwd_1', beneficiary: { $party: 'par_1' } },
    { rewardId: 'rwd_2', beneficiary: { $party: 'par_1' } },
  ],
};
const decide = (type: FollowedEvent['type'], data: unknown, occurredAt = NOW) =>
  decideMails({ type, occurredAt, data }, NOW);

test('a referral is mailed to the referrer', () => {
  const referral = { id: 'ref_1', programId: 'prg_1', referrer: { $party: 'par_1' } };
  expect(decide('referral.created', { referral })).toEqual([
    {
      kind: 'friend_joined',
      factId: 'ref_1',
      participantId: 'par_1',
      programId: 'prg_1',
      rewardId: null,
      data: {},
    },
  ]);
});

describe('a reward that was earned', () => {
  test('is mailed with its amount', () => {
    expect(decide('reward.earned', { reward })).toMatchObject([
      {
        kind: 'reward_earned',
        factId: 'rwd_1',
        programId: 'prg_1',
        data: { money: { amountMinor: '500', currency: 'USD', currencyExponent: 2 } },
      },
    ]);
  });
  test('says when it is available only if that is later', () => {
    const [now] = decide('reward.earned', { reward });
    expect(now?.data).not.toHaveProperty('availableAt');
    const availableAt = '2026-12-15T09:30:00.000Z';
    const [later] = decide('reward.earned', { reward: { ...reward, availableAt } });
    expect(later?.data.availableAt).toBe(availableAt);
  });
  test('is not mailed if nothing is left of it', () => {
    const money = { ...reward.money, netAmountMinor: '0' };
    expect(decide('reward.earned', { reward: { ...reward, money } })).toEqual([]);
  });
  test('can be a credit, a discount or a number of something', () => {
    const data = (more: object) =>
      decide('reward.earned', { reward: { ...reward, money: null, ...more } })[0]?.data;
    expect(data({ money: reward.money, benefitKind: 'credit' })).toMatchObject({ isCredit: true });
    expect(data({ discount: { rateBps: 1_500, durationMode: 'once' } })).toEqual({
      discountBps: 1_500,
    });
    const custom = { quantity: 3, unitName: 'seat', unitNamePlural: 'seats' };
    expect(data({ custom: { ...custom, unitKey: 'seat' } })).toEqual({ custom });
  });
});

test('a delivered reward is mailed, but cash that a payout pays is mailed once per payout', () => {
  expect(decide('reward.fulfilled', { reward })).toEqual([]);
  const byHand = { ...reward, delivery: { method: 'operator' } };
  expect(decide('reward.fulfilled', { reward: byHand })).toMatchObject([{ kind: 'reward_paid' }]);
  expect(decide('payout.paid', { payout })).toMatchObject([
    {
      kind: 'reward_paid',
      factId: 'po_1',
      participantId: 'par_1',
      programId: null,
      rewardId: 'rwd_1',
      data: { money: { amountMinor: '1500' } },
    },
  ]);
});

test('a part of a payout that takes something back is not mailed', () => {
  expect(decide('payout.paid', { payout: { ...payout, amountMinor: '-5' } })).toEqual([]);
  expect(decide('payout.paid', { payout: { ...payout, amountMinor: '0' } })).toEqual([]);
  expect(decide('payout.paid', { payout: { ...payout, rewards: [] } })).toEqual([]);
});

test('a fact is mailed for a day', () => {
  expect(decide('reward.earned', { reward }, '2026-11-14T09:30:00.000Z')).toHaveLength(1);
  expect(decide('reward.earned', { reward }, '2026-11-14T09:29:59.999Z')).toEqual([]);
});

test.each([
  'participant.created',
  'event.recorded',
  'reward.voided',
  'reward.restored',
  'reward.revoked',
  'payout.failed',
  'payout.returned',
] as const)('%s is not mailed', (type) => {
  expect(decide(type, { reward, payout })).toEqual([]);
});
