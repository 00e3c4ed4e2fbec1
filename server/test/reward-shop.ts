import { expect } from 'vitest';
import type { RewardRow } from '../src/domain/rewards/reward.ts';
import type { Answer, TestService } from './harness.ts';
import { openShop, type Shop } from './shop.ts';

type Delivered = Extract<RewardRow['benefitKind'], 'credit' | 'discount'>;

/** A shop whose credits and discounts the service itself delivers: 5 dollars, or a quarter off. */
export interface RewardShop extends Shop {
  /** Somebody, by default ada, has this billing account from now on. */
  bill(billingId: string | null, externalId?: string): Promise<void>;
  /** Bob buys, and ada earns one Reward; returns its id. */
  earn(kind: Delivered, order: string): Promise<string>;
  adjust(kind: string, order: string, amountMinor: string, more?: object): Promise<Answer>;
  /** Somebody new signs up and buys, by which one Reward is earned; returns its id. */
  earnBy(kind: Delivered, externalId: string): Promise<string>;
  voidReward(rewardId: string): Promise<Answer>;
  reward(rewardId: string): Promise<Answer['body']>;
  /** What the feed tells of a Reward, in order. */
  newsOf(rewardId: string): Promise<string[]>;
}

export const CREDIT_MINOR = 500n;
const RULES = {
  credit: {
    benefitKind: 'credit',
    calculation: 'fixed',
    fixedAmountMinor: String(CREDIT_MINOR),
    currency: 'USD',
    currencyExponent: 2,
  },
  discount: {
    benefitKind: 'discount',
    calculation: 'percentage',
    rateBps: 2_500,
    durationMode: 'months',
    durationMonths: 3,
  },
} as const;

/** The Project must be connected by `connect`. Each kind has a shop of its own, or both are in one. */
export async function openRewardShop(
  service: TestService,
  connect: (projectId: string) => void | Promise<void>,
  kinds: readonly Delivered[] = ['credit', 'discount'],
  role: 'referrer' | 'referee' = 'referrer',
): Promise<RewardShop> {
  const shop = await openShop(service);
  const { projectId, key } = shop.project;
  await connect(projectId);
  for (const kind of kinds) await shop.addRule(RULES[kind], role);
  await shop.setDelivery({ creditMethod: 'stripe_balance', discountMethod: 'stripe_coupon' });
  const { sourceNamespaceId } = (await shop.post('/v1/sources')).body;
  return {
    ...shop,
    async bill(billingId, externalId = 'ada') {
      const participant = { kind: 'individual', externalId };
      const { status } = await service.call('PUT', '/v1/participants', {
        as: key,
        body: { projectId, participant, billingId },
      });
      expect(status).toBe(200);
    },
    async earn(kind, order) {
      const id = (await shop.buy(order))[kind];
      if (id === undefined) throw new Error(`Nothing was earned by ${order}.`);
      return id;
    },
    async earnBy(kind, externalId) {
      await shop.signUp(externalId);
      const { body } = await shop.post('/v1/track/events', {
        sourceNamespaceId,
        type: 'purchase',
        participant: { kind: 'individual', externalId },
        sourceEventId: externalId,
        purchase: { amountMinor: '1000', currency: 'USD' },
      });
      const { data } = (await shop.read('/v1/rewards', { eventId: body.eventId })).body;
      const ofKind = data.filter((one: { benefitKind: string }) => one.benefitKind === kind);
      expect(ofKind).toHaveLength(1);
      return ofKind[0].id;
    },
    adjust: (kind, order, amountMinor, more = {}) =>
      shop.post('/v1/track/adjustments', {
        sourceNamespaceId,
        sourceEventId: `${kind}-${order}`,
        purchase: { sourceEventId: order },
        kind,
        amountMinor,
        currency: 'USD',
        currencyExponent: 2,
        occurredAt: service.clock.now,
        ...more,
      }),
    voidReward: (rewardId) => shop.post(`/v1/rewards/${rewardId}/void`, { reasonCode: 'fraud' }),
    reward: async (rewardId) => (await shop.read(`/v1/rewards/${rewardId}`)).body,
    newsOf: async (rewardId) =>
      (await shop.feed())
        .filter(({ data }) => data.reward?.id === rewardId)
        .map(({ type }) => type as string),
  };
}
