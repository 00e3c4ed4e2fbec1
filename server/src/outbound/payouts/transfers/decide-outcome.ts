import { type AppError, conflict } from '../../../platform/kit/errors.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { FailureReason } from '../methods.ts';
import { type PayoutTrigger, transition } from '../states.ts';
import type { Standing } from './payout.ts';

/** A reported outcome of a transfer. */
export interface ReportedOutcome {
  readonly outcome: 'paid' | 'failed' | 'returned';
  readonly reference: string | null;
  readonly failureReason: FailureReason | null;
  readonly failureMessage: string | null;
}

const TRIGGERS: Readonly<Record<ReportedOutcome['outcome'], PayoutTrigger>> = {
  paid: 'pay',
  failed: 'fail',
  returned: 'return',
};

/** The payout's new standing; null if it had that outcome already, whatever followed. */
export type OutcomeDecision =
  | { readonly standing: Standing | null }
  | { readonly refused: AppError };

/** The first report counts: repeated and late reports change nothing. */
export function decideOutcome(
  payout: Standing,
  reported: ReportedOutcome,
  now: Instant,
): OutcomeDecision {
  const isRepeat =
    payout.status === reported.outcome || (reported.outcome === 'paid' && payout.paidAt !== null);
  if (isRepeat) return { standing: null };
  const status = transition(payout.status, TRIGGERS[reported.outcome]);
  if (!status) {
    return {
      refused: conflict(
        'invalid_transition',
        `A payout that is ${payout.status} cannot be ${reported.outcome}.`,
      ),
    };
  }
  return {
    standing: {
      status,
      providerReference: reported.reference ?? payout.providerReference,
      failureReason: reported.failureReason,
      failureMessage: reported.failureMessage,
      paidAt: reported.outcome === 'paid' ? now : payout.paidAt,
    },
  };
}
