import { recordAudit } from '../../accounts/workspaces/audit/record-audit.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import { AppError, conflict } from '../../platform/kit/errors.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { lockPartnerRow, type PartnerRow, updateStatus } from './partner-store.ts';
import type { PartnerDetail } from './schema.ts';
import { showPartner } from './show-partners.ts';
import { type CopyDeps, copyStatus } from './tell-projects.ts';

interface StatusDeps extends CopyDeps {
  /** Reports an error after the change was saved; the worker completes the change. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/**
 * From then on the Partner earns nothing in any Project and is left out of payouts that are drafted
 * or approved; payouts that are already approved are still paid. A repeat keeps the first time and
 * reason. Fails with NOT_FOUND, or CONFLICT `invalid_transition` for an erased one.
 */
export function suspendPartner(
  deps: StatusDeps,
  request: WriteRequest,
  partnerId: string,
  reason: string | null,
): Promise<PartnerDetail> {
  return changeStatus(deps, request, partnerId, { status: 'suspended', reason });
}

/** Ends a suspension; nothing is earned retroactively. Fails with the same errors. */
export function reinstatePartner(
  deps: StatusDeps,
  request: WriteRequest,
  partnerId: string,
): Promise<PartnerDetail> {
  return changeStatus(deps, request, partnerId, { status: 'active', reason: null });
}

/**
 * Changes the Partner's own row in one transaction, then copies the status to each Project in a
 * separate one. The worker retries Projects that fail.
 */
async function changeStatus(
  deps: StatusDeps,
  request: WriteRequest,
  partnerId: string,
  { status, reason }: { readonly status: PartnerRow['status']; readonly reason: string | null },
): Promise<PartnerDetail> {
  const now = toInstant(deps.clock.nowMs());
  await deps.database.transaction(async (tx) => {
    const partner = await lockPartnerRow(tx, partnerId);
    if (!partner) throw new AppError('NOT_FOUND', 'No such partner.');
    if (partner.erasedAt !== null) throw conflict('invalid_transition', 'This partner was erased.');
    if (partner.status === status) return;
    updateStatus(tx, {
      ...partner,
      status,
      suspendedAt: status === 'suspended' ? now : null,
      suspensionReason: reason,
      updatedAt: now,
      statusNumber: partner.statusNumber + 1,
    });
    recordAudit(
      { tx, now, newId: deps.newId },
      { ...request, workspaceId: partner.workspaceId, projectId: '' },
      {
        action: status === 'suspended' ? 'partner.suspend' : 'partner.reinstate',
        targetType: 'partner',
        targetId: partnerId,
        changes: { status, ...(reason === null ? {} : { reason }) },
      },
    );
  });
  await copyStatus(deps, partnerId).catch((error: unknown) =>
    deps.onFailure(error, request.requestId),
  );
  return showPartner(deps, partnerId);
}
