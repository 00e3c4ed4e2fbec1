import { type AppError, conflict, invalid, notFound } from '../../../platform/kit/errors.ts';
import { isSelfReferral } from '../../attribution/self-referral.ts';
import { ensureParticipant } from '../../participants/participant-slice.ts';
import { isActiveAt } from '../../programs/book/program-activity.ts';
import { versionAt } from '../../programs/book/program-book.ts';
import { count } from '../batch/count.ts';
import { eventFiguresOf } from '../batch/fact-figures.ts';
import { introduce } from '../batch/introduce.ts';
import { addRow, type Recorder } from '../batch/recorder.ts';
import type { TrackedEvent, TrackSlice } from '../batch/slice.ts';
import type { TrackAnswer } from '../event-schema.ts';
import { rememberAnswer } from '../intake/arrival.ts';
import type { EventInput } from '../intake/normalize-event.ts';
import { toCodeName } from '../intake/ref-code.ts';
import { eventData, referralData } from '../read/event-data.ts';
import { attributionOf, bind } from './attribute.ts';
import { takeCode } from './decide-signup.ts';
import { decideWaiting } from './decide-waiting.ts';
import { enrollmentAt, isSuspended, isThere } from './grant-rewards.ts';

export type Imported =
  | { readonly answer: TrackAnswer; readonly participantId: string }
  | { readonly refused: AppError };

/**
 * Binds somebody to who brought them elsewhere, before. What was weighed then is not weighed again:
 * neither windows nor what the person bought since. The Event itself earns nothing; what comes
 * after it earns as ever (D-IMP-1). Refusals leave the slice as it was.
 */
export function foldImport(slice: TrackSlice, recorder: Recorder, input: EventInput): Imported {
  const { now } = recorder;
  const party = ensureParticipant(slice.participants, input.participant, recorder);
  if ('refused' in party) return party;
  const participantId = party.participant.id;
  const code = slice.names.get(toCodeName(input.refCode ?? ''))?.at(-1);
  if (!code || input.sourceEventId === null) return { refused: notFound('referral code') };
  if (slice.referrals.has(participantId)) {
    return { refused: conflict('limit_reached', 'The participant has a referral already.') };
  }
  const { programId, participantId: referrerId } = code;
  const parties = { participantId, actorParticipantId: null };
  if (isSelfReferral(referrerId, parties, (id) => slice.creatorOf.get(id) ?? null)) {
    return { refused: invalid('refCode', 'is their own') };
  }
  const program = slice.book.programs.get(programId);
  const policy = program && versionAt(program.policies, now);
  const enrollment = enrollmentAt(slice, referrerId, programId, now);
  const isOpen = program && program.kind !== 'loyalty' && isActiveAt(program, now);
  const isGood = isThere(slice, referrerId) && !isSuspended(slice, referrerId);
  if (!isOpen || !policy || !enrollment || !isGood) {
    return { refused: conflict('program_not_open', 'The code brings nobody any more.') };
  }
  if (party.isNew) introduce(slice, recorder, party.participant);

  const { sourceNamespaceId, sourceEventId, factsHash } = input;
  const event: TrackedEvent = {
    id: recorder.newId('evt'),
    number: recorder.nextNumber('events'),
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
  const touch = takeCode(slice, recorder, event, code);
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
  const referral = bind(slice, recorder, fact, {
    selected: { candidate, enrollmentId: enrollment.id, policy },
    reason: 'attributed',
    candidates: [judged],
  });
  if (!referral) throw new Error('What was selected was not bound.');
  recorder.announce('event.recorded', eventData(event, null, null));
  recorder.announce('referral.created', referralData(referral));
  const explanation = { candidates: [judged], rules: [] };
  const decided: TrackedEvent = { ...event, referralId: referral.id, explanation };
  addRow(recorder.made.events, decided);
  count(slice, recorder, eventFiguresOf(recorder.projectId, decided));
  decideWaiting(slice, recorder, participantId);
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
  rememberAnswer(slice, recorder, { sourceNamespaceId, sourceEventId, factsHash, answer });
  return { answer, participantId };
}
