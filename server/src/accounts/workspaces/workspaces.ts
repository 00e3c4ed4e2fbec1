import type { Database, Tx } from '../../platform/db/database.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { noSuch } from '../../platform/kit/errors.ts';
import type { NewId } from '../../platform/kit/ids.ts';
import { type Instant, toInstant } from '../../platform/kit/instant.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import type { KeyCache } from './api-keys/identities.ts';
import { recordAudit } from './audit-log.ts';
import type { Workspace } from './schema.ts';
import { insertWorkspace, lockWorkspaceRow } from './store.ts';

export interface WorkspaceDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly cache: KeyCache;
  /** Makes a user the owner of a new Workspace. */
  readonly addOwner: (tx: Tx, workspaceId: string, userId: string, now: Instant) => void;
  /** Called after a user's Workspaces changed. */
  readonly forgetUser: (userId: string) => void;
}

/** A user who creates one owns it. */
export async function createWorkspace(
  deps: WorkspaceDeps,
  request: WriteRequest,
  input: { name: string },
): Promise<Workspace> {
  const now = toInstant(deps.clock.nowMs());
  const { actor } = request;
  const workspace = await deps.database.transaction(async (tx) => {
    const made = await createWorkspaceIn({ tx, now, newId: deps.newId }, request, input.name);
    if (actor.type === 'user') deps.addOwner(tx, made.id, actor.id, now);
    return made;
  });
  if (actor.type === 'user') deps.forgetUser(actor.id);
  return workspace;
}

/** As part of a larger transaction. */
export async function createWorkspaceIn(
  write: { readonly tx: Tx; readonly now: Instant; readonly newId: NewId },
  request: WriteRequest,
  name: string,
): Promise<Workspace> {
  const { tx, now, newId } = write;
  const workspace = { id: newId('ws'), name, createdAt: now, updatedAt: now };
  await insertWorkspace(tx, workspace);
  recordAudit(
    write,
    { ...request, workspaceId: workspace.id },
    {
      action: 'workspace.create',
      targetType: 'workspace',
      targetId: workspace.id,
      changes: { name },
    },
  );
  return workspace;
}

/** Locks the Workspace until the end of the transaction. Fails with NOT_FOUND. */
export async function lockWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  if (!(await lockWorkspaceRow(tx, workspaceId))) throw noSuch('workspace');
}
