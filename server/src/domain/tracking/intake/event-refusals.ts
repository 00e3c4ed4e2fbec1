import type { Refusal } from '../../../platform/http/routes/route.ts';

/** Refusals of a fact, single or in a batch. */
export const EVENT_REFUSALS = [
  { code: 'NOT_FOUND', when: 'the source does not exist' },
  { code: 'CONFLICT', reason: 'source_disabled', when: 'the source is disabled' },
  {
    code: 'CONFLICT',
    reason: 'event_facts_differ',
    when: 'the sourceEventId was used before with other facts',
  },
  { code: 'CONFLICT', reason: 'participant_deleted', when: 'the participant was erased' },
] as const satisfies readonly Refusal[];
