import type { Queryable } from '../../platform/db/driver.ts';
import { findRow, hasRow, listRows, listValues } from '../../platform/db/statements.ts';
import type { Permission } from '../../platform/http/access/permissions.ts';
import type { Environment, ProjectRef } from '../../platform/http/access/principal.ts';
import type { CursorPage } from '../../platform/http/routes/paging.ts';
import { noSuch } from '../../platform/kit/errors.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { ApiKey, Project, WidgetSecret, Workspace } from './schema.ts';
import { API_KEY, PROJECT, WIDGET_SECRET, WORKSPACE } from './store.ts';
import type { UseTimes } from './usage/usage-log.ts';

/** Fails with NOT_FOUND for an unknown Workspace, or one that the caller is not in. */
export async function assertWorkspace(
  db: Queryable,
  workspaceId: string,
  among: readonly string[] | null = null,
): Promise<void> {
  const isForeign = among !== null && !among.includes(workspaceId);
  if (isForeign || !(await findWorkspace(db, workspaceId))) throw noSuch('workspace');
}

export async function findProjectRef(db: Queryable, id: string): Promise<ProjectRef | undefined> {
  const project = await findProject(db, id);
  if (!project) return undefined;
  const { workspaceId, projectKey, environment } = project;
  return { id, workspaceId, projectKey, environment };
}

/** Of an existing Workspace. */
export async function findWorkspaceName(db: Queryable, workspaceId: string): Promise<string> {
  const workspace = await findWorkspace(db, workspaceId);
  if (!workspace) throw new Error(`Workspace ${workspaceId} does not exist.`);
  return workspace.name;
}

const findWorkspace = findRow<Workspace, [workspaceId: string]>(
  `select ${WORKSPACE} from workspaces where id = $1`,
);

/** All Workspaces, or these. */
export function listWorkspaces(
  db: Queryable,
  among: readonly string[] | null,
  page: CursorPage,
): Promise<Workspace[]> {
  return db.query<Workspace>(
    `select ${WORKSPACE} from workspaces
     where ($1::text[] is null or id = any($1)) and ($2::text is null or id < $2)
     order by id desc limit $3`,
    [among, page.beforeId, page.limit + 1],
  );
}

export const findProject = findRow<Project, [projectId: string]>(
  `select ${PROJECT} from projects where id = $1`,
);

export const findProjectByKey = findRow<Project, [projectKey: string]>(
  `select ${PROJECT} from projects where project_key = $1`,
);

export const hasProjectWithOrigin = hasRow<[origin: string]>(
  'select 1 from projects where allowed_origins @> array[$1::text] limit 1',
);

/** Of all Workspaces, or of these. */
export function listProjects(
  db: Queryable,
  workspaceIds: readonly string[] | null,
  page: CursorPage,
): Promise<Project[]> {
  return db.query<Project>(
    `select ${PROJECT} from projects
     where ($1::text[] is null or workspace_id = any($1)) and ($2::text is null or id < $2)
     order by id desc limit $3`,
    [workspaceIds, page.beforeId, page.limit + 1],
  );
}

/** All Projects of a Workspace in this environment. */
export const findProjectIds = listValues<string, [workspaceId: string, environment: Environment]>(
  'select id from projects where workspace_id = $1 and environment = $2',
);

/** The names of the Projects of a Workspace in this environment, oldest first, after one of them. */
export const listNamedProjects = listRows<
  { readonly id: string; readonly name: string },
  [workspaceId: string, environment: Environment, after: string, limit: number]
>(
  `select id, name from projects where workspace_id = $1 and environment = $2 and id > $3
   order by id limit $4`,
);

/** When each thing that is recorded of a Project first happened. */
export const findFirstUses = findRow<{ uses: UseTimes }, [projectId: string]>(
  'select first_uses as uses from projects where id = $1',
);

export interface LiveKey {
  readonly id: string;
  readonly workspaceId: string;
  readonly environment: Environment;
  readonly permissions: readonly Permission[];
  readonly expiresAt: Instant | null;
}

export async function findLiveKeyByHash(
  db: Queryable,
  keyHash: Buffer,
): Promise<LiveKey | undefined> {
  const [row] = await db.query<LiveKey>(
    `select id, workspace_id as "workspaceId", environment, permissions,
       expires_at as "expiresAt"
     from api_keys where key_hash = decode($1, 'hex') and revoked_at is null`,
    [keyHash.toString('hex')],
  );
  return row;
}

export async function findKeyWorkspace(db: Queryable, keyId: string): Promise<string | undefined> {
  const [row] = await db.query<{ workspaceId: string }>(
    'select workspace_id as "workspaceId" from api_keys where id = $1',
    [keyId],
  );
  return row?.workspaceId;
}

export function listApiKeys(
  db: Queryable,
  workspaceId: string,
  environment: Environment | null,
  page: CursorPage,
): Promise<ApiKey[]> {
  return db.query<ApiKey>(
    `select ${API_KEY} from api_keys
     where workspace_id = $1 and ($2::text is null or id < $2)
       and ($3::text is null or environment = $3)
     order by id desc limit $4`,
    [workspaceId, page.beforeId, environment, page.limit + 1],
  );
}

export const listWidgetSecrets = listRows<WidgetSecret, [projectId: string]>(
  `select ${WIDGET_SECRET} from widget_secrets where project_id = $1 order by id desc`,
);

export const listSealedSecrets = listRows<
  { id: string; sealed: string; expiresAt: Instant | null },
  [projectId: string]
>(`select id, sealed_secret as sealed, expires_at as "expiresAt" from widget_secrets
     where project_id = $1 and revoked_at is null order by id desc`);

/** Of any Project. */
export const findNewestSealedSecret = findRow<{
  projectId: string;
  id: string;
  sealed: string;
}>(`select project_id as "projectId", id, sealed_secret as sealed from widget_secrets
     order by created_at desc limit 1`);
