import type { Sightings } from '../world/sightings.ts';
import type { Shown } from './wire.ts';

/** What makes imports worth having been in a world. */
export function seeImports({ details, events }: Shown, sightings: Sightings): void {
  for (const { referredBy } of details.values()) {
    if (events.get(referredBy?.bindingEventId)?.type !== 'custom_import') continue;
    sightings.see('a referral was imported');
    const { refereeParticipantId } = referredBy;
    const isTheirs = (one: { type: string; participantId: string }) =>
      one.type === 'signup' && one.participantId === refereeParticipantId;
    if ([...events.values()].some(isTheirs)) sightings.see('an imported person signed up');
  }
}
