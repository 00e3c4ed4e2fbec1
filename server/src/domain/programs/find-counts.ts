import type { Queryable } from '../../platform/db/driver.ts';
import { findProgramCounts } from './store.ts';

export interface ProgramCounts {
  /** Active now. */
  readonly enrollments: number;
  /** All there ever were. */
  readonly referrals: number;
}

/** Undefined for a Program that is not there. */
export async function findCounts(
  source: Queryable,
  projectId: string,
  programId: string,
): Promise<ProgramCounts | undefined> {
  const row = await findProgramCounts(source, projectId, programId);
  return row && { enrollments: Number(row.enrollmentCount), referrals: Number(row.referralCount) };
}
