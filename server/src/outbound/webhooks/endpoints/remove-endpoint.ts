import { recordAudit } from '../../../accounts/workspaces/audit/record-audit.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import type { Endpoint } from './endpoint-schema.ts';
import { deleteEndpoint, findEndpoint } from './endpoint-store.ts';
import { toEndpoint } from './present-endpoint.ts';

/** Deletes an endpoint and its secrets; returns the deleted row. Fails with NOT_FOUND. */
export function removeEndpoint(
  writer: ProjectWriter,
  request: WriteRequest,
  endpointId: string,
): Promise<Endpoint> {
  return writer.run(request, async (write) => {
    const endpoint = await findEndpoint(write.tx, write.projectId, endpointId);
    if (!endpoint) throw notFound('webhook endpoint');
    deleteEndpoint(write.changeConfig(), write.projectId, endpointId);
    recordAudit(write, request, {
      action: 'webhook_endpoint.delete',
      targetType: 'webhook_endpoint',
      targetId: endpointId,
      changes: {},
    });
    return { answer: toEndpoint(endpoint) };
  });
}
