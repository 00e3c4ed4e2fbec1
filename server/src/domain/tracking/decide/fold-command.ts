import type { Outcome } from '../../../platform/feed/writer/project-write.ts';
import { type IdentitySlice, identify } from '../../attribution/decide-identify.ts';
import type { LoadedSlice } from '../batch/load-slice.ts';
import type { Recorder } from '../batch/recorder.ts';
import type { TrackSlice } from '../batch/slice.ts';
import type { TrackCommand } from '../batch/wanted.ts';
import type { IdentifyHandle } from './decide-signup.ts';
import { decideDue } from './decide-waiting.ts';
import { foldAdjustment } from './fold-adjustment.ts';
import { foldEvent } from './fold-event.ts';
import { foldImport } from './fold-import.ts';
import { foldSubscription } from './fold-subscription.ts';

/** Takes one command into the slice: `apply(state, command)` of the writer's fold. */
export function foldCommand(
  { slice, identities }: LoadedSlice,
  recorder: Recorder,
  command: TrackCommand,
): Outcome<object> {
  switch (command.kind) {
    case 'event':
      return foldEvent(
        slice,
        recorder,
        makeIdentify(slice, identities, recorder.now),
        command.event,
        command.leavesWaiting ?? false,
      );
    case 'import':
      return foldImport(slice, recorder, command.event);
    case 'adjustment':
      return foldAdjustment(slice, recorder, command.adjustment);
    case 'subscription':
      return foldSubscription(
        slice,
        recorder,
        command.subscription,
        command.leavesWaiting ?? false,
      );
    case 'due':
      decideDue(slice, recorder, command.participantId, recorder.now);
      return { answer: {} };
  }
}

/** Trouble with a handle never fails a signup: it is told in the answer. */
function makeIdentify(slice: TrackSlice, identities: IdentitySlice, now: string): IdentifyHandle {
  return (handle, person, group) => {
    // A group's own browser stays the group's; that it came with its creator takes nothing away.
    if (identities.handles.get(handle)?.participantId === group) {
      return { identified: true, reason: null };
    }
    const outcome = identify(identities, { shape: 'handle_person', handle, person }, now);
    if ('refused' in outcome) {
      const reason =
        outcome.refused === 'not_a_handle' ? 'not_a_handle' : 'handle_already_identified';
      return { identified: false, reason };
    }
    const known = new Set((slice.touchesOf.get(person) ?? []).map(({ id }) => id));
    const touches = slice.touchesOfHandle.get(handle) ?? [];
    slice.touchesOf.set(person, [
      ...(slice.touchesOf.get(person) ?? []),
      ...touches.filter(({ id }) => !known.has(id)),
    ]);
    return { identified: true, reason: null };
  };
}
