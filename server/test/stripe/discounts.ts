import type {
  FakeAccount,
  FakeCoupon,
  FakeDiscount,
  FakePromotionCode,
  FakeSubscription,
} from './account.ts';
import { liveCustomer } from './customers.ts';
import { listOf, mapOf, mergeMetadata, type Params, textOf } from './form.ts';
import { invalid, missing, Refusal, required } from './refusal.ts';
import { integerOf, LIST_PARAMS, pageOf, type StripeCall, type StripeRoute } from './route.ts';

/** A subscription has so many discounts at most. */
const DISCOUNTS_MAX = 20;

function couponOf({ account }: StripeCall, id: string, status = 404): FakeCoupon {
  const coupon = account.coupons.get(id);
  if (!coupon) throw missing('coupon', id, status);
  return coupon;
}

function subscriptionOf({ account, path }: StripeCall): FakeSubscription {
  const id = path.subscription ?? '';
  const subscription = account.subscriptions.get(id);
  if (!subscription) throw missing('subscription', id);
  return subscription;
}

/** Discounts are ids, unless the call asks for them whole. */
function shownTo({ params }: StripeCall, subscription: FakeSubscription): object {
  const expanded = listOf(params, 'expand') ?? [];
  const isWhole = expanded.includes('discounts') || expanded.includes('data.discounts');
  return isWhole
    ? subscription
    : { ...subscription, discounts: subscription.discounts.map(({ id }) => id) };
}

/** The whole new list: what is named by its id stays, a coupon or a code makes a new one. */
function discountsBy(call: StripeCall, subscription: FakeSubscription): FakeDiscount[] {
  const asked = listOf(call.params, 'discounts') ?? [];
  if (asked.length > DISCOUNTS_MAX) throw invalid('discounts', 'Too many discounts.');
  return asked.map((one): FakeDiscount => {
    if (typeof one === 'string') throw invalid('discounts', 'Invalid object.');
    const { discount, coupon, promotion_code: code } = one as Record<string, string>;
    if (discount !== undefined) {
      const known = subscription.discounts.find(({ id }) => id === discount);
      if (!known) throw missing('discount', discount, 400);
      return known;
    }
    if (code !== undefined) return redeem(call, subscription, code);
    if (coupon === undefined) throw required('discounts[coupon]');
    return makeDiscount(call, subscription, couponOf(call, coupon, 400), null);
  });
}

/** What a customer does at the checkout. */
export function redeemCode(
  account: FakeAccount,
  subscription: FakeSubscription,
  id: string,
): FakeDiscount {
  return redeem({ account, path: {}, params: {} }, subscription, id);
}

function redeem(call: StripeCall, subscription: FakeSubscription, id: string): FakeDiscount {
  const code = call.account.promotionCodes.get(id);
  if (!code?.active) throw missing('promotion_code', id, 400);
  if (code.customer !== null && code.customer !== subscription.customer) {
    throw invalid('promotion_code', 'This promotion code is for another customer.');
  }
  code.times_redeemed += 1;
  if (code.times_redeemed === code.max_redemptions) code.active = false;
  return makeDiscount(call, subscription, couponOf(call, code.promotion.coupon, 400), code.id);
}

function makeDiscount(
  { account }: StripeCall,
  { id, customer }: FakeSubscription,
  coupon: FakeCoupon,
  promotionCode: string | null,
): FakeDiscount {
  if (coupon.max_redemptions !== null && coupon.times_redeemed >= coupon.max_redemptions) {
    throw new Refusal(400, 'This coupon has been redeemed as often as it can be.', {
      code: 'coupon_expired',
    });
  }
  coupon.times_redeemed += 1;
  return {
    id: account.newId('di'),
    object: 'discount',
    customer,
    subscription: id,
    promotion_code: promotionCode,
    source: { type: 'coupon', coupon: coupon.id },
    start: account.stamp().created,
  };
}

function makeCoupon({ account, params }: StripeCall): FakeCoupon {
  const id = textOf(params, 'id') ?? account.newId('coupon');
  if (account.coupons.has(id)) {
    throw new Refusal(400, 'Coupon already exists.', { code: 'resource_already_exists' });
  }
  const percent = Number(textOf(params, 'percent_off') ?? Number.NaN);
  if (!(percent > 0 && percent <= 100)) throw invalid('percent_off', 'Invalid percentage.');
  const duration = textOf(params, 'duration') ?? 'once';
  const months = integerOf(params, 'duration_in_months');
  if ((duration === 'repeating') !== (months !== undefined)) throw required('duration_in_months');
  const name = textOf(params, 'name') ?? null;
  if (name !== null && name.length > 40) throw invalid('name', 'Invalid string: at most 40.');
  return {
    id,
    object: 'coupon',
    ...account.stamp(),
    percent_off: percent,
    duration,
    duration_in_months: months ?? null,
    max_redemptions: integerOf(params, 'max_redemptions') ?? null,
    name,
    times_redeemed: 0,
    metadata: mergeMetadata({}, params),
  };
}

