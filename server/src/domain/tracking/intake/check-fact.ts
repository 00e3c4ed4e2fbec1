import { type AppError, conflict, invalid } from '../../../platform/kit/errors.ts';
import { addMs, DAY_MS, type Instant, MINUTE_MS } from '../../../platform/kit/instant.ts';
import type { SourceKey } from '../batch/facts.ts';
import type { LedgerView } from '../batch/ledger.ts';
import type { Source } from '../schema.ts';
import { isSignupId, sourceKey } from './fact-keys.ts';

export const AHEAD_MS = 5 * MINUTE_MS;
export const BACK_MS = 365 * DAY_MS;

/** The first answer for a fact with a known id, or its refusal; undefined if it is new. */
export function firstAnswer<A>(
  { keys }: Pick<LedgerView, 'keys'>,
  fact: Omit<SourceKey, 'answer'>,
): { readonly answer: A } | { readonly refused: AppError } | undefined {
  if (isSignupId(fact.sourceEventId)) {
    return {
      refused: conflict('event_facts_differ', 'This sourceEventId is that of a signup.'),
    };
  }
  const known = keys.get(sourceKey(fact));
  if (!known) return undefined;
  if (known.factsHash === fact.factsHash) return { answer: known.answer as A };
  // An erasure clears the contents of facts about somebody, but keeps their ids.
  const came =
    known.factsHash === ''
      ? 'about a participant who was erased; what it said is no longer known'
      : 'with other facts';
  return {
    refused: conflict(
      'event_facts_differ',
      `This sourceEventId came before, ${came}. An id names one fact for ever.`,
    ),
  };
}

/** Why a new fact of this source and time is refused; undefined if it is not. */
export function refuseFact(
  source: Source,
  occurredAt: Instant,
  now: Instant,
): AppError | undefined {
  if (!source.enabled) {
    return conflict('source_disabled', 'This source is disabled and takes no facts.');
  }
  if (occurredAt > addMs(now, AHEAD_MS)) return invalid('occurredAt', 'lies in the future');
  if (source.kind !== 'import' && occurredAt < addMs(now, -BACK_MS)) {
    return invalid('occurredAt', 'lies more than 365 days back');
  }
  return undefined;
}
