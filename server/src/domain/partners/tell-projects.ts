import { findProjectIds } from '../../accounts/workspaces/queries.ts';
import type { Outcome } from '../../platform/feed/writer/project-write.ts';
import { ownRequest } from '../../platform/http/access/principal.ts';
import { addMs, MINUTE_MS, toInstant } from '../../platform/kit/instant.ts';
import {
  findPartnerParticipants,
  type PartnerParticipant,
  setSuspended,
} from '../participants/enrollments/queries.ts';
import type { PartnerDeps } from './partner-deps.ts';
import { findPartner, listUncopied, shareLockPartner, updateCopied } from './partner-store.ts';

export type CopyDeps = Pick<PartnerDeps, 'writer' | 'database' | 'clock' | 'newId'>;

/** The process that changed a status copies it at once; after this time the worker takes over. */
const LEFT_AFTER_MS = MINUTE_MS;
const PARTNERS_MAX = 100;

/**
 * Copies a Partner's status to every Project, each in a separate transaction. It may be interrupted
 * anywhere and run concurrently: each step copies the current status under a lock, and completion
 * is recorded only if the status has not changed since.
 */
export async function copyStatus(deps: CopyDeps, partnerId: string): Promise<void> {
  const { reads } = deps.database;
  const partner = await findPartner(reads, partnerId);
  if (!partner || partner.isCopied) return;
  const projectIds = await findProjectIds(reads, partner.workspaceId, partner.environment);
  for (const place of await findPartnerParticipants(reads, projectIds, partnerId)) {
    await copyTo(deps, partnerId, place);
  }
  await deps.database.transaction(async (tx) => updateCopied(tx, partnerId, partner.statusNumber));
}

function copyTo(deps: CopyDeps, partnerId: string, place: PartnerParticipant): Promise<null> {
  return deps.writer.submit(
    {
      name: 'partner-status',
      batchMax: 1,
      repeatable: true,
      run: async (write): Promise<Outcome<null>[]> => {
        // Locked: a change of status waits until this copy is saved, and is copied after it.
        const partner = await shareLockPartner(write.tx, partnerId);
        if (partner) setSuspended(write, place.participantId, partner.status === 'suspended');
        return [{ answer: null }];
      },
    },
    ownRequest(place.projectId, 'partners', deps.newId('req')),
    undefined,
  );
}

/** Copies the statuses that a terminated process did not copy; returns the number of Partners. */
export async function copyLeftStatuses(
  deps: CopyDeps,
  onFailure: (error: unknown) => void,
): Promise<number> {
  const before = addMs(toInstant(deps.clock.nowMs()), -LEFT_AFTER_MS);
  let copied = 0;
  for (const partnerId of await listUncopied(deps.database.reads, before, PARTNERS_MAX)) {
    // A Project that cannot be written must not block the other Partners.
    await copyStatus(deps, partnerId).then(() => {
      copied += 1;
    }, onFailure);
  }
  return copied;
}
