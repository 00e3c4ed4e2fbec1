import { conflict, invalid, notFound } from '../../../platform/kit/errors.ts';
import { isSelfReferral } from '../../attribution/decide-attribution.ts';
import { ensureParticipant } from '../../participants/participant-slice.ts';
import type { Participant } from '../../participants/schema.ts';
import { isActiveAt, versionAt } from '../../programs/program-book.ts';
import type { AttributionPolicy } from '../../programs/schema.ts';
import type { NamedCode, TrackedEvent } from '../batch/facts.ts';
import type { Checked, Ledger, LedgerView } from '../batch/ledger.ts';
import type { TrackAnswer } from '../event-schema.ts';
import { toCodeName } from '../intake/check-fact.ts';
import type { EventInput } from '../intake/normalize-event.ts';
import { eventData, referralData } from '../read/present-event.ts';
import { attributionOf, bind } from './attribute.ts';
import { takeCode } from './decide-signup.ts';
import { decideWaiting } from './decide-waiting.ts';
import { enrollmentAt, isSuspended, isThere } from './grant-rewards.ts';
import { settleSides } from './settle-milestones.ts';

/** A valid binding. */
interface GoodImport {
  readonly input: EventInput & { readonly sourceEventId: string };
  readonly participant: Participant;
  readonly code: NamedCode;
  readonly enrollmentId: string;
  readonly policy: AttributionPolicy;
}

/**
 * Binds somebody to their referrer from another system. Earlier decisions are not repeated: neither
 * windows nor later purchases are checked. The Event itself earns nothing; later ones earn as usual
 * (D-IMP-1).
 */
export function checkImport(view: LedgerView, input: EventInput): Checked<TrackAnswer> {
  const { now } = view;
  const party = ensureParticipant(view.participants, input.participant, view);
  if ('refused' in party) return party;
  const { participant } = party;
  const { sourceEventId } = input;
  const code = view.names.get(toCodeName(input.refCode ?? ''))?.at(-1);
  if (!code || sourceEventId === null) return { refused: notFound('referral code') };
  if (view.referrals.has(participant.id)) {
    return { refused: conflict('limit_reached', 'The participant already has a referral.') };
  }
  const { programId, participantId: referrerId } = code;
  const parties = { participantId: participant.id, actorParticipantId: null };
  if (isSelfReferral(referrerId, parties, (id) => view.creatorOf.get(id) ?? null)) {
    return { refused: invalid('refCode', 'would be a self-referral') };
  }
  const program = view.book.programs.get(programId);
  const policy = program && versionAt(program.policies, now);
  const enrollment = enrollmentAt(view, referrerId, programId, now);
  const isOpen = program && program.kind !== 'loyalty' && isActiveAt(program, now);
  const isGood = isThere(view, referrerId) && !isSuspended(view, referrerId);
  if (!isOpen || !policy || !enrollment || !isGood) {
    return { refused: conflict('program_not_open', 'This code can no longer refer anyone.') };
  }
  const good = {
    input: { ...input, sourceEventId },
    participant,
    code,
    enrollmentId: enrollment.id,
    policy,
  };
  return { take: (ledger) => takeImport(ledger, good) };
}

function takeImport(ledger: Ledger, good: GoodImport) {
  const { input, participant, code, enrollmentId, policy } = good;
  const { now } = ledger;
  const { programId, participantId: referrerId } = code;
  const participantId = participant.id;
  ledger.introduce(participant);
  const { sourceNamespaceId, sourceEventId, factsHash } = input;
  const event: TrackedEvent = {
    id: ledger.newId('evt'),
    number: ledger.nextNumber('events'),
    type: input.type,
    participantId,
    actorParticipantId: null,
    sourceNamespaceId,
    sourceEventId,
    occurredAt: now,
    receivedAt: now,
    facts: input.facts,
    factsHash,
    processingState: 'processed',
    processingReason: 'not_applicable',
    attemptCount: 1,
    nextAttemptAt: null,
    explanation: null,
    programId,
    referralId: null,
  };
  const touch = takeCode(ledger, event, code);
  const candidate = {
    touchId: touch.id,
    programId,
    referrerParticipantId: referrerId,
    occurredAt: now,
  };
  const judged = { ...candidate, verdict: 'selected', reason: null } as const;
  const fact = {
    eventId: event.id,
    subscriptionFactId: null,
    participantId,
    actorParticipantId: null,
    occurredAt: now,
  };
  const referral = bind(ledger, fact, {
    selected: { candidate, enrollmentId, policy },
    reason: 'attributed',
    candidates: [judged],
  });
  if (!referral) throw new Error('The selected referral was not bound.');
  settleSides(ledger, referral);
  ledger.announce('event.recorded', () => eventData(event, null, null));
  ledger.announce('referral.created', () => referralData(referral));
  const explanation = { candidates: [judged], rules: [] };
  const decided: TrackedEvent = { ...event, referralId: referral.id, explanation };
  ledger.addEvent(decided);
  decideWaiting(ledger, participantId);
  const answer: TrackAnswer = {
    success: true,
    identified: false,
    identifyReason: null,
    eventId: event.id,
    participantId,
    processingState: event.processingState,
    processingReason: event.processingReason,
    attribution: attributionOf(referral),
    refCode: null,
  };
  ledger.addAnswer({ sourceNamespaceId, sourceEventId, factsHash, answer });
  return { answer, participantId };
}
