import { type AppError, conflict } from '../../../platform/kit/errors.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { FailureReason } from '../methods.ts';
import { type PayoutTrigger, transition } from '../states.ts';
import type { Standing } from './payout.ts';

export interface Told {
  readonly outcome: 'paid' | 'failed' | 'returned';
  readonly reference: string | null;
  readonly failureReason: FailureReason | null;
  readonly failureMessage: string | null;
}

const TRIGGERS: Readonly<Record<Told['outcome'], PayoutTrigger>> = {
  paid: 'pay',
  failed: 'fail',
  returned: 'return',
};

/** The payout's new standing; null if it had that outcome already, whatever followed. */
export type OutcomeDecision =
  | { readonly standing: Standing | null }
  | { readonly refused: AppError };

/** The first report counts: repeated and late reports change nothing. */
export function decideOutcome(payout: Standing, told: Told, now: Instant): OutcomeDecision {
  const isRepeat =
    payout.status === told.outcome || (told.outcome === 'paid' && payout.paidAt !== null);
  if (isRepeat) return { standing: null };
  const status = transition(payout.status, TRIGGERS[told.outcome]);
  if (!status) {
    return {
      refused: conflict(
        'invalid_transition',
        `A payout that is ${payout.status} cannot be ${told.outcome}.`,
      ),
    };
  }
  return {
    standing: {
      status,
      providerReference: told.reference ?? payout.providerReference,
      failureReason: told.failureReason,
      failureMessage: told.failureMessage,
      paidAt: told.outcome === 'paid' ? now : payout.paidAt,
    },
  };
}
