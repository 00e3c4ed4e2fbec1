import type { Handler } from '../../../platform/feed/writer/project-write.ts';
import { findBillingIds, findErased } from '../../participants/queries.ts';
import { announceChanges } from '../change/announce-changes.ts';
import { saveRewardChanges } from '../change/queries.ts';
import type { RewardRow } from '../reward.ts';
import { type DeliveryRow, forgetErased, prepareDelivery } from './decide-delivery.ts';
import { findBusy, updateDeliveries, wakeWaiting } from './delivery-store.ts';
import type { RewardProvider } from './provider.ts';
import { type LoadedDeliveries, loadDeliveries } from './queries.ts';

const BATCH_MAX = 100;
/** The provider needs a read-modify-write for this method: never run two at once. */
const ONE_AT_A_TIME = 'stripe_coupon';

export interface PrepareCommand {
  readonly rewardId: string;
  readonly leaseId: string;
}

/** A saved intent and its Reward. */
export interface OpenDelivery {
  readonly reward: RewardRow;
  readonly delivery: DeliveryRow;
}

/**
 * Saves what is about to be sent. Returns null if there is nothing to send: it is no longer owed,
 * waits for something, or was taken over by another process.
 */
export function makePrepareHandler(
  providers: readonly RewardProvider[],
): Handler<PrepareCommand, OpenDelivery | null, LoadedDeliveries> {
  return {
    name: 'prepare_deliveries',
    batchMax: BATCH_MAX,
    repeatable: true,
    isBounded: true,
    load: loadDeliveries,
    async run(write, commands, { rewards: before, deliveries }) {
      const { tx, projectId } = write;
      const people = [...new Set(deliveries.map(({ participantId }) => participantId))];
      const [accounts, erased, busy] = await Promise.all([
        findBillingIds(tx, projectId, people),
        findErased(tx, projectId, people),
        findBusy(tx, projectId, people, ONE_AT_A_TIME),
      ]);
      const rewards = new Map(before.map((row) => [row.id, row]));
      const rows = new Map(deliveries.map((row) => [row.rewardId, row]));
      const changed: DeliveryRow[] = [];
      const revoked: RewardRow[] = [];
      const outcomes = commands.map(({ input }): { answer: OpenDelivery | null } => {
        const reward = rewards.get(input.rewardId);
        const delivery = rows.get(input.rewardId);
        if (!reward || !delivery || delivery.leaseId !== input.leaseId) return { answer: null };
        if (delivery.intent) return { answer: { reward, delivery } };
        const provider = providers.find(({ method }) => method === delivery.method);
        if (!provider) throw new Error(`Nobody delivers by ${delivery.method}.`);
        const prepared = prepareDelivery(
          reward,
          delivery,
          {
            account: accounts.get(delivery.participantId) ?? null,
            busyUntil:
              delivery.method === ONE_AT_A_TIME ? (busy.get(delivery.participantId) ?? null) : null,
            carriable: (amountMinor, currency) => provider.carriable(amountMinor, currency),
          },
          write,
        );
        rewards.set(reward.id, prepared.reward);
        changed.push(forgetErased(prepared.delivery, erased));
        if (prepared.isRevoked) revoked.push(prepared.reward);
        if (!prepared.delivery.intent) return { answer: null };
        if (delivery.method === ONE_AT_A_TIME) busy.set(delivery.participantId, write.now);
        return { answer: { reward: prepared.reward, delivery: prepared.delivery } };
      });
      saveRewardChanges(write, before, [...rewards.values()]);
      if (changed.length > 0) updateDeliveries(tx, projectId, changed);
      // Deliveries that waited for an account are woken in portions: each portion wakes the next.
      if (accounts.size > 0) wakeWaiting(tx, projectId, [...accounts.keys()], write.now);
      await announceChanges(write, 'reward.revoked', revoked);
      return outcomes;
    },
  };
}
