import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/platform/kit/instant.ts';
import { startService, TestClock, type TestService } from '../harness.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';
import { connectRoutes, platformOf } from '../stripe/connect.ts';
import { type FakeStripe, startFakeStripe } from '../stripe/fake-stripe.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

let service: TestService;
let stripe: FakeStripe;
let shop: PayoutShop;
let secretKey: string;
let sign: () => Promise<string>;
beforeAll(async () => {
  const clock = new TestClock();
  stripe = await startFakeStripe({ routes: connectRoutes, nowMs: clock.nowMs });
  service = await startService({ clock, providerHosts: { stripe: stripe.reach } });
});
beforeEach(async () => {
  shop = await openPayoutShop(service);
  service.payees.forget(shop.adaId);
  await shop.earn('order');
  const { secret } = await newWidgetSecret(service, shop.project);
  sign = makeSigner(service, shop.project, secret);
  secretKey = `sk_test_${shop.project.projectId.slice(4)}`;
});
afterAll(async () => {
  await service.close();
  await stripe.close();
});

async function connect(key = secretKey): Promise<string> {
  const path = `/v1/workspaces/${shop.project.workspaceId}/payout-connections`;
  const stripeConnect = { secretKey: key, webhookSecret: 'whsec_0123456789' };
  const body = { environment: 'sandbox', method: 'stripe_connect', stripeConnect };
  const answer = await service.call('PUT', path, { as: 'operator', body });
  expect(answer.status).toBe(200);
  return new URL(answer.body.data.webhookUrl).pathname;
}
async function widget(method: 'GET' | 'PUT', details?: object) {
  const { projectId } = shop.project;
  return service.call(method, '/v1/widget/payout-details', {
    as: 'nobody',
    headers: { authorization: `Bearer ${await sign()}` },
    ...(details ? { body: { projectId, details } } : { query: { projectId } }),
  });
}
const save = async () => (await widget('PUT', { type: 'stripe_connect' })).body;
const status = async () => (await widget('GET')).body.status;
const accounts = (key = secretKey) => [...platformOf(stripe.account(key)).connected.values()];
function finish(key = secretKey): void {
  for (const account of accounts(key)) {
    account.payouts_enabled = true;
    account.capabilities.transfers = 'active';
  }
}
/** As Stripe leads the payee back. */
async function come(way: 'refresh_url' | 'return_url'): Promise<Response> {
  const link = stripe.requests.findLast(({ path }) => path === '/v1/account_links');
  const url = new URL(String(link?.params[way]));
  expect(url.origin).toBe('https://refer.example.com');
  return fetch(`${service.url}${url.pathname}${url.search}`, { redirect: 'manual' });
}

test('an account is begun, finished at Stripe, and paid to once Stripe lets it', async () => {
  await connect();
  const begun = await save();
  expect(begun).toMatchObject({ type: 'stripe_connect', status: 'needs_update' });
  expect(begun.onboardingUrl).toContain(`https://connect.stripe.com/setup/e/${accounts()[0]?.id}/`);
  expect(accounts()[0]?.metadata).toEqual({
    projectId: shop.project.projectId,
    participantId: shop.adaId,
  });
  expect((await shop.draft({ method: 'stripe_connect' })).payouts).toEqual([]);
  // Half of it is not enough: what is sent must also reach a bank.
  for (const account of accounts()) account.capabilities.transfers = 'active';
  expect(await (await come('return_url')).text()).toContain('not ready yet');
  expect(await status()).toBe('needs_update');
  finish();
  const page = await come('return_url');
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('is ready')]);
  expect(await status()).toBe('active');
  const { payouts } = await shop.submit({ method: 'stripe_connect' });
  await service.runPayouts();
  const { transfers } = platformOf(stripe.account(secretKey));
  expect(transfers).toMatchObject([{ amount: 1_000, destination: accounts()[0]?.id }]);
  const { body } = await shop.read(`/v1/payouts/${payouts[0].id}`);
  expect(body.data).toMatchObject({ status: 'paid', providerReference: transfers[0]?.id });
});

