import type { Tx } from '../../platform/db/database.ts';
import { findRow, hasRow } from '../../platform/db/statements.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { KeyEnd } from './api-keys/decide-rotation.ts';
import type { ApiKey, Project, WidgetSecret, Workspace } from './schema.ts';
import type { UseTimes } from './usage/usage-log.ts';

export const WORKSPACE = 'id, name, created_at as "createdAt", updated_at as "updatedAt"';
export const PROJECT = `id, workspace_id as "workspaceId", project_key as "projectKey", name, environment,
  allowed_origins as "allowedOrigins", created_at as "createdAt", updated_at as "updatedAt"`;
export const API_KEY = `id, workspace_id as "workspaceId", environment, name, permissions, prefix, last4,
  created_at as "createdAt", updated_at as "updatedAt", expires_at as "expiresAt",
  revoked_at as "revokedAt", last_used_at as "lastUsedAt"`;
export const WIDGET_SECRET = `id, project_id as "projectId", last4, created_at as "createdAt",
  expires_at as "expiresAt", revoked_at as "revokedAt"`;

export async function insertWorkspace(tx: Tx, workspace: Workspace): Promise<void> {
  await tx.query(
    'insert into workspaces (id, name, created_at, updated_at) values ($1, $2, $3, $4)',
    [workspace.id, workspace.name, workspace.createdAt, workspace.updatedAt],
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

export const lockProject = findRow<Project, [projectId: string], Tx>(
  `select ${PROJECT} from projects where id = $1 for no key update`,
);

export async function updateProject(tx: Tx, project: Project): Promise<void> {
  await tx.query(
    'update projects set name = $2, allowed_origins = $3, updated_at = $4 where id = $1',
    [project.id, project.name, project.allowedOrigins, project.updatedAt],
  );
}

/** Returns whether it exists. Rows that refer to it can be written meanwhile. */
export const lockWorkspaceRow = hasRow<[id: string], Tx>(
  'select 1 from workspaces where id = $1 for no key update',
);

export async function insertApiKey(
  tx: Tx,
  apiKey: Omit<ApiKey, 'lastUsedAt'>,
  keyHash: Buffer,
): Promise<void> {
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

export const lockApiKey = findRow<ApiKey & KeyEnd, [keyId: string], Tx>(
  `select ${API_KEY}, rotated_at as "rotatedAt",
     expires_at_before_rotation as "expiresAtBeforeRotation"
   from api_keys where id = $1 for no key update`,
);

export async function updateApiKey(
  tx: Tx,
  apiKey: Pick<ApiKey, 'id' | 'revokedAt' | 'updatedAt'> & KeyEnd,
): Promise<void> {
  await tx.query(
    `update api_keys set expires_at = $2, revoked_at = $3, updated_at = $4, rotated_at = $5,
       expires_at_before_rotation = $6
     where id = $1`,
    [
      apiKey.id,
      apiKey.expiresAt,
      apiKey.revokedAt,
      apiKey.updatedAt,
      apiKey.rotatedAt,
      apiKey.expiresAtBeforeRotation,
    ],
  );
}

export async function saveKeyUse(tx: Tx, keyId: string, at: Instant): Promise<void> {
  await tx.query(
    `update api_keys set last_used_at = $2
     where id = $1 and (last_used_at is null or last_used_at < $2)`,
    [keyId, at],
  );
}

/** The times that are known stay as they are. */
export async function saveFirstUses(tx: Tx, projectId: string, uses: UseTimes): Promise<void> {
  await tx.query(
    `update projects set first_uses = $2::jsonb || first_uses
     where id = $1 and not first_uses ?& $3::text[]`,
    [projectId, JSON.stringify(uses), Object.keys(uses)],
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

export const lockWidgetSecret = findRow<
  WidgetSecret,
  [projectId: string, secretId: string],
  Tx
>(`select ${WIDGET_SECRET} from widget_secrets where project_id = $1 and id = $2
     for no key update`);

export async function updateWidgetSecret(tx: Tx, secret: WidgetSecret): Promise<void> {
  await tx.query('update widget_secrets set revoked_at = $3 where project_id = $1 and id = $2', [
    secret.projectId,
    secret.id,
    secret.revokedAt,
  ]);
}
