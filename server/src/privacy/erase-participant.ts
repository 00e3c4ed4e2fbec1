import { eraseIdentities } from '../attribution/erase-identities.ts';
import { eraseVisits } from '../clicks/erase-visits.ts';
import type { Database } from '../db/database.ts';
import { forgetAnswers } from '../feed/forget-answers.ts';
import { forgetTexts } from '../feed/forget-texts.ts';
import type { ProjectWrite } from '../feed/project-write.ts';
import type { ProjectWriter } from '../feed/writer.ts';
import type { WriteRequest } from '../http/principal.ts';
import { eraseCustomer } from '../integrations/stripe/erase-customer.ts';
import type { Clock } from '../kit/clock.ts';
import { conflict, notFound } from '../kit/errors.ts';
import type { Keyring } from '../kit/keyring.ts';
import { eraseRecords } from '../participants/erase-records.ts';
import { findParticipant } from '../participants/find-participant.ts';
import type { Participant } from '../participants/schema.ts';
import { erasePartnerApplications } from '../partners/erase-applications.ts';
import { eraseUnusedPartner } from '../partners/erase-partner.ts';
import { eraseParticipantDetails, erasePartnerDetails } from '../payouts/erase-details.ts';
import { eraseMessages, findMessagesAbout } from '../payouts/erase-messages.ts';
import { eraseReasons, findReasonsAbout } from '../rewards/erase-reasons.ts';
import { isWaitingForRewards, voidUnsettled } from '../rewards/void-unsettled.ts';
import { eraseDeliveryAccounts } from '../rewards/wake-deliveries.ts';
import { eraseFacts } from '../tracking/erase-facts.ts';
import { findEventIdsAbout } from '../tracking/find-event-ids-about.ts';
import { forgetAnswersAbout } from '../webhooks/forget-answers-about.ts';
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
    eraseParticipantDetails,
    eraseDeliveryAccounts,
    eraseVisits,
    (write, participantId) => eraseIdentities(write, deps.keyring, participantId),
    (write, participantId) => eraseCustomer(write, deps.keyring, participantId),
    (write, participantId) => eraseRecords(write, deps.keyring, participantId),
  ];
}

/**
 * How many Rewards are voided, and how many texts cleared, under one lock. What is left below that goes with the erasure
 * itself: so it ends, however fast somebody earns, and nearly always is one transaction.
 */
const SLICE = 500;

/**
 * Erases a person for good; amounts and ids stay. The Partner that they were in this Project
 * goes with the last Project that had it. With `force`, what they still wait for is voided
 * ahead. Erasing again does what a crash may have left undone, changes nothing else and
 * returns the same. Ends with NOT_FOUND, or without `force` with CONFLICT unsettled_rewards.
 */
export async function eraseParticipant(
  deps: PrivacyDeps,
  request: WriteRequest,
  participantId: string,
  force: boolean,
): Promise<Participant> {
  const { told, forget } = await prepareToForget(deps, request.projectId, participantId, force);
  await forget();
  let erased: Participant | null = null;
  while (erased === null) erased = await eraseInProject(deps, request, participantId, force, told);
  // What was answered and said meanwhile.
  await forget();
  const { partnerId } = erased;
  if (partnerId !== null) {
    await eraseUnusedPartner({ ...deps, eraseBesides: erasePartnerDetails }, partnerId);
  }
  return erased;
}

interface Forgetting {
  /** The Rewards and payouts of which somebody said in free text why they were voided or failed. */
  readonly told: string[];
  readonly forget: () => Promise<void>;
}

/**
 * How to forget what receivers answered about somebody, and what events say of them in free text,
 * ahead of the erasure: after it nobody knows any more what they were called, nor which events
 * these are, so that a crash in between would leave it for good. Does nothing for whom the erasure
 * will refuse.
 */
async function prepareToForget(
  { database }: PrivacyDeps,
  projectId: string,
  participantId: string,
  force: boolean,
): Promise<Forgetting> {
  const { reads } = database;
  const found = await findParticipant(reads, projectId, participantId);
  const isRefused =
    !found || (!force && (await isWaitingForRewards({ tx: reads, projectId }, participantId)));
  if (isRefused) return { told: [], forget: async () => undefined };
  const { externalId, billingId, name, email } = found;
  const words = [participantId, externalId, billingId, name, email];
  const eventIds = await findEventIdsAbout(reads, projectId, participantId);
  const told = [
    ...(await findReasonsAbout(reads, projectId, participantId, eventIds)),
    ...(await findMessagesAbout(reads, projectId, participantId)),
  ];
  return {
    told,
    forget: async () => {
      await forgetAnswersAbout(database, projectId, participantId, words);
      await forgetTexts(database, projectId, told);
    },
  };
}

/**
 * Null when there was too much to void or clear for one transaction: then nothing else was done
 * yet. Adds to `told` what it cleared.
 */
function eraseInProject(
  deps: PrivacyDeps,
  request: WriteRequest,
  participantId: string,
  force: boolean,
  told: string[],
): Promise<Participant | null> {
  return deps.writer.run<Participant | null>(request, async (write) => {
    const { tx, projectId } = write;
    const participant = await findParticipant(tx, projectId, participantId);
    if (!participant) throw notFound('participant');
    if (participant.deletedAt !== null) return { answer: participant };
    const voidedRewards = await settleRewards(write, participantId, force);
    const eventIds = await findEventIdsAbout(tx, projectId, participantId);
    const reasons = await eraseReasons(write, participantId, eventIds, SLICE);
    const messages = await eraseMessages(write, participantId, SLICE);
    told.push(...reasons, ...messages);
    const isDone = [voidedRewards, reasons.length, messages.length].every((n) => n < SLICE);
    if (isDone || voidedRewards > 0) {
      recordAudit(write, request, {
        action: isDone ? 'participant.erase' : 'participant.void_rewards',
        targetType: 'participant',
        targetId: participantId,
        changes: voidedRewards === 0 ? {} : { voidedRewards },
      });
    }
    if (!isDone) return { answer: null };
    for (const erase of collectErasers(deps)) await erase(write, participantId);
    const erased = await findParticipant(tx, projectId, participantId);
    if (!erased) throw new Error(`Participant ${participantId} vanished while being erased.`);
    return { answer: erased };
  });
}

/** Returns how many Rewards it voided, at most a slice. */
async function settleRewards(
  write: ProjectWrite,
  participantId: string,
  force: boolean,
): Promise<number> {
  if (force) return voidUnsettled(write, participantId, 'participant_deleted', SLICE);
  if (await isWaitingForRewards(write, participantId)) {
    throw conflict(
      'unsettled_rewards',
      'Rewards of this participant are pending or in progress. Settle them, or send force=true to void them.',
    );
  }
  return 0;
}
