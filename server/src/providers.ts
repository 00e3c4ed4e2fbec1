import type { Queryable } from './db/driver.ts';
import { createFindProvider } from './integrations/find-provider.ts';
import { holdConnection } from './integrations/hold-connection.ts';
import { createRewardProviders } from './integrations/stripe/reward-providers.ts';
import { createStripeAccounts } from './integrations/stripe/stripe-accounts.ts';
import type { Clock } from './kit/clock.ts';
import type { Keyring } from './kit/keyring.ts';
import type { FindProvider, HoldConnection } from './payouts/provider.ts';
import { payoutSource, rewardSource, type Source } from './reconciliation/sources.ts';
import type { RewardProvider } from './rewards/provider.ts';

/** Whoever delivers for the service: money by payouts, and Rewards one by one. */
export interface Providers {
  readonly findProvider: FindProvider;
  readonly holdConnection: HoldConnection;
  readonly rewardProviders: readonly RewardProvider[];
}

export function openProviders(deps: {
  readonly reads: Queryable;
  readonly keyring: Keyring;
  readonly clock: Clock;
}): Providers {
  return {
    findProvider: createFindProvider(deps),
    holdConnection,
    rewardProviders: createRewardProviders(createStripeAccounts(deps)),
  };
}

/** All that can be compared with what they have in their books. */
export function listSources(
  reads: Queryable,
  { findProvider, rewardProviders }: Pick<Providers, 'findProvider' | 'rewardProviders'>,
): Source[] {
  return [
    payoutSource({ reads, findProvider }),
    rewardSource({ reads, providers: rewardProviders }),
  ];
}
