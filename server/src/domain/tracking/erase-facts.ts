import { type ProjectWrite, SLICE, type Slice } from '../../platform/feed/writer/project-write.ts';
import {
  blankEvents,
  blankSubscriptionFacts,
  type EventParty,
  listEventsBehind,
} from './batch/fact-store.ts';

/** Erases what else belongs to these events. */
type EraseBesides = (write: ProjectWrite, eventIds: readonly string[]) => Promise<void>;

/** Erases what facts contain about a person; amounts and ids stay, for accounting. */
export function eraseFacts(participantId: string, besides: EraseBesides): Slice[] {
  return [
    eraseEvents('participant_id', participantId, besides),
    eraseEvents('actor_participant_id', participantId, besides),
    eraseSubscriptionFacts(participantId),
  ];
}

function eraseEvents(
  party: EventParty,
  participantId: string,
  besides: EraseBesides,
  after = 0,
): Slice {
  return async (write) => {
    const { tx, projectId } = write;
    const page = { party, participantId, after, limit: SLICE };
    const events = await listEventsBehind(tx, projectId, page);
    const ids = events.map(({ id }) => id);
    if (ids.length > 0) blankEvents(tx, projectId, ids);
    await besides(write, ids);
    const last = events[SLICE - 1];
    return last ? eraseEvents(party, participantId, besides, last.number) : null;
  };
}

function eraseSubscriptionFacts(participantId: string): Slice {
  return async ({ tx, projectId }) => {
    const count = await blankSubscriptionFacts(tx, projectId, participantId, SLICE);
    return count === SLICE ? eraseSubscriptionFacts(participantId) : null;
  };
}
