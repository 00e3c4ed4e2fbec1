import { recordAudit } from '../../../../accounts/workspaces/audit/record-audit.ts';
import type { Environment, WriteRequest } from '../../../../platform/http/access/principal.ts';
import { notFound } from '../../../../platform/kit/errors.ts';
import type { Instant } from '../../../../platform/kit/instant.ts';
import type { Keyring } from '../../../../platform/kit/keyring.ts';
import type { StripeDeps } from '../stripe-deps.ts';
import type { ConnectionRow } from './connection.ts';
import type { ChangeConnection } from './connection-schema.ts';
import { findConnection, findConnectionById, updateConnection } from './connection-store.ts';
import { connectionExists } from './create-connection.ts';
import {
  openWebhookSecret,
  sealStripeKey,
  sealWebhookSecret,
  withNewSecret,
} from './open-connection.ts';
import { readLivemode } from './read-key.ts';

interface ConnectionPlace {
  readonly environment: Environment;
  readonly connectionId: string;
}

/**
 * Changes the given fields. After a new webhook secret the previous one stays valid for 24 hours of
 * real time. Fails with INVALID_REQUEST for a key of the other mode, NOT_FOUND, or CONFLICT
 * `connection_exists` when another connection is active.
 */
export async function changeConnection(
  { writer, keyring }: Pick<StripeDeps, 'writer' | 'keyring'>,
  request: WriteRequest,
  { environment, connectionId }: ConnectionPlace,
  { restrictedKey, webhookSecret, status }: ChangeConnection,
): Promise<ConnectionRow> {
  if (restrictedKey !== undefined) readLivemode(restrictedKey, environment);
  return writer.run(request, async (write) => {
    const { tx, projectId } = write;
    const connection = await findConnectionById(tx, projectId, connectionId);
    if (!connection) throw notFound('Stripe connection');
    if (status === 'active' && connection.status !== 'active') {
      if (await findConnection(tx, projectId)) throw connectionExists();
    }
    const next: ConnectionRow = {
      ...connection,
      ...(restrictedKey === undefined
        ? {}
        : {
            sealedKey: sealStripeKey(keyring, connection, restrictedKey),
            keyLast4: restrictedKey.slice(-4),
          }),
      ...(webhookSecret === undefined
        ? {}
        : { webhookSecrets: rotate(keyring, connection, webhookSecret, write.realNow) }),
      status: status ?? connection.status,
      updatedAt: write.now,
    };
    updateConnection(write.changeConfig(), next);
    recordAudit(write, request, {
      action: 'stripe_connection.change',
      targetType: 'stripe_connection',
      targetId: connectionId,
      changes: {
        ...(status === undefined ? {} : { status }),
        newRestrictedKey: restrictedKey !== undefined,
        newWebhookSecret: next.webhookSecrets !== connection.webhookSecrets,
      },
    });
    return { answer: next };
  });
}

/** A repeat of the current secret must not invalidate the previous one. */
function rotate(keyring: Keyring, connection: ConnectionRow, secret: string, now: Instant) {
  const [current] = connection.webhookSecrets;
  if (current && openWebhookSecret(keyring, connection, current) === secret) {
    return connection.webhookSecrets;
  }
  const sealed = sealWebhookSecret(keyring, connection, secret);
  return withNewSecret(connection.webhookSecrets, sealed, now);
}
