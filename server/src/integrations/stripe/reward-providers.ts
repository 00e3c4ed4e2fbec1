import type { RewardProvider } from '../../rewards/provider.ts';
import { createBalanceProvider } from './balance-provider.ts';
import { createCouponProvider } from './coupon-provider.ts';
import type { StripeAccounts } from './stripe-accounts.ts';

/** Whoever delivers Rewards through Projects' own Stripe accounts. */
export function createRewardProviders(accounts: StripeAccounts): readonly RewardProvider[] {
  return [createBalanceProvider(accounts), createCouponProvider(accounts)];
}
