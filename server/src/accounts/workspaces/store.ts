import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { Permission } from '../../platform/http/access/permissions.ts';
import type { Environment, WriteRequest } from '../../platform/http/access/principal.ts';
import type { CursorPage } from '../../platform/http/routes/paging.ts';
import { leastIdAt } from '../../platform/kit/ids.ts';
import { HOUR_MS, type Instant, toMs } from '../../platform/kit/instant.ts';
import type { ApiKey, AuditEntry, Project, WidgetSecret, Workspace } from './schema.ts';

const WORKSPACE = 'id, name, created_at as "createdAt", updated_at as "updatedAt"';
const PROJECT = `id, workspace_id as "workspaceId", project_key as "projectKey", name, environment,
  allowed_origins as "allowedOrigins", created_at as "createdAt", updated_at as "updatedAt"`;
const API_KEY = `id, workspace_id as "workspaceId", environment, name, permissions, prefix, last4,
  created_at as "createdAt", updated_at as "updatedAt", expires_at as "expiresAt",
  revoked_at as "revokedAt"`;
const WIDGET_SECRET = `id, project_id as "projectId", last4, created_at as "createdAt",
  expires_at as "expiresAt", revoked_at as "revokedAt"`;

export async function insertWorkspace(tx: Tx, workspace: Workspace): Promise<void> {
  await tx.query(
    'insert into workspaces (id, name, created_at, updated_at) values ($1, $2, $3, $4)',
    [workspace.id, workspace.name, workspace.createdAt, workspace.updatedAt],
  );
}

export async function findWorkspace(
  db: Queryable,
  workspaceId: string,
): Promise<Workspace | undefined> {
  const [row] = await db.query<Workspace>(`select ${WORKSPACE} from workspaces where id = $1`, [
    workspaceId,
  ]);
  return row;
}

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

export async function insertProject(tx: Tx, project: Project): Promise<void> {
  await tx.query(
    `insert into projects (id, workspace_id, project_key, name, environment, allowed_origins,
       created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      project.id,
      project.workspaceId,
      project.projectKey,
      project.name,
      project.environment,
      project.allowedOrigins,
      project.createdAt,
      project.updatedAt,
    ],
  );
}

export async function findProject(db: Queryable, projectId: string): Promise<Project | undefined> {
  const [row] = await db.query<Project>(`select ${PROJECT} from projects where id = $1`, [
    projectId,
  ]);
  return row;
}

export async function findProjectByKey(
  db: Queryable,
  projectKey: string,
): Promise<Project | undefined> {
  const [row] = await db.query<Project>(`select ${PROJECT} from projects where project_key = $1`, [
    projectKey,
  ]);
  return row;
}

export async function hasProjectWithOrigin(db: Queryable, origin: string): Promise<boolean> {
  const rows = await db.query(
    'select 1 from projects where allowed_origins @> array[$1::text] limit 1',
    [origin],
  );
  return rows.length > 0;
}

export async function lockProject(tx: Tx, projectId: string): Promise<Project | undefined> {
  const [row] = await tx.query<Project>(
    `select ${PROJECT} from projects where id = $1 for no key update`,
    [projectId],
  );
  return row;
}

export async function updateProject(tx: Tx, project: Project): Promise<void> {
  await tx.query(
    'update projects set name = $2, allowed_origins = $3, updated_at = $4 where id = $1',
    [project.id, project.name, project.allowedOrigins, project.updatedAt],
  );
}

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

/** Returns whether it exists. Rows that refer to it can be written meanwhile. */
export async function lockWorkspaceRow(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query('select 1 from workspaces where id = $1 for no key update', [id]);
  return rows.length > 0;
}

export async function listProjectIds(
  db: Queryable,
  workspaceId: string,
  environment: Environment,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from projects where workspace_id = $1 and environment = $2',
    [workspaceId, environment],
  );
  return rows.map((row) => row.id);
}

export async function insertApiKey(tx: Tx, apiKey: ApiKey, keyHash: Buffer): Promise<void> {
  await tx.query(
    `insert into api_keys (id, workspace_id, environment, name, permissions, key_hash, prefix,
       last4, created_at, updated_at, expires_at, revoked_at)
     values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7, $8, $9, $10, $11, $12)`,
    [
      apiKey.id,
      apiKey.workspaceId,
      apiKey.environment,
      apiKey.name,
      apiKey.permissions,
      keyHash.toString('hex'),
      apiKey.prefix,
      apiKey.last4,
      apiKey.createdAt,
      apiKey.updatedAt,
      apiKey.expiresAt,
      apiKey.revokedAt,
    ],
  );
}

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

export async function lockApiKey(tx: Tx, keyId: string): Promise<ApiKey | undefined> {
  const [row] = await tx.query<ApiKey>(
    `select ${API_KEY} from api_keys where id = $1 for no key update`,
    [keyId],
  );
  return row;
}

export async function updateApiKey(tx: Tx, apiKey: ApiKey): Promise<void> {
  await tx.query(
    'update api_keys set expires_at = $2, revoked_at = $3, updated_at = $4 where id = $1',
    [apiKey.id, apiKey.expiresAt, apiKey.revokedAt, apiKey.updatedAt],
  );
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

export async function insertWidgetSecret(
  tx: Tx,
  secret: WidgetSecret,
  sealedSecret: string,
): Promise<void> {
  await tx.query(
    `insert into widget_secrets (project_id, id, sealed_secret, last4, created_at, expires_at,
       revoked_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      secret.projectId,
      secret.id,
      sealedSecret,
      secret.last4,
      secret.createdAt,
      secret.expiresAt,
      secret.revokedAt,
    ],
  );
}

