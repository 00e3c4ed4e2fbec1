import { forgetReasons, recordAudit } from '../../accounts/workspaces/audit-log.ts';
import { findProjectIds } from '../../accounts/workspaces/queries.ts';
import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { ProjectRef, WriteRequest } from '../../platform/http/access/principal.ts';
import { conflict, notFound } from '../../platform/kit/errors.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { isPartnerIn } from '../participants/queries.ts';
import { authorOf } from '../programs/program-deps.ts';
import { toEmailKey } from './applications/applicant.ts';
import { presentDecision } from './applications/approve-or-reject.ts';
import type { PartnerDeps } from './partner-deps.ts';
import { blankPartner, lockPartner } from './partner-store.ts';
import { findPartnerId } from './queries.ts';
import type { PartnerDecision } from './schema.ts';
import { deleteSignInsOf } from './sign-in/sign-in-store.ts';
import { decideApplication } from './states.ts';
import {
  type ApplicationRow,
  blankApplications,
  findApplication,
  lockApplication,
  lockApplicationsOfParticipant,
  lowerUnprovenCount,
  updateDecided,
} from './store.ts';

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
    await deps.eraseBesides(tx, partnerId);
  });
}

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

/**
 * Blanks every application in the Project of the person behind this participant, also to other
 * Programs; pending ones are withdrawn. Status, times and ids stay.
 */
export async function erasePartnerApplications(
  write: ProjectWrite,
  participantId: string,
): Promise<void> {
  const { tx, projectId } = write;
  const applications = await lockApplicationsOfParticipant(tx, projectId, participantId);
  for (const application of applications) withdraw(write, application, 'system:erasure');
  const ids = applications.map(({ id }) => id);
  if (ids.length > 0) blankApplications(tx, projectId, ids, write.now);
}

/** Withdraws a locked application if it is pending; returns its new state. */
function withdraw(
  { tx, projectId, now }: ProjectWrite,
  application: ApplicationRow,
  decidedBy: string,
): ApplicationRow {
  const decision = decideApplication(application, 'withdraw');
  if (!('to' in decision)) return application;
  const withdrawn = {
    ...application,
    status: decision.to,
    decidedAt: now,
    decidedBy,
    updatedAt: now,
  };
  updateDecided(tx, withdrawn);
  if (application.emailVerifiedAt === null) {
    lowerUnprovenCount(tx, projectId, application.programId);
  }
  return withdrawn;
}
