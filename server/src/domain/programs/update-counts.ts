import type { Tx } from '../../platform/db/database.ts';
import { updateEnrollmentCounts } from './store.ts';

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
