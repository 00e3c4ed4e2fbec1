import { type AppError, notFound } from '../../../platform/kit/errors.ts';
import { ensureParticipant } from '../../participants/participant-slice.ts';
import { introduce } from '../batch/introduce.ts';
import { addRow, type Recorder } from '../batch/recorder.ts';
import type { TrackSlice } from '../batch/slice.ts';
import { firstAnswer, refuseArrival, rememberAnswer } from '../intake/arrival.ts';
import type { SubscriptionInput } from '../intake/normalize-subscription.ts';
import { presentCandidate } from '../read/explanation.ts';
import type { SubscriptionAnswer, SubscriptionFact } from '../subscription-schema.ts';
import { attributionOf } from './attribute.ts';
import { bindStart, NOT_BINDING } from './bind-start.ts';

export type Subscribed =
  | { readonly answer: SubscriptionAnswer; readonly participantId: string }
  | { readonly refused: AppError };

/**
 * Takes what happened to a subscription into the slice. Its start binds a referral where the
 * Program waits for that, and decides what waited for it. Refusals leave the slice as it was.
 */
export function foldSubscription(
  slice: TrackSlice,
  recorder: Recorder,
  input: SubscriptionInput,
  leavesWaiting: boolean,
): Subscribed {
  const source = slice.sources.get(input.sourceNamespaceId);
  if (!source) return { refused: notFound('source') };
  const party = ensureParticipant(slice.participants, input.participant, recorder);
  if ('refused' in party) return party;
  const participantId = party.participant.id;
  const first = firstAnswer<SubscriptionAnswer>(slice, input);
  if (first) return 'refused' in first ? first : { ...first, participantId };
  const refused = refuseArrival(source, input.occurredAt, recorder.now);
  if (refused) return { refused };
  if (party.isNew) introduce(slice, recorder, party.participant);

  const { participant: _, ...told } = input;
  const taken = {
    id: recorder.newId('sfact'),
    projectId: recorder.projectId,
    participantId,
    ...told,
    receivedAt: recorder.now,
  };
  const isStart = input.change === 'started';
  const binding = isStart ? bindStart(slice, recorder, taken, leavesWaiting) : NOT_BINDING;
  const fact: SubscriptionFact = {
    ...taken,
    reason: binding.reason,
    candidates: binding.candidates.map(presentCandidate),
  };
  addRow(recorder.made.subscriptionFacts, fact);
  if (isStart) {
    slice.starts.set(participantId, [...(slice.starts.get(participantId) ?? []), fact]);
  }
  const answer: SubscriptionAnswer = {
    success: true,
    data: fact,
    attribution: attributionOf(binding.referral),
  };
  rememberAnswer(slice, recorder, { ...input, answer });
  return { answer, participantId };
}
