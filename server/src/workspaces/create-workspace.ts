import type { WriteRequest } from '../http/principal.ts';
import { toInstant } from '../kit/instant.ts';
import { recordAudit } from './record-audit.ts';
import type { Workspace } from './schema.ts';
import { insertWorkspace } from './store.ts';
import type { WorkspaceDeps } from './workspace-deps.ts';

export async function createWorkspace(
  deps: WorkspaceDeps,
  request: WriteRequest,
  input: { name: string },
): Promise<Workspace> {
  const now = toInstant(deps.clock.nowMs());
  const workspace = { id: deps.newId('ws'), name: input.name, createdAt: now, updatedAt: now };
  await deps.database.transaction(async (tx) => {
    await insertWorkspace(tx, workspace);
    recordAudit(
      { tx, now, newId: deps.newId },
      { ...request, workspaceId: workspace.id },
      {
        action: 'workspace.create',
        targetType: 'workspace',
        targetId: workspace.id,
        changes: { name: workspace.name },
      },
    );
  });
  return workspace;
}
