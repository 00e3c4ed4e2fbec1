import { redeemCode } from '../../stripe/discounts.ts';
import { createFakeStripe, type StripeFault } from '../../stripe/fake-stripe.ts';
import { listenAt } from '../authority/virtual-sockets.ts';
import type { VirtualTime } from '../authority/virtual-time.ts';
import { ConnectBooks, onboardingRoutes } from './connect-books.ts';

export const STRIPE_KEY = 'rk_live_51AbCdEfGhIjKlMnOp';

const DAY_MS = 86_400_000;
/** Longer than the service waits for an answer, and shorter than until it asks what became of the call. */
export const LATE_MS = 75_000;

/** How the next call goes wrong that credits something, or that asks what was credited. */
export const STRIPE_FAULTS = [
  ['POST', 'reset_before'],
  ['POST', 'reset_after'],
  ['POST', 'reset_after'],
  ['POST', 'silence_before'],
  ['POST', 'silence_after'],
  ['POST', 'silence_after'],
  ['POST', 'error_before'],
  ['POST', 'error_after'],
  ['POST', 'throttled'],
  ['POST', 'conflict'],
  ['POST', 'late'],
  ['POST', 'gateway'],
  ['POST', 'unauthorized'],
  ['GET', 'reset_before'],
  ['GET', 'silence_before'],
  ['GET', 'throttled'],
  ['GET', 'unauthorized'],
] as const satisfies readonly (readonly [string, StripeFault])[];

/** The like for calls about discounts. */
export const DISCOUNT_FAULTS = [
  ['POST', 'reset_before'],
  ['POST', 'reset_after'],
  ['POST', 'reset_after'],
  ['POST', 'silence_before'],
  ['POST', 'silence_after'],
  ['POST', 'silence_after'],
  ['POST', 'error_before'],
  ['POST', 'error_after'],
  ['POST', 'throttled'],
  ['POST', 'conflict'],
  ['POST', 'late'],
  ['POST', 'gateway'],
  ['POST', 'unauthorized'],
  ['GET', 'silence_before'],
  ['GET', 'throttled'],
  ['GET', 'unauthorized'],
  ['DELETE', 'reset_after'],
  ['DELETE', 'silence_before'],
  ['DELETE', 'throttled'],
] as const satisfies readonly (readonly [string, StripeFault])[];

/** What the service does there: it credits balances, and gives discounts. */
export type StripePart = 'stripe' | 'discounts';

const PARTS = {
  stripe: { faults: STRIPE_FAULTS, path: /balance_transactions/ },
  discounts: { faults: DISCOUNT_FAULTS, path: /coupons|promotion_codes|subscriptions/ },
} as const;

/** What customers do: `pay` is the next invoice of a subscription. */
export const CUSTOMER_DEEDS = ['subscribe', 'subscribe', 'redeem', 'pay', 'cancel'] as const;
export type CustomerDeed = (typeof CUSTOMER_DEEDS)[number];

/** A coupon that the service has made. */
export interface Coupon {
  readonly reward: string;
  readonly percent: number;
  readonly duration: string;
  readonly months: number | null;
  readonly isRedeemed: boolean;
  /** Where it lowers an invoice or can be redeemed, by the customer that it is for. */
  readonly places: readonly { readonly customer: string; readonly by: 'code' | 'subscription' }[];
  /** When customers were given it. */
  readonly givenMs: readonly number[];
}

/** What the service has added to the balance of a customer. */
export interface Credited {
  readonly customer: string;
  readonly reward: string;
  readonly attempt: string;
  /** In the customer's favour. */
  readonly amountMinor: bigint;
  readonly createdMs: number;
}

/** The Project's own account at Stripe, which no crash and no restore of the service touches. */
export class StripeBooks {
  /** The account that the workspace pays from. */
  readonly connect: ConnectBooks;
  readonly #time: VirtualTime;
  readonly #stripe: ReturnType<typeof createFakeStripe>;
  #lastMs = 0;
  /** So many credits were ordered from a store that was lost since. */
  #forgotten = 0;
  /** So many were there when the restored store was still on hold. */
  #held = 0;

