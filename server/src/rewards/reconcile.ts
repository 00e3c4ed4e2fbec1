import type { Queryable } from '../db/driver.ts';
import { groupBy } from '../kit/group-by.ts';
import type { ServiceMethod } from './decide-delivery.ts';
import { type BelievedReward, listBelieved } from './delivery-store.ts';
import type { RewardProvider } from './provider.ts';

/** What the service believes delivered of a Reward, and what its provider says. */
export interface ReconciledReward {
  readonly method: ServiceMethod;
  readonly rewardId: string;
  /** Minor units; of a discount 1 if it is there, else 0. */
  readonly believed: bigint;
  readonly reported: bigint;
  /** What the provider has beyond what is believed. */
  readonly drift: bigint;
}

const PAGE = 200;

/**
 * Holds every Reward that the service delivered, or tried to, against the provider's books. What is
 * under way is left out: it is asked about anyhow. So are the Rewards of erased people, whose
 * accounts nobody knows any more. Ends with whatever a provider cannot answer.
 */
export async function* reconcileRewards(
  deps: { readonly reads: Queryable; readonly providers: readonly RewardProvider[] },
  projectId: string,
): AsyncGenerator<ReconciledReward> {
  let after = { account: '', rewardId: '' };
  while (true) {
    const page = await listBelieved(deps.reads, projectId, after, PAGE);
    for (const ours of groupBy(page, ({ method, account }) => `${method} ${account}`).values()) {
      yield* reconcileAccount(deps.providers, projectId, ours);
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = { account: last.account, rewardId: last.rewardId };
  }
}

async function* reconcileAccount(
  providers: readonly RewardProvider[],
  projectId: string,
  ours: readonly BelievedReward[],
): AsyncGenerator<ReconciledReward> {
  const [first] = ours;
  const provider = providers.find(({ method }) => method === first?.method);
  if (!first || !provider) return;
  const ids = ours.map(({ rewardId }) => rewardId);
  const reported = await provider.report(projectId, first.account, ids);
  for (const { method, rewardId, believed } of ours) {
    const there = reported.get(rewardId) ?? 0n;
    yield { method, rewardId, believed, reported: there, drift: there - believed };
  }
}
