import { refKey, rememberParticipant } from '../../participants/participant-slice.ts';
import type { Participant } from '../../participants/schema.ts';
import type { Recorder } from './recorder.ts';
import type { TrackSlice } from './slice.ts';

/** Somebody whom the Project did not have, once, though one call may name them twice. */
export function introduce(slice: TrackSlice, recorder: Recorder, participant: Participant): void {
  const { kind, externalId } = participant;
  if (slice.participants.byRef.has(refKey({ kind, externalId: externalId ?? '' }))) return;
  rememberParticipant(slice.participants, participant);
  slice.people.set(participant.id, {
    ...participant,
    suspendedAt: null,
    isReferrer: false,
    isReferee: false,
  });
  recorder.introduce(participant);
}
