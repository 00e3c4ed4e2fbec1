import { type IdentitySlice, identify } from '../attribution/decide-identify.ts';
import { saveIdentities } from '../attribution/save-identities.ts';
import type { Handler, Outcome, ProjectWrite } from '../feed/project-write.ts';
import type { ProjectWriter } from '../feed/writer.ts';
import type { WriteRequest } from '../http/principal.ts';
import type { Keyring } from '../kit/keyring.ts';
import { insertParticipants, introduceParticipant } from '../participants/insert-participants.ts';
import { decideWaiting } from './decide-event.ts';
import type { IdentifyHandle } from './decide-signup.ts';
import type { TrackAnswer } from './event-schema.ts';
import { foldEvent } from './fold-event.ts';
import { loadSlice } from './load-slice.ts';
import type { EventInput } from './normalize-event.ts';
import { nothingMade, type Recorder } from './recorder.ts';
import { saveMade } from './save-made.ts';
import type { TrackSlice } from './slice.ts';

const BATCH_MAX = 200;

/** A fact to take, or a person whose waiting purchases have come due. */
export type TrackCommand =
  | { readonly kind: 'event'; readonly event: EventInput }
  | { readonly kind: 'due'; readonly participantId: string };

export interface TrackDeps {
  readonly writer: ProjectWriter;
  readonly keyring: Keyring;
}

export interface Tracker {
  /** Ends with NOT_FOUND for the source, or CONFLICT; a repeat gets the first answer. */
  track(request: WriteRequest, event: EventInput): Promise<TrackAnswer>;
  /** Decides the purchases of this person that waited for a signup which never came. */
  decideDue(request: WriteRequest, participantId: string): Promise<void>;
}

export function makeTracker(deps: TrackDeps): Tracker {
  const handler: Handler<TrackCommand, TrackAnswer | null> = {
    name: 'track',
    batchMax: BATCH_MAX,
    // A signup without an id of its sender's is told apart by its person, any other fact by its id.
    repeatable: true,
    run: (write, commands) =>
      runBatch(
        write,
        deps.keyring,
        commands.map(({ input }) => input),
      ),
  };
  return {
    track: async (request, event) =>
      (await deps.writer.submit(handler, request, { kind: 'event', event })) as TrackAnswer,
    decideDue: async (request, participantId) => {
      await deps.writer.submit(handler, request, { kind: 'due', participantId });
    },
  };
}

async function runBatch(
  write: ProjectWrite,
  keyring: Keyring,
  commands: readonly TrackCommand[],
): Promise<Outcome<TrackAnswer | null>[]> {
  const inputs = commands.flatMap((command) => (command.kind === 'event' ? [command.event] : []));
  const due = commands.flatMap((command) =>
    command.kind === 'due' ? [command.participantId] : [],
  );
  const { slice, identities } = await loadSlice(write, keyring, inputs, due);
  const { recorder, save } = startRecording(write);
  const identifyHandle = makeIdentify(slice, identities, recorder.now);
  const outcomes = commands.map((command): Outcome<TrackAnswer | null> => {
    if (command.kind === 'event') return foldEvent(slice, recorder, identifyHandle, command.event);
    decideWaiting(slice, recorder, command.participantId, write.now);
    return { answer: null };
  });
  save();
  saveIdentities(write, identities);
  return outcomes;
}

function startRecording(write: ProjectWrite): { recorder: Recorder; save(): void } {
  const introduced: ReturnType<typeof introduceParticipant>[] = [];
  const made = nothingMade();
  return {
    recorder: {
      projectId: write.projectId,
      now: write.now,
      newId: write.newId,
      nextNumber: write.nextNumber,
      introduce: (participant) => introduced.push(introduceParticipant(write, participant)),
      announce: (type, data) => write.append(type, data),
      made,
    },
    save() {
      insertParticipants(write, introduced);
      saveMade(write, made);
    },
  };
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
