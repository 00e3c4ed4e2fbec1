import { forgetReasons } from '../../accounts/workspaces/audit/queries.ts';
import { findProjectIds } from '../../accounts/workspaces/queries.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { isPartnerIn } from '../participants/enrollments/queries.ts';
import type { PartnerDeps } from './partner-deps.ts';
import { blankPartner, lockPartner } from './partner-store.ts';
import { deleteSignInsOf } from './sign-in/sign-in-store.ts';

/**
 * Blanks a Partner that is nobody any more in any Project; one that still is stays as it is.
 * In a transaction of its own, since a Partner spans Projects. Doing it again changes nothing.
 */
export async function eraseUnusedPartner(
  deps: Pick<PartnerDeps, 'database' | 'clock' | 'eraseBesides'>,
  partnerId: string,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    // Locked before asking: an approval that lets it join holds the lock until it is there.
    const partner = await lockPartner(tx, partnerId);
    if (!partner) return;
    // Every Project that it can be in: a Partner belongs to none of them.
    const projectIds = await findProjectIds(tx, partner.workspaceId, partner.environment);
    if (await isPartnerIn(tx, projectIds, partnerId)) return;
    // Ahead of the address, by which they are known.
    deleteSignInsOf(tx, partnerId);
    // No address has this form, so none is kept from becoming a Partner.
    blankPartner(tx, partnerId, `erased_${partnerId}`, toInstant(deps.clock.nowMs()));
    forgetReasons(tx, partner.workspaceId, partnerId);
    deps.eraseBesides(tx, partnerId);
  });
}
