import { recordAudit } from '../../../../accounts/workspaces/audit-log.ts';
import { addSource, alterSource } from '../../../../domain/tracking/sources.ts';
import type {
  Environment,
  ProjectRef,
  WriteRequest,
} from '../../../../platform/http/access/principal.ts';
import { conflict, invalid } from '../../../../platform/kit/errors.ts';
import type { Instant } from '../../../../platform/kit/instant.ts';
import type { Keyring } from '../../../../platform/kit/keyring.ts';
import { deleteParkedByConnection } from '../events/event-store.ts';
import type { StripeDeps } from '../stripe-deps.ts';
import {
  type ConnectionRow,
  openWebhookSecret,
  sealStripeKey,
  sealWebhookSecret,
  withNewSecret,
} from './connection.ts';
import type { ChangeConnection, CreateConnection } from './connection-schema.ts';
import {
  deleteConnection,
  findConnection,
  getConnection,
  insertConnection,
  updateConnection,
} from './connection-store.ts';

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

function connectionExists() {
  return conflict(
    'connection_exists',
    'This project has an active Stripe connection. Disable or delete it, or change its keys.',
  );
}

/**
 * Whether a restricted key moves real money. Fails with INVALID_REQUEST for a key that does not fit the
 * project: a sandbox must not reach real customers, and test payments must not earn real rewards.
 */
function readLivemode(restrictedKey: string, environment: Environment): boolean {
  const livemode = restrictedKey.startsWith('rk_live_');
  if (livemode === (environment === 'live')) return livemode;
  throw invalid(
    'restrictedKey',
    `is a key of ${livemode ? 'live' : 'test'} mode, and this is a ${environment} project`,
  );
}

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
    const connection = await getConnection(tx, projectId, connectionId);
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
      before: connection,
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
    const connection = await getConnection(tx, projectId, connectionId);
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