  constructor(time: VirtualTime) {
    this.#time = time;
    this.#stripe = createFakeStripe({ routes: onboardingRoutes, nowMs: () => time.nowMs });
    this.connect = new ConnectBooks(time, this.#stripe, this.#landLate.bind(this));
    listenAt(time, 'api.stripe.com:443', (socket) => {
      // A day passes at once in a world, or not at all.
      if (time.nowMs - this.#lastMs > DAY_MS) this.#stripe.forgetKeys();
      this.#lastMs = time.nowMs;
      this.#stripe.server.emit('connection', socket);
    });
  }

  addCustomers(ids: readonly string[]): void {
    const account = this.#stripe.account(STRIPE_KEY);
    for (const id of ids) account.addCustomer({ id });
  }

  fault(number: number, at: StripePart): void {
    const { faults, path } = PARTS[at];
    const [method, what] = faults[number % faults.length] as (typeof faults)[number];
    this.#landLate(this.#stripe.fault(what, { method, path }), what);
  }

  /** A call that is late arrives some time after it was made. */
  #landLate(struck: Promise<void>, what: StripeFault): void {
    if (what !== 'late' && what !== 'gateway') return;
    void struck.then(() => this.#time.addTimer(() => this.#stripe.land(), LATE_MS));
  }

  heal(): void {
    this.#stripe.mend();
    this.#stripe.land();
  }

  /** What somebody does at Stripe, if there is anything to do it with. */
  act(customer: string, deed: CustomerDeed): void {
    const account = this.#stripe.account(STRIPE_KEY);
    if (deed === 'subscribe') {
      account.addSubscription(customer);
      return;
    }
    const own = [...account.subscriptions.values()].filter((one) => one.customer === customer);
    const subscription = own.find(({ status }) => status === 'active');
    if (!subscription) return;
    if (deed === 'pay') account.bill(subscription);
    if (deed === 'cancel') subscription.status = 'canceled';
    const codes = [...account.promotionCodes.values()];
    const code = codes.find((one) => one.active && one.customer === customer);
    const coupon = account.coupons.get(code?.promotion.coupon ?? '');
    if (deed === 'redeem' && code && coupon?.times_redeemed === 0)
      subscription.discounts.push(redeemCode(account, subscription, code.id));
  }

  /** Those that are deleted as well: a discount outlives its coupon. */
  get coupons(): readonly Coupon[] {
    const account = this.#stripe.account(STRIPE_KEY);
    const codes = [...account.promotionCodes.values()];
    const subscriptions = [...account.subscriptions.values()];
    const discounts = subscriptions.flatMap((one) => one.discounts);
    const inForce = subscriptions
      .filter(({ status }) => status !== 'canceled')
      .flatMap((one) => one.discounts);
    return [...account.coupons.values(), ...account.deletedCoupons].map((coupon) => {
      const ownCodes = codes.filter(({ promotion }) => promotion.coupon === coupon.id);
      const isOwn = ({ source }: { readonly source: { readonly coupon: string } }) =>
        source.coupon === coupon.id;
      return {
        reward: coupon.id,
        percent: coupon.percent_off,
        duration: coupon.duration,
        months: coupon.duration_in_months,
        isRedeemed: coupon.times_redeemed > 0,
        places: [
          ...inForce
            .filter(isOwn)
            .map(({ customer }) => ({ customer, by: 'subscription' as const })),
          ...ownCodes
            .filter(({ active }) => active)
            .map(({ customer }) => ({ customer: customer ?? 'anybody', by: 'code' as const })),
        ],
        givenMs: [
          ...ownCodes.map(({ created }) => created * 1_000),
          ...discounts.filter(isOwn).map(({ start }) => start * 1_000),
        ],
      };
    });
  }

  forgetOrders(): void {
    this.#forgotten = this.credits.length;
    this.#held = this.#forgotten;
  }

  /** The restored store may not pay yet. */
  noteHold(): void {
    this.#held = this.credits.length;
  }

  get forgotten(): readonly Credited[] {
    return this.credits.slice(0, this.#forgotten);
  }

  /** What was credited before anybody let the restored store pay again. */
  get heedless(): readonly Credited[] {
    return this.credits.slice(this.#forgotten, this.#held);
  }

  get credits(): readonly Credited[] {
    return this.#stripe.account(STRIPE_KEY).balanceTransactions.map((one) => ({
      customer: one.customer,
      reward: one.metadata.rewardId ?? '',
      attempt: one.metadata.attempt ?? '',
      createdMs: one.created * 1_000,
      amountMinor: BigInt(-one.amount),
    }));
  }
}
