import type { Actor } from '../world/actor.ts';
import { nameOf } from '../world/names.ts';
import type { Sightings } from '../world/sightings.ts';
import type { Shown } from './wire.ts';

/** What makes groups worth having been in a world. */
export function seeGroups({ spec, acknowledged }: Actor, shown: Shown, sightings: Sightings): void {
  const { details, events, rewards, people } = shown;
  const groups = new Set<string | undefined>();
  for (let at = 0; at < (spec.groups ?? 0); at += 1) groups.add(nameOf(spec.people + at));
  for (const { operation } of acknowledged) {
    if (operation.kind !== 'signup' || operation.actor === undefined) continue;
    const own = details.get(nameOf(operation.person))?.referredBy;
    if (!own) continue;
    const { referredBy } = details.get(nameOf(operation.actor)) ?? {};
    const isSame = referredBy?.touchId === own.touchId;
    sightings.see(`a group was referred ${isSame ? 'as its actor was' : 'by itself'}`);
  }
  for (const { eventId, beneficiary } of rewards) {
    if (groups.has(people.get(beneficiary.participantId))) sightings.see('a group earned a reward');
    const { type, participantId } = events.get(eventId) ?? {};
    const buyer = people.get(participantId);
    if (type === 'purchase' && groups.has(buyer) && !details.get(buyer ?? '')?.referredBy)
      sightings.see('a group bought for the referral of a person');
  }
}
