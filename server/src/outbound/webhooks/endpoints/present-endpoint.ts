import { EVENT_TYPES } from '../../../platform/feed/writer/project-write.ts';
import type { EndpointRow } from './endpoint.ts';
import type { Endpoint } from './endpoint-schema.ts';

/** The endpoint without its secrets. */
export function toEndpoint(row: EndpointRow): Endpoint {
  return {
    id: row.id,
    projectId: row.projectId,
    url: row.url,
    description: row.description,
    eventTypes: [...(row.eventTypes ?? EVENT_TYPES)],
    apiVersion: row.apiVersion,
    fulfillmentMode: row.fulfillmentMode,
    enabled: row.queueId !== null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
