import type { Queryable } from '../db/driver.ts';
import { groupBy } from '../kit/group-by.ts';
import { type BelievedPlace, type BelievedReward, listBelieved } from './delivery-store.ts';
import type { RewardProvider } from './provider.ts';

export type { BelievedPlace };

/** What the service believes delivered of a Reward, and what its provider has; null if it cannot say. */
export interface ReportedDelivery extends BelievedReward {
  readonly reported: bigint | null;
}

/**
 * What the providers have of the Rewards that the service delivered, or tried to, in the order of
 * accounts; `last` is the place of the last one, null if there are no more. What is under way is left
 * out: it is asked about anyhow. So are the Rewards of erased people, whose accounts nobody knows any
 * more.
 */
export async function reportDeliveries(
  deps: { readonly reads: Queryable; readonly providers: readonly RewardProvider[] },
  projectId: string,
  after: BelievedPlace | null,
  limit: number,
): Promise<{ deliveries: ReportedDelivery[]; last: BelievedPlace | null }> {
  const found = await listBelieved(deps.reads, projectId, after, limit + 1);
  const page = found.slice(0, limit);
  const deliveries: ReportedDelivery[] = [];
  for (const ours of groupBy(page, ({ method, account }) => `${method} ${account}`).values()) {
    const reported = await ask(deps.providers, projectId, ours);
    for (const one of ours) {
      deliveries.push({ ...one, reported: reported && (reported.get(one.rewardId) ?? 0n) });
    }
  }
  return { deliveries, last: found.length > limit ? (page.at(-1) ?? null) : null };
}

/** Of one account. */
async function ask(
  providers: readonly RewardProvider[],
  projectId: string,
  ours: readonly BelievedReward[],
): Promise<ReadonlyMap<string, bigint> | null> {
  const [first] = ours;
  const provider = providers.find(({ method }) => method === first?.method);
  if (!first || !provider) return null;
  const ids = ours.map(({ rewardId }) => rewardId);
  return provider.report(projectId, first.account, ids).catch(() => null);
}
