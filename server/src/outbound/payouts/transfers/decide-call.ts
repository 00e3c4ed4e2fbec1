import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import type { FindAnswer, SubmitAnswer, TransferEnd } from '../provider.ts';
import { REFUSALS_MAX, waitAfter } from '../schedule.ts';
import { decideOutcome, type ReportedOutcome } from './decide-outcome.ts';
import type { PayoutRow, Standing } from './payout.ts';

/** A paid transfer is checked once a day for this long, because it can still be returned. */
export const WATCHED_DAYS = 30;
/**
 * In any other state by then, the transfer may be coming back and is still checked. If its state is
 * unknown, the checks end after this.
 */
const UNANSWERED_DAYS = 90;

export interface NextCall {
  readonly attempt: number;
  readonly isSent: boolean;
  /** Null once no order under the key can take effect any more. */
  readonly sentAt: Instant | null;
  readonly tries: number;
  /** Null if no more calls are needed. */
  readonly dueAt: Instant | null;
  readonly providerReference: string | null;
  readonly failureCode: string | null;
  readonly unansweredSince: Instant | null;
}

/** The consequence of a provider's answer: the new standing, if it changed, and the next call. */
export interface CallDecision {
  readonly standing: Standing | null;
  readonly next: NextCall;
}

type Answer = SubmitAnswer | FindAnswer;

type Called = Pick<
  PayoutRow,
  | 'status'
  | 'providerReference'
  | 'failureCode'
  | 'unansweredSince'
  | 'failureReason'
  | 'failureMessage'
  | 'paidAt'
  | 'attempt'
  | 'isSent'
  | 'sentAt'
  | 'tries'
>;

/**
 * A transfer is ordered again under the same key only if the provider certainly has none, or
 * returns the first one instead of making a second. It gets a new key only after a certain refusal.
 */
export function decideCall(payout: Called, answer: Answer, now: Instant): CallDecision {
  if (payout.status !== 'processing') return watch(payout, answer, now);
  const { attempt, isSent, sentAt, providerReference, failureCode } = payout;
  const again = (changes: Partial<NextCall>): CallDecision => {
    const tries = changes.tries ?? payout.tries + 1;
    const dueAt = addMs(now, waitAfter(Math.max(tries, 1)));
    const kept = { attempt, isSent, sentAt, providerReference, failureCode };
    const unansweredSince = unansweredBy(payout, answer, now);
    return { standing: null, next: { ...kept, unansweredSince, dueAt, ...changes, tries } };
  };
  // Reference and failure code of an order without effect do not carry over to the next one.
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
      return end(payout, answer, { ...answer, outcome: 'failed', reference: null }, now);
    case 'processing': {
      const isNews = answer.reference !== null && answer.reference !== providerReference;
      return again({
        isSent: true,
        providerReference: answer.reference ?? providerReference,
        ...(isNews ? { tries: 0 } : {}),
      });
    }
    default:
      return end(payout, answer, toReported(answer), now);
  }
}

/**
 * A paid transfer can only be returned. For a returned one, only the reason may still change; any
 * other answer about an ended transfer is ignored.
 */
function watch(payout: Called, answer: Answer, now: Instant): CallDecision {
  if (answer.state !== 'returned') return { standing: null, next: nextOf(payout, answer, now) };
  const isExplained = payout.status === 'returned' && answer.failureReason !== payout.failureReason;
  if (!isExplained) return end(payout, answer, toReported(answer), now);
  const { status, providerReference, paidAt } = payout;
  const { failureReason, failureMessage } = answer;
  return {
    standing: { status, providerReference, failureReason, failureMessage, paidAt },
    next: nextOf(payout, answer, now),
  };
}

function nextOf(payout: Called, answer: Answer, now: Instant): NextCall {
  const { attempt, isSent, sentAt, tries, providerReference, failureCode } = payout;
  return {
    attempt,
    isSent,
    sentAt,
    tries,
    providerReference,
    failureCode,
    unansweredSince: unansweredBy(payout, answer, now),
    dueAt: isWatched(payout, answer, now) ? addMs(now, DAY_MS) : null,
  };
}

function isWatched({ status, paidAt }: Called, { state }: Answer, now: Instant): boolean {
  if (status !== 'paid' || paidAt === null) return false;
  const isPast = (days: number) => now >= addMs(paidAt, days * DAY_MS);
  if (state === 'paid') return !isPast(WATCHED_DAYS);
  return state !== 'unknown' || !isPast(UNANSWERED_DAYS);
}

/** The answer that an order must be repeated to look it up does not count as an answer. */
function unansweredBy({ unansweredSince }: Called, { state }: Answer, now: Instant) {
  if (state === 'unknown') return unansweredSince ?? now;
  return state === 'ask_by_order' ? unansweredSince : null;
}

function toReported(answer: TransferEnd): ReportedOutcome {
  const { state: outcome, reference } = answer;
  if (outcome === 'paid') return { outcome, reference, failureReason: null, failureMessage: null };
  const { failureReason, failureMessage } = answer;
  return { outcome, reference, failureReason, failureMessage };
}

function end(
  payout: Called,
  answer: Answer,
  reported: ReportedOutcome,
  now: Instant,
): CallDecision {
  const decision = decideOutcome(payout, reported, now);
  const standing = 'standing' in decision ? decision.standing : null;
  return { standing, next: nextOf({ ...payout, ...standing }, answer, now) };
}
