import { type AppError, conflict } from '../../platform/kit/errors.ts';
import {
  ensureParticipant,
  type Maker,
  type ParticipantSlice,
  rememberParticipant,
} from './participant-slice.ts';
import type { Participant, UpsertParticipant } from './schema.ts';

export type Upserted =
  | { readonly participant: Participant; readonly change: 'created' | 'changed' | 'none' }
  | { readonly refused: AppError };

/** Fails with participant_deleted or billing_id_taken. An upsert without changes keeps `updatedAt`. */
function decideUpsert(slice: ParticipantSlice, input: UpsertParticipant, maker: Maker): Upserted {
  const ensured = ensureParticipant(slice, input.participant, maker);
  if ('refused' in ensured) return ensured;
  const { participant, isNew } = ensured;
  const next: Participant = {
    ...participant,
    name: input.name === undefined ? participant.name : input.name,
    email: input.email === undefined ? participant.email : input.email,
    billingId: input.billingId === undefined ? participant.billingId : input.billingId,
  };
  const holder = next.billingId === null ? undefined : slice.billingHolders.get(next.billingId);
  if (holder !== undefined && holder !== participant.id) {
    return {
      refused: conflict('billing_id_taken', 'Another participant already has this billingId.'),
    };
  }
  if (isNew) return { participant: next, change: 'created' };
  const isSame =
    next.name === participant.name &&
    next.email === participant.email &&
    next.billingId === participant.billingId;
  return isSame
    ? { participant, change: 'none' }
    : { participant: { ...next, updatedAt: maker.now }, change: 'changed' };
}

export interface FoldedUpserts {
  readonly outcomes: readonly Upserted[];
  /** In order of creation, each in its final state. */
  readonly created: readonly Participant[];
  /** Existed before the batch and were changed by it. */
  readonly changed: readonly Participant[];
  /** Changed participants with another name or e-mail address than before. */
  readonly renamed: readonly Participant[];
  /** Changed participants whose stored billing id must be cleared before others can take it. */
  readonly releasing: readonly string[];
  /** Created or changed participants with a new billing id. */
  readonly billed: readonly Participant[];
}

export function foldUpserts(
  slice: ParticipantSlice,
  inputs: readonly UpsertParticipant[],
  maker: Maker,
): FoldedUpserts {
  const stored = new Map([...slice.byRef.values()].map((known) => [known.id, known]));
  const touched = new Map<string, Participant>();
  const outcomes = inputs.map((input) => {
    const outcome = decideUpsert(slice, input, maker);
    if ('refused' in outcome || outcome.change === 'none') return outcome;
    touched.set(outcome.participant.id, outcome.participant);
    rememberParticipant(slice, outcome.participant);
    return outcome;
  });
  const left = [...touched.values()];
  const changed = left.filter(({ id }) => stored.has(id));
  return {
    outcomes,
    created: left.filter(({ id }) => !stored.has(id)),
    changed,
    renamed: changed.filter(({ id, name, email }) => {
      const before = stored.get(id);
      return before?.name !== name || before?.email !== email;
    }),
    releasing: changed.flatMap(({ id, billingId }) => {
      const before = stored.get(id)?.billingId ?? null;
      return before !== null && before !== billingId ? [id] : [];
    }),
    billed: left.filter(
      ({ id, billingId }) => billingId !== null && stored.get(id)?.billingId !== billingId,
    ),
  };
}
