import { randomUUID } from 'node:crypto';
import { listCutoffs } from '../feed/project-clock.ts';
import { ownRequest } from '../http/principal.ts';
import { addMs, type Instant, toInstant, toMs } from '../kit/instant.ts';
import { createLimit } from '../kit/limit.ts';
import type { DeliveryOutcome, DeliveryRow } from './decide-delivery.ts';
import { LEASE_MS, type RewardDeliveryDeps } from './delivery-deps.ts';
import { claimDeliveries, listDueProjects, releaseLease } from './delivery-store.ts';
import { findConnected } from './find-connected.ts';
import { makePrepareHandler, type OpenDelivery } from './prepare-deliveries.ts';
import type { RewardOrder, RewardProvider } from './provider.ts';
import { settleHandler } from './settle-deliveries.ts';

const PROJECTS_MAX = 4;
const CLAIMS_MAX = 32;
/** To one Project's account at the same time; providers mind more than some. */
const CALLS_MAX = 8;
/** A lease with less left is given back: the call could end after it. */
const LEASE_LEFT_MS = LEASE_MS / 2;

/** Carries out what is due of one round; returns how many Rewards were looked at. */
export type DeliverRewards = () => Promise<number>;

/**
 * Any number of processes may run one. No call is made within a transaction: what goes out is
 * committed ahead, so that after a crash the provider is asked before it is told again.
 */
export function makeDeliverRewards(
  deps: RewardDeliveryDeps,
  onFailure: (error: unknown) => void,
): DeliverRewards {
  const prepareHandler = makePrepareHandler(deps.providers);
  const realNow = (): Instant => toInstant(deps.clock.nowMs());

  const isInTime = ({ leasedUntil }: DeliveryRow): boolean =>
    leasedUntil !== null && toMs(leasedUntil) - deps.clock.nowMs() >= LEASE_LEFT_MS;

  async function runProject(projectId: string, dueBy: Instant): Promise<number> {
    const methods = await findConnected(deps.providers, projectId);
    if (methods.length === 0) return 0;
    const now = realNow();
    const leaseId = randomUUID();
    const claimed = await deps.database.transaction((tx) =>
      claimDeliveries(tx, projectId, {
        methods,
        dueBy,
        leaseId,
        now,
        leasedUntil: addMs(now, LEASE_MS),
        limit: CLAIMS_MAX,
      }),
    );
    const limit = createLimit(CALLS_MAX);
    const request = () => ownRequest(projectId, 'rewards', deps.newId('req'));

    async function serve(delivery: DeliveryRow): Promise<void> {
      const provider = deps.providers.find(({ method }) => method === delivery.method);
      const { rewardId } = delivery;
      if (!provider) return;
      if (!isInTime(delivery)) {
        await deps.database.transaction(async (tx) =>
          releaseLease(tx, projectId, rewardId, leaseId),
        );
        return;
      }
      const open = await deps.writer.submit(prepareHandler, request(), { rewardId, leaseId });
      // Whoever is late must send nothing: another may have gone on under another key.
      if (!open || !isInTime(open.delivery)) return;
      // What was written down before may have gone out: only what is new is sent unasked.
      const outcome = delivery.intent ? await ask(provider, open) : await send(provider, open);
      const again = await settle(open, outcome);
      if (again) await settle(again, await send(provider, again));
    }

    const settle = ({ delivery: { rewardId, attempt } }: OpenDelivery, outcome: DeliveryOutcome) =>
      deps.writer.submit(settleHandler, request(), { rewardId, leaseId, attempt, outcome });

    await Promise.all(claimed.map((one) => limit(() => serve(one).catch(onFailure))));
    return claimed.length;
  }

  return async () => {
    if (deps.providers.length === 0) return 0;
    const due = await listCutoffs(deps.database.reads, realNow(), listDueProjects);
    const limit = createLimit(PROJECTS_MAX);
    const counts = await Promise.all(
      [...due].map(([projectId, dueBy]) =>
        limit(() =>
          runProject(projectId, dueBy).catch((error: unknown) => {
            onFailure(error);
            return 0;
          }),
        ),
      ),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
}

function toOrder({ reward, delivery }: OpenDelivery): RewardOrder {
  const { intent, attempt } = delivery;
  if (!intent) throw new Error(`Nothing is to be sent for Reward ${reward.id}.`);
  const { currency, rateBps, durationMode, durationMonths } = reward;
  return {
    projectId: reward.projectId,
    rewardId: reward.id,
    attempt,
    key: `${reward.id}_${attempt}`,
    step: intent.step,
    account: intent.account,
    money: currency === null ? null : { amountMinor: intent.amountMinor, currency },
    discount:
      rateBps === null || durationMode === null ? null : { rateBps, durationMode, durationMonths },
    since: intent.intendedAt,
  };
}

const NOBODY_KNOWS: DeliveryOutcome = { state: 'unknown', isAnswered: false };

async function send(provider: RewardProvider, open: OpenDelivery): Promise<DeliveryOutcome> {
  const order = toOrder(open);
  try {
    return await (order.step === 'take_back' ? provider.takeBack(order) : provider.deliver(order));
  } catch {
    return NOBODY_KNOWS;
  }
}

async function ask(provider: RewardProvider, open: OpenDelivery): Promise<DeliveryOutcome> {
  try {
    return await provider.find(toOrder(open));
  } catch {
    return NOBODY_KNOWS;
  }
}
