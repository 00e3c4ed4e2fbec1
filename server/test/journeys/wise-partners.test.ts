import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAffiliateShop } from '../affiliate-shop.ts';
import { startService, TestClock, type TestService } from '../harness.ts';
import { WISE_ACCOUNT, WiseServer } from '../wise/server.ts';

let service: TestService;
let wise: WiseServer;
beforeAll(async () => {
  const clock = new TestClock();
  wise = await WiseServer.start(clock);
  const hosts = { sandbox: wise.url, live: wise.url };
  service = await startService({ clock, providerHosts: { wise: hosts } });
});
afterAll(async () => {
  await service.close();
  await wise.close();
});

test('a Partner is paid by its e-mail at Wise, under the name that it applied with', async () => {
  const shop = await openAffiliateShop(service, await service.newProject(), 'grace@example.com');
  const path = `/v1/workspaces/${shop.project.workspaceId}/payout-connections`;
  const body = { environment: 'sandbox', method: 'wise', wise: WISE_ACCOUNT };
  expect((await service.call('PUT', path, { as: 'operator', body })).status).toBe(200);
  service.payees.set(shop.participantId, { type: 'wise', email: 'grace@example.com' });
  await shop.signUp('bob');
  await shop.buy('bob', 'order');
  const { id } = (await shop.post('/v1/payout-batches', { method: 'wise' })).body.data;
  for (const action of ['approve', 'submit']) {
    expect((await shop.post(`/v1/payout-batches/${id}/${action}`)).status).toBe(200);
  }
  await service.runPayouts();
  expect(wise.recipients).toMatchObject([
    { type: 'email', accountHolderName: 'Grace Hopper', details: { email: 'grace@example.com' } },
  ]);
  expect(wise.transfers).toMatchObject([{ funded: 1, targetValue: 20 }]);
  const [payout] = (await shop.read('/v1/payouts', { batchId: id })).data;
  expect(payout).toMatchObject({ status: 'processing', failureReason: null });
});
