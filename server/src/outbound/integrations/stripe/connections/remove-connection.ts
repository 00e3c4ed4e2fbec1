import { recordAudit } from '../../../../accounts/workspaces/audit/record-audit.ts';
import { alterSource } from '../../../../domain/tracking/sources/change-source.ts';
import type { WriteRequest } from '../../../../platform/http/access/principal.ts';
import { notFound } from '../../../../platform/kit/errors.ts';
import { deleteParkedByConnection } from '../events/event-store.ts';
import type { StripeDeps } from '../stripe-deps.ts';
import type { ConnectionRow } from './connection.ts';
import { deleteConnection, findConnectionById } from './connection-store.ts';

/**
 * Deletes a connection with its secrets and parked events, disables its source, and returns the
 * deleted row. Facts that Stripe reported stay. Fails with NOT_FOUND.
 */
export function removeConnection(
  { writer }: Pick<StripeDeps, 'writer'>,
  request: WriteRequest,
  connectionId: string,
): Promise<ConnectionRow> {
  return writer.run(request, async (write) => {
    const { tx, projectId } = write;
    const connection = await findConnectionById(tx, projectId, connectionId);
    if (!connection) throw notFound('Stripe connection');
    await alterSource(write, request, connection.sourceId, { enabled: false });
    deleteParkedByConnection(tx, projectId, connectionId);
    deleteConnection(write.changeConfig(), projectId, connectionId);
    recordAudit(write, request, {
      action: 'stripe_connection.delete',
      targetType: 'stripe_connection',
      targetId: connectionId,
      changes: {},
    });
    return { answer: connection };
  });
}
