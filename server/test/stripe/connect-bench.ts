import { createStripeClient } from '../../src/outbound/integrations/stripe/connections/client.ts';
import { fromStripeAmount } from '../../src/outbound/integrations/stripe/events/currencies.ts';
import { StripeConnectProvider } from '../../src/outbound/integrations/stripe-connect/provider.ts';
import type { Clock } from '../../src/platform/kit/clock.ts';
import type { Fault, Made, ProviderBench } from '../payout-conformance.ts';
import { addConnected, connectRoutes, platformOf } from './connect.ts';
import { type StripeFault, startFakeStripe } from './fake-stripe.ts';

const KEY = 'sk_test_platform';
const TRANSFERS = /^\/v1\/transfers$/;

const FAULTS: Readonly<Record<Exclude<Fault, 'rejected'>, [StripeFault, 'POST' | 'GET']>> = {
  lost_answer: ['silence_after', 'POST'],
  lost_order: ['silence_before', 'POST'],
  server_error: ['error_before', 'POST'],
  throttled: ['throttled', 'POST'],
  cannot_say: ['throttled', 'GET'],
};

/** The adapter in front of a Stripe of the test's own. */
export async function openConnectBench(clock: Clock): Promise<ProviderBench> {
  const stripe = await startFakeStripe({
    routes: connectRoutes,
    nowMs: clock.nowMs,
  });
  const account = stripe.account(KEY);
  const platform = platformOf(account);
  const payee = addConnected(account);
  const client = await createStripeClient(KEY, stripe.reach);
  return {
    provider: new StripeConnectProvider('pcn_stripe', client),
    paysAtOnce: true,
    details: { type: 'stripe_connect', accountId: payee.id },
    fault(...faults) {
      for (const fault of faults) {
        if (fault === 'rejected') {
          payee.capabilities.transfers = 'inactive';
          continue;
        }
        const [kind, method] = FAULTS[fault];
        void stripe.fault(kind, { method, path: TRANSFERS });
      }
    },
    async transfers() {
      payee.capabilities.transfers = 'active';
      return platform.transfers.map(({ metadata, amount, currency }): Made => {
        const amountMinor = fromStripeAmount(amount, currency) ?? 0n;
        return { key: metadata.key ?? '', amountMinor, currency: currency.toUpperCase() };
      });
    },
    async move(key, to) {
      const made = platform.transfers.find(({ metadata }) => metadata.key === key);
      if (!made) throw new Error(`There is no transfer ${key}.`);
      if (to === 'returned') made.amount_reversed = made.amount;
    },
    close: () => stripe.close(),
  };
}
