import { recordAudit } from '../../accounts/workspaces/audit-log.ts';
import { findProjectIds } from '../../accounts/workspaces/queries.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Outcome } from '../../platform/feed/writer/project-write.ts';
import {
  type Environment,
  ownRequest,
  type WriteRequest,
} from '../../platform/http/access/principal.ts';
import { AppError, conflict } from '../../platform/kit/errors.ts';
import { addMs, MINUTE_MS, toInstant } from '../../platform/kit/instant.ts';
import { findPartnerParticipants, type PartnerParticipant } from '../participants/queries.ts';
import { setSuspended } from '../participants/write-participants.ts';
import type { PartnerDeps } from './partner-deps.ts';
import {
  lockPartner,
  lockPartnerRow,
  type PartnerRow,
  shareLockPartner,
  updateCopied,
  updateStatus,
} from './partner-store.ts';
import { findPartner, listUncopied, showPartner } from './queries.ts';
import type { PartnerDetail } from './schema.ts';

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

export type CopyDeps = Pick<PartnerDeps, 'writer' | 'database' | 'clock' | 'newId'>;

/** The process that changed a status copies it at once; after this time the worker takes over. */
const MISSED_AFTER_MS = MINUTE_MS;
const PARTNERS_MAX = 100;

/**
 * Copies a Partner's status to every Project, each in a separate transaction. It may be interrupted
 * anywhere and run concurrently: each step copies the current status under a lock, and completion
 * is recorded only if the status has not changed since.
 */
async function copyStatus(deps: CopyDeps, partnerId: string): Promise<void> {
  const { reads } = deps.database;
  const partner = await findPartner(reads, partnerId);
  if (!partner || partner.isCopied) return;
  const projectIds = await findProjectIds(reads, partner.workspaceId, partner.environment);
  for (const place of await findPartnerParticipants(reads, projectIds, partnerId)) {
    await copyTo(deps, partnerId, place);
  }
  await deps.database.transaction(async (tx) => updateCopied(tx, partnerId, partner.statusNumber));
}

function copyTo(deps: CopyDeps, partnerId: string, place: PartnerParticipant): Promise<null> {
  return deps.writer.submit(
    {
      name: 'partner-status',
      batchMax: 1,
      repeatable: true,
      run: async (write): Promise<Outcome<null>[]> => {
        // Locked: a change of status waits until this copy is saved, and is copied after it.
        const partner = await shareLockPartner(write.tx, partnerId);
        if (partner) setSuspended(write, place.participantId, partner.status === 'suspended');
        return [{ answer: null }];
      },
    },
    ownRequest(place.projectId, 'partners', deps.newId('req')),
    undefined,
  );
}

/** Copies the statuses that a terminated process did not copy; returns the number of Partners. */
export async function copyMissedStatuses(
  deps: CopyDeps,
  onFailure: (error: unknown) => void,
): Promise<number> {
  const before = addMs(toInstant(deps.clock.nowMs()), -MISSED_AFTER_MS);
  let copied = 0;
  for (const partnerId of await listUncopied(deps.database.reads, before, PARTNERS_MAX)) {
    // A Project that cannot be written must not block the other Partners.
    await copyStatus(deps, partnerId).then(() => {
      copied += 1;
    }, onFailure);
  }
  return copied;
}

/** Prevents changes to a Partner until the transaction ends. Undefined if it does not exist or was erased. */
export function holdPartner(
  tx: Tx,
  partnerId: string,
): Promise<{ workspaceId: string; environment: Environment } | undefined> {
  return lockPartner(tx, partnerId);
}
