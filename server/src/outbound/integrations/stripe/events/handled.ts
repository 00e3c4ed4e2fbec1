import type { ParticipantRef } from '../../../../domain/participants/schema.ts';
import type { ProjectWrite } from '../../../../platform/feed/writer/project-write.ts';
import type { AppError } from '../../../../platform/kit/errors.ts';
import type { Instant } from '../../../../platform/kit/instant.ts';
import type { ConnectionRow } from '../connections/connection.ts';
import type { ParkedReason } from '../parked/parked.ts';
import type { StripeDeps } from '../stripe-deps.ts';
import type { IgnoredReason } from './stripe-fact.ts';

/** The context for handling one Stripe fact, in the transaction `write`. */
export interface Handling {
  readonly deps: Pick<StripeDeps, 'keyring' | 'onBilled'>;
  readonly write: ProjectWrite;
  readonly connection: Pick<ConnectionRow, 'sourceId'>;
  /** Chosen by an operator: overrides anything Stripe says. */
  readonly person?: ParticipantRef;
}

export type Handled =
  | {
      readonly state: 'done';
      /** Keys that other events may be waiting for. */
      readonly wakes: readonly string[];
    }
  | { readonly state: 'ignored'; readonly reason: IgnoredReason; readonly refusal?: AppError }
  | { readonly state: 'parked'; readonly reason: ParkedReason; readonly waitsFor: string };

/**
 * What to do about a fact that tracking refused. A refusal that a retry or an operator can resolve
 * is thrown, so that Stripe sends the event again. A permanent one is ignored, or Stripe would
 * retry for days.
 */
export function judgeRefusal(refusal: AppError, occurredAt: Instant, now: Instant): Handled {
  if (refusal.reason === 'participant_deleted' || refusal.reason === 'event_facts_differ') {
    const isErased = refusal.reason === 'participant_deleted';
    return {
      state: 'ignored',
      reason: isErased ? 'participant_deleted' : 'known_already',
      refusal,
    };
  }
  // A time is refused for good only if it is too old. A time ahead of the project's clock becomes
  // valid later, or somebody moves the clock.
  const isAboutTime = refusal.details?.some(({ path }) => path === 'occurredAt');
  if (isAboutTime && occurredAt < now) return { state: 'ignored', reason: 'too_old', refusal };
  throw refusal;
}
