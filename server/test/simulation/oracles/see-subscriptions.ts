import type { Sightings } from '../world/sightings.ts';
import type { Shown } from './wire.ts';

/** What makes subscriptions worth having been in a world. */
export function seeSubscriptions({ details, rewards, events }: Shown, sightings: Sightings): void {
  for (const { referredBy } of details.values()) {
    if (!referredBy?.bindingSubscriptionFactId) continue;
    sightings.see('a subscription bound a referral');
    const isIts = (one: { eventId: string }) =>
      events.get(one.eventId)?.participantId === referredBy.refereeParticipantId;
    for (const one of rewards.filter(isIts)) {
      const { type, receivedAt } = events.get(one.eventId);
      if (receivedAt < referredBy.bindingOccurredAt)
        sightings.see(`a ${type} that waited for a subscription earned`);
    }
  }
}
