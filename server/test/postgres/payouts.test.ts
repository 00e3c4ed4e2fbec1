import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PayoutDeps } from '../../src/outbound/payouts/payout-deps.ts';
import { resumeBatches, runPayoutsOnce } from '../../src/outbound/payouts/worker.ts';
import { queueDeliveries } from '../../src/outbound/webhooks/queue/queue-deliveries.ts';
import { createProjectWriter } from '../../src/platform/feed/writer/writer.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { startService, type TestService } from '../harness.ts';
import { copyAda, copyReward, expectPayoutRules, paidOf } from '../many-rewards.ts';
import { MemoryProvider } from '../memory-provider.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';
import { rounds } from '../rounds.ts';

let service: TestService;
let provider: MemoryProvider;
beforeAll(async () => {
  provider = new MemoryProvider();
  service = await startService({ payoutProviders: [provider] });
});
afterAll(() => service.close());

/** What another process would work with: only the database is the same. */
function anotherProcess(): PayoutDeps {
  const { database, clock, payoutDeps } = service;
  const newId = makeNewId(clock.nowMs);
  const writer = createProjectWriter({
    fanOut: queueDeliveries,
    database,
    clock,
    newId,
    queueMax: 1_000,
  });
  return { ...payoutDeps, newId, writer };
}

const fail = (error: unknown) => {
  throw error;
};
const linesOf = (projectId: string) =>
  service.database.reads.query<{ reward_id: string; payout_id: string; state: string }>(
    'select reward_id, payout_id, state from payout_lines where project_id = $1',
    [projectId],
  );

async function expectSound(shop: PayoutShop): Promise<void> {
  const { kept } = await verifyProject(service.database, shop.project.projectId);
  expect(kept).toEqual([]);
}

describe('at the same time', () => {
  test('ten batches reserve every Reward once', async () => {
    const shop = await openPayoutShop(service);
    await shop.earn(...Array.from({ length: 30 }, (_, index) => `order ${index}`));
    const made = await Promise.all(Array.from({ length: 10 }, () => shop.draft()));
    const lines = await linesOf(shop.project.projectId);
    expect(lines).toHaveLength(30);
    expect(new Set(lines.map((line) => line.reward_id)).size).toBe(30);
    const total = made.flatMap(({ payouts }) => payouts).map((one) => Number(one.amountMinor));
    expect(total.reduce((sum, amount) => sum + amount, 0)).toBe(30_000);
    await expectSound(shop);
  });

  test('two processes go on with the same half-made batch, and it is made once', async () => {
    const shop = await openPayoutShop(service);
    await shop.earn('1', '2', '3');
    const { id } = await shop.approve({ method: 'manual_export' });
    await service.database.reads.query(
      `update payout_batches set status = 'submitting' where id = $1`,
      [id],
    );
    service.clock.advance(60_000);
    await Promise.all([
      resumeBatches(anotherProcess(), fail),
      resumeBatches(anotherProcess(), fail),
    ]);
    const { body } = await shop.read(`/v1/payout-batches/${id}`);
    expect(body.data.status).toBe('submitted');
    await expectSound(shop);
  });

  test('of an approval and a cancellation both leave a whole batch', async () => {
    const shop = await openPayoutShop(service);
    await shop.earn('1', '2');
    const { id } = await shop.draft();
    const answers = await Promise.all([shop.act(id, 'approve'), shop.act(id, 'cancel')]);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const { body } = await shop.read(`/v1/payout-batches/${id}`);
    expect(['approved', 'cancelled']).toContain(body.data.status);
    await expectSound(shop);
  });

  test('of two results that differ one counts, and the other is refused or a repeat', async () => {
    const shop = await openPayoutShop(service);
    await shop.earn('1');
    const po = (await shop.submit()).payouts[0].id;
    const answers = await Promise.all([
      shop.result(po, 'paid'),
      shop.result(po, 'failed'),
      shop.result(po, 'paid'),
      shop.result(po, 'failed'),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409]);
    const told = (await shop.feed()).filter(({ type }) => type.startsWith('payout.'));
    expect(told).toHaveLength(1);
    await expectSound(shop);
  });

  test('four workers order each transfer once, and each outcome is told once', async () => {
    const shops: PayoutShop[] = [];
    for (let count = 0; count < 6; count += 1) {
      const shop = await openPayoutShop(service);
      service.payees.set(shop.adaId, provider.details);
      await shop.earn('1', '2');
      await shop.submit({ method: 'paypal' });
      shops.push(shop);
    }
    const orders: string[] = [];
    const counting = {
      method: provider.method,
      connectionId: provider.connectionId,
      report: provider.report.bind(provider),
      find: provider.find.bind(provider),
      submit: (order: Parameters<MemoryProvider['submit']>[0]) => {
        orders.push(order.key);
        return provider.submit(order);
      },
    } as const;
    const workers = Array.from({ length: 4 }, () => ({
      ...anotherProcess(),
      findProvider: async () => counting,
    }));
    const runAll = () => Promise.all(workers.map((deps) => runPayoutsOnce(deps, fail)));
    await runAll();
    expect(orders).toHaveLength(6);
    expect(new Set(orders).size).toBe(6);
    for (const { key } of await provider.transfers()) await provider.move(key, 'paid');
    service.clock.advance(5 * 60_000);
    await runAll();
    for (const shop of shops) {
      const told = (await shop.feed()).filter(({ type }) => /^payout|fulfilled/.test(type));
      expect(told.map(({ type }) => type)).toEqual([
        'reward.fulfilled',
        'reward.fulfilled',
        'payout.paid',
      ]);
      await expectSound(shop);
    }
    expect(orders).toHaveLength(6);
  });
});

