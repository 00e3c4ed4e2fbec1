import { forgetReasons } from '../../accounts/workspaces/audit/queries.ts';
import { findProjectIds } from '../../accounts/workspaces/queries.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { isPartnerIn } from '../participants/enrollments/queries.ts';
import type { PartnerDeps } from './partner-deps.ts';
import { blankPartner, lockPartner } from './partner-store.ts';
import { deleteSignInsOf } from './sign-in/sign-in-store.ts';

/**
 * Blanks a Partner that no longer has a participant in any Project; leaves others unchanged. A
 * separate transaction, because a Partner spans Projects. A repeat changes nothing.
 */
export async function eraseUnusedPartner(
  deps: Pick<PartnerDeps, 'database' | 'clock' | 'eraseBesides'>,
  partnerId: string,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    // Lock before the check: an approval in progress holds the lock until the Partner has joined.
    const partner = await lockPartner(tx, partnerId);
    if (!partner) return;
    // Every Project that the Partner can be in: it belongs to none of them.
    const projectIds = await findProjectIds(tx, partner.workspaceId, partner.environment);
    if (await isPartnerIn(tx, projectIds, partnerId)) return;
    // Before the address is blanked, by which sign-ins are found.
    deleteSignInsOf(tx, partnerId);
    // No address has this form, so the former address can become a Partner again.
    blankPartner(tx, partnerId, `erased_${partnerId}`, toInstant(deps.clock.nowMs()));
    forgetReasons(tx, partner.workspaceId, partnerId);
    deps.eraseBesides(tx, partnerId);
  });
}
