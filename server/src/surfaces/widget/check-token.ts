import type { WidgetProject } from '../../accounts/workspaces/api-keys/identities.ts';
import type { CheckWidgetToken, PageProject } from '../../platform/http/access/principal.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { namedProject, verifyToken } from './verify-token.ts';

/** Tokens use the real time, whatever the clock of their project. */
export function makeTokenCheck(deps: {
  readonly findProject: (projectId: string) => Promise<WidgetProject | undefined>;
  readonly clock: Clock;
}): CheckWidgetToken {
  return async (token) => {
    const projectId = namedProject(token);
    if (projectId === null) {
      return { fault: 'it is not a JWT with a project as iss', isSigned: false, project: null };
    }
    const found = await deps.findProject(projectId);
    const nowMs = deps.clock.nowMs();
    const now = toInstant(nowMs);
    const live = (found?.secrets ?? []).flatMap(({ secret, expiresAt }) =>
      expiresAt === null || expiresAt > now ? [secret] : [],
    );
    const verified = await verifyToken(token, projectId, live, nowMs);
    const project = found ? withoutSecrets(found) : null;
    if ('fault' in verified) return { ...verified, project };
    // Without a project there was no secret that could have signed it.
    if (!project) throw new Error('A token was signed by nobody.');
    return { caller: { project, ...verified } };
  };
}

/** What handlers get: they do not need the secrets. */
function withoutSecrets({ secrets: _, ...project }: WidgetProject): PageProject {
  return project;
}
