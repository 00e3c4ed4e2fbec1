import { addMs, DAY_MS, type Instant } from '../kit/instant.ts';
import { decideOutcome, type Told } from './decide-outcome.ts';
import type { PayoutRow, Standing } from './payout.ts';
import type { FindAnswer, SubmitAnswer, TransferEnd } from './provider.ts';
import { REFUSALS_MAX, waitAfter } from './schedule.ts';

/** What was paid is asked about once a day, for so long: money can still come back. */
const WATCHED_DAYS = 30;

/** What to do next about a transfer. */
export interface NextCall {
  readonly attempt: number;
  readonly isSent: boolean;
  /** Null once nothing that was ordered under the key can come to anything. */
  readonly sentAt: Instant | null;
  readonly tries: number;
  /** Null for nothing more. */
  readonly dueAt: Instant | null;
  readonly providerReference: string | null;
  readonly failureCode: string | null;
}

/** By a provider's answer: how the payout stands from now on, if that changed, and what to do next. */
export interface CallDecision {
  readonly standing: Standing | null;
  readonly next: NextCall;
}

type Called = Pick<
  PayoutRow,
  | 'status'
  | 'providerReference'
  | 'failureCode'
  | 'failureReason'
  | 'failureMessage'
  | 'paidAt'
  | 'attempt'
  | 'isSent'
  | 'sentAt'
  | 'tries'
>;

/**
 * A transfer is ordered again, under the same key, only when the provider is certain that it has
 * none, or tells of the first one instead of making a second; and under a new key only after it
 * was certainly refused.
 */
export function decideCall(
  payout: Called,
  answer: SubmitAnswer | FindAnswer,
  now: Instant,
): CallDecision {
  if (payout.status !== 'processing') return watch(payout, answer, now);
  const { attempt, isSent, sentAt, providerReference, failureCode } = payout;
  const again = (changes: Partial<NextCall>): CallDecision => {
    const tries = changes.tries ?? payout.tries + 1;
    const dueAt = addMs(now, waitAfter(Math.max(tries, 1)));
    return {
      standing: null,
      next: { attempt, isSent, sentAt, providerReference, failureCode, dueAt, ...changes, tries },
    };
  };
  // What was told of an order that came to nothing is not said of the next one.
  const anew = { isSent: false, sentAt: null, providerReference: null, failureCode: null };
  switch (answer.state) {
    case 'unknown':
      return again({});
    case 'none':
      return again({ ...anew, dueAt: now });
    case 'ask_by_order':
      // No call was made yet.
      return again({ isSent: false, dueAt: now, tries: payout.tries });
    case 'refused':
      if (attempt < REFUSALS_MAX) return again({ ...anew, attempt: attempt + 1 });
      return end(payout, { ...answer, outcome: 'failed', reference: null }, now);
    case 'processing': {
      const isNews = answer.reference !== null && answer.reference !== providerReference;
      return again({
        isSent: true,
        providerReference: answer.reference ?? providerReference,
        ...(isNews ? { tries: 0 } : {}),
      });
    }
    default:
      return end(payout, toTold(answer), now);
  }
}

/** One that is paid can only come back; nothing that is said of one that has ended counts. */
function watch(payout: Called, answer: SubmitAnswer | FindAnswer, now: Instant): CallDecision {
  if (answer.state === 'returned') return end(payout, toTold(answer), now);
  return { standing: null, next: nextOf(payout, now) };
}

function nextOf(payout: Called, now: Instant): NextCall {
  const { status, paidAt, attempt, isSent, sentAt, tries, providerReference, failureCode } = payout;
  const isWatched =
    status === 'paid' && paidAt !== null && now < addMs(paidAt, WATCHED_DAYS * DAY_MS);
  const dueAt = isWatched ? addMs(now, DAY_MS) : null;
  return { attempt, isSent, sentAt, tries, providerReference, failureCode, dueAt };
}

function toTold(answer: TransferEnd): Told {
  const { state: outcome, reference } = answer;
  if (outcome === 'paid') return { outcome, reference, failureReason: null, failureMessage: null };
  const { failureReason, failureMessage } = answer;
  return { outcome, reference, failureReason, failureMessage };
}

function end(payout: Called, told: Told, now: Instant): CallDecision {
  const decision = decideOutcome(payout, told, now);
  const standing = 'standing' in decision ? decision.standing : null;
  return { standing, next: nextOf({ ...payout, ...standing }, now) };
}
