import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import { findNamed } from '../../../domain/participants/queries.ts';
import type { ParticipantRef } from '../../../domain/participants/schema.ts';
import { ensureNamed } from '../../../domain/participants/write-participants.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import type { ProjectRef, WriteRequest } from '../../../platform/http/access/principal.ts';
import { invalidRequest } from '../../../platform/http/routes/validate.ts';
import { invalid } from '../../../platform/kit/errors.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { DetailsDeps } from '../payout-deps.ts';
import type { Details, DetailsOwner } from './details.ts';
import { type PayoutDetails, type PayoutDetailsIn, presentDetails } from './details-schema.ts';
import { listDetails } from './details-store.ts';
import { type ReadDetails, readDetails } from './read-details.ts';
import { saveDetails } from './save-details.ts';

/** A participant's saved details, masked. Empty for an unknown participant. */
export async function showParticipantDetails(
  deps: Pick<DetailsDeps, 'database' | 'clock'>,
  project: ProjectRef,
  ref: ParticipantRef,
): Promise<PayoutDetails> {
  const { reads } = deps.database;
  const participant = await findNamed(reads, project.id, ref);
  const now = await projectNow(reads, deps.clock, project);
  return participant
    ? showDetailsOf(reads, project.id, participant.id, now)
    : presentDetails([], now);
}

/** For callers that already have the participant and the time. */
export async function showDetailsOf(
  db: Queryable,
  projectId: string,
  participantId: string,
  now: Instant,
): Promise<PayoutDetails> {
  const rows = await listDetails(db, projectId, 'participant', [participantId]);
  return presentDetails(rows, now);
}

interface DetailsOf<D> {
  readonly participant: ParticipantRef;
  readonly details: D;
}

/**
 * Saves where a participant is paid, and creates the participant if needed. The first details take
 * effect at once, a change after a day by the project's clock. Fails with INVALID_REQUEST or
 * participant_deleted.
 */
export async function saveParticipantDetails(
  deps: DetailsDeps,
  request: WriteRequest,
  project: ProjectRef,
  input: DetailsOf<PayoutDetailsIn>,
): Promise<PayoutDetails> {
  const reading = readDetails(input.details);
  if ('issues' in reading) throw invalidRequest(reading.issues, 'body');
  const { details, onboardingUrl, isReady } = await complete(deps, request, project, {
    participant: input.participant,
    details: reading.details,
  });
  const shown = await deps.writer.run(request, async (write) => {
    const participant = await ensureNamed(write, deps.keyring, input.participant);
    const owner: DetailsOwner = { kind: 'participant', projectId: project.id, id: participant.id };
    const saving = { workspaceId: project.workspaceId, details, isReady };
    const saved = await saveDetails(write, deps.keyring, owner, saving);
    if (saved.isChange) {
      recordAudit(write, request, {
        action: 'payout_details.save',
        targetType: 'participant',
        targetId: participant.id,
        changes: { type: details.type },
      });
    }
    return { answer: saved.shown, participantId: participant.id };
  });
  return { ...shown, onboardingUrl };
}

/** Creates an account at the provider, outside any transaction, for an existing participant. */
async function complete(
  { writer, keyring, payeeOnboarding }: DetailsDeps,
  request: WriteRequest,
  project: ProjectRef,
  { participant, details }: DetailsOf<ReadDetails>,
): Promise<{ details: Details; onboardingUrl: string | null; isReady: boolean }> {
  if (details.type !== 'stripe_connect') return { details, onboardingUrl: null, isReady: true };
  if (!payeeOnboarding || !(await payeeOnboarding.isConnected(project))) {
    throw invalid(
      'details.type',
      'cannot be stripe_connect, because no Stripe account to pay from is connected',
    );
  }
  const participantId = await writer.run(request, async (write) => {
    const { id } = await ensureNamed(write, keyring, participant);
    return { answer: id, participantId: id };
  });
  const { accountId, ...onboarding } = await payeeOnboarding.begin(project, participantId);
  return { details: { type: details.type, accountId }, ...onboarding };
}
