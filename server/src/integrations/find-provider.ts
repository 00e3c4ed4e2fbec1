import type { Queryable } from '../db/driver.ts';
import type { Environment } from '../http/principal.ts';
import type { Clock } from '../kit/clock.ts';
import type { Keyring } from '../kit/keyring.ts';
import type { FindProvider, PayoutProvider } from '../payouts/provider.ts';
import { type ConnectionRow, type Credentials, openCredentials } from './payout-connection.ts';
import { findConnectionAt } from './payout-connection-store.ts';
import { PaypalClient } from './paypal/client.ts';
import { PaypalProvider } from './paypal/provider.ts';
import { createStripeClient, type StripeReach } from './stripe/client.ts';
import { StripeConnectProvider } from './stripe-connect/provider.ts';
import { WiseClient } from './wise/client.ts';
import { WiseProvider } from './wise/provider.ts';

/** Where the providers' APIs are. */
export interface ProviderHosts {
  readonly paypal: Readonly<Record<Environment, string>>;
  readonly wise: Readonly<Record<Environment, string>>;
  /** Null for where its own package finds it. */
  readonly stripe: StripeReach | null;
}

const HOSTS: ProviderHosts = {
  paypal: { sandbox: 'https://api-m.sandbox.paypal.com', live: 'https://api-m.paypal.com' },
  wise: { sandbox: 'https://api.wise-sandbox.com', live: 'https://api.wise.com' },
  stripe: null,
};

const KEPT_MAX = 1_000;

export interface FindProviderDeps {
  readonly reads: Queryable;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Others than the real ones, for tests. */
  readonly hosts?: Partial<ProviderHosts> | undefined;
}

/**
 * Who pays for a Workspace, by what it has connected at the moment. An adapter is kept while its
 * credentials stay as they are, and with it what it knows of its sessions.
 */
export function createFindProvider(deps: FindProviderDeps): FindProvider {
  const hosts = { ...HOSTS, ...deps.hosts };
  const kept = new Map<string, { readonly sealed: string; readonly provider: PayoutProvider }>();
  return async (place) => {
    if (place.method === 'manual_export') return null;
    const row = await findConnectionAt(deps.reads, place);
    if (!row) return null;
    const before = kept.get(row.id);
    if (before?.sealed === row.sealed) return before.provider;
    const credentials = openCredentials(deps.keyring, row);
    const provider = makeProvider(row, credentials, hosts, deps.clock);
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(row.id, { sealed: row.sealed, provider });
    return provider;
  };
}

function makeProvider(
  { id, environment }: ConnectionRow,
  credentials: Credentials,
  hosts: ProviderHosts,
  clock: Clock,
): PayoutProvider {
  switch (credentials.method) {
    case 'paypal': {
      const client = new PaypalClient(hosts.paypal[environment], credentials, clock);
      return new PaypalProvider(id, client, clock);
    }
    case 'wise':
      return new WiseProvider(id, new WiseClient(hosts.wise[environment], credentials));
    case 'stripe_connect':
      return new StripeConnectProvider(
        id,
        createStripeClient(credentials.secretKey, hosts.stripe ?? undefined),
      );
  }
}
