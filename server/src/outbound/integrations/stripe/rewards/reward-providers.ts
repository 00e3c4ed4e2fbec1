import type { RewardProvider } from '../../../../domain/rewards/delivery/provider.ts';
import type { StripeAccounts } from '../connections/client.ts';
import { createBalanceProvider } from './balance-provider.ts';
import { createCouponProvider } from './coupon-provider.ts';

/** Deliver rewards through projects' own Stripe accounts. */
export function createRewardProviders(accounts: StripeAccounts): readonly RewardProvider[] {
  return [createBalanceProvider(accounts), createCouponProvider(accounts)];
}
