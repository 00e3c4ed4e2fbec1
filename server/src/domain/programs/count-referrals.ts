import type { Tx } from '../../platform/db/database.ts';
import { updateReferralCounts } from './store.ts';

/** Keeps each Program's count of referrals; call it in the transaction that binds them. */
export function addToReferralCounts(
  tx: Tx,
  projectId: string,
  referrals: readonly { readonly programId: string }[],
): void {
  const counts = new Map<string, number>();
  for (const { programId } of referrals) counts.set(programId, (counts.get(programId) ?? 0) + 1);
  if (counts.size > 0) updateReferralCounts(tx, projectId, counts);
}
