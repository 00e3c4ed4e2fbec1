import { findProjectRef } from '../../../accounts/workspaces/queries.ts';
import { badSignature } from '../../../platform/http/routes/hook-routes.ts';
import type { SignedBody } from '../../../platform/http/routes/route.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { noteReadiness } from '../../payouts/details/queries.ts';
import type { ProviderMethod } from '../../payouts/methods.ts';
import type { WriteDeps } from '../../payouts/payout-deps.ts';
import { hintTransfer } from '../../payouts/transfers/hint-transfer.ts';
import { noConnection } from '../payout-connections/change-payout-connection.ts';
import {
  type ConnectionRow,
  type Credentials,
  openCredentials,
} from '../payout-connections/payout-connection.ts';
import { findConnection } from '../payout-connections/payout-connection-store.ts';
import { PaypalClient } from '../paypal/client.ts';
import type { createClientCache, ProviderHosts } from '../providers.ts';
import { createStripeClient } from '../stripe/connections/client.ts';
import { askStripe, isPayable, retrieveAccount } from '../stripe-connect/onboarding.ts';
import { type Hint, readPaypalHint, readStripeHint, readWiseHint } from './read-hint.ts';

export interface HintDeps extends WriteDeps {
  readonly keyring: Keyring;
  readonly hosts: ProviderHosts;
  /** One client per connection, so that a webhook need not log in again. */
  readonly keepPaypal: ReturnType<typeof createClientCache<PaypalClient>>;
}

/**
 * Handles a provider's webhook after checking its signature. A webhook only makes the service ask
 * the provider. Returns whether there was anything to ask about. Fails with NOT_FOUND, INVALID_REQUEST
 * `invalid_signature` or SERVICE_UNAVAILABLE.
 */
export async function takeHint(
  deps: HintDeps,
  method: ProviderMethod,
  { workspaceId, connectionId }: { readonly workspaceId: string; readonly connectionId: string },
  signed: SignedBody,
): Promise<boolean> {
  const row = await findConnection(deps.database.reads, workspaceId, connectionId);
  if (row?.method !== method) throw noConnection();
  const credentials = openCredentials(deps.keyring, row);
  const hint = await readHint(deps, row, credentials, signed);
  switch (hint.about) {
    case 'transfer':
      return hintTransfer(deps, { connectionId: row.id, ...hint.transfer });
    case 'account':
      return refreshAccount(deps, row, credentials, hint.accountId);
    case 'nothing':
      return false;
  }
}

function readHint(
  { clock, hosts, keepPaypal }: HintDeps,
  row: ConnectionRow,
  credentials: Credentials,
  signed: SignedBody,
): Hint | Promise<Hint> {
  const nowMs = clock.nowMs();
  const { environment } = row;
  if (credentials.method === 'paypal' && credentials.webhookId !== null) {
    const host = hosts.paypal[environment];
    const client = keepPaypal(row, () => new PaypalClient(host, credentials, clock));
    return readPaypalHint(client, credentials.webhookId, signed, nowMs);
  }
  if (credentials.method === 'wise' && credentials.webhookPublicKey !== null) {
    const { webhookPublicKey, profileId } = credentials;
    return readWiseHint(webhookPublicKey, profileId, signed, nowMs);
  }
  if (credentials.method === 'stripe_connect' && credentials.webhookSecret !== null) {
    return readStripeHint(credentials.webhookSecret, environment, signed, nowMs);
  }
  throw badSignature(
    'The connection cannot verify webhooks yet. Add the webhook credentials to it.',
  );
}

/** Asks Stripe for the account's owner and state; the webhook is not trusted for these. */
async function refreshAccount(
  deps: HintDeps,
  { workspaceId, environment }: ConnectionRow,
  credentials: Credentials,
  accountId: string,
): Promise<boolean> {
  if (credentials.method !== 'stripe_connect') return false;
  const client = await createStripeClient(credentials.secretKey, deps.hosts.stripe ?? undefined);
  const account = await askStripe(() => retrieveAccount(client, accountId));
  const { projectId, participantId } = account?.metadata ?? {};
  if (!account || !projectId || !participantId) return false;
  const project = await findProjectRef(deps.database.reads, projectId);
  const isOurs = project?.workspaceId === workspaceId && project.environment === environment;
  if (!isOurs) return false;
  await noteReadiness(deps, { projectId, participantId, accountId }, isPayable(account));
  return true;
}
