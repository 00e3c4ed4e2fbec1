import type { Sightings } from '../world/sightings.ts';
import type { Shown } from './wire.ts';

/** In which money people earned percentages. */
export function seeCurrencies({ rewards }: Shown, sightings: Sightings): void {
  for (const { money } of rewards) if (money) sightings.see(`a reward in ${money.currency}`);
}

/** Whether people earned for what they did themselves, and anybody for events of the caller's own. */
export function seeLoyalty({ rewards, events }: Shown, sightings: Sightings): void {
  for (const { eventId, beneficiaryRole, void: voided } of rewards) {
    const type: string = events.get(eventId)?.type ?? '';
    if (beneficiaryRole === 'subject') {
      sightings.see(`a member earned for a ${type}`);
      if (voided) sightings.see('a member lost a reward');
    } else if (type === 'custom_review') sightings.see('a referral earned for a custom_review');
  }
}