/** Sets an expiry for every secret without one: used when secrets are rotated. */
export async function endWidgetSecrets(tx: Tx, projectId: string, at: Instant): Promise<void> {
  await tx.query(
    `update widget_secrets set expires_at = $2
     where project_id = $1 and expires_at is null and revoked_at is null`,
    [projectId, at],
  );
}

export async function lockWidgetSecret(
  tx: Tx,
  projectId: string,
  secretId: string,
): Promise<WidgetSecret | undefined> {
  const [row] = await tx.query<WidgetSecret>(
    `select ${WIDGET_SECRET} from widget_secrets where project_id = $1 and id = $2
     for no key update`,
    [projectId, secretId],
  );
  return row;
}

export async function updateWidgetSecret(tx: Tx, secret: WidgetSecret): Promise<void> {
  await tx.query('update widget_secrets set revoked_at = $3 where project_id = $1 and id = $2', [
    secret.projectId,
    secret.id,
    secret.revokedAt,
  ]);
}

export function listWidgetSecrets(db: Queryable, projectId: string): Promise<WidgetSecret[]> {
  return db.query<WidgetSecret>(
    `select ${WIDGET_SECRET} from widget_secrets where project_id = $1 order by id desc`,
    [projectId],
  );
}

export function listSealedSecrets(
  db: Queryable,
  projectId: string,
): Promise<{ id: string; sealed: string; expiresAt: Instant | null }[]> {
  return db.query(
    `select id, sealed_secret as sealed, expires_at as "expiresAt" from widget_secrets
     where project_id = $1 and revoked_at is null order by id desc`,
    [projectId],
  );
}

/** Of any Project. */
export async function findNewestSealedSecret(
  db: Queryable,
): Promise<{ projectId: string; id: string; sealed: string } | undefined> {
  const [row] = await db.query<{ projectId: string; id: string; sealed: string }>(
    `select project_id as "projectId", id, sealed_secret as sealed from widget_secrets
     order by created_at desc limit 1`,
  );
  return row;
}

export interface AuditNote {
  readonly action: string;
  readonly targetType: string;
  readonly targetId: string;
  /** What changed, without secrets and without personal data. */
  readonly changes: Record<string, unknown>;
}

export function insertAuditEntry(
  tx: Tx,
  { id, at }: { readonly id: string; readonly at: Instant },
  request: WriteRequest,
  note: AuditNote,
): void {
  tx.send(
    `insert into audit_entries (project_id, id, workspace_id, at, actor_type, actor_id, action,
       target_type, target_id, request_id, ip, changes)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::jsonb)`,
    [
      request.projectId,
      id,
      request.workspaceId,
      at,
      request.actor.type,
      request.actor.id,
      note.action,
      note.targetType,
      note.targetId,
      request.requestId,
      request.ip,
      JSON.stringify(note.changes),
    ],
  );
}

