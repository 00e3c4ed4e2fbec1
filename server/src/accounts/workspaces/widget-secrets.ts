import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../platform/db/driver.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import { noSuch } from '../../platform/kit/errors.ts';
import { addMs, DAY_MS, toInstant } from '../../platform/kit/instant.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import type { WidgetProject } from './api-keys/identities.ts';
import { recordAudit } from './audit-log.ts';
import { findNewestSealedSecret, findProject, listSealedSecrets } from './queries.ts';
import type { WidgetSecret } from './schema.ts';
import {
  endWidgetSecrets,
  insertWidgetSecret,
  lockProject,
  lockWidgetSecret,
  updateWidgetSecret,
} from './store.ts';
import type { WorkspaceDeps } from './workspaces.ts';

/** How long tokens signed with the old secret stay valid after a new one is created. */
export const OVERLAP_MS = DAY_MS;

/** The context for which a secret is sealed. */
function widgetSecretContext(projectId: string, secretId: string): string {
  return `${projectId}/${secretId}`;
}

/** Creates a Project's next secret; the previous ones expire a day later. Fails with NOT_FOUND. */
export async function createWidgetSecret(
  deps: WorkspaceDeps,
  request: WriteRequest,
): Promise<{ widgetSecret: WidgetSecret; secret: string }> {
  const { projectId } = request;
  const now = toInstant(deps.clock.nowMs());
  const secret = `wsec_${randomBytes(32).toString('base64url')}`;
  const widgetSecret: WidgetSecret = {
    id: deps.newId('wsk'),
    projectId,
    last4: secret.slice(-4),
    createdAt: now,
    expiresAt: null,
    revokedAt: null,
  };
  const context = widgetSecretContext(projectId, widgetSecret.id);
  const sealed = deps.keyring.seal('widget-secret', secret, context);
  await deps.database.transaction(async (tx) => {
    // Two concurrent calls must not leave two secrets without an expiry.
    if (!(await lockProject(tx, projectId))) throw noSuch('project');
    await endWidgetSecrets(tx, projectId, addMs(now, OVERLAP_MS));
    await insertWidgetSecret(tx, widgetSecret, sealed);
    recordAudit({ tx, now, newId: deps.newId }, request, {
      action: 'widget_secret.create',
      targetType: 'widget_secret',
      targetId: widgetSecret.id,
      changes: {},
    });
  });
  deps.cache.forgetProject(projectId);
  return { widgetSecret, secret };
}

/** Revoking again changes nothing. Fails with NOT_FOUND. */
export async function revokeWidgetSecret(
  deps: WorkspaceDeps,
  request: WriteRequest,
  secretId: string,
): Promise<WidgetSecret> {
  const now = toInstant(deps.clock.nowMs());
  const revoked = await deps.database.transaction(async (tx) => {
    const secret = await lockWidgetSecret(tx, request.projectId, secretId);
    if (!secret) throw noSuch('widget secret');
    if (secret.revokedAt !== null) return secret;
    const next = { ...secret, revokedAt: now };
    await updateWidgetSecret(tx, next);
    recordAudit({ tx, now, newId: deps.newId }, request, {
      action: 'widget_secret.revoke',
      targetType: 'widget_secret',
      targetId: secretId,
      changes: { revokedAt: now },
    });
    return next;
  });
  deps.cache.forgetProject(request.projectId);
  return revoked;
}

/** Cached for a second in each process, as keys are. Undefined for an unknown Project. */
export function findWidgetProject(
  { database, keyring, cache }: Pick<WorkspaceDeps, 'database' | 'keyring' | 'cache'>,
  projectId: string,
): Promise<WidgetProject | undefined> {
  return cache.widgetProjects.get(projectId, async () => {
    const project = await findProject(database.reads, projectId);
    if (!project) return undefined;
    const { id, workspaceId, projectKey, environment, allowedOrigins } = project;
    const sealed = await listSealedSecrets(database.reads, id);
    const secrets = sealed.map((one) => ({
      secret: keyring.open('widget-secret', one.sealed, widgetSecretContext(id, one.id)),
      expiresAt: one.expiresAt,
    }));
    return { id, workspaceId, projectKey, environment, allowedOrigins, secrets };
  });
}

/** Whether the database's secrets were sealed with this root key; null if it has none. */
export async function canOpenNewestSecret(
  reads: Queryable,
  keyring: Keyring,
): Promise<boolean | null> {
  const secret = await findNewestSealedSecret(reads);
  if (!secret) return null;
  try {
    keyring.open('widget-secret', secret.sealed, widgetSecretContext(secret.projectId, secret.id));
    return true;
  } catch {
    return false;
  }
}
