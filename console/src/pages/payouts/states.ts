import type { Answer, Row } from '../../api/client.ts';
import type { Tone } from '../../ui/status-badge.tsx';

export type Batch = Row<'/v1/payout-batches'>;
/** With the states of its payouts. */
export type BatchDetail = Answer<'/v1/payout-batches/{batchId}'>['data'];
export type Payout = Row<'/v1/payouts'>;
/** With what its rewards come from. */
export type PayoutDetail = Answer<'/v1/payouts/{payoutId}'>['data'];
export type Outcome = 'paid' | 'failed' | 'returned';
export type FailureReason = NonNullable<Payout['failureReason']>;

interface State {
  readonly tone: Tone;
  readonly label: string;
  /** What it means, and what comes next. */
  readonly explanation: string;
}

export const BATCH_STATES: Readonly<Record<Batch['status'], State>> = {
  reserving: {
    tone: 'waits',
    label: 'Being drafted',
    explanation:
      'Rewards are being collected. This finishes automatically, then the batch is a draft.',
  },
  draft: {
    tone: 'care',
    label: 'Draft',
    explanation:
      'Rewards are reserved and nothing is final: amounts follow refunds and voids until it is approved.',
  },
  approving: {
    tone: 'waits',
    label: 'Being approved',
    explanation: 'The final amounts are being calculated. This finishes automatically.',
  },
  approved: {
    tone: 'care',
    label: 'Approved',
    explanation: 'Amounts are final and no money has moved. Submit it to send the transfers.',
  },
  submitting: {
    tone: 'waits',
    label: 'Being submitted',
    explanation: 'The transfers are being started. This finishes automatically.',
  },
  submitted: {
    tone: 'waits',
    label: 'Submitted',
    explanation: 'The transfers were started. Each payout shows its own state.',
  },
  cancelling: {
    tone: 'waits',
    label: 'Being cancelled',
    explanation: 'Its rewards are being released for the next batch. This finishes automatically.',
  },
  cancelled: {
    tone: 'over',
    label: 'Cancelled',
    explanation: 'It was cancelled and nobody was paid. Its rewards wait for the next batch.',
  },
};

const BY_HAND = 'manual_export';

/** Each state with its name, for a list of batches. */
export const BATCH_STATE_CHOICES = Object.entries(BATCH_STATES).map(([value, { label }]) => ({
  value,
  label: value === 'submitted' ? `${label}, to be paid or done` : label,
}));

/** A batch that was submitted is not over: its transfers are to be made, on their way, or have all ended. */
export function batchStateOf({
  status,
  method,
  awaitsResults,
  projectIds,
}: Pick<Batch, 'status' | 'method' | 'awaitsResults' | 'projectIds'>): State {
  if (status !== 'submitted') return BATCH_STATES[status];
  // A project knows the results of its own transfers only.
  if (!awaitsResults && projectIds.length > 1) {
    return {
      tone: 'good',
      label: 'Done here',
      explanation:
        'The result of every transfer of this project is recorded. The batch pays other projects as well: open it there to see theirs.',
    };
  }
  if (!awaitsResults) {
    return {
      tone: 'good',
      label: 'Done',
      explanation: 'The result of every transfer is recorded.',
    };
  }
  return method === BY_HAND
    ? {
        tone: 'care',
        label: 'To be paid',
        explanation:
          'Goodword sends no money here. Make the transfers from the transfer file, then upload the results.',
      }
    : BATCH_STATES.submitted;
}

export const PAYOUT_STATES: Readonly<Record<Payout['status'], State>> = {
  draft: {
    tone: 'plain',
    label: 'Draft',
    explanation:
      'Part of a draft. The amount follows refunds and voids until the batch is approved.',
  },
  approved: {
    tone: 'waits',
    label: 'Approved',
    explanation: 'The amount is final. It is sent once its batch is submitted.',
  },
  processing: {
    tone: 'waits',
    label: 'On its way',
    explanation: 'The provider was asked to make the transfer. Its result is not known yet.',
  },
  paid: {
    tone: 'good',
    label: 'Paid',
    explanation: 'The money arrived and its rewards are fulfilled. It can still be returned.',
  },
  failed: {
    tone: 'bad',
    label: 'Failed',
    explanation: 'No money moved. Its rewards wait for the next batch.',
  },
  returned: {
    tone: 'care',
    label: 'Returned',
    explanation: 'The money was returned. The next batch pays its rewards again.',
  },
  cancelled: {
    tone: 'over',
    label: 'Cancelled',
    explanation:
      'Never sent: its batch was cancelled, or the amount fell below the minimum. Its rewards wait for the next batch.',
  },
};

export const PAYOUT_STATUSES = Object.keys(PAYOUT_STATES) as Payout['status'][];

const TO_BE_PAID: State = {
  tone: 'care',
  label: 'To be paid',
  explanation:
    'Goodword sends no money here. Make the transfer from the transfer file of its batch, then record the result.',
};

export const payoutStateOf = ({ status, method }: Pick<Payout, 'status' | 'method'>): State =>
  status === 'processing' && method === BY_HAND ? TO_BE_PAID : PAYOUT_STATES[status];

/** Each state with its name, for a list of payouts of any method. */
export const PAYOUT_STATE_CHOICES = Object.entries(PAYOUT_STATES).map(([value, { label }]) => ({
  value,
  label: value === 'processing' ? `${label}, or to be paid` : label,
}));

interface Method {
  readonly label: string;
  readonly explanation: string;
}

export const METHODS: Readonly<Record<Batch['method'], Method>> = {
  manual_export: {
    label: 'By hand',
    explanation:
      'You download a file, make the transfers at your bank or PayPal, and record the results.',
  },
  paypal: {
    label: 'PayPal',
    explanation: 'Sent from your PayPal balance to people who gave a PayPal address.',
  },
  wise: {
    label: 'Wise',
    explanation: 'Sent from your Wise balance to bank accounts and Wise addresses.',
  },
  stripe_connect: {
    label: 'Stripe Connect',
    explanation: 'Transferred to the accounts that people opened with your Stripe platform.',
  },
};

export const FAILURE_REASONS: Readonly<Record<FailureReason, string>> = {
  invalid_details: 'The payout details are wrong',
  account_closed: 'The account is closed',
  rejected_by_provider: 'The bank or provider refused it',
  insufficient_funds: 'There was not enough money',
  limit_exceeded: 'It is over a limit',
  compliance: 'It was stopped by a compliance check',
  unclaimed: 'Nobody claimed it',
  recipient_refused: 'The recipient refused it',
  provider_error: 'The provider had an error',
  other: 'Another reason',
};

/** After these the payee has to give new details before anything is paid to them. */
export const BLAMES_DETAILS: ReadonlySet<FailureReason> = new Set([
  'invalid_details',
  'account_closed',
]);

/** Whether the service is processing it, so that it should be polled. */
export const isMoving = (status: Batch['status']): boolean => status.endsWith('ing');

/** The outcomes that can be recorded for a payout in this state. */
export function outcomesFor(status: Payout['status']): readonly Outcome[] {
  if (status === 'processing') return ['paid', 'failed', 'returned'];
  return status === 'paid' ? ['returned'] : [];
}
