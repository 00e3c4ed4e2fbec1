import { findProjectIds, findProjectRef } from '../../accounts/workspaces/queries.ts';
import { findPartnerParticipants } from '../../domain/participants/enrollments/queries.ts';
import type { SignedInPartner } from '../../domain/partners/sign-in/session.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import type { PartnerPageDeps } from './page-deps.ts';

/** The partner's participant in one project. */
export interface PartnerProject {
  readonly project: ProjectRef;
  readonly participantId: string;
}

/** One for every project of the partner. */
export async function loadPartnerProjects(
  { database: { reads } }: Pick<PartnerPageDeps, 'database'>,
  { id, workspaceId, environment }: SignedInPartner,
): Promise<PartnerProject[]> {
  const projectIds = await findProjectIds(reads, workspaceId, environment);
  const projects = await findPartnerParticipants(reads, projectIds, id);
  return Promise.all(
    projects.map(async ({ projectId, participantId }) => {
      const project = await findProjectRef(reads, projectId);
      if (!project) throw new Error(`Project ${projectId} is not there.`);
      return { project, participantId };
    }),
  );
}
