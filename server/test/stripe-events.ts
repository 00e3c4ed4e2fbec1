import type Stripe from 'stripe';
import { STRIPE_API_VERSION } from '../src/outbound/integrations/stripe/connections/client.ts';

/**
 * Events as Stripe sends them in its current API version, with the fields that matter to us and the
 * ones around them that could be mistaken for those.
 */
export interface EventOptions {
  readonly id?: string;
  /** In seconds. */
  readonly created?: number;
  readonly livemode?: boolean;
  readonly account?: string;
  readonly apiVersion?: string | null;
  readonly previous?: object;
}

/** Seconds; a little after the test clock's start, so that all that was set up then applies. */
export const START_S = Date.parse('2026-11-15T09:32:00.000Z') / 1_000;

let made = 0;

export function stripeEvent(
  type: string,
  object: object,
  options: EventOptions = {},
): Stripe.Event {
  made += 1;
  const { previous, account, apiVersion = STRIPE_API_VERSION } = options;
  return {
    id: options.id ?? `evt_${made}`,
    object: 'event',
    api_version: apiVersion,
    created: options.created ?? START_S,
    data: { object, ...(previous ? { previous_attributes: previous } : {}) },
    livemode: options.livemode ?? false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    ...(account ? { account } : {}),
  } as unknown as Stripe.Event;
}

export interface InvoiceOptions {
  readonly id?: string;
  readonly customer?: string | null;
  readonly currency?: string;
  readonly total?: number;
  /** What of the total is tax; null when Stripe does not tell the total without it. */
  readonly tax?: number;
  readonly totalExcludingTax?: number | null;
  readonly amountPaid?: number;
  readonly subscription?: string | null;
  readonly billingReason?: string;
  readonly metadata?: Record<string, string>;
  readonly subscriptionMetadata?: Record<string, string>;
  readonly paidAt?: number | null;
}

export function invoice(options: InvoiceOptions = {}): object {
  const { total = 1_000, tax = 0, currency = 'usd', subscription = null } = options;
  const paid = options.amountPaid ?? total;
  return {
    id: options.id ?? 'in_1',
    object: 'invoice',
    amount_due: paid,
    amount_overpaid: Math.max(0, paid - total),
    amount_paid: paid,
    amount_remaining: 0,
    billing_reason: options.billingReason ?? (subscription ? 'subscription_cycle' : 'manual'),
    created: START_S - 60,
    currency,
    customer: options.customer === undefined ? 'cus_bob' : options.customer,
    customer_email: 'bob@example.com',
    customer_name: 'Bob Jones',
    ending_balance: 0,
    livemode: false,
    metadata: options.metadata ?? {},
    parent: subscription
      ? {
          quote_details: null,
          subscription_details: { metadata: options.subscriptionMetadata ?? {}, subscription },
          type: 'subscription_details',
        }
      : null,
    status: 'paid',
    status_transitions: {
      finalized_at: START_S - 30,
      marked_uncollectible_at: null,
      paid_at: options.paidAt === undefined ? START_S - 10 : options.paidAt,
      voided_at: null,
    },
    subtotal: total - tax,
    total,
    total_excluding_tax:
      options.totalExcludingTax === undefined ? total - tax : options.totalExcludingTax,
    total_taxes: tax === 0 ? [] : [{ amount: tax, tax_behavior: 'exclusive' }],
  };
}

export function invoicePayment(
  options: { invoice?: string; paymentIntent?: string; charge?: string; record?: string } = {},
): object {
  const payment = options.charge
    ? { charge: options.charge, type: 'charge' }
    : options.record
      ? { payment_record: options.record, type: 'payment_record' }
      : { payment_intent: options.paymentIntent ?? 'pi_1', type: 'payment_intent' };
  return {
    id: 'inpay_1',
    object: 'invoice_payment',
    amount_paid: 1_000,
    amount_requested: 1_000,
    created: START_S - 20,
    currency: 'usd',
    invoice: options.invoice ?? 'in_1',
    is_default: true,
    livemode: false,
    payment,
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: START_S - 10 },
  };
}

interface BackOptions {
  readonly id?: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly paymentIntent?: string | null;
  readonly charge?: string | null;
  readonly status?: string;
}

