import type { Event } from '../event-schema.ts';
import { signupIdOf } from '../intake/fact-keys.ts';
import type { EventRow } from '../store.ts';

export function presentEvent(row: EventRow): Event {
  return {
    id: row.id,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    projectId: row.projectId,
    participantId: row.participantId,
    type: row.type,
    actorParticipantId: row.actorParticipantId,
    sourceNamespaceId: row.sourceNamespaceId,
    sourceEventId: row.sourceEventId ?? signupIdOf(row.participantId),
    occurredAt: row.occurredAt,
    receivedAt: row.receivedAt,
    normalizedFacts: row.facts as unknown as Record<string, unknown>,
    factsHash: row.factsHash,
    processingState: row.processingState,
    processingReason: row.processingReason,
    attemptCount: row.attemptCount,
    nextAttemptAt: row.nextAttemptAt,
  };
}
