import type { Transfer } from '../../outbound/payouts/queries.ts';
import type { Words } from './reward-words.ts';

const METHODS: Readonly<Record<Transfer['method'], string>> = {
  manual_export: 'Bank or wallet transfer',
  paypal: 'PayPal',
  wise: 'Wise',
  stripe_connect: 'Stripe',
};

export function nameMethod(method: Transfer['method']): string {
  return METHODS[method];
}

/** Only the reasons that the payee can resolve. */
const TO_MEND: readonly Transfer['failureReason'][] = [
  'invalid_details',
  'account_closed',
  'unclaimed',
  'recipient_refused',
];

/** The state of a transfer in words for its payee. */
export function describeTransfer({ status, failureReason }: Transfer): Words {
  const again = TO_MEND.includes(failureReason)
    ? 'Check your payout details. It comes again with the next payout.'
    : 'It comes again with the next payout.';
  switch (status) {
    case 'paid':
      return { tone: 'good', label: 'Paid', note: null };
    case 'failed':
      return { tone: 'bad', label: 'Failed', note: again };
    case 'returned':
      return { tone: 'bad', label: 'Came back', note: again };
    default:
      return { tone: 'wait', label: 'On its way', note: null };
  }
}
