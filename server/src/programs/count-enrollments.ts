import type { Tx } from '../db/database.ts';
import { addToEnrollmentCountColumn } from './store.ts';

/** Keeps a Program's count of active enrollments; call it in the transaction that begins or ends them. */
export function addToEnrollmentCount(
  tx: Tx,
  projectId: string,
  programId: string,
  delta: number,
): void {
  addToEnrollmentCountColumn(tx, projectId, programId, delta);
}