/** Each of 10 dollars. */
const LINES = rounds(500, 10_000);

describe(`${LINES} lines`, () => {
  test('of one payee: one payout, in slices that others get in between', {
    timeout: 300_000,
  }, async () => {
    const shop = await openPayoutShop(service);
    await copyReward(service, shop, LINES - 1, 'beneficiary_participant_id');
    const { payouts } = await shop.submit();
    expect(payouts[0]).toMatchObject({ amountMinor: String(LINES * 1_000) });
    expect(payouts[0].rewards).toHaveLength(LINES);
    await expectPayoutRules(service, shop);
    const slices = countSlices(shop);
    await shop.result(payouts[0].id, 'paid');
    expect(await slices()).toBeGreaterThanOrEqual(LINES / 500);
    expect(await paidOf(service, shop)).toEqual({
      paid: BigInt(LINES * 1_000),
      rewards: BigInt(LINES),
    });
    await expectPayoutRules(service, shop);
    await shop.result(payouts[0].id, 'returned');
    await expectPayoutRules(service, shop);
    expect((await shop.draft()).payouts[0].amountMinor).toBe(String(LINES * 1_000));
  });

  test('of as many payees: a payout each', { timeout: 300_000 }, async () => {
    const shop = await openPayoutShop(service);
    await copyAda(service, shop, LINES - 1);
    for (let n = 1; n < LINES; n += 1) service.payees.set(`${shop.adaId}_${n}`);
    await copyReward(service, shop, LINES - 1, `beneficiary_participant_id || '_' || n`);
    const { id, shown } = await shop.approve();
    expect(shown.totals).toEqual([
      {
        currency: 'USD',
        currencyExponent: 2,
        amountMinor: String(LINES * 1_000),
        payoutCount: LINES,
      },
    ]);
    const csv = await shop.read(`/v1/payout-batches/${id}/export`);
    expect(csv.body.split('\r\n')).toHaveLength(LINES + 2);
    await expectPayoutRules(service, shop);
    const cancelled = await shop.act(id, 'cancel');
    expect(cancelled.body.data.status).toBe('cancelled');
    await expectPayoutRules(service, shop);
    expect((await shop.draft()).shown.totals[0].payoutCount).toBe(LINES);
  });

  /** How many transactions wrote lines of this Project since. */
  function countSlices({ project }: PayoutShop): () => Promise<number> {
    const count = async () => {
      const [row] = await service.database.reads.query<{ slices: bigint }>(
        'select count(distinct xmin::text) as slices from payout_lines where project_id = $1',
        [project.projectId],
      );
      return Number(row?.slices ?? 0n);
    };
    return count;
  }
});
