import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runPayoutsOnce } from '../../src/outbound/payouts/worker.ts';
import { startService, type TestService } from '../harness.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';
import { PAYPAL_APP, PaypalServer } from '../paypal/server.ts';
import { connectRoutes } from '../stripe/connect.ts';
import { type FakeStripe, startFakeStripe } from '../stripe/fake-stripe.ts';

let service: TestService;
let paypal: PaypalServer;
let stripe: FakeStripe;
beforeAll(async () => {
  stripe = await startFakeStripe({ routes: connectRoutes });
  paypal = await PaypalServer.start();
  const hosts = { sandbox: paypal.url, live: 'http://127.0.0.1:1' };
  service = await startService({ providerHosts: { paypal: hosts, stripe: stripe.reach } });
});
afterAll(async () => {
  await service.close();
  await Promise.all([paypal.close(), stripe.close()]);
});

const PAYPAL = { environment: 'sandbox', method: 'paypal', paypal: PAYPAL_APP };
const pathOf = (workspaceId: string) => `/v1/workspaces/${workspaceId}/payout-connections`;
const put = (workspaceId: string, body: object) =>
  service.call('PUT', pathOf(workspaceId), { as: 'operator', body });
const list = async (workspaceId: string) =>
  (await service.call('GET', pathOf(workspaceId), { as: 'operator' })).body.data;
const remove = (workspaceId: string, id: string) =>
  service.call('DELETE', `${pathOf(workspaceId)}/${id}`, { as: 'operator' });
const audit = async (workspaceId: string) =>
  (await service.call('GET', '/v1/audit-log', { as: 'operator', query: { workspaceId } })).body
    .data;

/** A shop whose ada is paid by PayPal. */
async function openPaypalShop(): Promise<PayoutShop> {
  const shop = await openPayoutShop(service);
  service.payees.set(shop.adaId, { type: 'paypal', email: 'ada@example.com' });
  await shop.earn('order');
  return shop;
}

