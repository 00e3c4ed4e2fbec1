import { recordAudit } from '../../../accounts/workspaces/audit-log.ts';
import { assertWorkspace } from '../../../accounts/workspaces/queries.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { type AppError, conflict, noSuch } from '../../../platform/kit/errors.ts';
import { toInstant } from '../../../platform/kit/instant.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import type { WriteDeps } from '../../payouts/payout-deps.ts';
import { hasOpenTransfers } from '../../payouts/queries.ts';
import type { ProviderHosts } from '../providers.ts';
import { readAccountId } from '../stripe-connect/onboarding.ts';
import {
  type ConnectionRow,
  type Credentials,
  connectionIdOf,
  describeCredentials,
  readCredentials,
  sealCredentials,
} from './payout-connection.ts';
import type { Connect } from './payout-connection-schema.ts';
import {
  deleteConnection,
  lockConnection,
  lockConnectionAt,
  upsertConnection,
} from './payout-connection-store.ts';

export interface ConnectionDeps extends Omit<WriteDeps, 'writer'> {
  readonly keyring: Keyring;
  readonly baseUrl: string;
  readonly hosts: ProviderHosts;
}

/**
 * Connects the account that a workspace pays from by a method, and replaces the previous one. New
 * secrets of the same account are accepted at any time; another account only while no payout from
 * the previous one is under way. Fails with NOT_FOUND, INVALID_REQUEST, CONFLICT `payouts_open`, or
 * SERVICE_UNAVAILABLE when Stripe cannot be asked which account a key belongs to.
 */
export async function connectPayouts(
  { database, clock, newId, keyring, hosts }: ConnectionDeps,
  request: WriteRequest,
  workspaceId: string,
  input: Connect,
): Promise<ConnectionRow> {
  const credentials = readCredentials(input);
  const { environment, method } = input;
  await assertWorkspace(database.reads, workspaceId);
  const account = await accountOf(credentials, hosts);
  const now = toInstant(clock.nowMs());
  const id = connectionIdOf(keyring, { workspaceId, environment, method }, account);
  return database.transaction(async (tx) => {
    await assertWorkspace(tx, workspaceId);
    const before = await lockConnectionAt(tx, workspaceId, environment, method);
    const isSame = before?.id === id;
    if (before && !isSame && (await hasOpenTransfers(tx, before.id))) throw stillPaying();
    const row: ConnectionRow = {
      id,
      workspaceId,
      environment,
      method,
      sealed: sealCredentials(keyring, id, credentials),
      ...describeCredentials(credentials),
      createdAt: isSame ? before.createdAt : now,
      updatedAt: now,
    };
    upsertConnection(tx, row);
    const by = { ...request, workspaceId };
    recordAudit({ tx, now, newId }, by, {
      action: isSame ? 'payout_connection.change' : 'payout_connection.create',
      targetType: 'payout_connection',
      targetId: id,
      changes: { environment, method, replaced: before && !isSame ? before.id : null },
    });
    return row;
  });
}

/**
 * The identifier that stays the same when secrets are renewed. A Stripe key does not contain its
 * account, so Stripe is asked.
 */
async function accountOf(credentials: Credentials, hosts: ProviderHosts): Promise<string> {
  switch (credentials.method) {
    case 'paypal':
      return credentials.clientId;
    case 'wise':
      return credentials.profileId;
    case 'stripe_connect':
      return readAccountId(credentials.secretKey, hosts.stripe);
  }
}

/** Fails with NOT_FOUND or CONFLICT `payouts_open`. */
export async function disconnectPayouts(
  { database, clock, newId }: ConnectionDeps,
  request: WriteRequest,
  workspaceId: string,
  connectionId: string,
): Promise<ConnectionRow> {
  const now = toInstant(clock.nowMs());
  return database.transaction(async (tx) => {
    const row = await lockConnection(tx, workspaceId, connectionId);
    if (!row) throw noConnection();
    if (await hasOpenTransfers(tx, row.id)) throw stillPaying();
    deleteConnection(tx, row.id);
    const by = { ...request, workspaceId };
    recordAudit({ tx, now, newId }, by, {
      action: 'payout_connection.delete',
      targetType: 'payout_connection',
      targetId: row.id,
      changes: { environment: row.environment, method: row.method },
    });
    return row;
  });
}

export function noConnection(): AppError {
  return noSuch('payout connection in this workspace');
}

/** Their outcome can only be learned from that account. */
function stillPaying(): AppError {
  return conflict('payouts_open', 'Payouts through this connection are still in progress.');
}
