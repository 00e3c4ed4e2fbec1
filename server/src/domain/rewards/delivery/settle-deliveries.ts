import type { Handler } from '../../../platform/feed/writer/project-write.ts';
import { addMs } from '../../../platform/kit/instant.ts';
import { findErased } from '../../participants/queries.ts';
import { announceChanges } from '../change/announce-changes.ts';
import { saveRewardChanges } from '../change/queries.ts';
import type { RewardRow } from '../reward.ts';
import {
  type DeliveryLine,
  type DeliveryOutcome,
  type DeliveryRow,
  forgetErased,
  settleDelivery,
} from './decide-delivery.ts';
import { LEASE_MS } from './delivery-deps.ts';
import { insertLines, updateDeliveries } from './delivery-store.ts';
import type { OpenDelivery } from './prepare-deliveries.ts';
import { type LoadedDeliveries, loadDeliveries } from './queries.ts';

const BATCH_MAX = 100;

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