describe('connecting an account', () => {
  test('keeps its secrets from every eye: sealed, shown by four letters, audited without', async () => {
    const { workspaceId } = await service.newProject();
    const { body } = await put(workspaceId, {
      ...PAYPAL,
      paypal: { ...PAYPAL_APP, webhookId: 'WH-1' },
    });
    expect(body.data).toEqual({
      id: expect.stringMatching(/^pcn_[0-9a-z]{26}$/),
      workspaceId,
      environment: 'sandbox',
      method: 'paypal',
      last4: PAYPAL_APP.clientSecret.slice(-4),
      webhookUrl: `https://refer.example.com/v1/integrations/paypal/${workspaceId}/${body.data.id}`,
      checksWebhooks: true,
      createdAt: service.clock.now,
      updatedAt: service.clock.now,
    });
    expect(await list(workspaceId)).toEqual([body.data]);
    const path = `${pathOf(workspaceId)}/${body.data.id}`;
    expect((await service.call('GET', path, { as: 'operator' })).body.data).toEqual(body.data);
    const rows = await service.database.reads.query('select * from payout_connections');
    const seen = JSON.stringify([rows, await audit(workspaceId), service.log, body]);
    expect(seen).not.toContain(PAYPAL_APP.clientSecret);
    expect(seen).not.toContain(PAYPAL_APP.clientId);
    const [entry] = await audit(workspaceId);
    expect(entry).toMatchObject({ action: 'payout_connection.create', targetId: body.data.id });
  });

  test('again with renewed secrets changes it; another account takes its place', async () => {
    const { workspaceId } = await service.newProject();
    const first = (await put(workspaceId, PAYPAL)).body.data;
    service.clock.advance(1_000);
    const renewed = { ...PAYPAL_APP, clientSecret: 'renewed-secret-9876' };
    const second = (await put(workspaceId, { ...PAYPAL, paypal: renewed })).body.data;
    expect(second).toMatchObject({ id: first.id, last4: '9876', createdAt: first.createdAt });
    const other = { ...PAYPAL_APP, clientId: 'paypal-client-2' };
    const third = (await put(workspaceId, { ...PAYPAL, paypal: other })).body.data;
    expect(third.id).not.toBe(first.id);
    expect(await list(workspaceId)).toEqual([third]);
    const actions = (await audit(workspaceId)).map((one: { action: string }) => one.action);
    expect(actions.slice(0, 3)).toEqual([
      'payout_connection.create',
      'payout_connection.change',
      'payout_connection.create',
    ]);
    // Connected again, an account is the one that it was.
    expect((await put(workspaceId, PAYPAL)).body.data.id).toBe(first.id);
  });

  const STRIPE = { environment: 'sandbox', method: 'stripe_connect' };
  const putKey = (workspaceId: string, secretKey: string) =>
    put(workspaceId, { ...STRIPE, stripeConnect: { secretKey } });

  test('a rolled key of Stripe opens the account that it was; the key of another does not', async () => {
    const { workspaceId } = await service.newProject();
    const first = (await putKey(workspaceId, 'sk_test_before_1111')).body.data;
    stripe.rollKey('sk_test_before_1111', 'rk_test_after_2222');
    const rolled = (await putKey(workspaceId, 'rk_test_after_2222')).body.data;
    expect(rolled).toMatchObject({ id: first.id, last4: '2222' });
    const other = (await putKey(workspaceId, 'sk_test_other_3333')).body.data;
    expect(other.id).not.toBe(first.id);
  });

  test('a key that Stripe does not take is 400; without an answer of Stripe it is 503', async () => {
    const { workspaceId } = await service.newProject();
    void stripe.fault('unauthorized', { method: 'GET', path: /account$/ });
    const refused = await putKey(workspaceId, 'sk_test_revoked_1111');
    expect([refused.status, refused.body.error.details[0].path]).toEqual([
      400,
      'stripeConnect.secretKey',
    ]);
    for (const fault of ['error_before', 'reset_before', 'throttled'] as const) {
      void stripe.fault(fault, { method: 'GET', path: /account$/ });
      expect((await putKey(workspaceId, 'sk_test_revoked_1111')).status).toBe(503);
    }
    expect(await list(workspaceId)).toEqual([]);
    expect(JSON.stringify(service.log)).not.toContain('sk_test_revoked');
    // Nobody is asked for a Workspace that is not there.
    const asked = stripe.requests.length;
    expect((await putKey('ws_nothing', 'sk_test_nobody_1111')).status).toBe(404);
    expect(stripe.requests).toHaveLength(asked);
  });

  test('has a place for each method and environment', async () => {
    const { workspaceId } = await service.newProject();
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const webhookPublicKey = publicKey.export({ type: 'spki', format: 'pem' });
    const wise = { profileId: '4711', token: 'wise-token-0001', webhookPublicKey };
    const stripeConnect = { secretKey: 'sk_test_0123456789' };
    const bodies = [
      PAYPAL,
      { ...PAYPAL, environment: 'live' },
      { environment: 'sandbox', method: 'wise', wise },
      { environment: 'sandbox', method: 'stripe_connect', stripeConnect },
    ];
    for (const body of bodies) expect((await put(workspaceId, body)).status).toBe(200);
    const made = await list(workspaceId);
    expect(
      made.map((one: Record<string, unknown>) => [one.environment, one.method, one.checksWebhooks]),
    ).toEqual([
      ['live', 'paypal', false],
      ['sandbox', 'paypal', false],
      ['sandbox', 'stripe_connect', false],
      ['sandbox', 'wise', true],
    ]);
    expect(made[2].webhookUrl).toContain('/v1/integrations/stripe-connect/');
  });

  const { publicKey: ecKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const notRsa = ecKey.export({ type: 'spki', format: 'pem' });
  const wise = { profileId: '4711', token: 'wise-token-0001' };
  test.each([
    ['no credentials', { environment: 'sandbox', method: 'paypal' }, 'paypal'],
    ['those of another method', { ...PAYPAL, wise }, 'wise'],
    ['an unknown method', { ...PAYPAL, method: 'manual_export' }, 'method'],
    ['an unknown environment', { ...PAYPAL, environment: 'test' }, 'environment'],
    [
      'a secret with a line break',
      { ...PAYPAL, paypal: { ...PAYPAL_APP, clientSecret: 'abcdefgh\r\ni' } },
      'paypal.clientSecret',
    ],
    [
      'an id with a colon',
      { ...PAYPAL, paypal: { ...PAYPAL_APP, clientId: 'client:id' } },
      'paypal.clientId',
    ],
    [
      'a profile that is no number',
      { environment: 'live', method: 'wise', wise: { ...wise, profileId: 'x' } },
      'wise.profileId',
    ],
    [
      'rubbish for a key',
      { environment: 'live', method: 'wise', wise: { ...wise, webhookPublicKey: 'rubbish' } },
      'wise.webhookPublicKey',
    ],
    [
      'a key that is not RSA',
      { environment: 'live', method: 'wise', wise: { ...wise, webhookPublicKey: notRsa } },
      'wise.webhookPublicKey',
    ],
    [
      'a live key in the sandbox',
      {
        environment: 'sandbox',
        method: 'stripe_connect',
        stripeConnect: { secretKey: 'sk_live_0123456789' },
      },
      'stripeConnect.secretKey',
    ],
    [
      'a test key in live',
      {
        environment: 'live',
        method: 'stripe_connect',
        stripeConnect: { secretKey: 'rk_test_0123456789' },
      },
      'stripeConnect.secretKey',
    ],
    [
      'a publishable key',
      {
        environment: 'live',
        method: 'stripe_connect',
        stripeConnect: { secretKey: 'pk_live_0123456789' },
      },
      'stripeConnect.secretKey',
    ],
    ['an unknown field', { ...PAYPAL, secret: 'abcdefghij' }, 'secret'],
  ])('%s is 400, and connects nothing', async (_name, body, path) => {
    const { workspaceId } = await service.newProject();
    const answer = await put(workspaceId, body);
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
    expect(JSON.stringify(answer.body)).not.toContain('0123456789');
    expect(await list(workspaceId)).toEqual([]);
  });

  test('is for operators, and of a Workspace that is there', async () => {
    const { workspaceId, key } = await service.newProject();
    const { data } = (await put(workspaceId, PAYPAL)).body;
    const byKey = await service.call('PUT', pathOf(workspaceId), { as: key, body: PAYPAL });
    expect(byKey.status).toBe(403);
    expect((await put('ws_nothing', PAYPAL)).status).toBe(404);
    const other = await service.newProject();
    expect((await remove(other.workspaceId, data.id)).status).toBe(404);
    expect(await list(workspaceId)).toHaveLength(1);
  });
});

describe('paying through it', () => {
  test('a method that is not connected makes no batch, and submits none any more', async () => {
    const shop = await openPaypalShop();
    const { workspaceId } = shop.project;
    // That of another environment is none.
    await put(workspaceId, { ...PAYPAL, environment: 'live' });
    const refused = await shop.post('/v1/payout-batches', { method: 'paypal' });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'method']);
    const { data } = (await put(workspaceId, PAYPAL)).body;
    const { id } = await shop.approve({ method: 'paypal' });
    expect((await remove(workspaceId, data.id)).status).toBe(200);
    const submitted = await shop.act(id, 'submit');
    expect([submitted.status, submitted.body.error.reason]).toEqual([409, 'not_connected']);
    const { body } = await shop.read(`/v1/payout-batches/${id}`);
    expect(body.data.status).toBe('approved');
    await put(workspaceId, PAYPAL);
    expect((await shop.act(id, 'submit')).status).toBe(200);
  });

  test('while payouts are under way it stays, with its secrets renewed if need be', async () => {
    const shop = await openPaypalShop();
    const { workspaceId } = shop.project;
    const { data } = (await put(workspaceId, PAYPAL)).body;
    const { payouts } = await shop.submit({ method: 'paypal' });
    await service.runPayouts();
    const other = { ...PAYPAL, paypal: { ...PAYPAL_APP, clientId: 'paypal-client-2' } };
    for (const answer of [await put(workspaceId, other), await remove(workspaceId, data.id)]) {
      expect([answer.status, answer.body.error.reason]).toEqual([409, 'payouts_open']);
    }
    expect((await put(workspaceId, PAYPAL)).status).toBe(200);
    paypal.batch(`${payouts[0].id}_1`).status = 'SUCCESS';
    service.clock.advance(300_000);
    await service.runPayouts();
    const { body } = await shop.read(`/v1/payouts/${payouts[0].id}`);
    expect(body.data.status).toBe('paid');
    expect((await remove(workspaceId, data.id)).status).toBe(200);
  });

  test('an account that is replaced in the moment of an order is not ordered through', async () => {
    const shop = await openPaypalShop();
    const { workspaceId } = shop.project;
    await put(workspaceId, PAYPAL);
    const { payouts } = await shop.submit({ method: 'paypal' });
    const other = { ...PAYPAL, paypal: { ...PAYPAL_APP, clientId: 'paypal-client-3' } };
    const before = paypal.orders;
    const { findProvider } = service.payoutDeps;
    await runPayoutsOnce(
      {
        ...service.payoutDeps,
        async findProvider(place) {
          const provider = await findProvider(place);
          expect((await put(workspaceId, other)).status).toBe(200);
          return provider;
        },
      },
      (error) => {
        throw error;
      },
    );
    expect(paypal.orders).toBe(before);
    service.clock.advance(60_000);
    await service.runPayouts();
    const { clientId } = paypal.batch(`${payouts[0].id}_1`);
    expect([paypal.orders, clientId]).toEqual([before + 1, 'paypal-client-3']);
  });

  test('what one account was told is never told to another, nor asked of it', async () => {
    const shop = await openPaypalShop();
    const { workspaceId } = shop.project;
    await put(workspaceId, PAYPAL);
    paypal.fault('lost_answer');
    const { payouts } = await shop.submit({ method: 'paypal' });
    await service.runPayouts();
    // As if another were connected in the moment of the order.
    await service.database.reads.query('delete from payout_connections where workspace_id = $1', [
      workspaceId,
    ]);
    const other = { ...PAYPAL, paypal: { ...PAYPAL_APP, clientId: 'paypal-client-2' } };
    await put(workspaceId, other);
    const before = paypal.orders;
    service.clock.advance(3_600_000);
    await service.runPayouts();
    expect(paypal.orders).toBe(before);
    // Once it is back, the payout is found.
    await service.database.reads.query('delete from payout_connections where workspace_id = $1', [
      workspaceId,
    ]);
    await put(workspaceId, PAYPAL);
    service.clock.advance(3_600_000);
    await service.runPayouts();
    const { body } = await shop.read(`/v1/payouts/${payouts[0].id}`);
    expect(body.data.providerReference).toBe(paypal.batch(`${payouts[0].id}_1`).id);
    expect(paypal.batches.filter(({ key }) => key.startsWith(payouts[0].id))).toHaveLength(1);
  });

  test('a password that PayPal does not take is tried ten times, and then the payout failed', async () => {
    const shop = await openPaypalShop();
    await put(shop.project.workspaceId, {
      ...PAYPAL,
      paypal: { ...PAYPAL_APP, clientSecret: 'wrong-secret-1' },
    });
    const { payouts } = await shop.submit({ method: 'paypal' });
    for (let hour = 0; hour < 12; hour += 1) {
      await service.runPayouts();
      service.clock.advance(3_600_000);
    }
    const { body } = await shop.read(`/v1/payouts/${payouts[0].id}`);
    expect(body.data).toMatchObject({ status: 'failed', failureReason: 'provider_error' });
    expect(JSON.stringify([body, service.log])).not.toContain('wrong-secret-1');
  });
});
