import type { RewardProvider } from '../../domain/rewards/delivery/provider.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import type { FindProvider, HoldConnection } from '../payouts/provider.ts';
import { createFindProvider } from './find-provider.ts';
import { holdConnection } from './payout-connections/hold-connection.ts';
import { createStripeAccounts } from './stripe/connections/stripe-accounts.ts';
import { createRewardProviders } from './stripe/rewards/reward-providers.ts';

/** The services that deliver: money as payouts, and single rewards. */
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
