import type Stripe from 'stripe';
import type {
  DeliverAnswer,
  FindAnswer,
  Reported,
  RewardOrder,
  RewardProvider,
} from '../../../../domain/rewards/delivery/provider.ts';
import { createLimit } from '../../../../platform/kit/limit.ts';
import type { StripeAccounts } from '../connections/client.ts';
import { isMissing, judgeError, judgeQuestion } from './judge-error.ts';

const PAGE = 100;
/** Concurrent reads of one account. */
const QUESTIONS_MAX = 4;
const PAYING: readonly string[] = ['active', 'trialing', 'past_due'];

interface DiscountedSubscription {
  readonly id: string;
  /** Whether it will be invoiced again, so that a discount can apply. */
  readonly isPaying: boolean;
  readonly discounts: Stripe.Discount[];
}

/**
 * A coupon for one customer. Its id is the reward's, so there can be only one. It is applied to the
 * customer's subscription; without one, a promotion code that only this customer can redeem waits
 * for their next subscription. Every step first reads the current state and can be repeated.
 */
export function createCouponProvider(accounts: StripeAccounts): RewardProvider {
  async function give(client: Stripe, order: RewardOrder): Promise<string> {
    const coupon = await ensureCoupon(client, order);
    const known = coupon && (await findGiven(client, order, coupon));
    if (known !== null) return known;
    const subscriptions = await listSubscriptions(client, order.account);
    const oldest = subscriptions.findLast(({ isPaying }) => isPaying);
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
    // The last call: an error after it would wrongly report that nothing was done.
    const { discounts } = await client.subscriptions.update(oldest.id, {
      discounts: [...kept, { coupon: order.rewardId }],
      expand: ['discounts'],
    });
    const given = (discounts as Stripe.Discount[]).find((one) => couponOf(one) === order.rewardId);
    if (!given)
      throw new Error(
        `The coupon of ${order.rewardId} is missing from the subscription that it was added to.`,
      );
    return given.id;
  }

  /** Calls `onBegun` after each change that may not be the last. */
  async function take(
    client: Stripe,
    { rewardId, account }: RewardOrder,
    onBegun: () => void,
  ): Promise<void> {
    for await (const { id, active } of listCodes(client, rewardId)) {
      if (!active) continue;
      await client.promotionCodes.update(id, { active: false });
      onBegun();
    }
    for (const { id, discounts } of await listSubscriptions(client, account)) {
      const kept = discounts.filter((one) => couponOf(one) !== rewardId);
      if (kept.length === discounts.length) continue;
      const left = kept.map((one) => ({ discount: one.id }));
      await client.subscriptions.update(id, { discounts: left.length > 0 ? left : '' });
      onBegun();
    }
    await client.coupons.del(rewardId).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }

  async function find(order: RewardOrder): Promise<FindAnswer> {
    const client = await accounts.open(order.projectId);
    try {
      const coupon = await findCoupon(client, order.rewardId);
      if (order.step === 'take_back') {
        if (!coupon) return { state: 'delivered', reference: order.rewardId };
        return { state: (await isInForce(client, order)) ? 'none' : 'begun' };
      }
      const given = coupon && (await findGiven(client, order, coupon));
      return given === null ? { state: 'none' } : { state: 'delivered', reference: given };
    } catch (error) {
      return judgeQuestion(error);
    }
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
        // A coupon can be redeemed once: the refusal may mean that it was delivered already.
        const found = await find(order);
        return found.state === 'delivered' ? found : answer;
      }
    },

    async takeBack(order): Promise<DeliverAnswer> {
      let hasBegun = false;
      try {
        await take(await accounts.open(order.projectId), order, () => {
          hasBegun = true;
        });
        return { state: 'delivered', reference: order.rewardId };
      } catch (error) {
        const answer = judgeError(error);
        if (!hasBegun || answer.state === 'unknown') return answer;
        return { state: 'unknown', isAnswered: false, message: answer.message };
      }
    },

    async report(projectId, _account, rewardIds): Promise<Reported> {
      const client = await accounts.open(projectId);
      const limit = createLimit(QUESTIONS_MAX);
      const isGiven = async (rewardId: string): Promise<boolean> => {
        const coupon = await findCoupon(client, rewardId);
        return coupon !== null && (isRedeemed(coupon) || (await findCode(client, coupon)) !== null);
      };
      const found = rewardIds.map((rewardId) =>
        limit(async () => [rewardId, (await isGiven(rewardId)) ? 1n : 0n] as const),
      );
      return new Map(await Promise.all(found));
    },
  };
}

