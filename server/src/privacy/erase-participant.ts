import { eraseIdentities } from '../attribution/erase-identities.ts';
import { eraseVisits } from '../clicks/erase-visits.ts';
import type { Database } from '../db/database.ts';
import { forgetAnswers } from '../feed/forget-answers.ts';
import type { ProjectWrite } from '../feed/project-write.ts';
import type { ProjectWriter } from '../feed/writer.ts';
import type { WriteRequest } from '../http/principal.ts';
import type { Clock } from '../kit/clock.ts';
import { notFound } from '../kit/errors.ts';
import type { Keyring } from '../kit/keyring.ts';
import { eraseRecords } from '../participants/erase-records.ts';
import { findParticipant } from '../participants/find-participant.ts';
import type { Participant } from '../participants/schema.ts';
import { erasePartnerApplications } from '../partners/erase-applications.ts';
import { eraseUnusedPartner } from '../partners/erase-partner.ts';
import { eraseFacts } from '../tracking/erase-facts.ts';
import { recordAudit } from '../workspaces/record-audit.ts';

export interface PrivacyDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  readonly keyring: Keyring;
}

/** Erases what one domain knows of a participant, in the transaction of the erasure. */
export type ParticipantEraser = (write: ProjectWrite, participantId: string) => Promise<void>;

/** Every domain that keeps something about participants adds its eraser; the participant goes last. */
function collectErasers(deps: PrivacyDeps): readonly ParticipantEraser[] {
  return [
    forgetAnswers,
    eraseFacts,
    erasePartnerApplications,
    eraseVisits,
    (write, participantId) => eraseIdentities(write, deps.keyring, participantId),
    (write, participantId) => eraseRecords(write, deps.keyring, participantId),
  ];
}

/**
 * Erases a person for good; amounts and ids stay. The Partner that they were in this Project
 * goes with the last Project that had it. Erasing again does what a crash may have left
 * undone, changes nothing else and returns the same. Ends with NOT_FOUND.
 */
export async function eraseParticipant(
  deps: PrivacyDeps,
  request: WriteRequest,
  participantId: string,
): Promise<Participant> {
  const erased = await eraseInProject(deps, request, participantId);
  if (erased.partnerId !== null) await eraseUnusedPartner(deps, erased.partnerId);
  return erased;
}

function eraseInProject(
  deps: PrivacyDeps,
  request: WriteRequest,
  participantId: string,
): Promise<Participant> {
  return deps.writer.run(request, async (write) => {
    const { tx, projectId } = write;
    const participant = await findParticipant(tx, projectId, participantId);
    if (!participant) throw notFound('participant');
    if (participant.deletedAt !== null) return { answer: participant };
    for (const erase of collectErasers(deps)) await erase(write, participantId);
    recordAudit(write, request, {
      action: 'participant.erase',
      targetType: 'participant',
      targetId: participantId,
      changes: {},
    });
    const erased = await findParticipant(tx, projectId, participantId);
    if (!erased) throw new Error(`Participant ${participantId} vanished while being erased.`);
    return { answer: erased };
  });
}
