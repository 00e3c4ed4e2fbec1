import { addMs, type Instant } from '../../../platform/kit/instant.ts';
import {
  type AttributionDecision,
  CLOCKS_DIFFER_MS,
  refuseReferred,
} from '../../attribution/decide-attribution.ts';
import type { TrackedEvent } from '../batch/facts.ts';
import type { Ledger } from '../batch/ledger.ts';
import type { Referral } from '../event-schema.ts';
import { announceEarned, grantReferralRewards } from './grant-rewards.ts';

/**
 * Whether the start of a subscription is the one that a signup waits for: it bound a referral, or
 * it occurred after the signup. An old one that was reported late says nothing about the signup.
 */
export function isAwaitedBy(
  signup: Pick<TrackedEvent, 'occurredAt'>,
  startedAt: Instant,
  hasBound: boolean,
): boolean {
  return hasBound || addMs(startedAt, CLOCKS_DIFFER_MS) >= signup.occurredAt;
}

/**
 * Settles a signup that waited for its subscription, now that one has started: it is credited to
 * the referral that the start bound and earns by its own time, or records why there is none. Its
 * loyalty rules ran when it arrived; a repeat of it still gets the first answer.
 */
export function settleSignup(
  ledger: Ledger,
  signup: TrackedEvent,
  decision: AttributionDecision,
  referral: Referral | null,
): void {
  // Touches that were too late for a start before the signup.
  const weighed = new Set(decision.candidates.map(({ touchId }) => touchId));
  const before = signup.explanation?.candidates ?? [];
  const notWeighed = before.filter(({ touchId }) => !weighed.has(touchId));
  const earned = referral ? grantReferralRewards(ledger, signup, referral) : [];
  announceEarned(ledger, earned);
  const settled: TrackedEvent = {
    ...signup,
    processingReason: decision.reason,
    programId: referral?.programId ?? null,
    referralId: referral?.id ?? null,
    explanation: {
      candidates: referral
        ? [...decision.candidates, ...refuseReferred(notWeighed, referral.touchId)]
        : decision.candidates,
      rules: [...earned, ...(signup.explanation?.rules ?? [])],
    },
  };
  ledger.changeEvent(signup, settled);
  ledger.removePromised(signup);
}
