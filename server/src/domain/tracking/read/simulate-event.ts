import Type, { type Static } from 'typebox';
import type { Database } from '../../../platform/db/database.ts';
import { previewWrite } from '../../../platform/feed/writer/preview.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { findTerms } from '../../programs/book/program-book.ts';
import { toReward } from '../../rewards/read/present.ts';
import type { RewardRow } from '../../rewards/reward.ts';
import { Reward } from '../../rewards/schema.ts';
import { askForNamed, loadSlice } from '../batch/load-slice.ts';
import { nothingMade, type Recorder } from '../batch/recorder.ts';
import type { TrackSlice } from '../batch/slice.ts';
import { type TrackCommand, wantedBy } from '../batch/wanted.ts';
import { foldCommand } from '../decide/fold-command.ts';
import { TrackAnswer } from '../event-schema.ts';
import type { EventInput } from '../intake/normalize-event.ts';
import { Explanation, presentExplanation } from './explanation.ts';
import { findEvent } from './read-store.ts';

export const Simulation = Type.Object(
  {
    response: TrackAnswer,
    explanation: Explanation,
    isRepeat: Type.Boolean({
      description:
        'The fact was told before: this is what that led to, and nothing more is earned.',
    }),
    rewards: Type.Array(Reward, {
      description: 'All that would be earned, also by purchases that waited for this signup.',
    }),
  },
  { title: 'Simulation' },
);
export type Simulation = Static<typeof Simulation>;

export interface SimulateDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
}

/**
 * What telling this fact now would answer and earn. Nothing is written: ids of what it would
 * make name nothing. Ends as the real call would.
 */
export function simulateEvent(
  deps: SimulateDeps,
  projectId: string,
  event: EventInput,
): Promise<Simulation> {
  return previewWrite(deps, projectId, async (preview) => {
    const command: TrackCommand = { kind: 'event', event };
    const wanted = wantedBy([command]);
    const named = await askForNamed(preview.tx, deps.keyring, projectId, wanted);
    const loaded = await loadSlice(preview, wanted, named);
    const recorder: Recorder = {
      ...preview,
      introduce: () => undefined,
      announce: () => undefined,
      made: nothingMade(),
    };
    const outcome = foldCommand(loaded, recorder, command);
    if ('refused' in outcome) throw outcome.refused;
    const response = outcome.answer as TrackAnswer;
    const made = recorder.made.events.added.get(response.eventId);
    if (made) {
      const earned = [...recorder.made.rewards.added.values()];
      return {
        response,
        explanation: presentExplanation(made.explanation),
        isRepeat: false,
        rewards: earned.map((reward) => presentMade(loaded.slice, reward)),
      };
    }
    const first = await findEvent(preview.tx, projectId, response.eventId);
    return {
      response,
      explanation: presentExplanation(first?.explanation ?? null),
      isRepeat: true,
      rewards: [],
    };
  });
}

/** A Reward whose beneficiary may be as new as it is. */
function presentMade(slice: TrackSlice, reward: RewardRow): Reward {
  const person = slice.people.get(reward.beneficiaryParticipantId);
  if (!person) throw new Error(`Reward ${reward.id} belongs to nobody.`);
  const { id: participantId, kind, externalId } = person;
  return toReward(reward, findTerms(slice.book, reward).unit, { participantId, kind, externalId });
}
