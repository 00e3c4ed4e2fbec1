import { afterAll, beforeAll, expect, test } from 'vitest';
import { openService, type TestService } from '../harness.ts';
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
  });
  expect((await overview(shop, { currency: 'EUR' })).payable).toEqual([]);
  await shop.draft();
  expect(await overview(shop)).toEqual({ payable: [], waiting: [], isComplete: true });
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

test('a query that is not understood is refused with its field', async () => {
  const shop = await openPayoutShop(service);
  const answer = await shop.read('/v1/payout-overview', { method: 'cheque' });
  expect([answer.status, answer.body.error.details[0].path]).toEqual([400, 'method']);
});
