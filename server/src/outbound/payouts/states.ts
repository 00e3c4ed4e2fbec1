export const PAYOUT_STATUSES = [
  'draft',
  'approved',
  'processing',
  'paid',
  'failed',
  'returned',
  'cancelled',
] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export const PAYOUT_TRIGGERS = ['approve', 'submit', 'pay', 'fail', 'return', 'cancel'] as const;
export type PayoutTrigger = (typeof PAYOUT_TRIGGERS)[number];

type Table<S extends string, T extends string> = Readonly<
  Record<S, Readonly<Partial<Record<T, S>>>>
>;

/** from → trigger → to. All other transitions are impossible. */
export const PAYOUT_TRANSITIONS: Table<PayoutStatus, PayoutTrigger> = {
  draft: { approve: 'approved', cancel: 'cancelled' },
  approved: { submit: 'processing', cancel: 'cancelled' },
  processing: { pay: 'paid', fail: 'failed', return: 'returned' },
  // A paid transfer can still be returned.
  paid: { return: 'returned' },
  failed: {},
  returned: {},
  cancelled: {},
};

/** Undefined if the transition is impossible. */
export function transition(status: PayoutStatus, trigger: PayoutTrigger): PayoutStatus | undefined {
  return PAYOUT_TRANSITIONS[status][trigger];
}

export const BATCH_STATUSES = [
  'reserving',
  'draft',
  'approving',
  'approved',
  'submitting',
  'submitted',
  'cancelling',
  'cancelled',
] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** Why the service cancelled a batch while drafting it. */
export const BATCH_FAILURES = ['amount_out_of_range'] as const;

/** A caller's trigger starts a move that goes from project to project; `finish` completes it. */
export const BATCH_TRIGGERS = ['approve', 'submit', 'cancel', 'finish'] as const;
export type BatchTrigger = (typeof BATCH_TRIGGERS)[number];

export const BATCH_TRANSITIONS: Table<BatchStatus, BatchTrigger> = {
  // Also for a batch whose draft was interrupted: it need not be completed to be cancelled.
  reserving: { finish: 'draft', cancel: 'cancelling' },
  draft: { approve: 'approving', cancel: 'cancelling' },
  approving: { finish: 'approved' },
  approved: { submit: 'submitting', cancel: 'cancelling' },
  submitting: { finish: 'submitted' },
  submitted: {},
  cancelling: { finish: 'cancelled' },
  cancelled: {},
};

/** Undefined if the transition is impossible. */
export function batchTransition(
  status: BatchStatus,
  trigger: BatchTrigger,
): BatchStatus | undefined {
  return BATCH_TRANSITIONS[status][trigger];
}

/** A line is open while it is reserved or frozen, and counts as paid while it is settled. */
const LINE_STATES = ['reserved', 'frozen', 'settled', 'released', 'returned'] as const;
export type LineState = (typeof LINE_STATES)[number];
