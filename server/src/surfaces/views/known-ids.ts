import { findTeamMember } from '../../accounts/users/queries.ts';
import { findParties } from '../../domain/participants/queries.ts';
import { findProgramRow } from '../../domain/programs/queries.ts';
import { findRewardState } from '../../domain/rewards/queries.ts';
import { findReferralById } from '../../domain/tracking/queries.ts';
import { hasEvent } from '../../domain/tracking/read/event-queries.ts';
import { hasMailTo } from '../../outbound/mail/queries.ts';
import { findBatchState } from '../../outbound/payouts/queries.ts';
import { findEndpointUrl } from '../../outbound/webhooks/endpoints/queries.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { findPositions } from '../../platform/feed/queries.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import type { KnownIds } from '../../platform/http/routes/known-ids.ts';

/** What the ids in the queries of routes may name. */
export function makeKnownIds(reads: Queryable): KnownIds {
  return {
    participant: ({ id: projectId }, id) => hasParticipant(reads, projectId, id),
    program: async ({ id: projectId }, id) =>
      (await findProgramRow(reads, projectId, id)) !== undefined,
    referral: async ({ id: projectId }, id) =>
      (await findReferralById(reads, projectId, id)) !== undefined,
    event: ({ id: projectId }, id) => hasEvent(reads, projectId, id),
    reward: async ({ id: projectId }, id) =>
      (await findRewardState(reads, projectId, id)) !== undefined,
    batch: async ({ id: projectId }, id) =>
      (await findBatchState(reads, projectId, id)) !== undefined,
    endpoint: async ({ id: projectId }, id) =>
      (await findEndpointUrl(reads, projectId, id)) !== undefined,
    'webhook event': async ({ id: projectId }, id) =>
      (await findPositions(reads, projectId, [id])).has(id),
    recipient: (project, id) => isRecipient(reads, project, id),
  };
}

async function hasParticipant(reads: Queryable, projectId: string, id: string): Promise<boolean> {
  return (await findParties(reads, projectId, [id])).size > 0;
}

/** A participant, a member of the team, or somebody who was one when a mail was written. */
async function isRecipient(
  reads: Queryable,
  project: Pick<ProjectRef, 'id' | 'workspaceId'>,
  id: string,
): Promise<boolean> {
  return (
    (await hasParticipant(reads, project.id, id)) ||
    (await hasMailTo(reads, project.id, id)) ||
    (await findTeamMember(reads, project.workspaceId, id)) !== undefined
  );
}
