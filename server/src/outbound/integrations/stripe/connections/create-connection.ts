import { recordAudit } from '../../../../accounts/workspaces/audit/record-audit.ts';
import { addSource } from '../../../../domain/tracking/sources/register-source.ts';
import type { ProjectRef, WriteRequest } from '../../../../platform/http/access/principal.ts';
import { conflict } from '../../../../platform/kit/errors.ts';
import type { StripeDeps } from '../stripe-deps.ts';
import type { ConnectionRow } from './connection.ts';
import type { CreateConnection } from './connection-schema.ts';
import { findConnection, insertConnection } from './connection-store.ts';
import { sealStripeKey, sealWebhookSecret } from './open-connection.ts';
import { readLivemode } from './read-key.ts';

/**
 * Connects a project with its Stripe account. Fails with INVALID_REQUEST for a key of the other mode,
 * CONFLICT `connection_exists`, or `limit_reached` for the project's sources.
 */
export async function createConnection(
  { writer, keyring }: Pick<StripeDeps, 'writer' | 'keyring'>,
  request: WriteRequest,
  project: ProjectRef,
  { restrictedKey, webhookSecret }: CreateConnection,
): Promise<ConnectionRow> {
  const livemode = readLivemode(restrictedKey, project.environment);
  return writer.run(request, async (write) => {
    const { projectId } = write;
    if (await findConnection(write.tx, projectId)) throw connectionExists();
    const name = { projectId, id: write.newId('scn') };
    const source = { name: 'Stripe', key: name.id, kind: 'billing' } as const;
    const connection: ConnectionRow = {
      ...name,
      status: 'active',
      livemode,
      sealedKey: sealStripeKey(keyring, name, restrictedKey),
      keyLast4: restrictedKey.slice(-4),
      webhookSecrets: webhookSecret
        ? [{ sealed: sealWebhookSecret(keyring, name, webhookSecret), rotatedAt: null }]
        : [],
      sourceId: (await addSource(write, request, source)).id,
      createdAt: write.now,
      updatedAt: write.now,
    };
    insertConnection(write.changeConfig(), connection);
    recordAudit(write, request, {
      action: 'stripe_connection.create',
      targetType: 'stripe_connection',
      targetId: name.id,
      changes: { livemode, hasWebhookSecret: connection.webhookSecrets.length > 0 },
    });
    return { answer: connection };
  });
}

export function connectionExists() {
  return conflict(
    'connection_exists',
    'This project has an active Stripe connection. Disable or delete it, or change its keys.',
  );
}
