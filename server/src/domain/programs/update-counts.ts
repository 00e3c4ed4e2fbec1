import type { Tx } from '../../platform/db/database.ts';
import { updateEnrollmentCounts, updateReferralCounts } from './store.ts';

/**
 * Updates the count of active enrollments of these Programs, each given once; call it in the
 * transaction that begins or ends them.
 */
export function addToEnrollmentCounts(
  tx: Tx,
  projectId: string,
  programIds: readonly string[],
  delta: number,
): void {
  if (programIds.length > 0) updateEnrollmentCounts(tx, projectId, programIds, delta);
}

/** Updates each Program's count of referrals; call it in the transaction that binds them. */
export function addToReferralCounts(
  tx: Tx,
  projectId: string,
  referrals: readonly { readonly programId: string }[],
): void {
  const counts = new Map<string, number>();
  for (const { programId } of referrals) counts.set(programId, (counts.get(programId) ?? 0) + 1);
  updateReferralCounts(tx, projectId, counts);
}
