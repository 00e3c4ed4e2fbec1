import { type AppError, conflict } from '../../platform/kit/errors.ts';
import type { NewId } from '../../platform/kit/ids.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import { isErasedExternalId } from './names/names.ts';
import type { Participant, ParticipantKind, ParticipantRef } from './schema.ts';

/**
 * The participants that the commands of one batch name, as changed by the previous commands. A
 * working copy: decisions read it, and `rememberParticipant` makes their result visible to the next
 * command.
 */
export interface ParticipantSlice {
  readonly byRef: Map<string, Participant>;
  /** The participant of each billing id that the batch names. */
  readonly billingHolders: Map<string, string>;
  /** References to participants that were erased. */
  readonly erased: ReadonlySet<string>;
}

/** What a decision needs to create something. */
export interface Maker {
  readonly projectId: string;
  readonly now: Instant;
  readonly newId: NewId;
}

type Ensured =
  | { readonly participant: Participant; readonly isNew: boolean }
  | { readonly refused: AppError };

export function refKey(ref: ParticipantRef): string {
  return `${ref.kind} ${ref.externalId}`;
}

/**
 * The participant of that name, or a new one. Refuses a name whose participant was erased: a queued
 * retry must not recreate them.
 */
export function ensureParticipant(
  slice: {
    readonly byRef: ReadonlyMap<string, Participant>;
    readonly erased: ReadonlySet<string>;
  },
  ref: ParticipantRef,
  maker: Maker,
): Ensured {
  const key = refKey(ref);
  if (slice.erased.has(key) || isErasedExternalId(ref.externalId)) {
    return { refused: participantDeleted() };
  }
  const known = slice.byRef.get(key);
  if (known) return { participant: known, isNew: false };
  return {
    participant: makeParticipant(maker, ref.kind, { externalId: ref.externalId }),
    isNew: true,
  };
}

export function makeParticipant(
  maker: Maker,
  kind: ParticipantKind,
  identity: { externalId: string } | { partnerId: string },
): Participant {
  return {
    id: maker.newId('par'),
    createdAt: maker.now,
    updatedAt: maker.now,
    projectId: maker.projectId,
    kind,
    externalId: null,
    billingId: null,
    name: null,
    email: null,
    partnerId: null,
    deletedAt: null,
    readmittedAt: null,
    ...identity,
  };
}

/** Makes the participant's new state visible to the later commands of the batch. */
export function rememberParticipant(slice: ParticipantSlice, participant: Participant): void {
  if (participant.externalId === null) throw new Error('A write cannot name a partner.');
  const key = refKey({ kind: participant.kind, externalId: participant.externalId });
  const before = slice.byRef.get(key);
  if (before && before.billingId !== null && before.billingId !== participant.billingId) {
    slice.billingHolders.delete(before.billingId);
  }
  if (participant.billingId !== null) {
    slice.billingHolders.set(participant.billingId, participant.id);
  }
  slice.byRef.set(key, participant);
}

export function participantDeleted(): AppError {
  return conflict(
    'participant_deleted',
    'This participant was erased. An operator must readmit them first.',
  );
}

/** What decisions need to know about a person. */
export interface KnownPerson {
  readonly id: string;
  readonly kind: ParticipantKind;
  readonly externalId: string | null;
  readonly createdAt: Instant;
  readonly deletedAt: Instant | null;
  /** Set while the Partner of this participant is suspended. */
  readonly suspendedAt: Instant | null;
  readonly isReferrer: boolean;
  readonly isReferee: boolean;
}
