import type { Database, Tx } from '../../platform/db/database.ts';
import type { PartyRef, ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { type EmailKeys, NO_EMAIL } from './email-keys.ts';
import { tombstoneOf } from './names/names.ts';
import { insertEnrollments } from './names/sharing-store.ts';
import { ensureParticipant, type ParticipantSlice, refKey } from './participant-slice.ts';
import { listByBillingIds } from './queries.ts';
import type { Participant, ParticipantRef } from './schema.ts';
import { insertSearchKeys } from './search-key-store.ts';
import {
  insertParticipantRows,
  listByRefs,
  type NumberedParticipant,
  updateReferredFlags,
  updateSuspended,
} from './store.ts';

/**
 * Called, in the transaction that saves them, with participants who have a new billing id, so that
 * facts waiting for it can be processed.
 */
export type OnBilled = (write: ProjectWrite, billed: readonly Participant[]) => void;

export interface ParticipantDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly keyring: Keyring;
  /** Base of shared links, without a trailing slash. */
  readonly baseUrl: string;
  readonly onBilled: OnBilled;
}

const NO_SIDES: Sides = { referrers: new Set(), referees: new Set() };

/**
 * Numbers a new participant for the lists and adds its event to the feed. Call it at the event's
 * place in the feed's order, and save the result with `insertParticipants` in the same transaction.
 */
export function introduceParticipant(
  write: ProjectWrite,
  participant: Participant,
): NumberedParticipant {
  const party: PartyRef = { $party: participant.id };
  write.append('participant.created', { participant: party });
  return {
    ...participant,
    number: write.nextNumber('participants'),
    kindNumber: write.nextNumber(`participants_${participant.kind}`),
  };
}

/**
 * Saves introduced participants, each list in one statement. Those in `sides` are marked as sides of the
 * referrals that are created with them.
 */
export function insertParticipants(
  write: ProjectWrite,
  participants: readonly (NumberedParticipant & Partial<EmailKeys>)[],
  sides: Sides = NO_SIDES,
): void {
  if (participants.length === 0) return;
  // New fields after a spread cost microseconds each.
  const rows = participants.map((participant) => ({
    isReferrer: sides.referrers.has(participant.id),
    isReferee: sides.referees.has(participant.id),
    ...NO_EMAIL,
    ...participant,
  }));
  insertParticipantRows(write.tx, write.projectId, rows);
  insertSearchKeys(write.tx, write.projectId, participants);
}

export function saveEnrollments(
  tx: Tx,
  projectId: string,
  rows: Parameters<typeof insertEnrollments>[2],
): void {
  insertEnrollments(tx, projectId, rows);
}

/** The sides of referrals. */
export interface Sides {
  readonly referrers: ReadonlySet<string>;
  readonly referees: ReadonlySet<string>;
}

/** Marks existing participants as a side of a referral. */
export function markReferred(tx: Tx, projectId: string, sides: Sides): void {
  if (sides.referrers.size + sides.referees.size === 0) return;
  updateReferredFlags(tx, projectId, [...sides.referrers], [...sides.referees]);
}

/** Loads every participant that a batch names; the number of statements does not grow with the batch. */
export async function loadParticipants(
  tx: Tx,
  keyring: Keyring,
  projectId: string,
  named: { readonly refs: readonly ParticipantRef[]; readonly billingIds?: readonly string[] },
): Promise<ParticipantSlice> {
  const refs = [...new Map(named.refs.map((ref) => [refKey(ref), ref])).values()];
  const billingIds = [...new Set(named.billingIds)];
  const hashes = refs.map((ref) => tombstoneOf(keyring, projectId, ref.kind, ref.externalId).hash);
  const [found, holders] = await Promise.all([
    refs.length === 0 ? [] : listByRefs(tx, projectId, refs, hashes),
    billingIds.length === 0 ? [] : listByBillingIds(tx, projectId, billingIds),
  ]);
  const erased = new Set(found.map(({ erasedHash }) => erasedHash));
  return {
    byRef: new Map(
      found.flatMap(({ erasedHash: _, ...one }): [string, Participant][] =>
        one.id === null
          ? []
          : [[refKey({ kind: one.kind, externalId: one.externalId ?? '' }), one]],
      ),
    ),
    billingHolders: new Map(holders.map((one) => [one.billingId ?? '', one.id])),
    erased: new Set(
      refs.filter((_, index) => erased.has(hashes[index] ?? '')).map((ref) => refKey(ref)),
    ),
  };
}

export function saveParticipant(write: ProjectWrite, participant: Participant): void {
  insertParticipants(write, [introduceParticipant(write, participant)]);
}

/** The participant that a write names, created if the Project does not have it. Fails with participant_deleted. */
export async function ensureNamed(
  write: ProjectWrite,
  keyring: Keyring,
  ref: ParticipantRef,
): Promise<Participant> {
  const slice = await loadParticipants(write.tx, keyring, write.projectId, { refs: [ref] });
  const ensured = ensureParticipant(slice, ref, write);
  if ('refused' in ensured) throw ensured.refused;
  if (ensured.isNew) saveParticipant(write, ensured.participant);
  return ensured.participant;
}

/** Sets whether a participant's Partner is suspended; the original time stays. */
export function setSuspended(
  { tx, projectId, now }: ProjectWrite,
  participantId: string,
  isSuspended: boolean,
): void {
  updateSuspended(tx, { projectId, participantId }, now, isSuspended);
}
