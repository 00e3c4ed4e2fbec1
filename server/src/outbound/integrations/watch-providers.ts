import type { RewardProvider } from '../../domain/rewards/delivery/provider.ts';
import type { ProviderCall } from '../../platform/telemetry/metrics.ts';
import type { PayoutProvider } from '../payouts/provider.ts';
import type { Providers } from './providers.ts';

export type OnProviderCall = (call: ProviderCall) => void;

/** Wraps the providers so that every call is reported to `onCall`. */
export function watchProviders(providers: Providers, onCall: OnProviderCall): Providers {
  const watched = new WeakMap<PayoutProvider, PayoutProvider>();
  return {
    ...providers,
    async findProvider(place) {
      const provider = await providers.findProvider(place);
      if (!provider) return null;
      const known = watched.get(provider) ?? watchPayouts(provider, onCall);
      watched.set(provider, known);
      return known;
    },
    rewardProviders: providers.rewardProviders.map((one) => watchRewards(one, onCall)),
  };
}

function watchPayouts(provider: PayoutProvider, onCall: OnProviderCall): PayoutProvider {
  const time = timer(provider.method, onCall);
  return {
    method: provider.method,
    connectionId: provider.connectionId,
    submit: (order) => time('submit', () => provider.submit(order)),
    find: (transfer) => time('find', () => provider.find(transfer)),
    report: (transfer) => time('report', () => provider.report(transfer)),
    ...(provider.records ? { records: provider.records } : {}),
  };
}

function watchRewards(provider: RewardProvider, onCall: OnProviderCall): RewardProvider {
  const time = timer(provider.method, onCall);
  return {
    method: provider.method,
    isConnected: (projectId) => provider.isConnected(projectId),
    carriable: (amountMinor, currency) => provider.carriable(amountMinor, currency),
    deliver: (order) => time('deliver', () => provider.deliver(order)),
    takeBack: (order) => time('take_back', () => provider.takeBack(order)),
    find: (order) => time('find', () => provider.find(order)),
    report: (...asked) => time('report', () => provider.report(...asked)),
    ...(provider.listGiven ? { listGiven: provider.listGiven } : {}),
  };
}

function timer(provider: string, onCall: OnProviderCall) {
  return async <A extends object>(
    operation: ProviderCall['operation'],
    call: () => Promise<A>,
  ): Promise<A> => {
    const startedMs = performance.now();
    let outcome = 'thrown';
    try {
      const answer = await call();
      outcome = 'state' in answer ? String(answer.state) : 'told';
      return answer;
    } finally {
      onCall({ provider, operation, outcome, ms: performance.now() - startedMs });
    }
  };
}
