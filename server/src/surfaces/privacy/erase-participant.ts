import { recordAudit } from '../../accounts/workspaces/audit-log.ts';
import { eraseIdentities } from '../../domain/attribution/identities.ts';
import { eraseBacktests } from '../../domain/backtests/purge-backtests.ts';
import { eraseVisits } from '../../domain/clicks/purge-clicks.ts';
import { eraseRecords } from '../../domain/participants/erase-records.ts';
import { findParticipant } from '../../domain/participants/queries.ts';
import type { Participant } from '../../domain/participants/schema.ts';
import { erasePartnerApplications, eraseUnusedPartner } from '../../domain/partners/erase.ts';
import {
  eraseReasons,
  eraseReasonsOfEvents,
  isWaitingForRewards,
  voidUnsettled,
} from '../../domain/rewards/change/erase-rewards.ts';
import { eraseDeliveryAccounts } from '../../domain/rewards/delivery/wake-deliveries.ts';
import { eraseHashes, eraseListed } from '../../domain/risk/erase-risk.ts';
import { eraseNotes } from '../../domain/risk/reviews/save-reviews.ts';
import { eraseFacts } from '../../domain/tracking/erase-facts.ts';
import { eraseCustomer } from '../../outbound/integrations/stripe/erase-customer.ts';
import { eraseMails } from '../../outbound/mail/erase-mails.ts';
import {
  eraseParticipantDetails,
  erasePartnerDetails,
} from '../../outbound/payouts/details/queries.ts';
import { eraseMessages } from '../../outbound/payouts/erase-messages.ts';
import { forgetAnswersAbout } from '../../outbound/webhooks/dispatch/erase-attempts.ts';
import type { Database } from '../../platform/db/database.ts';
import { forgetAnswers } from '../../platform/feed/writer/kept-answers.ts';
import { type ProjectWrite, SLICE, type Slice } from '../../platform/feed/writer/project-write.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { conflict, notFound } from '../../platform/kit/errors.ts';
import { addMs, MINUTE_MS } from '../../platform/kit/instant.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { deleteErasure, saveErasure } from './store.ts';

/** An erasure without progress for this long is resumed by any process that finds it. */
export const ERASURE_LEASE_MS = 10 * MINUTE_MS;

export interface PrivacyDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  readonly keyring: Keyring;
}

/** Erases a domain's data about a participant, in the transaction of the erasure. */
type ParticipantEraser = (write: ProjectWrite, participantId: string) => Promise<void>;

/**
 * Every domain that stores data about participants adds its eraser; the participant is erased last, except for what
 * is recorded without the Project's lock as long as they are there.
 */
function collectErasers(deps: PrivacyDeps): readonly ParticipantEraser[] {
  return [
    forgetAnswers,
    erasePartnerApplications,
    eraseParticipantDetails,
    eraseMails,
    eraseDeliveryAccounts,
    eraseVisits,
    eraseNotes,
    (write, participantId) => eraseIdentities(write, deps.keyring, participantId),
    (write, participantId) => eraseCustomer(write, deps.keyring, participantId),
    eraseListed,
    (write, participantId) => eraseRecords(write, deps.keyring, participantId),
    eraseHashes,
    eraseBacktests,
  ];
}

/**
 * Tables in which a participant may have very many rows. The first slices are erased in the
 * erasure's own transaction, which is enough for nearly everybody. The rest follows; by then no
 * rows are added any more.
 */
function collectSlices(participantId: string): Slice[] {
  return [
    ...eraseFacts(participantId, eraseReasonsOfEvents),
    eraseReasons(participantId),
    eraseMessages(participantId),
  ];
}

/**
 * Erases a person for good; amounts and ids stay. Their partner is erased with its last project.
 * With `force`, open rewards are voided first, in slices; when less than a slice is left, it is
 * voided in the erasure's own transaction, so that the erasure completes however fast somebody
 * earns. Unfinished work is recorded for `resumeErasures`. Erasing again also completes it, changes
 * nothing else and returns the same. Fails with NOT_FOUND, or without `force` CONFLICT
 * unsettled_rewards.
 */
