import type { ProjectWrite } from '../feed/project-write.ts';
import { decideApplication } from './states.ts';
import {
  type ApplicationRow,
  blankApplications,
  lockApplicationsOfParticipant,
  lowerUnprovenCount,
  updateDecided,
} from './store.ts';

/**
 * Blanks every application in the Project of the person behind this participant, those to
 * other Programs too; what is still pending is withdrawn. Status, times and ids stay.
 */
export async function erasePartnerApplications(
  write: ProjectWrite,
  participantId: string,
): Promise<void> {
  const { tx, projectId, now } = write;
  const applications = await lockApplicationsOfParticipant(tx, projectId, participantId);
  for (const application of applications) {
    const decision = decideApplication(application, 'withdraw');
    if (!('to' in decision)) continue;
    const withdrawn: ApplicationRow = {
      ...application,
      status: decision.to,
      decidedAt: now,
      decidedBy: 'system:erasure',
      updatedAt: now,
    };
    updateDecided(tx, withdrawn);
    if (application.emailVerifiedAt === null) {
      lowerUnprovenCount(tx, projectId, application.programId);
    }
  }
  const ids = applications.map(({ id }) => id);
  if (ids.length > 0) blankApplications(tx, projectId, ids, now);
}
