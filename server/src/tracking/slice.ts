import type { JudgedCandidate } from '../attribution/decide-attribution.ts';
import type { Instant } from '../kit/instant.ts';
import type { ParticipantSlice } from '../participants/participant-slice.ts';
import type { Participant } from '../participants/schema.ts';
import type { ProgramBook } from '../programs/program-book.ts';
import type { Referral, TrackAnswer } from './event-schema.ts';
import type { EventInput, PurchaseFacts } from './normalize-event.ts';
import type { Source } from './schema.ts';

/** A name somebody can type in or follow: a code or a link's slug. */
export interface NamedCode {
  readonly refCodeId: string;
  readonly linkId: string | null;
  readonly programId: string;
  readonly participantId: string;
}

export interface Touch {
  readonly id: string;
  readonly programId: string;
  readonly handleId: string | null;
  readonly participantId: string | null;
  readonly refCodeId: string;
  readonly linkId: string | null;
  readonly referrerParticipantId: string;
  readonly occurredAt: Instant;
}

export interface EnrollmentSpan {
  readonly id: string;
  readonly participantId: string;
  readonly programId: string;
  readonly startsAt: Instant;
  readonly endsAt: Instant | null;
}

export interface Explanation {
  readonly candidates: readonly JudgedCandidate[];
  readonly rules: readonly ExplainedRule[];
}

export interface ExplainedRule {
  readonly ruleId: string;
  readonly termsVersionId: string | null;
  readonly beneficiaryRole: string;
  readonly verdict: 'earned' | 'skipped';
  readonly reason: string | null;
  readonly rewardId: string | null;
  readonly calculation: unknown;
}

export interface TrackedEvent {
  readonly id: string;
  readonly number: number;
  readonly type: string;
  readonly participantId: string;
  readonly actorParticipantId: string | null;
  readonly sourceNamespaceId: string;
  readonly sourceEventId: string | null;
  readonly occurredAt: Instant;
  readonly receivedAt: Instant;
  readonly facts: EventInput['facts'];
  readonly factsHash: string;
  readonly processingState: TrackAnswer['processingState'];
  readonly processingReason: string;
  readonly attemptCount: number;
  readonly nextAttemptAt: Instant | null;
  readonly explanation: Explanation | null;
}

export interface Purchase extends PurchaseFacts {
  readonly id: string;
  readonly eventId: string;
  readonly participantId: string;
  readonly duplicateOf: string | null;
}

export interface Counter {
  value: bigint;
  firstAt: Instant | null;
}

/**
 * The part of a Project that the commands of one batch are about, as the commands before
 * left it. Decisions read it and change it; what they add is in `made`, to be saved.
 */
export interface TrackSlice {
  readonly book: ProgramBook;
  readonly sources: ReadonlyMap<string, Source>;
  readonly participants: ParticipantSlice;
  /** Participants who are known by id alone, such as referrers. */
  readonly people: Map<string, Pick<Participant, 'id' | 'createdAt' | 'deletedAt'>>;
  readonly keys: Map<string, { readonly factsHash: string; readonly answer: TrackAnswer }>;
  readonly signups: Map<string, TrackAnswer>;
  readonly names: ReadonlyMap<string, NamedCode>;
  /** By the person they belong to. */
  readonly touchesOf: Map<string, Touch[]>;
  readonly touchesOfHandle: ReadonlyMap<string, readonly Touch[]>;
  /** By referee. */
  readonly referrals: Map<string, Referral>;
  readonly enrollments: EnrollmentSpan[];
  /** Purchases that wait for their person's signup. */
  readonly waiting: Map<string, TrackedEvent[]>;
  /** The purchases of the Events that wait, by Event. */
  readonly purchases: ReadonlyMap<string, Purchase>;
  /** Who has a processed purchase. */
  readonly customers: Set<string>;
  readonly invoices: Map<string, string>;
  readonly counters: Map<string, Counter>;
}

export function counterKey(subject: string, name: string): string {
  return `${subject}\n${name}`;
}
