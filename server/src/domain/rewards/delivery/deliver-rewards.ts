import { randomUUID } from 'node:crypto';
import { findLastRestoreOf } from '../../../accounts/workspaces/payment-hold/restore-queries.ts';
import { findClockOffset, listCutoffs } from '../../../platform/feed/writer/project-clock.ts';
import { ownRequest } from '../../../platform/http/access/principal.ts';
import { addMs, type Instant, toInstant, toMs } from '../../../platform/kit/instant.ts';
import { createLimit } from '../../../platform/kit/limit.ts';
import { ReadThroughCache } from '../../../platform/kit/read-through-cache.ts';
import { askAccountsOf } from '../advances/adopt-credits.ts';
import type { ServiceMethod } from '../decide/states.ts';
import { afterEarlierCall, type DeliveryOutcome, type DeliveryRow } from './decide-delivery.ts';
import { makePrepareHandler, type OpenDelivery, settleHandler } from './delivery-handlers.ts';
import { claimDeliveries, listDueProjects, releaseLease } from './delivery-store.ts';
import {
  findConnected,
  LEASE_MS,
  type RewardDeliveryDeps,
  type RewardOrder,
  type RewardProvider,
} from './provider.ts';

/** Concurrent Projects. */
export const PROJECTS_MAX = 4;
const CLAIMS_MAX = 32;
/** How long it is remembered whether a Project has a provider. */
const CONNECTED_MS = 10_000;
/** Concurrent calls per Project and process: providers limit concurrency. */
const CALLS_MAX = 8;
/** A lease with less time left is released: the call could outlast it. */
const LEASE_LEFT_MS = LEASE_MS / 2;

/** Rounds of deliveries; each Project has its own. */
export interface DeliveryRounds {
  /** The Projects with due deliveries, and the due time by their clocks. */
  listDue(): Promise<ReadonlyMap<string, Instant>>;
  /** The due time by a Project's clock; undefined if no provider delivers its Rewards. */
  findDueBy(projectId: string): Promise<Instant | undefined>;
  /** Carries out some of a Project's due deliveries; returns how many Rewards were checked. */
  run(projectId: string, dueBy: Instant, stopping?: AbortSignal): Promise<number>;
}

/**
 * Any number of processes may run rounds. No call is made within a transaction: an order is
 * committed before it is sent, so that after a crash the provider is queried before the order is
 * sent again. Failures are reported to `onFailure`; nothing is thrown.
 */
export function createDeliveryRounds(
  deps: RewardDeliveryDeps,
  onFailure: (error: unknown) => void,
): DeliveryRounds {
  const prepareHandler = makePrepareHandler(deps.providers);
  const calls = makeCalls(onFailure);
  const connected = new ReadThroughCache<ServiceMethod[]>(deps.clock, CONNECTED_MS);
  const realNow = (): Instant => toInstant(deps.clock.nowMs());

  const isInTime = ({ leasedUntil }: DeliveryRow): boolean =>
    leasedUntil !== null && toMs(leasedUntil) - deps.clock.nowMs() >= LEASE_LEFT_MS;

  async function runProject(
    projectId: string,
    dueBy: Instant,
    stopping?: AbortSignal,
  ): Promise<number> {
    const methods = await findConnected(deps.providers, projectId);
    if (methods.length === 0 || stopping?.aborted) return 0;
    const restore = await findLastRestoreOf(deps.database.reads, projectId);
    if (restore?.releasedAt === null) return 0;
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
      if (!isInTime(delivery) || stopping?.aborted) {
        await deps.database.transaction(async (tx) =>
          releaseLease(tx, projectId, rewardId, leaseId),
        );
        return;
      }
      const open = await deps.writer.submit(prepareHandler, request(), { rewardId, leaseId });
      // A late process must send nothing: another one may have continued with another key.
      if (!open || !isInTime(open.delivery)) return;
      // An earlier intent may have been sent: only a new one is sent without asking first.
      const isNew = delivery.intent === null;
      const outcome = isNew
        ? await calls.send(provider, open)
        : afterEarlierCall(await calls.ask(provider, open));
      const again = await settle(open, outcome);
      // As above: a late process finds it leased to another one, or queried again.
      if (!again || !isInTime(again.delivery)) return;
      await settle(again, afterEarlierCall(await calls.send(provider, again)));
    }

    const settle = ({ delivery: { rewardId, attempt } }: OpenDelivery, outcome: DeliveryOutcome) =>
      deps.writer.submit(settleHandler, request(), { rewardId, leaseId, attempt, outcome });

    // What an account cannot be asked about stays leased until a later round.
    const onBalances = claimed.filter(({ method }) => method === 'stripe_balance');
    const waiting = restore
      ? await askAccountsOf(deps, projectId, onBalances, onFailure)
      : new Set<DeliveryRow>();
    const askable = claimed.filter((delivery) => !waiting.has(delivery));
    await Promise.all(askable.map((one) => limit(() => serve(one).catch(onFailure))));
    return claimed.length;
  }

  return {
    async listDue() {
      if (deps.providers.length === 0) return new Map();
      return listCutoffs(deps.database.reads, realNow(), listDueProjects);
    },
    async findDueBy(projectId) {
      const methods = await connected.get(projectId, () =>
        findConnected(deps.providers, projectId),
      );
      if (!methods?.length) return undefined;
      return addMs(realNow(), await findClockOffset(deps.database.reads, projectId));
    },
    run: (projectId, dueBy, stopping) =>
      runProject(projectId, dueBy, stopping).catch((error: unknown) => {
        onFailure(error);
        return 0;
      }),
  };
}

/** Carries out one round of every Project; returns how many Rewards were checked. */
export type DeliverRewards = () => Promise<number>;

export function makeDeliverRewards(
  deps: RewardDeliveryDeps,
  onFailure: (error: unknown) => void,
): DeliverRewards {
  const rounds = createDeliveryRounds(deps, onFailure);
  return async () => {
    const limit = createLimit(PROJECTS_MAX);
    const counts = await Promise.all(
      [...(await rounds.listDue())].map(([projectId, dueBy]) =>
        limit(() => rounds.run(projectId, dueBy)),
      ),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  };
}

const NOBODY_KNOWS: DeliveryOutcome = { state: 'unknown', isAnswered: false };

/** The two kinds of calls. Refusals and thrown errors are reported to `onFailure`. */
function makeCalls(onFailure: (error: unknown) => void) {
  async function call(
    order: RewardOrder,
    perform: () => Promise<DeliveryOutcome & { readonly message?: string }>,
  ): Promise<DeliveryOutcome> {
    let answer: Awaited<ReturnType<typeof perform>>;
    try {
      answer = await perform();
    } catch (error) {
      onFailure(error);
      return NOBODY_KNOWS;
    }
    if (answer.message !== undefined) {
      onFailure(new Error(`Delivery ${order.key} (${order.step}): ${answer.message}`));
    }
    return answer;
  }

  return {
    send(provider: RewardProvider, open: OpenDelivery): Promise<DeliveryOutcome> {
      const order = toOrder(open);
      return call(order, () =>
        order.step === 'take_back' ? provider.takeBack(order) : provider.deliver(order),
      );
    },
    ask(provider: RewardProvider, open: OpenDelivery): Promise<DeliveryOutcome> {
      const order = toOrder(open);
      return call(order, () => provider.find(order));
    },
  };
}

function toOrder({ reward, delivery }: OpenDelivery): RewardOrder {
  const { intent, attempt } = delivery;
  if (!intent) throw new Error(`There is nothing to send for Reward ${reward.id}.`);
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