/** For actions without a request: the Workspace is that of the Project. */
export function insertOwnAuditEntry(
  tx: Tx,
  entry: {
    readonly id: string;
    readonly requestId: string;
    readonly projectId: string;
    readonly part: string;
  },
  at: Instant,
  note: AuditNote,
): void {
  tx.send(
    `insert into audit_entries (project_id, id, workspace_id, at, actor_type, actor_id, action,
       target_type, target_id, request_id, changes)
     select p.id, $2, p.workspace_id, $3, 'system', $4, $5, $6, $7, $8, $9::jsonb
     from projects p where p.id = $1`,
    [
      entry.projectId,
      entry.id,
      at,
      entry.part,
      note.action,
      note.targetType,
      note.targetId,
      entry.requestId,
      JSON.stringify(note.changes),
    ],
  );
}

/** Null means any; the times are inclusive. */
export interface AuditFilter {
  readonly targetId: string | null;
  readonly actorId: string | null;
  readonly action: string | null;
  readonly projectId: string | null;
  readonly targetType: string | null;
  readonly actorType: string | null;
  readonly from: Instant | null;
  readonly to: Instant | null;
}

const AUDIT_COLUMNS = {
  targetId: 'target_id',
  actorId: 'actor_id',
  action: 'action',
  projectId: 'project_id',
  targetType: 'target_type',
  actorType: 'actor_type',
} as const;
/** Filters with an index that holds the entries in the list's order; the first given one is used. */
const AUDIT_INDEXED: readonly string[] = ['targetId', 'actorId', 'action', 'projectId'];
/** Ids contain their time of creation, by the clock of their process. */
const CLOCKS_APART_MS = HOUR_MS;

export function listAuditEntries(
  db: Queryable,
  workspaceId: string,
  filter: AuditFilter,
  page: CursorPage,
): Promise<AuditEntry[]> {
  const params: unknown[] = [workspaceId];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const conditions = ['workspace_id = $1'];
  let order = '';
  for (const [field, column] of Object.entries(AUDIT_COLUMNS)) {
    const value = filter[field as keyof typeof AUDIT_COLUMNS];
    if (value === null) continue;
    const asked = bind(value);
    if (order === '' && AUDIT_INDEXED.includes(field)) {
      // With an equality the planner may scan all entries of the Workspace instead.
      conditions.push(`${column} >= ${asked} and ${column} <= ${asked}`);
      order = `${column} desc, `;
    } else {
      conditions.push(`${column} = ${asked}`);
    }
  }
  const idAt = (at: Instant, ms: number) => bind(leastIdAt('aud', toMs(at) + ms));
  if (filter.from !== null) {
    conditions.push(`at >= ${bind(filter.from)} and id >= ${idAt(filter.from, -CLOCKS_APART_MS)}`);
  }
  if (filter.to !== null) {
    conditions.push(`at <= ${bind(filter.to)} and id < ${idAt(filter.to, CLOCKS_APART_MS)}`);
  }
  if (page.beforeId !== null) conditions.push(`id < ${bind(page.beforeId)}`);
  return db.query<AuditEntry>(
    `select id, at, workspace_id as "workspaceId", nullif(project_id, '') as "projectId",
       actor_type as "actorType", actor_id as "actorId", action, target_type as "targetType",
       target_id as "targetId", request_id as "requestId", ip, changes
     from audit_entries where ${conditions.join(' and ')}
     order by ${order}id desc limit ${bind(page.limit + 1)}`,
    params,
  );
}

export async function listProjectsWithOldAudit(db: Queryable, before: Instant): Promise<string[]> {
  const rows = await db.query<{ projectId: string }>(
    'select distinct project_id as "projectId" from audit_entries where at < $1',
    [before],
  );
  return rows.map((row) => row.projectId);
}

export async function deleteOldAuditEntries(
  tx: Tx,
  projectId: string,
  before: Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.query(
    `delete from audit_entries where project_id = $1 and id in
       (select id from audit_entries where project_id = $1 and at < $2 limit $3)
     returning 1`,
    [projectId, before, limit],
  );
  return rows.length;
}

export function clearAuditReasons(tx: Tx, workspaceId: string, targetId: string): void {
  tx.send(
    `update audit_entries set changes = changes - 'reason'
     where workspace_id = $1 and target_id = $2 and changes->>'reason' is not null`,
    [workspaceId, targetId],
  );
}
