import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import type { ProjectRef, WriteRequest } from '../../../platform/http/access/principal.ts';
import { endRehearsal } from '../../../platform/http/access/rehearsal.ts';
import { conflict, notFound, unavailable } from '../../../platform/kit/errors.ts';
import { type Instant, toInstant } from '../../../platform/kit/instant.ts';
import { joinAsPartner } from '../../participants/enrollments/join-as-partner.ts';
import { makeCode } from '../../participants/names/find-free-name.ts';
import { authorOf } from '../../programs/program-deps.ts';
import { findProgram, isOpenForJoining } from '../../programs/queries.ts';
import type { PartnerDeps } from '../partner-deps.ts';
import { findOrInsertPartner, type PartnerStanding, shareLockPartner } from '../partner-store.ts';
import type { PartnerDecision } from '../schema.ts';
import { decideApplication, notProvenYet } from '../states.ts';
import {
  type ApplicationRow,
  findApplication,
  lockApplication,
  lowerUnprovenCount,
  updateDecided,
} from '../store.ts';
import { toEmailKey } from './applicant.ts';

/**
 * Makes the applicant a Partner of the Workspace, then enrolls the Partner in the Program. These
 * are separate transactions, because a Partner spans Projects; a repeat finds the Partner of the
 * first step and does the second. A repeat returns the first result.
 *
 * Fails with NOT_FOUND, or CONFLICT `application_decided`, `invalid_transition` (no proof yet, or a
 * suspended Partner), `program_not_open`, SERVICE_UNAVAILABLE if the Partner is erased between the
 * two, or an error of joining.
 */
export async function approveApplication(
  deps: PartnerDeps,
  project: ProjectRef,
  request: WriteRequest,
  applicationId: string,
): Promise<PartnerDecision> {
  const partner = await preparePartner(deps, project, request, applicationId);
  return deps.writer.run(request, async (write) => {
    const { tx, projectId, now } = write;
    const application = await lockApplication(tx, projectId, applicationId);
    if (!application) throw notFound('partner application');
    const decision = decideApplication(application, 'approve');
    if ('refused' in decision) throw decision.refused;
    if ('repeated' in decision) return toOutcome(application);
    if (!partner) throw notProvenYet();
    await assertOpen(tx, application, now);
    const held = await shareLockPartner(tx, partner.id);
    if (!held) {
      throw unavailable(
        'This partner was erased in the meantime. Approve the application again to create a new one.',
      );
    }
    assertNotSuspended(held);

    const { participantId } = await joinAsPartner(write, deps, {
      partnerId: partner.id,
      searched: held,
      kind: application.profileType === 'company' ? 'group' : 'individual',
      programId: application.programId,
      slugHint: publicNameOf(application) ?? makeCode(),
    });
    const approved: ApplicationRow = {
      ...application,
      status: decision.to,
      decidedAt: now,
      decidedBy: authorOf(request.actor),
      participantId,
      updatedAt: now,
    };
    updateDecided(tx, approved);
    recordAudit(write, request, {
      action: 'partner_application.approve',
      targetType: 'partner_application',
      targetId: applicationId,
      changes: { status: approved.status, programId: application.programId, participantId },
    });
    return toOutcome(approved);
  });
}

/**
 * Only if the application can still be approved, so that a refusal creates no Partner. The final
 * decision is made in the Project's write, with the application locked.
 */
async function preparePartner(
  deps: PartnerDeps,
  project: ProjectRef,
  request: WriteRequest,
  applicationId: string,
): Promise<PartnerStanding | undefined> {
  const { reads } = deps.database;
  const application = await findApplication(reads, project.id, applicationId);
  if (!application) throw notFound('partner application');
  if (!('to' in decideApplication(application, 'approve'))) return undefined;
  await assertOpen(reads, application, await projectNow(reads, deps.clock, project));
  const id = deps.newId('ptn');
  const partner = await deps.database.transaction(async (tx) => {
    const found = await findOrInsertPartner(tx, {
      id,
      workspaceId: project.workspaceId,
      environment: project.environment,
      emailKey: toEmailKey(application.email ?? ''),
      application,
      // A Partner spans Projects, so its own times are real time.
      now: toInstant(deps.clock.nowMs()),
    });
    // Nothing can refuse the enrollment of a new Partner.
    if (found.id === id) endRehearsal(request);
    return found;
  });
  assertNotSuspended(partner);
  return partner;
}

function assertNotSuspended({ status }: PartnerStanding): void {
  if (status === 'suspended') throw conflict('invalid_transition', 'This partner is suspended.');
}

/** A company's name may appear in public addresses; a person's must not. */
function publicNameOf({ profileType, companyName }: ApplicationRow): string | null {
  return profileType === 'company' ? companyName : null;
}

async function assertOpen(db: Queryable, application: ApplicationRow, now: Instant): Promise<void> {
  const program = await findProgram(db, application.projectId, application.programId, now);
  if (!program || !isOpenForJoining(program)) {
    throw conflict('program_not_open', 'This program no longer accepts new partners.');
  }
}

function toOutcome(application: ApplicationRow) {
  const { participantId } = application;
  return {
    answer: presentDecision(application),
    ...(participantId === null ? {} : { participantId }),
  };
}

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

/** The decision without the applicant's data: the response is stored for its Idempotency-Key. */
export function presentDecision(application: ApplicationRow): PartnerDecision {
  return {
    partnerRequestId: application.id,
    programId: application.programId,
    participantId: application.participantId,
    status: application.status,
    decidedAt: application.decidedAt,
    decidedBy: application.decidedBy,
  };
}