interface ChargeOptions {
  readonly id?: string;
  readonly customer?: string | null;
  /** Null for another method than a card. */
  readonly fingerprint?: string | null;
}

export function charge(options: ChargeOptions = {}): object {
  const { fingerprint = 'Xt5EWLLDS7FJjR1c' } = options;
  return {
    id: options.id ?? 'ch_1',
    object: 'charge',
    amount: 1_000,
    amount_captured: 1_000,
    amount_refunded: 0,
    billing_details: { email: 'bob@example.com', name: 'Bob Jones', phone: null },
    captured: true,
    created: START_S - 10,
    currency: 'usd',
    customer: options.customer === undefined ? 'cus_bob' : options.customer,
    livemode: false,
    metadata: {},
    paid: true,
    payment_intent: 'pi_1',
    payment_method: 'pm_1',
    payment_method_details:
      fingerprint === null
        ? {
            sepa_debit: { bank_code: '37040044', fingerprint: 'kvZ9', last4: '3000' },
            type: 'sepa_debit',
          }
        : {
            card: {
              brand: 'visa',
              country: 'US',
              exp_month: 12,
              exp_year: 2030,
              fingerprint,
              funding: 'credit',
              last4: '4242',
              network: 'visa',
            },
            type: 'card',
          },
    refunded: false,
    status: 'succeeded',
  };
}

export function refund(options: BackOptions = {}): object {
  return {
    id: options.id ?? 're_1',
    object: 'refund',
    amount: options.amount ?? 1_000,
    balance_transaction: 'txn_1',
    charge: options.charge === undefined ? 'ch_1' : options.charge,
    created: START_S - 5,
    currency: options.currency ?? 'usd',
    customer: 'cus_bob',
    metadata: {},
    payment_intent: options.paymentIntent === undefined ? 'pi_1' : options.paymentIntent,
    reason: 'requested_by_customer',
    status: options.status ?? 'succeeded',
  };
}

export function dispute(options: BackOptions = {}): object {
  return {
    id: options.id ?? 'dp_1',
    object: 'dispute',
    amount: options.amount ?? 1_000,
    balance_transactions: [],
    charge: options.charge ?? 'ch_1',
    created: START_S - 5,
    currency: options.currency ?? 'usd',
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: options.paymentIntent === undefined ? 'pi_1' : options.paymentIntent,
    reason: 'fraudulent',
    status: options.status ?? 'needs_response',
  };
}

export interface SubscriptionOptions {
  readonly id?: string;
  readonly customer?: string;
  readonly status?: string;
  readonly items?: object[];
  readonly metadata?: Record<string, string>;
  readonly cancelAt?: number | null;
  readonly cancelAtPeriodEnd?: boolean;
  readonly canceledAt?: number | null;
}

export function subscriptionItem(
  options: {
    id?: string;
    price?: string;
    lookupKey?: string | null;
    start?: number;
    end?: number;
  } = {},
): object {
  const start = options.start ?? START_S;
  return {
    id: options.id ?? 'si_1',
    object: 'subscription_item',
    created: START_S,
    current_period_end: options.end ?? start + 2_592_000,
    current_period_start: start,
    metadata: {},
    price: {
      id: options.price ?? 'price_pro',
      object: 'price',
      lookup_key: options.lookupKey ?? null,
    },
    quantity: 1,
  };
}

export function subscription(options: SubscriptionOptions = {}): object {
  return {
    id: options.id ?? 'sub_1',
    object: 'subscription',
    cancel_at: options.cancelAt ?? null,
    cancel_at_period_end: options.cancelAtPeriodEnd ?? false,
    canceled_at: options.canceledAt ?? null,
    created: START_S,
    currency: 'usd',
    customer: options.customer ?? 'cus_bob',
    ended_at: null,
    items: { object: 'list', data: options.items ?? [subscriptionItem()], has_more: false },
    latest_invoice: 'in_1',
    livemode: false,
    metadata: options.metadata ?? {},
    start_date: START_S,
    status: options.status ?? 'active',
  };
}

export function customer(id: string, metadata: Record<string, string> = {}): object {
  return {
    id,
    object: 'customer',
    created: START_S,
    email: 'bob@example.com',
    livemode: false,
    metadata,
    name: 'Bob Jones',
  };
}
