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

/** Whoever changed a status tells the Projects at once; this long after, nobody does any more. */
const LEFT_AFTER_MS = MINUTE_MS;
const PARTNERS_MAX = 100;

/**
 * Tells every Project how its Partner stands, each in a transaction of its own. It may be cut off
 * anywhere and run twice at once: each step copies the status as it is then, which nobody can change
 * meanwhile, and the end is noted only if it is still the one that was to be told.
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
        // Held: a change of status waits until this one is there, and is copied after it.
        const partner = await shareLockPartner(write.tx, partnerId);
        if (partner) setSuspended(write, place.participantId, partner.status === 'suspended');
        return [{ answer: null }];
      },
    },
    ownRequest(place.projectId, 'partners', deps.newId('req')),
    undefined,
  );
}

/** Tells the Projects what a process left untold when it ended; returns of how many Partners. */
export async function copyLeftStatuses(
  deps: CopyDeps,
  onFailure: (error: unknown) => void,
): Promise<number> {
  const before = addMs(toInstant(deps.clock.nowMs()), -LEFT_AFTER_MS);
  let copied = 0;
  for (const partnerId of await listUncopied(deps.database.reads, before, PARTNERS_MAX)) {
    // One whose Project cannot be written to must not keep the others.
    await copyStatus(deps, partnerId).then(() => {
      copied += 1;
    }, onFailure);
  }
  return copied;
}
