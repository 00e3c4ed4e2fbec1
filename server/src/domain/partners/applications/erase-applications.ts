import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { decideApplication } from '../states.ts';
import {
  type ApplicationRow,
  blankApplications,
  lockApplicationsOfParticipant,
  lowerUnprovenCount,
  updateDecided,
} from '../store.ts';

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
export function withdraw(
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
