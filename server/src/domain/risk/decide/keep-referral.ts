import { type Instant, toMs } from '../../../platform/kit/instant.ts';
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
  const near = { refereeId: refereeParticipantId, boundAtMs: toMs(bindingOccurredAt) };
  const known = recent.get(referrerParticipantId);
  if (!known) recent.set(referrerParticipantId, [near]);
  else if (known.push(near) > RECENT_MAX) known.shift();
  visits.set(refereeParticipantId, visit);
}
