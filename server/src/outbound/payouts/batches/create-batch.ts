import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import { findProjectRef } from '../../../accounts/workspaces/queries.ts';
import { authorOf } from '../../../domain/programs/program-deps.ts';
import type { ProjectRef, WriteRequest } from '../../../platform/http/access/principal.ts';
import { CURRENCY_EXPONENTS } from '../../../platform/kit/currencies.ts';
import { AppError, invalid } from '../../../platform/kit/errors.ts';
import { parseInstant } from '../../../platform/kit/instant.ts';
import type { PayoutDeps } from '../payout-deps.ts';
import { isConnected } from '../queries.ts';
import type { CreateBatch } from '../schema.ts';
import type { BatchRow } from '../transfers/payout.ts';
import { insertBatch } from './batch-store.ts';
import { loadBatch } from './move-batch.ts';
import { reserveBatch } from './reserve-batch.ts';

/**
 * Drafts all transfers that can be made now, and reserves their rewards. A call with the same
 * Idempotency-Key resumes one that was interrupted. Fails with INVALID_REQUEST for an unknown currency
 * or a method that is not connected, NOT_FOUND or ENVIRONMENT_MISMATCH for a project.
 */
export async function createBatch(
  deps: PayoutDeps,
  project: ProjectRef,
  request: WriteRequest,
  input: CreateBatch,
): Promise<BatchRow> {
  const currency = input.currency?.toUpperCase() ?? null;
  if (currency !== null && !CURRENCY_EXPONENTS.has(currency)) {
    throw invalid('currency', 'must be a currency of ISO 4217 such as USD');
  }
  const { method } = input;
  if (!(await isConnected(deps, { ...project, method }))) {
    throw invalid('method', 'has no payout connection in this workspace and environment');
  }
  const projectIds = [...new Set([project.id, ...(input.projectIds ?? [])])];
  for (const projectId of projectIds) await assertSibling(deps, project, projectId);

  const { batchId } = await deps.writer.run(request, async (write) => {
    const batch: BatchRow = {
      id: write.newId('pob'),
      workspaceId: project.workspaceId,
      environment: project.environment,
      projectIds,
      method,
      currency,
      cutoffAt: input.cutoffAt ? (parseInstant(input.cutoffAt) ?? null) : null,
      status: 'reserving',
      totals: [],
      createdBy: authorOf(request.actor),
      createdAt: write.realNow,
      updatedAt: write.realNow,
      approvedBy: null,
      approvedAt: null,
      submittedAt: null,
      cancelledAt: null,
      failureReason: null,
    };
    insertBatch(write.tx, batch);
    recordAudit(write, request, {
      action: 'payout_batch.create',
      targetType: 'payout_batch',
      targetId: batch.id,
      changes: { projectIds, method, currency, cutoffAt: batch.cutoffAt },
    });
    return { answer: { batchId: batch.id } };
  });
  await reserveBatch(deps, batchId);
  return loadBatch(deps, project, batchId);
}

/** Requires a project of the same workspace and environment. */
async function assertSibling(
  deps: PayoutDeps,
  project: ProjectRef,
  projectId: string,
): Promise<void> {
  const other = await findProjectRef(deps.database.reads, projectId);
  if (other?.workspaceId !== project.workspaceId) {
    throw new AppError('NOT_FOUND', 'One of projectIds does not belong to this workspace.');
  }
  if (other.environment !== project.environment) {
    throw new AppError(
      'ENVIRONMENT_MISMATCH',
      'All projects of a payout batch must be in the same environment.',
    );
  }
}
