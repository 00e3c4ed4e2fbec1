import { planSharing, type SharingPlan } from '../../domain/participants/names/plan-sharing.ts';
import { resolveName } from '../../domain/participants/names/queries.ts';
import { findNamed } from '../../domain/participants/queries.ts';
import type { Participant, UpsertParticipant } from '../../domain/participants/schema.ts';
import { planStart } from '../../domain/participants/starts/plan-start.ts';
import { applyUpserts, previewUpsert } from '../../domain/participants/upsert-participant.ts';
import type { OnBilled } from '../../domain/participants/write-participants.ts';
import type { ProgramState } from '../../domain/programs/queries.ts';
import {
  findReferralOf,
  type ImportedReferral,
  isOwnReferral,
} from '../../domain/tracking/batch/import-referral.ts';
import type { RiskSources } from '../../domain/tracking/risk/load-risk.ts';
import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import { AppError, invalid } from '../../platform/kit/errors.ts';
import { parseInstant } from '../../platform/kit/instant.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import type { ImportResult, ImportRow } from './schema.ts';

export interface RowDeps extends RiskSources {
  readonly onBilled: OnBilled;
}

/** The target of the rows. */
export interface ImportPlace {
  readonly program: ProgramState;
  /** Referrals of earlier rows, by referee: all are bound at once, after the last row. */
  readonly pending: Map<string, PendingReferral>;
}

interface PendingReferral extends ImportedReferral {
  readonly referrerParticipantId: string;
  readonly programId: string;
}

/** The referrer of an imported participant. */
interface Referrer {
  readonly participantId: string;
  /** The named code, or the one that its slug belongs to; null if there is none. */
  readonly code: string | null;
  /** Whether the code can currently refer anybody. */
  readonly isGood: boolean;
}

export interface TakenRow {
  readonly status: ImportResult['status'];
  readonly participantId: string;
  /** The id of the existing referral; null if there is none, or a pending one. */
  readonly referralId: string | null;
}

/**
 * Imports one row, completely or not at all. Throws the reason for a refusal before anything is
 * written.
 */
export async function importRow(
  deps: RowDeps,
  write: ProjectWrite,
  place: ImportPlace,
  row: ImportRow,
): Promise<TakenRow> {
  const { keyring } = deps;
  const input = toUpsert(row);
  const upserted = await previewUpsert(deps, write, input);
  if ('refused' in upserted) throw upserted.refused;
  const known = upserted.change === 'created' ? null : upserted.participant;
  const sharing = await planSharing(write, keyring, place.program, {
    participantId: known?.id ?? null,
    code: row.code?.toLowerCase() ?? null,
    slug: row.slug?.toLowerCase() ?? null,
    needsCode: false,
  });
  const start = row.startingMeasures
    ? await planStart(write, place.program.id, known?.id ?? null, row.startingMeasures)
    : null;
  const referrer = await findReferrer(write, place, row);
  const stored = known && (await findReferralOf(write.tx, write.projectId, known.id));
  const before = stored ?? place.pending.get(known?.id ?? '');
  if (referrer && before) assertSame(before, referrer, place, row);
  const referring =
    referrer && !before ? await planReferral(deps, write, place, { row, known, referrer }) : null;

  const [applied] = await applyUpserts(deps, write, [input]);
  if (!applied || 'refused' in applied) throw new Error('A refused row was imported.');
  const { participant } = applied;
  sharing.save(write, participant.id);
  start?.save(write, participant.id);
  if (referring) place.pending.set(participant.id, referring(participant));
  const isChange =
    applied.change === 'changed' ||
    sharing.isChange ||
    (start?.isChange ?? false) ||
    referring !== null;
  return {
    status: known === null ? 'created' : isChange ? 'updated' : 'unchanged',
    participantId: participant.id,
    referralId: stored?.id ?? null,
  };
}

function toUpsert(row: ImportRow): UpsertParticipant {
  const { externalId, kind, name, email, billingId } = row;
  return {
    participant: { kind: kind ?? 'individual', externalId },
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(billingId === undefined ? {} : { billingId }),
  };
}

function pathOf(row: ImportRow): 'referredByCode' | 'referredByExternalId' {
  return (row.referredByCode ?? null) === null ? 'referredByExternalId' : 'referredByCode';
}

/** Nobody is referred twice: a row that repeats what is known changes nothing. */
function assertSame(
  before: { readonly referrerParticipantId: string; readonly programId: string },
  referrer: Referrer,
  { program }: ImportPlace,
  row: ImportRow,
): void {
  const isSame =
    before.referrerParticipantId === referrer.participantId && before.programId === program.id;
  if (!isSame) throw invalid(pathOf(row), 'differs from the participant’s existing referral');
}

async function findReferrer(
  { tx, projectId }: ProjectWrite,
  { program }: ImportPlace,
  row: ImportRow,
): Promise<Referrer | null> {
  const name = row.referredByCode ?? null;
  if (name !== null) {
    const found = await resolveName(tx, projectId, name);
    if (!found || found.programId !== program.id) {
      throw invalid('referredByCode', 'is not a code or slug of this Program');
    }
    const { participantId, code, isTakingPart } = found;
    return { participantId, code, isGood: isTakingPart };
  }
  const externalId = row.referredByExternalId ?? null;
  if (externalId === null) return null;
  const kind = row.referredByKind ?? 'individual';
  const found = await findNamed(tx, projectId, { kind, externalId });
  if (!found) throw invalid('referredByExternalId', 'is not a participant; import them first');
  return { participantId: found.id, code: null, isGood: true };
}

interface ReferredRow {
  readonly row: ImportRow;
  /** Null if they do not exist yet. */
  readonly known: Participant | null;
  readonly referrer: Referrer;
}

/**
 * Decides that somebody will be bound. The returned function creates the code if needed and returns
 * the referral to bind.
 */
async function planReferral(
  { keyring }: RowDeps,
  write: ProjectWrite,
  { program }: ImportPlace,
  { row, known, referrer }: ReferredRow,
): Promise<(participant: Participant) => PendingReferral> {
  const path = pathOf(row);
  const { tx, projectId } = write;
  if (known && (await isOwnReferral(tx, projectId, referrer.participantId, known.id))) {
    throw invalid(path, 'is the participant itself, its creator, or a group of theirs');
  }
  if (program.status !== 'active') throw invalid(path, 'requires an active Program');
  if (!referrer.isGood)
    throw invalid(path, 'belongs to a participant who can no longer refer others');
  const plan =
    referrer.code === null ? await planCode(write, keyring, program, referrer.participantId) : null;
  return (participant) => {
    const code = referrer.code ?? plan?.save(write, referrer.participantId);
    if (!code || participant.externalId === null) throw new Error('A referrer has no code.');
    return {
      participant: { ...participant, externalId: participant.externalId },
      code,
      referredAt: parseInstant(row.referredAt ?? '') ?? null,
      referrerParticipantId: referrer.participantId,
      programId: program.id,
    };
  };
}

/**
 * Their oldest code, created if they have none; refused for a participant who has left the program.
 */
async function planCode(
  write: ProjectWrite,
  keyring: Keyring,
  program: ProgramState,
  participantId: string,
): Promise<SharingPlan> {
  const any = { participantId, code: null, slug: null, needsCode: true };
  try {
    return await planSharing(write, keyring, program, any);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
    throw invalid('referredByExternalId', `cannot refer others in this Program: ${error.message}`);
  }
}
