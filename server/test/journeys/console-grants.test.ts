import { afterAll, beforeAll, expect, test } from 'vitest';
import { setUpConsole } from '../console-browser.ts';
import { startService, type TestService } from '../harness.ts';
import { openShop } from '../shop.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ settings: { requiresTotp: false } });
});
afterAll(() => service.close());

test('a Reward tells whether a person in the console or a backend recorded its grant (D-RWD-6)', async () => {
  const shop = await openShop(service);
  const { projectId } = shop.project;
  const { browser } = await setUpConsole(service);
  const terms = { benefitKind: 'credit', calculation: 'fixed', fixedAmountMinor: '500' };
  await shop.addRule({ ...terms, currency: 'USD', currencyExponent: 2 });
  const { credit: byPerson = '' } = await shop.buy('one');
  const { credit: byBackend = '' } = await shop.buy('two');

  const grant = { projectId, externalReference: 'ledger-1' };
  const granted = await browser.post(`/v1/rewards/${byPerson}/fulfillment`, grant);
  expect(granted.body.fulfillment).toMatchObject({ actor: 'console' });
  const other = await shop.post(`/v1/rewards/${byBackend}/fulfillment`, grant);
  expect(other.body.fulfillment).toMatchObject({ actor: 'api' });

  await shop.post(`/v1/rewards/${byPerson}/void`, { reasonCode: 'error' });
  const revoked = await browser.post(`/v1/rewards/${byPerson}/revocation`, grant);
  expect(revoked.body.revocation).toMatchObject({ actor: 'console' });
});
