import { afterAll, beforeAll, expect, test } from 'vitest';
import { findProjectRef } from '../../src/accounts/workspaces/queries.ts';
import { showOverview } from '../../src/outbound/payouts/overview/show-overview.ts';
import type { ProjectRef } from '../../src/platform/http/access/principal.ts';
import { openService, type TestService } from '../harness.ts';
import { copyAda, copyReward } from '../many-rewards.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

async function overview(shop: PayoutShop, query: Record<string, string> = {}) {
  const answer = await shop.read('/v1/payout-overview', query);
  expect(answer.status).toBe(200);
  return answer.body.data;
}
const usd = (amountMinor: string) => [
  { currency: 'USD', currencyExponent: 2, amountMinor, peopleCount: 1 },
];

test('what can be paid is payable until a draft has it, and nothing waits', async () => {
  const shop = await openPayoutShop(service);
  await shop.earn('1', '2');
  expect(await overview(shop)).toEqual({
    payable: usd('2000'),
    waiting: [],
    isComplete: true,
    rewardsMax: 100_000,
  });
  expect((await overview(shop, { currency: 'EUR' })).payable).toEqual([]);
  await shop.draft();
  expect(await overview(shop)).toMatchObject({ payable: [], waiting: [], isComplete: true });
});

test('what is held says until when', async () => {
  const shop = await openPayoutShop(service, { holdDays: 14 });
  await shop.earn('1');
  const { payable, waiting } = await overview(shop);
  expect(payable).toEqual([]);
  expect(waiting).toMatchObject([
    {
      reason: 'on_hold',
      sums: usd('1000'),
      nextAt: new Date(service.clock.nowMs() + 14 * 86_400_000).toISOString(),
      people: [{ participantId: shop.adaId, amountMinor: '1000' }],
    },
  ]);
});

test('cash that the product pays is named as that', async () => {
  const shop = await openPayoutShop(service);
  await shop.setDelivery({ cashMethod: 'operator' });
  await shop.earn('1');
  await shop.setDelivery({ cashMethod: 'payout' });
  await shop.earn('2');
  const { payable, waiting } = await overview(shop);
  expect(payable).toEqual(usd('1000'));
  expect(waiting).toMatchObject([{ reason: 'other_delivery_method', sums: usd('1000') }]);
});

test('a draft leaves out who has no details, or too little, and the overview says so', async () => {
  const shop = await openPayoutShop(service);
  await shop.earn('1');
  service.payees.forget(shop.adaId);
  expect((await shop.draft()).payouts).toEqual([]);
  const reasons = async (query = {}) =>
    (await overview(shop, query)).waiting.map(({ reason }: { reason: string }) => reason);
  expect(await reasons()).toEqual(['awaiting_payout_details']);
  service.payees.set(shop.adaId);
  await shop.setMinimum('5000');
  expect(await reasons()).toEqual(['below_minimum']);
  await shop.setMinimum('0');
  expect(await reasons()).toEqual([]);
  // Nobody is paid by a method that their details are not for.
  expect(await reasons({ method: 'stripe_connect' })).toEqual(['account_not_connected']);
});

test('somebody who was paid too much has a debt, until they have earned it', async () => {
  const shop = await openPayoutShop(service);
  const [paid] = await shop.earn('1');
  const { payouts } = await shop.submit();
  await shop.result(payouts[0].id, 'paid');
  await shop.voidReward(paid as string);
  const { payable, waiting } = await overview(shop);
  expect(payable).toEqual([]);
  expect(waiting).toMatchObject([
    {
      reason: 'debt',
      sums: usd('-1000'),
      people: [{ participantId: shop.adaId, amountMinor: '-1000' }],
    },
  ]);
  await shop.earn('2');
  expect((await overview(shop)).waiting).toMatchObject([
    { reason: 'below_minimum', sums: usd('0') },
  ]);
  await shop.earn('3');
  expect(await overview(shop)).toMatchObject({ payable: usd('1000'), waiting: [] });
});

test('more rewards than fit in one page of anything are summed exactly', async () => {
  const shop = await openPayoutShop(service);
  await copyAda(service, shop, 9);
  // Every tenth is ada's own, the others are of nine people without payout details.
  await copyReward(
    service,
    shop,
    12_000,
    `beneficiary_participant_id || case n % 10 when 0 then '' else '_' || n % 10 end`,
  );
  const { payable, waiting, isComplete } = await overview(shop);
  expect(isComplete).toBe(true);
  expect(payable).toEqual(usd(String(1_201 * 1_000)));
  expect(waiting).toMatchObject([
    { reason: 'awaiting_payout_details', peopleCount: 9, sums: [{ amountMinor: '10800000' }] },
  ]);
});

test('what is beyond the limit is left out, and the answer says so', async () => {
  const shop = await openPayoutShop(service);
  await shop.earn('1', '2', '3');
  const { projectId } = shop.project;
  const project = (await findProjectRef(service.database.reads, projectId)) as ProjectRef;
  const show = (rewardsMax: number) => showOverview(service.payoutDeps, project, {}, rewardsMax);
  expect(await show(3)).toMatchObject({ payable: usd('3000'), isComplete: true, rewardsMax: 3 });
  expect(await show(2)).toMatchObject({ isComplete: false, rewardsMax: 2 });

  await shop.setDelivery({ cashMethod: 'manual' });
  await shop.earn('4', '5', '6', '7');
  expect((await show(4)).isComplete).toBe(true);
  expect((await show(3)).isComplete).toBe(false);
});

test('a query that is not understood is refused with its field', async () => {
  const shop = await openPayoutShop(service);
  const answer = await shop.read('/v1/payout-overview', { method: 'cheque' });
  expect([answer.status, answer.body.error.details[0].path]).toEqual([400, 'method']);
});