function metadataOf({ projectId, rewardId, attempt }: RewardOrder): Record<string, string> {
  return { projectId, rewardId, attempt: String(attempt) };
}

/** The existing coupon; null if a new one was created. */
async function ensureCoupon(client: Stripe, order: RewardOrder): Promise<Stripe.Coupon | null> {
  const { rewardId, discount } = order;
  if (!discount) throw new Error(`Reward ${rewardId} is not a discount.`);
  const { rateBps, durationMode, durationMonths } = discount;
  const known = await findCoupon(client, rewardId);
  if (known) return known;
  await client.coupons
    .create({
      id: rewardId,
      name: 'Referral reward',
      // Stripe accepts percentages to two decimals, which is one basis point.
      percent_off: rateBps / 100,
      duration: durationMode === 'months' ? 'repeating' : durationMode,
      ...(durationMonths === null ? {} : { duration_in_months: durationMonths }),
      max_redemptions: 1,
      metadata: metadataOf(order),
    })
    .catch((error: Stripe.errors.StripeError) => {
      if (error.code !== 'resource_already_exists') throw error;
    });
  return null;
}

async function findCoupon(client: Stripe, id: string): Promise<Stripe.Coupon | null> {
  try {
    return await client.coupons.retrieve(id);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Whether the coupon was redeemed, which only its customer can do. Its discount may be gone: Stripe
 * removes a used-up discount and does not list subscriptions that have ended.
 */
function isRedeemed({ times_redeemed }: Stripe.Coupon): boolean {
  return times_redeemed > 0;
}

/** The discount or code by which the customer has or had the coupon; null if they never did. */
async function findGiven(
  client: Stripe,
  { account, rewardId }: Pick<RewardOrder, 'account' | 'rewardId'>,
  coupon: Stripe.Coupon,
): Promise<string | null> {
  if (isRedeemed(coupon)) {
    for (const { discounts } of await listSubscriptions(client, account)) {
      const given = discounts.find((one) => couponOf(one) === rewardId);
      if (given) return given.id;
    }
  }
  const code = await findCode(client, coupon);
  return code ?? (isRedeemed(coupon) ? coupon.id : null);
}

/** Whether the customer has the discount, or can still redeem its code. */
async function isInForce(
  client: Stripe,
  { account, rewardId }: Pick<RewardOrder, 'account' | 'rewardId'>,
): Promise<boolean> {
  for (const { discounts } of await listSubscriptions(client, account)) {
    if (discounts.some((one) => couponOf(one) === rewardId)) return true;
  }
  for await (const { active } of listCodes(client, rewardId)) if (active) return true;
  return false;
}

/** The code of a coupon. A code that was deactivated before it was redeemed was taken back. */
async function findCode(client: Stripe, coupon: Stripe.Coupon): Promise<string | null> {
  for await (const { id, active } of listCodes(client, coupon.id)) {
    if (active || isRedeemed(coupon)) return id;
  }
  return null;
}

function listCodes(client: Stripe, coupon: string): AsyncIterable<Stripe.PromotionCode> {
  return client.promotionCodes.list({ coupon, limit: PAGE });
}

/**
 * All subscriptions that have not ended, newest first. None for a customer that Stripe does not
 * have.
 */
async function listSubscriptions(
  client: Stripe,
  customer: string,
): Promise<DiscountedSubscription[]> {
  const found: DiscountedSubscription[] = [];
  try {
    const all = client.subscriptions.list({ customer, limit: PAGE, expand: ['data.discounts'] });
    for await (const { id, status, discounts, cancel_at, cancel_at_period_end } of all) {
      const isEnding = cancel_at_period_end || cancel_at !== null;
      const isPaying = PAYING.includes(status) && !isEnding;
      found.push({ id, isPaying, discounts: discounts as Stripe.Discount[] });
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
