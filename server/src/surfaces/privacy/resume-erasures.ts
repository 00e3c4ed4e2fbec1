import { findProjectRef } from '../../accounts/workspaces/queries.ts';
import { ownRequest } from '../../platform/http/access/principal.ts';
import type { NewId } from '../../platform/kit/ids.ts';
import { addMs, toInstant } from '../../platform/kit/instant.ts';
import { ERASURE_LEASE_MS, eraseParticipant, type PrivacyDeps } from './erase-participant.ts';
import { claimErasures, type ErasureRow } from './store.ts';

const CLAIMED_MAX = 10;

export interface ResumeDeps extends PrivacyDeps {
  readonly newId: NewId;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Resumes erasures that a process left, like repeated requests; returns how many were due. Any
 * number of processes may run it.
 */
export async function resumeErasures(deps: ResumeDeps): Promise<number> {
  const now = toInstant(deps.clock.nowMs());
  const claimed = await deps.database.transaction((tx) =>
    claimErasures(tx, now, addMs(now, ERASURE_LEASE_MS), CLAIMED_MAX),
  );
  for (const erasure of claimed) await resume(deps, erasure).catch(deps.onFailure);
  return claimed.length;
}

async function resume(
  deps: ResumeDeps,
  { projectId, participantId, isForced }: ErasureRow,
): Promise<void> {
  const project = await findProjectRef(deps.database.reads, projectId);
  if (!project) throw new Error(`Project ${projectId} of an erasure is not there.`);
  const { workspaceId } = project;
  const request = { ...ownRequest(projectId, 'privacy', deps.newId('req')), workspaceId };
  await eraseParticipant(deps, request, participantId, isForced);
}
