import { type AppError, conflict, invalid } from '../../../platform/kit/errors.ts';
import { DAY_MS, type Instant, MINUTE_MS, toMs } from '../../../platform/kit/instant.ts';
import type { JudgedCandidate } from '../../attribution/decide-attribution.ts';
import type { NamedCode, SourceKey } from '../batch/facts.ts';
import type { LedgerView } from '../batch/ledger.ts';
import type { RefCodeReason } from '../event-schema.ts';
import type { Source } from '../schema.ts';
import { isSignupId, sourceKey } from './normalize-event.ts';

export const AHEAD_MS = 5 * MINUTE_MS;
export const BACK_MS = 365 * DAY_MS;

/** The first answer for a fact with a known id, or its refusal; undefined if it is new. */
export function firstAnswer<A>(
  { keys }: Pick<LedgerView, 'keys'>,
  fact: Omit<SourceKey, 'answer'>,
): { readonly answer: A } | { readonly refused: AppError } | undefined {
  if (isSignupId(fact.sourceEventId)) {
    return {
      refused: conflict('event_facts_differ', 'This sourceEventId belongs to a signup.'),
    };
  }
  const known = keys.get(sourceKey(fact));
  if (!known) return undefined;
  if (known.factsHash === fact.factsHash) return { answer: known.answer as A };
  // An erasure clears the contents of facts about somebody, but keeps their ids.
  const came =
    known.factsHash === ''
      ? 'for a participant who was erased, so its facts cannot be compared'
      : 'with other facts';
  return {
    refused: conflict(
      'event_facts_differ',
      `This sourceEventId was already used ${came}. Use a new id for each fact.`,
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
    return conflict('source_disabled', 'This source is disabled and accepts no facts.');
  }
  if (occurredAt === now) return undefined;
  const later = toMs(occurredAt) - toMs(now);
  if (later > AHEAD_MS) return invalid('occurredAt', 'is in the future');
  if (source.kind !== 'import' && later < -BACK_MS) {
    return invalid('occurredAt', 'is more than 365 days ago');
  }
  return undefined;
}

/** Maximum length of a code or slug. */
const NAME_CHARS_MAX = 50;

export interface RefCodeVerdict {
  readonly accepted: boolean;
  readonly reason: RefCodeReason | null;
}

/** The result for an existing code: applied, waiting for its subscription, or neither. */
export function judgeCode({ verdict, reason }: JudgedCandidate): RefCodeVerdict {
  const accepted = verdict === 'selected' || reason === 'awaiting_subscription';
  return { accepted, reason: accepted ? null : reason };
}

/** Normalizes a typed code: white space and letter case do not matter. */
export function toCodeName(text: string): string {
  return text.trim().toLowerCase();
}

/**
 * The code that a text named at that time, or why it names none: such a text never fails a signup.
 * If the name was moved to another Program later, the previous holder counts.
 */
export function readRefCode(
  text: string,
  names: ReadonlyMap<string, readonly NamedCode[]>,
  at: Instant,
): { readonly code: NamedCode } | { readonly verdict: RefCodeVerdict } {
  const name = toCodeName(text);
  const refuse = (reason: RefCodeVerdict['reason']) => ({ verdict: { accepted: false, reason } });
  if (name === '') return refuse('empty');
  if (name.length > NAME_CHARS_MAX) return refuse('too_long');
  const code = names.get(name)?.find(({ movedAt }) => movedAt === null || at < movedAt);
  return code ? { code } : refuse('unknown');
}
