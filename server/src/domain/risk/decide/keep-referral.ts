import type { Instant } from '../../../platform/kit/instant.ts';
import { RECENT_MAX, type RiskSlice, type Visit } from '../risk-slice.ts';

interface BoundReferral {
  readonly referrerParticipantId: string;
  readonly refereeParticipantId: string;
  readonly bindingOccurredAt: Instant;
}

/** Makes a new referral visible to later commands of the batch. */
export function keepReferral(
  { recent, visits }: Pick<RiskSlice, 'recent' | 'visits'>,
  { referrerParticipantId, refereeParticipantId, bindingOccurredAt }: BoundReferral,
  visit: Visit,
): void {
  const known = recent.get(referrerParticipantId) ?? [];
  const near = { refereeId: refereeParticipantId, boundAt: bindingOccurredAt };
  recent.set(referrerParticipantId, [...known, near].slice(-RECENT_MAX));
  visits.set(refereeParticipantId, visit);
}
