import { recordAudit } from '../../../accounts/workspaces/audit/record-audit.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { authorOf } from '../../programs/program-deps.ts';
import type { PartnerDeps } from '../partner-deps.ts';
import type { PartnerDecision } from '../schema.ts';
import { decideApplication } from '../states.ts';
import {
  type ApplicationRow,
  lockApplication,
  lowerUnprovenCount,
  updateDecided,
} from '../store.ts';
import { presentDecision } from './present-decision.ts';

/**
 * Rejects an application, proven or not. A repeat returns the first result, whatever its reason.
 * Fails with NOT_FOUND, or CONFLICT `application_decided`.
 */
export function rejectApplication(
  deps: PartnerDeps,
  request: WriteRequest,
  applicationId: string,
  reason: string | null,
): Promise<PartnerDecision> {
  return deps.writer.run(request, async (write) => {
    const { tx, projectId, now } = write;
    const application = await lockApplication(tx, projectId, applicationId);
    if (!application) throw notFound('partner application');
    const decision = decideApplication(application, 'reject');
    if ('refused' in decision) throw decision.refused;
    if ('repeated' in decision) return { answer: presentDecision(application) };

    const rejected: ApplicationRow = {
      ...application,
      status: decision.to,
      decidedAt: now,
      decidedBy: authorOf(request.actor),
      rejectionReason: reason,
      updatedAt: now,
    };
    updateDecided(tx, rejected);
    if (application.emailVerifiedAt === null) {
      lowerUnprovenCount(tx, projectId, application.programId);
    }
    recordAudit(write, request, {
      action: 'partner_application.reject',
      targetType: 'partner_application',
      targetId: applicationId,
      changes: { status: rejected.status, programId: application.programId },
    });
    return { answer: presentDecision(rejected) };
  });
}
