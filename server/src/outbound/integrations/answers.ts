import type { FailureReason } from '../payouts/methods.ts';
import type { SubmitAnswer } from '../payouts/provider.ts';

/** Certainly not made, and worth another try. */
export function refused(failureReason: FailureReason, failureMessage: string): SubmitAnswer {
  return { state: 'refused', failureReason, failureMessage };
}

/** Certainly not made, and never will be. */
export function failed(failureReason: FailureReason, failureMessage: string): SubmitAnswer {
  return { state: 'failed', reference: null, failureReason, failureMessage };
}
