import type { Queryable } from '../../../platform/db/driver.ts';
import { findClockOffset } from '../../../platform/feed/writer/project-clock.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import { addMs } from '../../../platform/kit/instant.ts';
import { createLimit } from '../../../platform/kit/limit.ts';
import { type BelievedPlace, type BelievedReward, listBelieved } from './delivery-store.ts';
import type { Reported, RewardProvider } from './provider.ts';

export type { BelievedPlace };

/** Accounts queried concurrently. */
const ACCOUNTS_MAX = 8;
/** Somebody waits for the response: accounts that have not answered by then are reported as unanswered. */
const PATIENCE_MS = 20_000;

/** What the service believes it delivered of a Reward, and what its provider has; null if it is unknown. */
export interface ReportedDelivery extends BelievedReward {
  readonly reported: bigint | null;
}

interface ReportAsked {
  readonly after: BelievedPlace | null;
  readonly limit: number;
  readonly deadline?: AbortSignal;
}

/**
 * What the providers have of the Rewards that the service delivered, or tried to, ordered by
 * account; `last` is the position of the last one, null if there are no more. Deliveries in
 * progress are omitted: they are queried anyway. So are the Rewards of erased people, whose
 * accounts are no longer known. No query is started or awaited after `deadline`.
 */
export async function reportDeliveries(
  deps: { readonly reads: Queryable; readonly providers: readonly RewardProvider[] },
  projectId: string,
  { after, limit, deadline = AbortSignal.timeout(PATIENCE_MS) }: ReportAsked,
): Promise<{ deliveries: ReportedDelivery[]; last: BelievedPlace | null }> {
  const [found, offsetMs] = await Promise.all([
    listBelieved(deps.reads, projectId, after, limit + 1),
    findClockOffset(deps.reads, projectId),
  ]);
  const page = found.slice(0, limit);
  const inTurn = createLimit(ACCOUNTS_MAX);
  const isOver = new Promise<null>((resolve) => {
    deadline.addEventListener('abort', () => resolve(null), { once: true });
  });
  const groups = [...groupBy(page, ({ method, account }) => `${method} ${account}`).values()];
  const deliveries = await Promise.all(
    groups.map((ours) =>
      inTurn(async (): Promise<ReportedDelivery[]> => {
        const asked = deadline.aborted ? null : ask(deps.providers, projectId, ours, offsetMs);
        const reported = await Promise.race([asked, isOver]);
        return ours.map((one) => ({
          ...one,
          reported: reported && (reported.get(one.rewardId) ?? 0n),
        }));
      }),
    ),
  );
  return {
    deliveries: deliveries.flat(),
    last: found.length > limit ? (page.at(-1) ?? null) : null,
  };
}

/** Of one account. */
async function ask(
  providers: readonly RewardProvider[],
  projectId: string,
  ours: readonly BelievedReward[],
  offsetMs: number,
): Promise<Reported | null> {
  const [first] = ours;
  const provider = providers.find(({ method }) => method === first?.method);
  if (!first || !provider) return null;
  const ids = ours.map(({ rewardId }) => rewardId);
  const [earliest = first.earnedAt] = ours.map(({ earnedAt }) => earnedAt).sort();
  // The Project's clock was never further ahead of real time than it is now.
  const since = addMs(earliest, -offsetMs);
  return provider.report(projectId, first.account, ids, since).catch(() => null);
}
