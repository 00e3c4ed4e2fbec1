import type { Tx } from '../../../platform/db/database.ts';
import type { Command, Handler } from '../../../platform/feed/writer/project-write.ts';
import { addMs } from '../../../platform/kit/instant.ts';
import { findBillingIds, findErased } from '../../participants/queries.ts';
import { listLeft, updateLeft } from '../advances/advance-store.ts';
import { useAdvances } from '../advances/decide-adoption.ts';
import { announceChanges, saveRewardChanges } from '../change/save-rewards.ts';
import type { RewardRow } from '../reward.ts';
import { listRewardsById } from '../store.ts';
import {
  type DeliveryLine,
  type DeliveryOutcome,
  type DeliveryRow,
  forgetErased,
  prepareDelivery,
  settleDelivery,
} from './decide-delivery.ts';
import {
  findBusy,
  insertLines,
  listDeliveries,
  updateDeliveries,
  wakeWaiting,
} from './delivery-store.ts';
import { LEASE_MS, type RewardProvider } from './provider.ts';

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
      const fulfilled: RewardRow[] = [];
      const lines: DeliveryLine[] = [];
      // A correction goes to the account that was credited, whichever they have now.
      const theirs = [...accounts.values(), ...deliveries.flatMap(({ account }) => account ?? [])];
      let advances = await listLeft(tx, projectId, [...new Set(theirs)]);
      const outcomes = commands.map(({ input }): { answer: OpenDelivery | null } => {
        const reward = rewards.get(input.rewardId);
        const delivery = rows.get(input.rewardId);
        if (!reward || !delivery || delivery.leaseId !== input.leaseId) return { answer: null };
        if (delivery.intent) return { answer: { reward, delivery } };
        const provider = providers.find(({ method }) => method === delivery.method);
        if (!provider)
          throw new Error(`There is no provider for the delivery method ${delivery.method}.`);
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
        const netted = useAdvances(prepared, advances, write);
        if (netted) {
          rewards.set(reward.id, netted.reward);
          changed.push(forgetErased(netted.delivery, erased));
          lines.push(netted.line);
          if (netted.news === 'reward.fulfilled') fulfilled.push(netted.reward);
          for (const [reference, left] of netted.left) updateLeft(tx, projectId, reference, left);
          advances = advances.map((one) => ({
            ...one,
            leftMinor: netted.left.get(one.reference) ?? one.leftMinor,
          }));
          return { answer: null };
        }
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
      if (lines.length > 0) insertLines(tx, projectId, lines);
      await announceChanges(write, 'reward.fulfilled', fulfilled);
      await announceChanges(write, 'reward.revoked', revoked);
      return outcomes;
    },
  };
}

export interface SettleCommand {
  readonly rewardId: string;
  readonly leaseId: string;
  /** Attempt of the intent that was carried out, or not. */
  readonly attempt: number;
  readonly outcome: DeliveryOutcome;
}

/**
 * Records the outcome of a call. Returns an order to send again with the same key, mostly null.
 * "Done" is accepted from any process; "not done" only from the leaseholder, because another
 * process may be doing it.
 */
export const settleHandler: Handler<SettleCommand, OpenDelivery | null, LoadedDeliveries> = {
  name: 'settle_deliveries',
  batchMax: BATCH_MAX,
  repeatable: true,
  isBounded: true,
  load: loadDeliveries,
  async run(write, commands, { rewards: before, deliveries }) {
    const { tx, projectId, realNow } = write;
    const erased = await findErased(tx, projectId, [
      ...new Set(deliveries.map(({ participantId }) => participantId)),
    ]);
    const rewards = new Map(before.map((row) => [row.id, row]));
    const rows = new Map(deliveries.map((row) => [row.rewardId, row]));
    const changed = new Map<string, DeliveryRow>();
    const lines: DeliveryLine[] = [];
    const news = { 'reward.fulfilled': [] as RewardRow[], 'reward.revoked': [] as RewardRow[] };
    const outcomes = commands.map(({ input }): { answer: OpenDelivery | null } => {
      const reward = rewards.get(input.rewardId);
      const delivery = rows.get(input.rewardId);
      if (!reward || !delivery?.intent || delivery.attempt !== input.attempt) {
        return { answer: null };
      }
      const isOurs = delivery.leaseId === input.leaseId;
      if (!isOurs && input.outcome.state !== 'delivered') return { answer: null };
      const settled = settleDelivery(reward, delivery, input.outcome, write);
      const after = settled.resends
        ? { ...settled.delivery, leasedUntil: addMs(realNow, LEASE_MS) }
        : forgetErased(settled.delivery, erased, input.outcome);
      rewards.set(reward.id, settled.reward);
      rows.set(reward.id, after);
      changed.set(reward.id, after);
      if (settled.line) lines.push(settled.line);
      if (settled.news) news[settled.news].push(settled.reward);
      return { answer: settled.resends ? { reward: settled.reward, delivery: after } : null };
    });
    saveRewardChanges(write, before, [...rewards.values()]);
    if (changed.size > 0) updateDeliveries(tx, projectId, [...changed.values()]);
    if (lines.length > 0) insertLines(tx, projectId, lines);
    await announceChanges(write, 'reward.fulfilled', news['reward.fulfilled']);
    await announceChanges(write, 'reward.revoked', news['reward.revoked']);
    return outcomes;
  },
};

export interface LoadedDeliveries {
  readonly rewards: RewardRow[];
  readonly deliveries: DeliveryRow[];
}

/** The Rewards of these commands, with the progress of their delivery. */
async function loadDeliveries(
  tx: Tx,
  projectId: string,
  commands: readonly Command<{ readonly rewardId: string }>[],
): Promise<LoadedDeliveries> {
  const ids = [...new Set(commands.map(({ input }) => input.rewardId))];
  const [rewards, deliveries] = await Promise.all([
    listRewardsById(tx, projectId, ids),
    listDeliveries(tx, projectId, ids),
  ]);
  return { rewards, deliveries };
}
