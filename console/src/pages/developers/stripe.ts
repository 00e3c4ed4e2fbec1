import type { Row } from '../../api/client.ts';
import type { Tone } from '../../ui/status-badge.tsx';

export type StripeConnection = Row<'/v1/integrations/stripe/connections'>;
export type Parked = Row<'/v1/integrations/stripe/parked'>;

interface State {
  readonly tone: Tone;
  readonly label: string;
  readonly explanation: string;
}

export function stateOfConnection({ status, hasWebhookSecret }: StripeConnection): State {
  if (status === 'disabled')
    return {
      tone: 'over',
      label: 'Disabled',
      explanation:
        'Nothing is accepted from Stripe and nothing is sent to it. Stripe retries events for up to three days.',
    };
  if (!hasWebhookSecret)
    return {
      tone: 'care',
      label: 'Needs its signing secret',
      explanation: 'Events are refused until the secret is set, because they cannot be verified.',
    };
  return {
    tone: 'good',
    label: 'Connected',
    explanation: 'Invoices, refunds, disputes and subscriptions arrive automatically.',
  };
}

/** The events that Stripe has to send. */
export const STRIPE_EVENTS: readonly (readonly [string, readonly string[]])[] = [
  ['Purchases', ['invoice.paid', 'invoice_payment.paid']],
  ['Refunds', ['refund.created', 'refund.failed', 'refund.updated']],
  [
    'Disputes',
    ['charge.dispute.funds_withdrawn', 'charge.dispute.funds_reinstated', 'charge.dispute.closed'],
  ],
  [
    'Subscriptions',
    [
      'customer.subscription.created',
      'customer.subscription.updated',
      'customer.subscription.deleted',
    ],
  ],
  ['Who customers are', ['customer.created', 'customer.updated']],
];

export const PARKED_REASONS: Readonly<
  Record<Parked['reason'], { label: string; explanation: string }>
> = {
  unknown_customer: {
    label: 'Unknown customer',
    explanation:
      'No participant has this Stripe customer as billing id. Set it to process all events of the customer, or assign this one event to a participant.',
  },
  unknown_payment: {
    label: 'Its payment has not arrived',
    explanation: 'It waits for the event about its payment, which has not arrived.',
  },
  invoice_not_paid: {
    label: 'Its invoice is not paid',
    explanation: 'It waits until its invoice is reported as paid.',
  },
  reversal_unknown: {
    label: 'Its refund has not arrived',
    explanation: 'It waits for the refund or dispute that it refers to, which has not arrived.',
  },
  exceeds_purchase: {
    label: 'More than was paid',
    explanation:
      'It would take back more than was paid. It waits until Stripe reports that an earlier refund failed.',
  },
};

/** An operator can only say who it is about; the others wait for an event from Stripe. */
export const isResolvable = ({ reason }: Pick<Parked, 'reason'>): boolean =>
  reason === 'unknown_customer';

/** What is wrong with a key before it is sent; null if it is valid. */
export function problemOfKey(key: string, environment: 'live' | 'sandbox'): string | null {
  const mode = environment === 'live' ? 'live' : 'test';
  if (/^(sk|pk)_/.test(key))
    return 'This is not a restricted key. Create one that starts with rk_.';
  if (!/^rk_(test|live)_[A-Za-z0-9]{8,240}$/.test(key)) return `It starts with rk_${mode}_.`;
  if (!key.startsWith(`rk_${mode}_`))
    return `A ${environment} project needs a key of ${mode} mode, which starts with rk_${mode}_.`;
  return null;
}

export const problemOfSecret = (secret: string): string | null =>
  /^whsec_[A-Za-z0-9+/=_-]{8,240}$/.test(secret) ? null : 'It starts with whsec_.';
