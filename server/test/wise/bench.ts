import { WiseClient } from '../../src/outbound/integrations/wise/client.ts';
import { WiseProvider } from '../../src/outbound/integrations/wise/provider.ts';
import { transactionIdOf } from '../../src/outbound/integrations/wise/read-transfer.ts';
import type { PayoutProvider } from '../../src/outbound/payouts/provider.ts';
import type { Clock } from '../../src/platform/kit/clock.ts';
import type { Fault, Made, ProviderBench } from '../payout-conformance.ts';
import { WISE_ACCOUNT, WiseServer } from './server.ts';

const STATUS = {
  paid: 'outgoing_payment_sent',
  failed: 'cancelled',
  returned: 'funds_refunded',
} as const;

const FAULTS: Readonly<Record<Fault, Parameters<WiseServer['fault']>>> = {
  lost_answer: ['fund', 'done_and_lost'],
  lost_order: ['transfer', 'lost'],
  server_error: ['transfer', 500],
  throttled: ['transfer', 429],
  rejected: ['recipient', 422],
  cannot_say: ['list', 503],
};

/** The adapter in front of a Wise of the test's own. */
export async function openWiseBench(
  clock: Clock,
): Promise<ProviderBench & { readonly wise: WiseServer }> {
  const wise = await WiseServer.start(clock);
  const credentials = { method: 'wise', ...WISE_ACCOUNT, webhookPublicKey: null } as const;
  const adapter = new WiseProvider('pcn_wise', new WiseClient(wise.url, credentials));
  // Wise knows transfers by what follows from their keys.
  const keys = new Map<string, string>();
  const provider: PayoutProvider = {
    method: 'wise',
    connectionId: adapter.connectionId,
    find: (transfer) => adapter.find(transfer),
    report: (transfer) => adapter.report(transfer),
    submit(order) {
      keys.set(transactionIdOf(order.key), order.key);
      return adapter.submit(order);
    },
  };
  return {
    wise,
    provider,
    details: {
      type: 'bank',
      holderName: 'Ada Lovelace',
      country: 'DE',
      currency: 'USD',
      iban: 'DE89370400440532013000',
      bic: null,
    },
    fault(...faults) {
      for (const one of faults) wise.fault(...FAULTS[one]);
    },
    async transfers() {
      return wise.transfers.flatMap((one) => {
        const key = keys.get(one.customerTransactionId) ?? '';
        const amountMinor = BigInt(Math.round(one.targetValue * 100));
        const made: Made = { key, amountMinor, currency: one.targetCurrency };
        return Array.from({ length: one.funded }, () => made);
      });
    },
    async move(key, to) {
      wise.transfer(transactionIdOf(key)).status = STATUS[to];
    },
    close: () => wise.close(),
  };
}
