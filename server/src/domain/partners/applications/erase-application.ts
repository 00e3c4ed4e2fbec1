import { recordAudit } from '../../../accounts/workspaces/audit/record-audit.ts';
import type { ProjectRef, WriteRequest } from '../../../platform/http/access/principal.ts';
import { conflict, notFound } from '../../../platform/kit/errors.ts';
import { authorOf } from '../../programs/program-deps.ts';
import { eraseUnusedPartner } from '../erase-partner.ts';
import type { PartnerDeps } from '../partner-deps.ts';
import { findPartnerId } from '../partner-store.ts';
import type { PartnerDecision } from '../schema.ts';
import { blankApplications, findApplication, lockApplication } from '../store.ts';
import { toEmailKey } from './applicant.ts';
import { withdraw } from './erase-applications.ts';
import { presentDecision } from './present-decision.ts';

/**
 * Erases the data of an applicant who has not become a Partner; a pending application is withdrawn.
 * A repeat changes nothing and returns the same. Fails with NOT_FOUND, or CONFLICT
 * `application_decided` for an approved one: erase its participant instead.
 */
export async function eraseApplication(
  deps: PartnerDeps,
  project: ProjectRef,
  request: WriteRequest,
  applicationId: string,
): Promise<PartnerDecision> {
  await eraseHalfMadePartner(deps, project, applicationId);
  return deps.writer.run(request, async (write) => {
    const { tx, projectId, now } = write;
    const application = await lockApplication(tx, projectId, applicationId);
    if (!application) throw notFound('partner application');
    if (application.status === 'approved') {
      throw conflict(
        'application_decided',
        `This application was approved. Erase the participant ${application.participantId} instead.`,
      );
    }
    if (application.name === null) return { answer: presentDecision(application) };
    const ended = withdraw(write, application, authorOf(request.actor));
    blankApplications(tx, projectId, [applicationId], now);
    recordAudit(write, request, {
      action: 'partner_application.erase',
      targetType: 'partner_application',
      targetId: applicationId,
      changes: { status: ended.status, programId: ended.programId },
    });
    return { answer: presentDecision(ended) };
  });
}

/**
 * Erases the Partner of an approval that did not complete. Must run before the application is
 * blanked: afterwards its Partner cannot be found.
 */
async function eraseHalfMadePartner(
  deps: PartnerDeps,
  { id, workspaceId, environment }: ProjectRef,
  applicationId: string,
): Promise<void> {
  const { reads } = deps.database;
  const application = await findApplication(reads, id, applicationId);
  if (!application?.email || !application.emailVerifiedAt) return;
  const emailKey = toEmailKey(application.email);
  const partnerId = await findPartnerId(reads, workspaceId, environment, emailKey);
  if (partnerId !== undefined) await eraseUnusedPartner(deps, partnerId);
}
