import type { Queryable } from '../../../platform/db/driver.ts';
import type { CursorPage } from '../../../platform/http/routes/paging.ts';
import { parseInstant } from '../../../platform/kit/instant.ts';
import { assertWorkspace } from '../assert-workspace.ts';
import type { AuditEntry, ListAudit } from '../schema.ts';
import { listAuditEntries } from '../store.ts';

/** Newest first, one more than the page has. Ends with NOT_FOUND for a Workspace that is not there. */
export async function listAudit(
  source: Queryable,
  query: Omit<ListAudit, 'limit' | 'cursor'>,
  page: CursorPage,
): Promise<AuditEntry[]> {
  await assertWorkspace(source, query.workspaceId);
  const filter = {
    targetId: query.targetId ?? null,
    actorId: query.actorId ?? null,
    action: query.action ?? null,
    projectId: query.projectId ?? null,
    targetType: query.targetType ?? null,
    actorType: query.actorType ?? null,
    from: parseInstant(query.from ?? '') ?? null,
    to: parseInstant(query.to ?? '') ?? null,
  };
  return listAuditEntries(source, query.workspaceId, filter, page);
}
