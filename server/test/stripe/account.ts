import { randomBytes } from 'node:crypto';

export interface FakeCustomer {
  readonly id: string;
  readonly object: 'customer';
  readonly created: number;
  readonly livemode: boolean;
  /** What the next invoice takes: below zero it is in the customer's favour. */
  balance: number;
  currency: string | null;
  name: string | null;
  email: string | null;
  metadata: Record<string, string>;
  deleted?: true;
}

export interface FakeBalanceTransaction {
  readonly id: string;
  readonly object: 'customer_balance_transaction';
  readonly created: number;
  readonly livemode: boolean;
  readonly customer: string;
  readonly amount: number;
  readonly currency: string;
  readonly description: string | null;
  readonly ending_balance: number;
  readonly type: 'adjustment';
  metadata: Record<string, string>;
}

export interface FakeCoupon {
  readonly id: string;
  readonly object: 'coupon';
  readonly created: number;
  readonly livemode: boolean;
  readonly percent_off: number;
  readonly duration: string;
  readonly duration_in_months: number | null;
  readonly max_redemptions: number | null;
  name: string | null;
  times_redeemed: number;
  metadata: Record<string, string>;
}

export interface FakePromotionCode {
  readonly id: string;
  readonly object: 'promotion_code';
  readonly created: number;
  readonly livemode: boolean;
  readonly code: string;
  readonly customer: string | null;
  readonly max_redemptions: number | null;
  readonly promotion: { readonly type: 'coupon'; readonly coupon: string };
  active: boolean;
  times_redeemed: number;
  metadata: Record<string, string>;
}

export interface FakeDiscount {
  readonly id: string;
  readonly object: 'discount';
  readonly customer: string;
  readonly subscription: string;
  readonly promotion_code: string | null;
  readonly source: { readonly type: 'coupon'; readonly coupon: string };
  readonly start: number;
}

export interface FakeSubscription {
  readonly id: string;
  readonly object: 'subscription';
  readonly created: number;
  readonly livemode: boolean;
  readonly customer: string;
  status: string;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  discounts: FakeDiscount[];
  metadata: Record<string, string>;
}

/** Everything of one account: of one API key, unless it was renewed. Deleted things are kept apart. */
export class FakeAccount {
  readonly id = this.newId('acct');
  readonly livemode: boolean;
  readonly customers = new Map<string, FakeCustomer>();
  readonly balanceTransactions: FakeBalanceTransaction[] = [];
  readonly coupons = new Map<string, FakeCoupon>();
  readonly deletedCoupons: FakeCoupon[] = [];
  readonly promotionCodes = new Map<string, FakePromotionCode>();
  readonly subscriptions = new Map<string, FakeSubscription>();
  readonly #nowSeconds: () => number;

  constructor(livemode: boolean, nowSeconds: () => number) {
    this.livemode = livemode;
    this.#nowSeconds = nowSeconds;
  }

  newId(prefix: string): string {
    return `${prefix}_${randomBytes(9).toString('hex')}`;
  }

  /** What every object has. */
  stamp(): { created: number; livemode: boolean } {
    return { created: this.#nowSeconds(), livemode: this.livemode };
  }

  /** Makes a customer without a call; for tests that need one to be there. */
  addCustomer(facts: Partial<FakeCustomer> = {}): FakeCustomer {
    const customer: FakeCustomer = {
      id: this.newId('cus'),
      object: 'customer',
      ...this.stamp(),
      balance: 0,
      currency: null,
      name: null,
      email: null,
      metadata: {},
      ...facts,
    };
    this.customers.set(customer.id, customer);
    return customer;
  }

  addSubscription(customer: string, status = 'active'): FakeSubscription {
    const subscription: FakeSubscription = {
      id: this.newId('sub'),
      object: 'subscription',
      ...this.stamp(),
      customer,
      status,
      cancel_at: null,
      cancel_at_period_end: false,
      discounts: [],
      metadata: {},
    };
    this.subscriptions.set(subscription.id, subscription);
    return subscription;
  }

  /** An invoice is made of it, which uses up the discounts that are for one invoice alone. */
  bill(subscription: FakeSubscription): void {
    subscription.discounts = subscription.discounts.filter(
      ({ source }) => this.coupons.get(source.coupon)?.duration !== 'once',
    );
  }
}
