import { expect } from 'vitest';
import type { Answer, TestService } from './harness.ts';
import { openShop, type Shop } from './shop.ts';

/** A shop whose cash is paid out by the service: ada earns 5 dollars by each purchase of bob's. */
export interface PayoutShop extends Shop {
  readonly adaId: string;
  /** Buys so often, and returns the ids of the Rewards. */
  earn(...orders: string[]): Promise<string[]>;
  /** Refunds this much of an order of 10 dollars; the whole unless told. */
  refund(order: string, amountMinor?: string): Promise<void>;
  restore(order: string): Promise<void>;
  voidReward(rewardId: string): Promise<void>;
  /** The least that one transfer of dollars pays, in the whole Workspace. */
  setMinimum(amountMinor: string): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  reward(rewardId: string): Promise<any>;
  draft(more?: object): Promise<Batch>;
  /** Makes a batch and approves it. */
  approve(more?: object): Promise<Batch>;
  /** Makes a batch, approves and submits it. */
  submit(more?: object): Promise<Batch>;
  act(batchId: string, action: 'approve' | 'submit' | 'cancel'): Promise<Answer>;
  result(payoutId: string, outcome: string, more?: object): Promise<Answer>;
}

/** With the payouts that the shop has in it. */
interface Batch {
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly payouts: any[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly shown: any;
}

export async function openPayoutShop(
  service: TestService,
  { cashMinor = '1000', holdDays = 0 }: { cashMinor?: string; holdDays?: number } = {},
): Promise<PayoutShop> {
  const shop = await openShop(service);
  await shop.addRule({
    benefitKind: 'cash',
    calculation: 'fixed',
    fixedAmountMinor: cashMinor,
    currency: 'USD',
    currencyExponent: 2,
  });
  await shop.setDelivery({ cashMethod: 'payout', holdDays });
  const { body } = await shop.read('/v1/participants', { externalId: 'ada' });
  const adaId = body.data[0].id as string;
  service.payees.set(adaId);
  const ok = (answer: Answer): Answer => {
    expect([answer.status, answer.body]).toMatchObject([200, {}]);
    return answer;
  };
  const sources = await shop.read('/v1/sources');
  const sourceNamespaceId = sources.body.data[0].id as string;
  const adjust = async (body: object) => {
    const common = { currency: 'USD', currencyExponent: 2, occurredAt: service.clock.now };
    ok(await shop.post('/v1/track/adjustments', { sourceNamespaceId, ...common, ...body }));
  };
  const show = async (shown: Batch['shown']): Promise<Batch> => {
    const list = ok(await shop.read('/v1/payouts', { batchId: shown.id, limit: '100' }));
    return { id: shown.id, shown, payouts: list.body.data };
  };
  const act = (batchId: string, action: string) =>
    shop.post(`/v1/payout-batches/${batchId}/${action}`);
  const draft = async (more: object = {}) =>
    ok(await shop.post('/v1/payout-batches', { method: 'manual_export', ...more })).body.data;
  const approve = async (more: object = {}) => {
    const { id } = await draft(more);
    return ok(await act(id, 'approve')).body.data;
  };
  return {
    ...shop,
    adaId,
    async earn(...orders) {
      const ids: string[] = [];
      for (const order of orders) ids.push((await shop.buy(order)).cash as string);
      return ids;
    },
    refund: (order, amountMinor = '1000') =>
      adjust({
        sourceEventId: `refund of ${order}`,
        purchase: { sourceEventId: order },
        kind: 'refund',
        amountMinor,
      }),
    restore: (order) =>
      adjust({
        sourceEventId: `restoration of ${order}`,
        purchase: { sourceEventId: order },
        kind: 'restoration',
        restores: `refund of ${order}`,
        amountMinor: '1000',
      }),
    async voidReward(rewardId) {
      ok(await shop.post(`/v1/rewards/${rewardId}/void`, { reasonCode: 'fraud' }));
    },
    async setMinimum(amountMinor) {
      const path = `/v1/workspaces/${shop.project.workspaceId}/payout-settings`;
      const body = { minimums: { USD: amountMinor } };
      ok(await service.call('PUT', path, { as: 'operator', body }));
    },
    reward: async (rewardId) => ok(await shop.read(`/v1/rewards/${rewardId}`)).body,
    draft: async (more) => show(await draft(more)),
    approve: async (more) => show(await approve(more)),
    async submit(more) {
      const { id } = await approve(more);
      return show(ok(await act(id, 'submit')).body.data);
    },
    act,
    result: (payoutId, outcome, more = {}) =>
      shop.post(`/v1/payouts/${payoutId}/result`, { outcome, ...more }),
  };
}
