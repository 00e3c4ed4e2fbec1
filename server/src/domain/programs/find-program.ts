import type { Queryable } from '../../platform/db/driver.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { ProgramConfig } from './program-config.ts';
import { effectiveStatus, type ProgramKind, type ProgramStatus } from './program-status.ts';
import { findDelivery, findProgramRow, hasCashTerms, listPrograms } from './store.ts';

export interface ProgramState {
  readonly id: string;
  readonly kind: ProgramKind;
  readonly name: string;
  /** The effective status at the requested time. */
  readonly status: ProgramStatus;
  readonly config: ProgramConfig;
}

/** A Program as presented to other domains. */
export async function findProgram(
  db: Queryable,
  projectId: string,
  programId: string,
  now: Instant,
): Promise<ProgramState | undefined> {
  const row = await findProgramRow(db, projectId, programId);
  if (!row) return undefined;
  const { id, kind, name, config } = row;
  return { id, kind, name, status: effectiveStatus(row, now), config };
}

/** Whether people may be enrolled. A draft accepts them, so that a launch can be prepared. */
export function isOpenForJoining(program: Pick<ProgramState, 'status'>): boolean {
  return program.status === 'draft' || program.status === 'active';
}

/** A referral Program by its id, or for null the oldest active one. */
export async function findReferralProgram(
  db: Queryable,
  projectId: string,
  programId: string | null,
  now: Instant,
): Promise<ProgramState | undefined> {
  if (programId !== null) {
    const program = await findProgram(db, projectId, programId, now);
    return program?.kind === 'referral' ? program : undefined;
  }
  for (const row of await listPrograms(db, projectId)) {
    const { id, kind, name, config, startDate } = row;
    const status = effectiveStatus(row, now);
    const isActive = status === 'active' && (startDate === null || startDate <= now);
    if (kind === 'referral' && isActive) return { id, kind, name, status, config };
  }
  return undefined;
}

/** Whether the service pays out cash that is earned in a Program now. */
export async function paysOut(
  db: Queryable,
  projectId: string,
  programId: string,
  now: Instant,
): Promise<boolean> {
  const [delivery, givesCash] = await Promise.all([
    findDelivery(db, projectId, programId),
    hasCashTerms(db, projectId, programId, now),
  ]);
  return givesCash && delivery?.cashMethod === 'payout';
}
