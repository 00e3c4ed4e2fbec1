import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { openService, type TestService } from '../harness.ts';
import { openPayoutShop } from '../payout-shop.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const account = (iban: string) => ({
  type: 'bank',
  holderName: 'Ada Lovelace',
  country: 'GB',
  currency: 'GBP',
  iban,
});

test('what a payee saved by the widget is where the next payout goes; a change only after 24 hours', async () => {
  const shop = await openPayoutShop(service);
  service.payees.forget(shop.adaId);
  const { secret } = await newWidgetSecret(service, shop.project);
  const sign = makeSigner(service, shop.project, secret);
  const save = async (iban: string) => {
    const { status, body } = await service.call('PUT', '/v1/widget/payout-details', {
      as: 'nobody',
      headers: { authorization: `Bearer ${await sign()}` },
      body: { projectId: shop.project.projectId, details: account(iban) },
    });
    expect([status, body]).toMatchObject([200, { configured: true }]);
  };
  const exported = async () => {
    const { id, payouts } = await shop.submit();
    const { body } = await shop.read(`/v1/payout-batches/${id}/export`);
    for (const { id: payoutId } of payouts) await shop.result(payoutId, 'paid');
    return body as string;
  };
  const [first = ''] = await shop.earn('1');
  expect((await shop.draft()).payouts).toEqual([]);
  await save('GB33BUKB20201555555555');
  expect(await exported()).toContain('GB33BUKB20201555555555');
  expect(await shop.reward(first)).toMatchObject({ fulfillmentStatus: 'fulfilled' });
  await save('GB94BARC10201530093459');
  await shop.earn('2');
  expect(await exported()).toContain('GB33BUKB20201555555555');
  service.clock.advance(DAY_MS);
  await shop.earn('3');
  expect(await exported()).toContain('GB94BARC10201530093459');
});
