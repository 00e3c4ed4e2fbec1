import type { Delivery, TermsVersion } from './queries.ts';

export type BenefitKind = TermsVersion['benefitKind'];

export const BENEFIT_KINDS: readonly BenefitKind[] = ['cash', 'credit', 'discount', 'custom'];

interface MethodWords {
  readonly label: string;
  /** Who does what once a reward is earned. */
  readonly meaning: string;
}

const METHODS: Readonly<Record<string, MethodWords>> = {
  operator: {
    label: 'Your product grants it',
    meaning:
      'Your backend gets it by webhook or from the feed, grants it and reports the grant. Your team can also do this in the console.',
  },
  manual: {
    label: 'By hand',
    meaning: 'A member of your team grants it and records this here or by the API.',
  },
  payout: {
    label: 'Payouts',
    meaning: 'It is collected and paid in a batch, which your team approves under Payouts.',
  },
  stripe_balance: {
    label: 'Stripe customer balance',
    meaning: 'The service credits the customer’s balance at Stripe; it lowers the next invoice.',
  },
  stripe_coupon: {
    label: 'Stripe coupon',
    meaning: 'The service gives the customer a coupon at Stripe, for as long as the terms say.',
  },
};

export const describeMethod = (method: string): MethodWords =>
  METHODS[method] ?? { label: method, meaning: 'A method that this console does not know.' };

/** The method that a connection to Stripe would add. */
const CONNECTED: Partial<Record<BenefitKind, string>> = {
  credit: 'stripe_balance',
  discount: 'stripe_coupon',
};

/**
 * The method that a connection would add for this kind; null if there is none, or it is available.
 */
export function missingMethod(kind: BenefitKind, options: Delivery['options']): string | null {
  const method = CONNECTED[kind];
  return method === undefined || options[kind].includes(method) ? null : method;
}

interface Endpoint {
  readonly enabled: boolean;
  readonly fulfillmentMode: string;
  readonly eventTypes: readonly string[];
  readonly url: string;
}

/**
 * Endpoints whose response alone would mark a reward as granted that somebody has to grant
 * manually.
 */
export function hastyEndpoints<T extends Endpoint>(
  methods: readonly string[],
  endpoints: readonly T[],
): readonly T[] {
  if (!methods.includes('manual')) return [];
  return endpoints.filter(
    ({ enabled, fulfillmentMode, eventTypes }) =>
      enabled && fulfillmentMode === 'on_delivery' && eventTypes.includes('reward.earned'),
  );
}
