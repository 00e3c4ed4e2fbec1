import type Stripe from 'stripe';
import type {
  DeliverAnswer,
  FindAnswer,
  Reported,
  RewardOrder,
  RewardProvider,
} from '../../rewards/provider.ts';
import { isMissing, judgeError } from './judge-error.ts';
import type { StripeAccounts } from './stripe-accounts.ts';

const PAGE = 100;
/** Those that will be invoiced, and so can give a discount. */
const PAYING: readonly string[] = ['active', 'trialing', 'past_due'];

type DiscountedSubscription = Pick<Stripe.Subscription, 'id' | 'status'> & {
  readonly discounts: Stripe.Discount[];
};

/**
 * A coupon of the customer's own, whose id is the Reward's, so that there can be only one. It is put
 * on the customer's subscription; without one, a promotion code that only they can redeem waits for
 * their next. Every step looks at what is there first, and can be taken again.
 */
export function createCouponProvider(accounts: StripeAccounts): RewardProvider {
  async function give(client: Stripe, order: RewardOrder): Promise<string> {
    await ensureCoupon(client, order);
    const known = await findGiven(client, order);
    if (known !== null) return known;
    const subscriptions = await listSubscriptions(client, order.account);
    const oldest = subscriptions.findLast(({ status }) => PAYING.includes(status));
    if (!oldest) {
      const code = await client.promotionCodes.create(
        {
          promotion: { type: 'coupon', coupon: order.rewardId },
          customer: order.account,
          max_redemptions: 1,
          metadata: metadataOf(order),
        },
        { idempotencyKey: `${order.key}_code` },
      );
      return code.id;
    }
    const kept = oldest.discounts.map(({ id }) => ({ discount: id }));
    // The last call: whatever went wrong after it would say that nothing was done.
    const { discounts } = await client.subscriptions.update(oldest.id, {
      discounts: [...kept, { coupon: order.rewardId }],
      expand: ['discounts'],
    });
    const given = (discounts as Stripe.Discount[]).find((one) => couponOf(one) === order.rewardId);
    if (!given) throw new Error(`The coupon of ${order.rewardId} is not where it was put.`);
    return given.id;
  }

  async function take(client: Stripe, { rewardId, account }: RewardOrder): Promise<void> {
    for await (const { id, active } of listCodes(client, rewardId)) {
      if (active) await client.promotionCodes.update(id, { active: false });
    }
    for (const { id, discounts } of await listSubscriptions(client, account)) {
      const kept = discounts.filter((one) => couponOf(one) !== rewardId);
      if (kept.length === discounts.length) continue;
      const left = kept.map((one) => ({ discount: one.id }));
      await client.subscriptions.update(id, { discounts: left.length > 0 ? left : '' });
    }
    await client.coupons.del(rewardId).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }

  async function find(order: RewardOrder): Promise<FindAnswer> {
    const client = await accounts.open(order.projectId);
    const isThere = await hasCoupon(client, order.rewardId);
    if (order.step === 'take_back') {
      return isThere ? { state: 'none' } : { state: 'delivered', reference: order.rewardId };
    }
    const given = isThere ? await findGiven(client, order) : null;
    return given === null ? { state: 'none' } : { state: 'delivered', reference: given };
  }

  return {
    method: 'stripe_coupon',
    isConnected: (projectId) => accounts.isConnected(projectId),
    carriable: (amountMinor) => amountMinor,
    find,

    async deliver(order): Promise<DeliverAnswer> {
      try {
        const client = await accounts.open(order.projectId);
        return { state: 'delivered', reference: await give(client, order) };
      } catch (error) {
        const answer = judgeError(error);
        if (answer.state !== 'refused') return answer;
        // A coupon can be redeemed once: it may be refused because the same was done already.
        const found = await find(order);
        return found.state === 'none' ? answer : found;
      }
    },

    async takeBack(order): Promise<DeliverAnswer> {
      try {
        await take(await accounts.open(order.projectId), order);
        return { state: 'delivered', reference: order.rewardId };
      } catch (error) {
        return judgeError(error);
      }
    },

    async report(projectId, account, rewardIds): Promise<Reported> {
      const client = await accounts.open(projectId);
      const found = new Map<string, bigint>();
      for (const rewardId of rewardIds) {
        const isThere = await hasCoupon(client, rewardId);
        const given = isThere ? await findGiven(client, { account, rewardId }) : null;
        found.set(rewardId, given === null ? 0n : 1n);
      }
      return found;
    },
  };
}

function metadataOf({ projectId, rewardId, attempt }: RewardOrder): Record<string, string> {
  return { projectId, rewardId, attempt: String(attempt) };
}

async function ensureCoupon(client: Stripe, order: RewardOrder): Promise<void> {
  const { rewardId, discount } = order;
  if (!discount) throw new Error(`Reward ${rewardId} is no discount.`);
  const { rateBps, durationMode, durationMonths } = discount;
  if (await hasCoupon(client, rewardId)) return;
  await client.coupons
    .create({
      id: rewardId,
      name: 'Referral reward',
      // Basis points are hundredths of a percent, which is as fine as Stripe takes it.
      percent_off: rateBps / 100,
      duration: durationMode === 'months' ? 'repeating' : durationMode,
      ...(durationMonths === null ? {} : { duration_in_months: durationMonths }),
      max_redemptions: 1,
      metadata: metadataOf(order),
    })
    .catch((error: Stripe.errors.StripeError) => {
      if (error.code !== 'resource_already_exists') throw error;
    });
}

async function hasCoupon(client: Stripe, id: string): Promise<boolean> {
  try {
    await client.coupons.retrieve(id);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** The discount, or the code, by which the customer has the coupon; null if they do not have it. */
async function findGiven(
  client: Stripe,
  { account, rewardId }: Pick<RewardOrder, 'account' | 'rewardId'>,
): Promise<string | null> {
  for (const { discounts } of await listSubscriptions(client, account)) {
    const given = discounts.find((one) => couponOf(one) === rewardId);
    if (given) return given.id;
  }
  for await (const { id } of listCodes(client, rewardId)) return id;
  return null;
}

function listCodes(client: Stripe, coupon: string): AsyncIterable<Stripe.PromotionCode> {
  return client.promotionCodes.list({ coupon, limit: PAGE });
}

/** All that have not ended, newest first. Of a customer that Stripe does not have, none. */
async function listSubscriptions(
  client: Stripe,
  customer: string,
): Promise<DiscountedSubscription[]> {
  const found: DiscountedSubscription[] = [];
  try {
    const all = client.subscriptions.list({ customer, limit: PAGE, expand: ['data.discounts'] });
    for await (const { id, status, discounts } of all) {
      found.push({ id, status, discounts: discounts as Stripe.Discount[] });
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return found;
}

function couponOf({ source }: Stripe.Discount): string | null {
  const { coupon } = source;
  return typeof coupon === 'string' || coupon === null ? coupon : coupon.id;
}
