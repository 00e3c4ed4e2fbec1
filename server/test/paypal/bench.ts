import { PaypalClient } from '../../src/outbound/integrations/paypal/client.ts';
import { PaypalProvider } from '../../src/outbound/integrations/paypal/provider.ts';
import type { Clock } from '../../src/platform/kit/clock.ts';
import { parseMajor } from '../../src/platform/kit/money.ts';
import type { Made, ProviderBench } from '../payout-conformance.ts';
import { PAYPAL_APP, PaypalServer } from './server.ts';

const ITEM_STATUS = { paid: 'SUCCESS', failed: 'FAILED', returned: 'RETURNED' } as const;

/** The adapter in front of a PayPal of the test's own. */
export async function openPaypalBench(
  clock: Clock,
): Promise<ProviderBench & { paypal: PaypalServer }> {
  const paypal = await PaypalServer.start();
  const credentials = { method: 'paypal', ...PAYPAL_APP, webhookId: null } as const;
  const provider = new PaypalProvider(
    'pcn_paypal',
    new PaypalClient(paypal.url, credentials, clock),
    clock,
  );
  return {
    paypal,
    provider,
    isAskedByOrder: true,
    details: { type: 'paypal', email: 'ada@example.com' },
    fault: (...faults) => paypal.fault(...faults),
    async transfers() {
      return paypal.batches.map(({ key, item: { amount } }): Made => {
        const amountMinor = parseMajor(amount.value, 2) ?? 0n;
        return { key, amountMinor, currency: amount.currency };
      });
    },
    async move(key, to) {
      paypal.batch(key).status = ITEM_STATUS[to];
    },
    close: () => paypal.close(),
  };
}