function makePromotionCode(call: StripeCall): FakePromotionCode {
  const { account, params } = call;
  const couponId = textOf(mapOf(params, 'promotion') ?? {}, 'coupon');
  if (couponId === undefined) throw required('promotion[coupon]');
  const coupon = couponOf(call, couponId, 400);
  const customer = textOf(params, 'customer') ?? null;
  if (customer !== null) liveCustomer(call, customer, 400);
  const code = textOf(params, 'code') ?? account.newId('').slice(1, 9).toUpperCase();
  const isTaken = [...account.promotionCodes.values()].some(
    (made) => made.active && made.code.toLowerCase() === code.toLowerCase(),
  );
  if (isTaken) throw invalid('code', 'An active promotion code with that code exists.');
  return {
    id: account.newId('promo'),
    object: 'promotion_code',
    ...account.stamp(),
    code,
    customer,
    max_redemptions: integerOf(params, 'max_redemptions') ?? null,
    promotion: { type: 'coupon', coupon: coupon.id },
    active: true,
    times_redeemed: 0,
    metadata: mergeMetadata({}, params),
  };
}

const isOf = (params: Params, name: string, value: string | null): boolean =>
  textOf(params, name) === undefined || textOf(params, name) === value;

export const discountRoutes: readonly StripeRoute[] = [
  {
    method: 'POST',
    path: '/v1/coupons',
    takes: [
      'id',
      'percent_off',
      'duration',
      'duration_in_months',
      'max_redemptions',
      'name',
      'metadata',
    ],
    run: (call) => {
      const coupon = makeCoupon(call);
      call.account.coupons.set(coupon.id, coupon);
      return coupon;
    },
  },
  {
    method: 'GET',
    path: '/v1/coupons',
    takes: LIST_PARAMS,
    run: ({ account, params }) => pageOf('/v1/coupons', [...account.coupons.values()], params),
  },
  {
    method: 'GET',
    path: '/v1/coupons/:coupon',
    takes: [],
    run: (call) => couponOf(call, call.path.coupon ?? ''),
  },
  {
    method: 'DELETE',
    path: '/v1/coupons/:coupon',
    takes: [],
    run: (call) => {
      const coupon = couponOf(call, call.path.coupon ?? '');
      call.account.coupons.delete(coupon.id);
      call.account.deletedCoupons.push(coupon);
      return { id: coupon.id, object: 'coupon', deleted: true };
    },
  },
  {
    method: 'POST',
    path: '/v1/promotion_codes',
    takes: ['promotion', 'customer', 'code', 'max_redemptions', 'metadata'],
    run: (call) => {
      const code = makePromotionCode(call);
      call.account.promotionCodes.set(code.id, code);
      return code;
    },
  },
  {
    method: 'GET',
    path: '/v1/promotion_codes',
    takes: [...LIST_PARAMS, 'coupon', 'customer', 'active', 'code'],
    run: ({ account, params }) => {
      const found = [...account.promotionCodes.values()].filter(
        (made) =>
          isOf(params, 'coupon', made.promotion.coupon) &&
          isOf(params, 'customer', made.customer) &&
          isOf(params, 'active', String(made.active)) &&
          isOf(params, 'code', made.code),
      );
      return pageOf('/v1/promotion_codes', found, params);
    },
  },
  {
    method: 'POST',
    path: '/v1/promotion_codes/:code',
    takes: ['active', 'metadata'],
    run: ({ account, path, params }) => {
      const code = account.promotionCodes.get(path.code ?? '');
      if (!code) throw missing('promotion_code', path.code ?? '');
      const active = textOf(params, 'active');
      if (active !== undefined) code.active = active === 'true';
      code.metadata = mergeMetadata(code.metadata, params);
      return code;
    },
  },
  {
    method: 'GET',
    path: '/v1/subscriptions',
    takes: [...LIST_PARAMS, 'customer', 'status', 'expand'],
    run: (call) => {
      const status = textOf(call.params, 'status');
      const found = [...call.account.subscriptions.values()].filter(
        (one) =>
          isOf(call.params, 'customer', one.customer) &&
          (status === 'all' || (status ? one.status === status : one.status !== 'canceled')),
      );
      const shown = found.map((one) => ({ ...shownTo(call, one), id: one.id }));
      return pageOf('/v1/subscriptions', shown, call.params);
    },
  },
  {
    method: 'GET',
    path: '/v1/subscriptions/:subscription',
    takes: ['expand'],
    run: (call) => shownTo(call, subscriptionOf(call)),
  },
  {
    method: 'POST',
    path: '/v1/subscriptions/:subscription',
    takes: ['discounts', 'metadata', 'expand', 'proration_behavior'],
    run: (call) => {
      const subscription = subscriptionOf(call);
      if (subscription.status === 'canceled') {
        throw new Refusal(400, 'A canceled subscription can only update its metadata.');
      }
      if (call.params.discounts !== undefined) {
        subscription.discounts = discountsBy(call, subscription);
      }
      subscription.metadata = mergeMetadata(subscription.metadata, call.params);
      return shownTo(call, subscription);
    },
  },
];
