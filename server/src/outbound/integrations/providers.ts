import { LRUCache } from 'lru-cache';
import type { RewardProvider } from '../../domain/rewards/delivery/provider.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { Environment } from '../../platform/http/access/principal.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import type { FindProvider, HoldConnection, PayoutProvider } from '../payouts/provider.ts';
import {
  type ConnectionRow,
  type Credentials,
  openCredentials,
} from './payout-connections/payout-connection.ts';
import { findConnectionAt, holdConnection } from './payout-connections/payout-connection-store.ts';
import { PaypalClient } from './paypal/client.ts';
import { PaypalProvider } from './paypal/provider.ts';
import {
  createStripeAccounts,
  createStripeClient,
  type StripeAccounts,
  type StripeReach,
} from './stripe/connections/client.ts';
import { loadStripe } from './stripe/connections/load-stripe.ts';
import { createBalanceProvider } from './stripe/rewards/balance-provider.ts';
import { createCouponProvider } from './stripe/rewards/coupon-provider.ts';
import { StripeConnectProvider } from './stripe-connect/provider.ts';
import { WiseClient } from './wise/client.ts';
import { WiseProvider } from './wise/provider.ts';

/** The services that deliver: money as payouts, and single rewards. */
export interface Providers {
  readonly findProvider: FindProvider;
  readonly holdConnection: HoldConnection;
  readonly rewardProviders: readonly RewardProvider[];
}

export function openProviders(deps: FindProviderDeps): Providers {
  return {
    findProvider: createFindProvider(deps),
    holdConnection,
    rewardProviders: createRewardProviders(createStripeAccounts(deps)),
  };
}

/** Deliver rewards through projects' own Stripe accounts. */
export function createRewardProviders(accounts: StripeAccounts): readonly RewardProvider[] {
  return [createBalanceProvider(accounts), createCouponProvider(accounts)];
}

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
  const keep = createClientCache<Promise<PayoutProvider>>();
  return async ({ workspaceId, environment, method }) => {
    if (method === 'manual_export') return null;
    const row = await findConnectionAt(deps.reads, workspaceId, environment, method);
    if (!row) return null;
    // Before the provider is kept: that loading failed must not be.
    if (method === 'stripe_connect') await loadStripe();
    return keep(row, () =>
      makeProvider(row, openCredentials(deps.keyring, row), hosts, deps.clock),
    );
  };
}

async function makeProvider(
  { id, environment }: ConnectionRow,
  credentials: Credentials,
  hosts: ProviderHosts,
  clock: Clock,
): Promise<PayoutProvider> {
  switch (credentials.method) {
    case 'paypal': {
      const client = new PaypalClient(hosts.paypal[environment], credentials, clock);
      return new PaypalProvider(id, client, clock);
    }
    case 'wise':
      return new WiseProvider(id, new WiseClient(hosts.wise[environment], credentials));
    case 'stripe_connect': {
      const client = await createStripeClient(credentials.secretKey, hosts.stripe ?? undefined);
      return new StripeConnectProvider(id, client);
    }
  }
}

const KEPT_MAX = 1_000;

/** Caches one client per connection, with its sessions, until its credentials change. */
export function createClientCache<T>() {
  const kept = new LRUCache<string, { sealed: string; made: T }>({ max: KEPT_MAX });
  return ({ id, sealed }: Pick<ConnectionRow, 'id' | 'sealed'>, make: () => T): T => {
    const before = kept.get(id);
    if (before?.sealed === sealed) return before.made;
    const made = make();
    kept.set(id, { sealed, made });
    return made;
  };
}

export interface ProviderHosts {
  readonly paypal: Readonly<Record<Environment, string>>;
  readonly wise: Readonly<Record<Environment, string>>;
  /** Null: the host that Stripe's package uses. */
  readonly stripe: StripeReach | null;
}

export const PROVIDER_HOSTS: ProviderHosts = {
  paypal: { sandbox: 'https://api-m.sandbox.paypal.com', live: 'https://api-m.paypal.com' },
  wise: { sandbox: 'https://api.wise-sandbox.com', live: 'https://api.wise.com' },
  stripe: null,
};
