import type { ConnectionRow } from './connection.ts';
import type { StripeConnection } from './connection-schema.ts';

export function toConnection(connection: ConnectionRow, baseUrl: string): StripeConnection {
  const { id, projectId, status, livemode, keyLast4, sourceId, createdAt, updatedAt } = connection;
  return {
    id,
    projectId,
    status,
    livemode,
    webhookUrl: `${baseUrl}/v1/integrations/stripe/${projectId}/${id}`,
    hasWebhookSecret: connection.webhookSecrets.length > 0,
    last4: keyLast4,
    sourceNamespaceId: sourceId,
    createdAt,
    updatedAt,
  };
}
