import type { Static } from 'typebox';
import type { Queryable } from '../../../platform/db/driver.ts';
import { PERMISSION_PRESETS, type Permission } from '../../../platform/http/access/permissions.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import type { CursorPage } from '../../../platform/http/routes/paging.ts';
import { invalid, noSuch } from '../../../platform/kit/errors.ts';
import { type Instant, parseInstant, toInstant } from '../../../platform/kit/instant.ts';
import { recordAudit } from '../audit-log.ts';
import { assertWorkspace, listApiKeys } from '../queries.ts';
import type { ApiKey, CreateApiKey, ListApiKeys } from '../schema.ts';
import { insertApiKey, lockApiKey, updateApiKey } from '../store.ts';
import type { WorkspaceDeps } from '../workspaces.ts';
import { decideRotation, type KeyEnd } from './decide-rotation.ts';
import { hashApiKey, makeApiKey } from './identities.ts';

interface MadeKey {
  readonly apiKey: ApiKey;
  /** The key itself: shown once, never stored. */
  readonly key: string;
}

export const OLD_KEY_HOURS = 24;

/** Fails with NOT_FOUND for an unknown Workspace, INVALID_REQUEST for an expiry in the past. */
export async function createApiKey(
  deps: WorkspaceDeps,
  request: WriteRequest,
  input: Static<typeof CreateApiKey>,
): Promise<MadeKey> {
  const now = toInstant(deps.clock.nowMs());
  const expiresAt = input.expiresAt ? (parseInstant(input.expiresAt) ?? null) : null;
  if (expiresAt !== null && expiresAt <= now) throw invalid('expiresAt', 'must be in the future');
  const made = makeKey(deps, now, {
    workspaceId: input.workspaceId,
    environment: input.environment,
    name: input.name,
    permissions: expandPermissions(input.permissions),
    expiresAt,
  });
  await deps.database.transaction(async (tx) => {
    await assertWorkspace(tx, input.workspaceId);
    await insertApiKey(tx, made.apiKey, hashApiKey(made.key));
    recordAudit({ tx, now, newId: deps.newId }, auditRequest(request, made.apiKey), {
      action: 'api_key.create',
      targetType: 'api_key',
      targetId: made.apiKey.id,
      changes: { name: input.name, permissions: made.apiKey.permissions, expiresAt },
    });
  });
  return made;
}

/** Revoking again changes nothing. Fails with NOT_FOUND. */
export async function revokeApiKey(
  deps: WorkspaceDeps,
  request: WriteRequest,
  keyId: string,
): Promise<ApiKey> {
  const now = toInstant(deps.clock.nowMs());
  const revoked = await deps.database.transaction(async (tx) => {
    const apiKey = await lockApiKey(tx, keyId);
    if (!apiKey) throw noSuch('API key');
    if (apiKey.revokedAt !== null) return toKey(apiKey);
    const next = { ...apiKey, revokedAt: now, updatedAt: now };
    await updateApiKey(tx, next);
    recordAudit({ tx, now, newId: deps.newId }, auditRequest(request, apiKey), {
      action: 'api_key.revoke',
      targetType: 'api_key',
      targetId: keyId,
      changes: { revokedAt: now },
    });
    return toKey(next);
  });
  deps.cache.forgetKey(keyId);
  return revoked;
}

/**
 * A new key with the same name, permissions and expiry; the old one ends after a grace period. Fails
 * with NOT_FOUND, or INVALID_REQUEST for a key that is no longer valid.
 */
export async function rotateApiKey(
  deps: WorkspaceDeps,
  request: WriteRequest,
  keyId: string,
  oldKeyEndsAfterHours: number = OLD_KEY_HOURS,
): Promise<MadeKey> {
  const now = toInstant(deps.clock.nowMs());
  const rotated = await deps.database.transaction(async (tx) => {
    const old = await lockApiKey(tx, keyId);
    if (!old) throw noSuch('API key');
    if (old.revokedAt !== null || (old.expiresAt !== null && old.expiresAt <= now)) {
      throw invalid('keyId', 'is revoked or expired; create a new key');
    }
    const rotation = decideRotation(old, now, oldKeyEndsAfterHours);
    const made = makeKey(deps, now, {
      ...old,
      permissions: old.permissions as Permission[],
      expiresAt: rotation.newExpiresAt,
    });
    await insertApiKey(tx, made.apiKey, hashApiKey(made.key));
    await updateApiKey(tx, { ...old, ...rotation.old, updatedAt: now });
    recordAudit({ tx, now, newId: deps.newId }, auditRequest(request, old), {
      action: 'api_key.rotate',
      targetType: 'api_key',
      targetId: keyId,
      changes: { replacedBy: made.apiKey.id, oldKeyEndsAt: rotation.old.expiresAt },
    });
    return made;
  });
  deps.cache.forgetKey(keyId);
  return rotated;
}

function makeKey(
  deps: WorkspaceDeps,
  now: Instant,
  input: Pick<ApiKey, 'workspaceId' | 'environment' | 'name' | 'expiresAt'> & {
    permissions: Permission[];
  },
): MadeKey {
  const key = makeApiKey(input.environment);
  return {
    key,
    apiKey: {
      id: deps.newId('key'),
      workspaceId: input.workspaceId,
      environment: input.environment,
      name: input.name,
      permissions: input.permissions,
      prefix: key.slice(0, `gw_${input.environment}_`.length + 4),
      last4: key.slice(-4),
      createdAt: now,
      updatedAt: now,
      expiresAt: input.expiresAt,
      revokedAt: null,
      lastUsedAt: null,
    },
  };
}

function toKey({ rotatedAt: _, expiresAtBeforeRotation: __, ...apiKey }: ApiKey & KeyEnd): ApiKey {
  return apiKey;
}

function expandPermissions(asked: Static<typeof CreateApiKey>['permissions']): Permission[] {
  return typeof asked === 'string' ? [...PERMISSION_PRESETS[asked]] : [...asked];
}

function auditRequest(request: WriteRequest, apiKey: ApiKey): WriteRequest {
  return { ...request, workspaceId: apiKey.workspaceId };
}

/** Newest first, one more than the page size. Fails with NOT_FOUND for an unknown Workspace. */
export async function listKeys(
  db: Queryable,
  { workspaceId, environment }: Omit<ListApiKeys, 'limit' | 'cursor'>,
  page: CursorPage,
): Promise<ApiKey[]> {
  await assertWorkspace(db, workspaceId);
  return listApiKeys(db, workspaceId, environment ?? null, page);
}
