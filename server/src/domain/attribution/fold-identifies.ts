import {
  ensureParticipant,
  type Maker,
  type ParticipantSlice,
  rememberParticipant,
} from '../participants/participant-slice.ts';
import type { Participant, ParticipantRef } from '../participants/schema.ts';
import {
  type IdentifyCommand,
  type IdentifyOutcome,
  type IdentitySlice,
  identify,
} from './decide-identify.ts';

export interface FoldedIdentifies {
  readonly outcomes: readonly IdentifyOutcome[];
  /** In order of creation. */
  readonly created: readonly Participant[];
}

/** Applies one command after another to both slices. A refused command creates no participant. */
export function foldIdentifies(
  people: ParticipantSlice,
  identities: IdentitySlice,
  commands: readonly IdentifyCommand<ParticipantRef>[],
  maker: Maker,
): FoldedIdentifies {
  const created: Participant[] = [];
  const outcomes = commands.map((command): IdentifyOutcome => {
    if (command.shape === 'handle_key') return identify(identities, command, maker.now);
    const ensured = ensureParticipant(people, command.person, maker);
    const person = 'refused' in ensured ? null : ensured.participant.id;
    const outcome = identify(identities, { ...command, person }, maker.now);
    if ('identification' in outcome && 'participant' in ensured && ensured.isNew) {
      rememberParticipant(people, ensured.participant);
      created.push(ensured.participant);
    }
    return outcome;
  });
  return { outcomes, created };
}
