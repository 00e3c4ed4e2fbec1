import type { CheckWidgetToken } from '../http/principal.ts';
import type { Clock } from '../kit/clock.ts';
import { toInstant } from '../kit/instant.ts';
import type { WidgetProject } from '../workspaces/identities.ts';
import { namedProject, verifyToken } from './verify-token.ts';

/** Tokens go by the real time, whatever the clock of their Project says. */
export function makeTokenCheck(deps: {
  readonly findProject: (projectId: string) => Promise<WidgetProject | undefined>;
  readonly clock: Clock;
}): CheckWidgetToken {
  return async (token) => {
    const projectId = namedProject(token);
    if (projectId === null) {
      return { fault: 'it is not a JWT with a project as iss', project: null };
    }
    const project = await deps.findProject(projectId);
    const nowMs = deps.clock.nowMs();
    const now = toInstant(nowMs);
    const live = (project?.secrets ?? []).flatMap(({ secret, expiresAt }) =>
      expiresAt === null || expiresAt > now ? [secret] : [],
    );
    const verified = await verifyToken(token, projectId, live, nowMs);
    if (!project || 'fault' in verified) {
      const fault = 'fault' in verified ? verified.fault : 'it has no project';
      return { fault, project: project ?? null };
    }
    return { caller: { project, ...verified } };
  };
}
