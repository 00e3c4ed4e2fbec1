import type { ParticipantRef } from '../../../../domain/participants/schema.ts';
import type { ProjectWrite } from '../../../../platform/feed/writer/project-write.ts';
import type { AppError } from '../../../../platform/kit/errors.ts';
import type { Instant } from '../../../../platform/kit/instant.ts';
import type { ConnectionRow } from '../connections/connection.ts';
import type { ParkedReason } from '../parked/parked.ts';
import type { StripeDeps } from '../stripe-deps.ts';
import type { IgnoredReason } from './stripe-fact.ts';

/** What it takes to handle one thing that was told, in the transaction `write`. */
export interface Handling {
  readonly deps: Pick<StripeDeps, 'keyring' | 'onBilled'>;
  readonly write: ProjectWrite;
  readonly connection: Pick<ConnectionRow, 'sourceId'>;
  /** Told by an operator: counts more than anything Stripe says. */
  readonly person?: ParticipantRef;
}

/** What became of what an event told. */
export type Handled =
  | {
      readonly state: 'done';
      /** What others may have waited for. */
      readonly wakes: readonly string[];
    }
  | { readonly state: 'ignored'; readonly reason: IgnoredReason; readonly refusal?: AppError }
  | { readonly state: 'parked'; readonly reason: ParkedReason; readonly waitsFor: string };

/**
 * What to do about a fact that tracking refused. What time or a hand can mend is thrown: Stripe
 * sends it again. What nothing mends is let go, or it would be sent for days.
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
  // Of times, only one that lies too far back is refused for good: one ahead of the Project's clock
  // comes about, or somebody moves the clock.
  const isAboutTime = refusal.details?.some(({ path }) => path === 'occurredAt');
  if (isAboutTime && occurredAt < now) return { state: 'ignored', reason: 'too_old', refusal };
  throw refusal;
}
