import type { Queryable } from '../../platform/db/driver.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import type { FindProvider, PayoutProvider } from '../payouts/provider.ts';
import { createClientCache } from './client-cache.ts';
import {
  type ConnectionRow,
  type Credentials,
  openCredentials,
} from './payout-connections/payout-connection.ts';
import { findConnectionAt } from './payout-connections/payout-connection-store.ts';
import { PaypalClient } from './paypal/client.ts';
import { PaypalProvider } from './paypal/provider.ts';
import { PROVIDER_HOSTS, type ProviderHosts } from './provider-hosts.ts';
import { createStripeClient } from './stripe/connections/client.ts';
import { StripeConnectProvider } from './stripe-connect/provider.ts';
import { WiseClient } from './wise/client.ts';
import { WiseProvider } from './wise/provider.ts';

export interface FindProviderDeps {
  readonly reads: Queryable;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Replaces the real hosts in tests. */
  readonly hosts?: ProviderHosts | undefined;
}

/** Finds the provider that a workspace has connected at the moment. */
export function createFindProvider(deps: FindProviderDeps): FindProvider {
  const hosts = deps.hosts ?? PROVIDER_HOSTS;
  const keep = createClientCache<PayoutProvider>();
  return async (place) => {
    if (place.method === 'manual_export') return null;
    const row = await findConnectionAt(deps.reads, place);
    if (!row) return null;
    return keep(row, () =>
      makeProvider(row, openCredentials(deps.keyring, row), hosts, deps.clock),
    );
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