export async function eraseParticipant(
  deps: PrivacyDeps,
  request: WriteRequest,
  participantId: string,
  force: boolean,
): Promise<Participant> {
  const forget = await prepareToForget(deps, request.projectId, participantId, force);
  await forget();
  let done: Erasure | null = null;
  while (done === null) done = await eraseInProject(deps, request, participantId, force);
  await eraseRest(deps, request, { participantId, force }, done.left);
  // Clears responses received meanwhile.
  await forget();
  const { partnerId } = done.participant;
  if (partnerId !== null) {
    await eraseUnusedPartner({ ...deps, eraseBesides: erasePartnerDetails }, partnerId);
  }
  const { projectId } = request;
  await deps.database.transaction(async (tx) => deleteErasure(tx, { projectId, participantId }));
  return done.participant;
}

/**
 * Returns a function that clears receivers' responses about somebody. Called before the erasure,
 * because their names are unknown after it, and a crash in between would leave the responses for
 * good. Does nothing if the erasure will be refused.
 */
async function prepareToForget(
  { database }: PrivacyDeps,
  projectId: string,
  participantId: string,
  force: boolean,
): Promise<() => Promise<void>> {
  const { reads } = database;
  const found = await findParticipant(reads, projectId, participantId);
  const isRefused =
    !found || (!force && (await isWaitingForRewards({ tx: reads, projectId }, participantId)));
  if (isRefused) return async () => undefined;
  const { externalId, billingId, name, email } = found;
  const words = [participantId, externalId, billingId, name, email];
  return () => forgetAnswersAbout(database, projectId, participantId, words);
}

interface Erasure {
  readonly participant: Participant;
  readonly left: readonly Slice[];
}

/** Null if there was too much to void for one transaction: then nothing else was done yet. */
export function eraseInProject(
  deps: PrivacyDeps,
  request: WriteRequest,
  participantId: string,
  force: boolean,
): Promise<Erasure | null> {
  return deps.writer.run<Erasure | null>(request, async (write) => {
    const { tx, projectId } = write;
    const participant = await findParticipant(tx, projectId, participantId);
    if (!participant) throw notFound('participant');
    if (participant.deletedAt !== null) {
      noteErasure(write, { participantId, force });
      return { answer: { participant, left: await eraseSlices(write, participantId) } };
    }
    const voidedRewards = await settleRewards(write, participantId, force);
    noteErasure(write, { participantId, force });
    const isDone = voidedRewards < SLICE;
    recordAudit(write, request, {
      action: isDone ? 'participant.erase' : 'participant.void_rewards',
      targetType: 'participant',
      targetId: participantId,
      changes: voidedRewards === 0 ? {} : { voidedRewards },
    });
    if (!isDone) return { answer: null };
    const left = await eraseSlices(write, participantId);
    for (const erase of collectErasers(deps)) await erase(write, participantId);
    const erased = await findParticipant(tx, projectId, participantId);
    if (!erased) throw new Error(`Participant ${participantId} disappeared during its erasure.`);
    return { answer: { participant: erased, left } };
  });
}

/** Stops at the first full slice, to keep the transaction short; returns the rest. */
async function eraseSlices(write: ProjectWrite, participantId: string): Promise<Slice[]> {
  const slices = collectSlices(participantId);
  for (const [done, slice] of slices.entries()) {
    const next = await slice(write);
    if (next) return [next, ...slices.slice(done + 1)];
  }
  return [];
}

/** Another process resumes the erasure if it is not completed and nobody continues it. */
function noteErasure(
  { tx, projectId, realNow }: ProjectWrite,
  { participantId, force }: { readonly participantId: string; readonly force: boolean },
): void {
  const dueAt = addMs(realNow, ERASURE_LEASE_MS);
  saveErasure(tx, { projectId, participantId, isForced: force }, dueAt);
}

async function eraseRest(
  { writer }: PrivacyDeps,
  request: WriteRequest,
  erasure: { readonly participantId: string; readonly force: boolean },
  slices: readonly Slice[],
): Promise<void> {
  for (const first of slices) {
    let slice: Slice | null = first;
    while (slice) {
      const step: Slice = slice;
      slice = await writer.run(request, async (write) => {
        noteErasure(write, erasure);
        return { answer: await step(write) };
      });
    }
  }
}

/** Returns how many rewards it voided, at most a slice. */
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
