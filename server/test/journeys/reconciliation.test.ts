import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../harness.ts';
import { MemoryProvider } from '../memory-provider.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';

const PATH = '/v1/reconciliation';
let provider: MemoryProvider;
let service: TestService;
let shop: PayoutShop;
beforeAll(async () => {
  provider = new MemoryProvider();
  service = await startService({ payoutProviders: [provider] });
});
beforeEach(async () => {
  shop = await openPayoutShop(service);
  service.payees.set(shop.adaId, provider.details);
});
afterAll(() => service.close());

/** Sends one payout, and tells its id and what the provider knows it by. */
async function send(order: string): Promise<{ id: string; key: string }> {
  await shop.earn(order);
  const { payouts } = await shop.submit({ method: 'paypal' });
  await service.runPayouts();
  const id = payouts[0].id as string;
  return { id, key: `${id}_1` };
}
const settle = async (key: string, to: 'paid' | 'failed' | 'returned') => {
  await provider.move(key, to);
  service.clock.advance(86_400_000);
  await service.runPayouts();
};
const reconcile = async (query: Record<string, string> = {}) => {
  const { status, body } = await shop.read(PATH, query);
  expect([status, body]).toMatchObject([200, { success: true }]);
  return body;
};
const item = (
  id: string,
  believedMinor: string,
  reportedMinor: string | null,
  verdict: string,
) => ({
  method: 'paypal',
  subject: 'payout',
  id,
  currency: 'USD',
  believedMinor,
  reportedMinor,
  driftMinor: reportedMinor === null ? null : String(Number(reportedMinor) - Number(believedMinor)),
  verdict,
});

describe('payouts through a provider', () => {
  test('are even while both say the same', async () => {
    const paid = await send('paid');
    await settle(paid.key, 'paid');
    const failed = await send('failed');
    await settle(failed.key, 'failed');
    const underway = await send('underway');
    expect(await reconcile()).toEqual({
      success: true,
      totals: [
        {
          method: 'paypal',
          currency: 'USD',
          compared: 3,
          differing: 0,
          unanswered: 0,
          believedMinor: '1000',
          reportedMinor: '1000',
          driftMinor: '0',
        },
      ],
      data: [
        item(underway.id, '0', '0', 'even'),
        item(failed.id, '0', '0', 'even'),
        item(paid.id, '1000', '1000', 'even'),
      ],
      nextCursor: null,
    });
  });

  test('differ while news of the provider has not come, either way', async () => {
    const early = await send('early');
    await provider.move(early.key, 'paid');
    expect((await reconcile()).data).toEqual([item(early.id, '0', '1000', 'differs')]);
    await settle(early.key, 'paid');
    expect((await reconcile()).data).toEqual([item(early.id, '1000', '1000', 'even')]);
    await provider.move(early.key, 'returned');
    const { data, totals } = await reconcile();
    expect(data).toEqual([item(early.id, '1000', '0', 'differs')]);
    expect(totals).toMatchObject([{ differing: 1, driftMinor: '-1000' }]);
  });

  test('that nobody can be asked about are unanswered, and count in no sum', async () => {
    const { id, key } = await send('order');
    await settle(key, 'paid');
    await service.database.transaction((tx) =>
      tx.query(`update payouts set connection_id = 'another' where id = $1`, [id]),
    );
    const { data, totals } = await reconcile();
    expect(data).toEqual([item(id, '1000', null, 'unanswered')]);
    expect(totals).toMatchObject([
      { compared: 1, unanswered: 1, believedMinor: '0', reportedMinor: '0', driftMinor: '0' },
    ]);
  });

  test('come page by page, newest first, those of this Project alone', async () => {
    const ids: string[] = [];
    for (const order of ['1', '2', '3']) ids.unshift((await send(order)).id);
    const first = await reconcile({ limit: '2' });
    const second = await reconcile({ limit: '2', cursor: first.nextCursor });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();
    shop = await openPayoutShop(service);
    expect(await reconcile()).toMatchObject({ data: [], totals: [], nextCursor: null });
  });
});

test('drafts and exports have no provider to ask', async () => {
  await shop.earn('1');
  service.payees.set(shop.adaId);
  const { payouts } = await shop.submit();
  await shop.result(payouts[0].id, 'paid');
  await shop.earn('2');
  await shop.draft();
  expect((await reconcile()).data).toEqual([]);
});

test('what is no cursor of this list is refused', async () => {
  for (const text of [
    'x',
    'reconciliation others 1',
    'reconciliation payouts',
    'reconciliation payouts x',
    'reconciliation payouts 1e3',
    'reconciliation payouts -1',
  ]) {
    const cursor = Buffer.from(text).toString('base64url');
    expect(await shop.read(PATH, { cursor })).toMatchObject({ status: 400 });
  }
});
