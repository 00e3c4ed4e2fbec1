import type { Queryable } from '../../../platform/db/driver.ts';
import type { Event, Referral } from '../event-schema.ts';
import { listReferralsOfReferees } from '../store.ts';
import { presentEvent } from './present-event.ts';
import { listEventsOf, listReferralsOf } from './read-store.ts';

const SHOWN_MAX = 50;

/** Who brought this person, whom they brought, and what they did: the newest of each. */
export async function findStory(
  source: Queryable,
  projectId: string,
  participantId: string,
): Promise<{ referredBy: Referral | null; referrals: Referral[]; events: Event[] }> {
  const [[referredBy], referrals, events] = await Promise.all([
    listReferralsOfReferees(source, projectId, [participantId]),
    listReferralsOf(source, projectId, participantId, SHOWN_MAX),
    listEventsOf(source, projectId, participantId, SHOWN_MAX),
  ]);
  return { referredBy: referredBy ?? null, referrals, events: events.map(presentEvent) };
}
