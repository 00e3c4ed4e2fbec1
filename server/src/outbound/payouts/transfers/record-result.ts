import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import type { ProjectRef, WriteRequest } from '../../../platform/http/access/principal.ts';
import { conflict, invalid, notFound } from '../../../platform/kit/errors.ts';
import { addMs, type Instant } from '../../../platform/kit/instant.ts';
import { listParts } from '../batches/part-store.ts';
import type { PayoutDeps } from '../payout-deps.ts';
import { SILENT_MS } from '../schedule.ts';
import type { Payout, RecordResult } from '../schema.ts';
import { applyOutcomes } from './apply-outcomes.ts';
import { decideOutcome } from './decide-outcome.ts';
import type { PayoutRow } from './payout.ts';
import { findPayout, lockPayouts, updateStandings } from './payout-store.ts';
import { findPayoutIn } from './show-payouts.ts';

/**
 * Records the outcome of a transfer that was made manually, or that its provider does not report,
 * for all its projects. No provider is asked about it any more. A repeat changes nothing. Throws
 * NOT_FOUND, INVALID_REQUEST for the failure of a paid transfer, or CONFLICT `invalid_transition`
 * for an outcome that this payout cannot have (any more).
 */
export async function recordResult(
  deps: PayoutDeps,
  project: ProjectRef,
  request: WriteRequest,
  input: RecordResult & { readonly payoutId: string },
): Promise<Payout> {
  const { payoutId } = input;
  const isFailure = input.outcome !== 'paid';
  if (!isFailure && (input.failureReason ?? null) !== null) {
    throw invalid('failureReason', 'is allowed only with failed and returned');
  }
  if (!isFailure && (input.failureMessage ?? null) !== null) {
    throw invalid('failureMessage', 'is allowed only with failed and returned');
  }
  await deps.writer.run(request, async (write) => {
    const { tx, projectId, realNow } = write;
    const [part] = await listParts(tx, projectId, [payoutId]);
    const [payout] = await lockPayouts(tx, [payoutId]);
    if (!part || !payout) throw notFound('payout');
    assertRecordable(payout, realNow);
    const decision = decideOutcome(
      payout,
      {
        outcome: input.outcome,
        reference: input.reference ?? null,
        failureReason: isFailure ? (input.failureReason ?? 'other') : null,
        failureMessage: input.failureMessage ?? null,
      },
      realNow,
    );
    if ('refused' in decision) throw decision.refused;
    if (decision.standing) {
      updateStandings(tx, [{ id: payoutId, ...decision.standing }], realNow);
      recordAudit(write, request, {
        action: 'payout.result',
        targetType: 'payout',
        targetId: payoutId,
        changes: {
          outcome: input.outcome,
          failureReason: decision.standing.failureReason,
          unansweredSince: payout.unansweredSince,
        },
      });
    }
    return { answer: null };
  });
  const payout = await findPayout(deps.database.reads, payoutId);
  if (payout && !payout.isApplied) await applyOutcomes(deps, [payout]);
  return findPayoutIn(deps.database.reads, project.id, payoutId);
}

/** The outcome of a provider's transfer comes from the provider, as long as it answers. */
function assertRecordable({ method, unansweredSince }: PayoutRow, now: Instant): void {
  if (method === 'manual_export') return;
  if (unansweredSince !== null && now >= addMs(unansweredSince, SILENT_MS)) return;
  throw conflict(
    'invalid_transition',
    `The result of this payout comes from ${method}. You can record it only after ${method} has given no answer for 24 hours.`,
  );
}