test('Stripe tells when an account is ready, or is not any more, and is asked whether it is so', async () => {
  const path = await connect();
  await save();
  const [account] = accounts();
  const tell = async (says: boolean) => {
    const object = { id: account?.id, payouts_enabled: says };
    const event = { id: 'evt_1', object: 'event', type: 'account.updated', livemode: false };
    const payload = JSON.stringify({ ...event, account: account?.id, data: { object } });
    const signature = new Stripe('none').webhooks.generateTestHeaderString({
      payload,
      secret: 'whsec_0123456789',
      timestamp: Math.floor(service.clock.nowMs() / 1_000),
    });
    const headers = { 'stripe-signature': signature };
    const { body } = await service.call('POST', path, { as: 'nobody', body: payload, headers });
    expect(body.data).toEqual({ isAsked: true });
  };
  await tell(true);
  expect(await status()).toBe('needs_update');
  finish();
  await tell(false);
  expect(await status()).toBe('active');
  if (account) account.payouts_enabled = false;
  await tell(true);
  expect(await status()).toBe('needs_update');
});

test('begun again it is the same account with a new address, or none once it is ready', async () => {
  await connect();
  const first = await save();
  const second = await save();
  expect(second.onboardingUrl).not.toBe(first.onboardingUrl);
  service.clock.advance(2 * DAY_MS);
  stripe.forgetKeys();
  await save();
  expect(accounts()).toHaveLength(1);
  finish();
  expect(await save()).toMatchObject({ status: 'active', onboardingUrl: null });
});

test('an address of the form that is over leads to a new one, for an hour', async () => {
  await connect();
  await save();
  const page = await come('refresh_url');
  expect(page.status).toBe(302);
  expect(page.headers.get('location')).toContain('https://connect.stripe.com/setup/e/');
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  service.clock.advance(HOUR_MS);
  expect((await come('refresh_url')).status).toBe(410);
  const calls = stripe.requests.length;
  for (const token of [
    '',
    'x',
    'e30.x',
    `${Buffer.from('["prj_1","par_1",9e15]').toString('base64url')}.AAAA`,
  ]) {
    const forged = await fetch(`${service.url}/payout-onboarding/refresh?token=${token}`);
    expect(forged.status).toBe(410);
  }
  expect(stripe.requests.length).toBe(calls);
});

test('who has deleted their account gets no new one by an old link', async () => {
  await connect();
  await save();
  const link = () => come('refresh_url');
  await service.call('DELETE', `/v1/participants/${shop.adaId}`, {
    as: shop.project.key,
    query: { projectId: shop.project.projectId, force: true },
  });
  expect((await link()).status).toBe(410);
  expect(accounts()).toHaveLength(1);
});

test('another platform makes an account of its own', async () => {
  await connect();
  await save();
  finish();
  await save();
  const other = `${secretKey}2`;
  await connect(other);
  expect(await save()).toMatchObject({ status: 'cooling_down', onboardingUrl: expect.any(String) });
  expect([accounts().length, accounts(other).length]).toEqual([1, 1]);
});

test('without a connection it is refused; while Stripe does not answer it is 503, and nothing is saved', async () => {
  const refused = await widget('PUT', { type: 'stripe_connect' });
  expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'details.type']);
  await connect();
  void stripe.fault('error_before', { path: /accounts$/ });
  const broken = await widget('PUT', { type: 'stripe_connect' });
  expect(broken.status).toBe(503);
  expect((await widget('GET')).body.configured).toBe(false);
  expect(JSON.stringify(service.log)).not.toContain(secretKey);
});

test('an account that was ready and is not any more is not paid to', async () => {
  await connect();
  await save();
  finish();
  await save();
  expect(await status()).toBe('active');
  for (const one of accounts()) one.payouts_enabled = false;
  await save();
  expect(await status()).toBe('needs_update');
});
