import type { Queryable } from '../../../platform/db/driver.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { findProgram, type ProgramState } from '../find-program.ts';
import { effectiveStatus } from '../program-status.ts';
import { findDelivery, hasCashTerms, listPrograms } from '../store.ts';

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
