import { recordOwnAudit } from '../../../accounts/workspaces/audit/record-audit.ts';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { deleteEarly, deleteSourceKeys, listExpired } from '../batch/early-store.ts';
import type { DroppedAdjustment } from '../batch/facts.ts';

/** Records for operators which adjustments were dropped, and why. */
export function auditDropped(write: ProjectWrite, dropped: readonly DroppedAdjustment[]): void {
  for (const { early, reason } of dropped) {
    const { sourceNamespaceId, sourceEventId, kind, purchase } = early.input;
    recordOwnAudit(write, 'tracking', {
      action: 'adjustment.drop',
      targetType: 'purchase_adjustment',
      targetId: early.id,
      changes: { reason, kind, sourceNamespaceId, sourceEventId, purchase },
    });
  }
}

/**
 * Drops at most `limit` adjustments of a Project whose purchase did not arrive in time; returns how
 * many. They can be sent again.
 */
export function dropExpired(
  writer: ProjectWriter,
  request: WriteRequest,
  limit: number,
): Promise<number> {
  return writer.run(request, async (write) => {
    const { tx, projectId, now } = write;
    const expired = await listExpired(tx, projectId, now, limit);
    if (expired.length > 0) {
      deleteEarly(
        tx,
        projectId,
        expired.map(({ id }) => id),
      );
      deleteSourceKeys(
        tx,
        projectId,
        expired.map(({ input }) => input),
      );
      const reason = 'purchase_not_reported';
      auditDropped(
        write,
        expired.map((early) => ({ early, reason })),
      );
    }
    return { answer: expired.length };
  });
}
