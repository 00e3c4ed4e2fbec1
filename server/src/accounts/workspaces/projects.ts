import { randomInt } from 'node:crypto';
import type { Static } from 'typebox';
import { openFeed } from '../../platform/feed/queries.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import { invalid, noSuch } from '../../platform/kit/errors.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { parseUrl } from '../../platform/kit/parse-url.ts';
import { recordAudit } from './audit-log.ts';
import { assertWorkspace } from './queries.ts';
import type { ChangeProject, CreateProject, Project } from './schema.ts';
import { insertProject, lockProject, updateProject } from './store.ts';
import type { WorkspaceDeps } from './workspaces.ts';

const PROJECT_KEY_CHARS = '23456789abcdefghjkmnpqrstuvwxyz';
const PROJECT_KEY_LENGTH = 10;

/** Fails with NOT_FOUND for an unknown Workspace, INVALID_REQUEST for an invalid origin. */
export async function createProject(
  deps: WorkspaceDeps,
  request: WriteRequest,
  input: Static<typeof CreateProject>,
): Promise<Project> {
  const now = toInstant(deps.clock.nowMs());
  const project: Project = {
    id: deps.newId('prj'),
    workspaceId: input.workspaceId,
    projectKey: makeProjectKey(),
    name: input.name,
    environment: input.environment,
    allowedOrigins: normalizeOrigins(input.allowedOrigins ?? []),
    createdAt: now,
    updatedAt: now,
  };
  await deps.database.transaction(async (tx) => {
    await assertWorkspace(tx, input.workspaceId);
    await insertProject(tx, project);
    await openFeed(tx, project.id, now);
    recordAudit({ tx, now, newId: deps.newId }, auditRequest(request, project), {
      action: 'project.create',
      targetType: 'project',
      targetId: project.id,
      changes: { name: project.name, environment: project.environment },
    });
  });
  return project;
}

/** Fails with NOT_FOUND, or INVALID_REQUEST for an invalid origin. */
export async function changeProject(
  deps: WorkspaceDeps,
  request: WriteRequest,
  projectId: string,
  input: Static<typeof ChangeProject>,
): Promise<Project> {
  const now = toInstant(deps.clock.nowMs());
  const changed = await deps.database.transaction(async (tx) => {
    const project = await lockProject(tx, projectId);
    if (!project) throw noSuch('project');
    const next: Project = {
      ...project,
      name: input.name ?? project.name,
      allowedOrigins:
        input.allowedOrigins === undefined
          ? project.allowedOrigins
          : normalizeOrigins(input.allowedOrigins ?? []),
      updatedAt: now,
    };
    const unchanged =
      next.name === project.name && next.allowedOrigins.join() === project.allowedOrigins.join();
    if (unchanged) return project;
    await updateProject(tx, next);
    recordAudit({ tx, now, newId: deps.newId }, auditRequest(request, project), {
      action: 'project.change',
      targetType: 'project',
      targetId: project.id,
      changes: { name: next.name, allowedOrigins: next.allowedOrigins },
      before: project,
    });
    return next;
  });
  deps.cache.forgetProject(projectId);
  return changed;
}

function auditRequest(request: WriteRequest, project: Project): WriteRequest {
  return { ...request, workspaceId: project.workspaceId, projectId: project.id };
}

function makeProjectKey(): string {
  return Array.from(
    { length: PROJECT_KEY_LENGTH },
    () => PROJECT_KEY_CHARS[randomInt(PROJECT_KEY_CHARS.length)],
  ).join('');
}

/** Browsers send origins in exactly this form: scheme and host in lower case, no path, no default port. */
function normalizeOrigins(origins: readonly string[]): string[] {
  const normalized = origins.map((text, index) => {
    const url = parseUrl(text);
    const isOrigin =
      url !== undefined &&
      !text.includes('*') &&
      (url.protocol === 'https:' || url.protocol === 'http:') &&
      (text === url.origin || text.toLowerCase() === url.origin || text === `${url.origin}/`);
    if (!isOrigin) {
      throw invalid(`allowedOrigins.${index}`, 'must be an origin such as https://example.com');
    }
    return url.origin;
  });
  return [...new Set(normalized)];
}
