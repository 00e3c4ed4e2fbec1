import { createSign, generateKeyPairSync } from 'node:crypto';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transactionIdOf } from '../../src/outbound/integrations/wise/read-transfer.ts';
import type { Details } from '../../src/outbound/payouts/details/details.ts';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { startService, TestClock, type TestService } from '../harness.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';
import { PAYPAL_APP, PaypalServer } from '../paypal/server.ts';
import { addConnected, connectRoutes, platformOf } from '../stripe/connect.ts';
import { type FakeStripe, startFakeStripe } from '../stripe/fake-stripe.ts';
import { WISE_ACCOUNT, WiseServer } from '../wise/server.ts';

const PAYPAL: Details = { type: 'paypal', email: 'ada@example.com' };
const BANK: Details = {
  type: 'bank',
  holderName: 'Ada Lovelace',
  country: 'DE',
  currency: 'USD',
  iban: 'DE89370400440532013000',
  bic: null,
};
const wiseKeys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const STRIPE_SECRET = 'whsec_0123456789abcdef';

let service: TestService;
let paypal: PaypalServer;
let wise: WiseServer;
let stripe: FakeStripe;
let shop: PayoutShop;
let hookPath: string;
beforeAll(async () => {
  const clock = new TestClock();
  paypal = await PaypalServer.start();
  wise = await WiseServer.start(clock);
  stripe = await startFakeStripe({ routes: connectRoutes, nowMs: clock.nowMs });
  const both = (url: string) => ({ sandbox: url, live: url });
  service = await startService({
    clock,
    providerHosts: { paypal: both(paypal.url), wise: both(wise.url), stripe: stripe.reach },
  });
});
afterAll(async () => {
  await service.close();
  await Promise.all([paypal.close(), wise.close(), stripe.close()]);
});

async function open(method: string, credentials: object, details: Details): Promise<void> {
  shop = await openPayoutShop(service);
  service.payees.set(shop.adaId, details);
  const path = `/v1/workspaces/${shop.project.workspaceId}/payout-connections`;
  const body = { environment: 'sandbox', method, ...credentials };
  const answer = await service.call('PUT', path, { as: 'operator', body });
  expect(answer.status).toBe(200);
  hookPath = new URL(answer.body.data.webhookUrl).pathname;
}

/** Earns, submits, and has the order go out. */
async function submit(method: string): Promise<string> {
  await shop.earn('order');
  const { payouts } = await shop.submit({ method });
  await service.runPayouts();
  return payouts[0].id;
}

async function post(body: string, headers: Record<string, string>, path = hookPath) {
  return service.call('POST', path, { as: 'nobody', body, headers });
}
const standing = async (payoutId: string) =>
  (await shop.read(`/v1/payouts/${payoutId}`)).body.data as {
    status: string;
    failureReason: string | null;
    providerReference: string | null;
  };
const told = async () =>
  (await shop.feed()).map(({ type }) => type).filter((type) => type.startsWith('payout.'));
const refusal = ({ status, body }: Awaited<ReturnType<typeof post>>) => [status, body.error.reason];

describe('Wise', () => {
  const publicKey = wiseKeys.publicKey.export({ type: 'spki', format: 'pem' });
  beforeEach(() => open('wise', { wise: { ...WISE_ACCOUNT, webhookPublicKey: publicKey } }, BANK));

  const sign = (body: string) => createSign('RSA-SHA256').update(body).sign(wiseKeys.privateKey);
  function event(id: number, more: object = {}, type = 'transfers#state-change'): string {
    const resource = { type: 'transfer', id, profile_id: Number(WISE_ACCOUNT.profileId) };
    const data = { resource, current_state: 'outgoing_payment_sent', ...more };
    return JSON.stringify({ event_type: type, sent_at: service.clock.now, data });
  }
  const send = (body: string) =>
    post(body, { 'x-signature-sha256': sign(body).toString('base64') });
  const transferOf = (payoutId: string) => wise.transfer(transactionIdOf(`${payoutId}_1`));

  test('says that there is news, and is asked at once what it is', async () => {
    const id = await submit('wise');
    const transfer = transferOf(id);
    transfer.status = 'outgoing_payment_sent';
    expect((await send(event(transfer.id))).body.data).toEqual({ isAsked: true });
    expect((await standing(id)).status).toBe('processing');
    await service.runPayouts();
    expect((await standing(id)).status).toBe('paid');
  });

  test('ten times, at once and out of order: told once', async () => {
    const id = await submit('wise');
    const transfer = transferOf(id);
    transfer.status = 'outgoing_payment_sent';
    const paid = event(transfer.id);
    const back = event(transfer.id, { current_state: 'funds_refunded' });
    await send(back);
    await service.runPayouts();
    await Promise.all(Array.from({ length: 10 }, () => send(paid)));
    await service.runPayouts();
    expect(await told()).toEqual(['payout.paid']);
    transfer.status = 'funds_refunded';
    await Promise.all(Array.from({ length: 10 }, (_, n) => send(n % 2 ? paid : back)));
    await service.runPayouts();
    await send(paid);
    await service.runPayouts();
    expect(await told()).toEqual(['payout.paid', 'payout.returned']);
    expect(transfer.funded).toBe(1);
  });

  test('what it says itself counts for nothing', async () => {
    const id = await submit('wise');
    for (const state of ['outgoing_payment_sent', 'cancelled', 'funds_refunded']) {
      await send(event(transferOf(id).id, { current_state: state }));
      await service.runPayouts();
    }
    expect(await told()).toEqual([]);
    expect((await standing(id)).status).toBe('processing');
  });

  const reason = (transfer: { id: number }) =>
    JSON.stringify({
      event_type: 'transfers#payout-failure',
      sent_at: service.clock.now,
      data: {
        transfer_id: transfer.id,
        profile_id: Number(WISE_ACCOUNT.profileId),
        failure_reason_code: 'ACCOUNT_CLOSED',
      },
    });

  test.each(['before', 'after'])(
    'why money did not arrive is told by another event, %s its return',
    async (when) => {
      const id = await submit('wise');
      const transfer = transferOf(id);
      if (when === 'before') {
        await send(reason(transfer));
        await service.runPayouts();
      }
      transfer.status = 'bounced_back';
      await send(event(transfer.id));
      await service.runPayouts();
      if (when === 'after') {
        expect((await standing(id)).failureReason).toBe('recipient_refused');
        expect((await send(reason(transfer))).body.data).toEqual({ isAsked: true });
        await service.runPayouts();
      }
      expect(await standing(id)).toMatchObject({
        status: 'returned',
        failureReason: 'account_closed',
      });
      expect(await told()).toEqual(['payout.returned']);
      // The same again is no news.
      expect((await send(reason(transfer))).body.data).toEqual({ isAsked: false });
    },
  );

  test('a return is seen later than anybody would ask', async () => {
    const id = await submit('wise');
    const transfer = transferOf(id);
    transfer.status = 'outgoing_payment_sent';
    await send(event(transfer.id));
    await service.runPayouts();
    for (let day = 0; day <= 31; day += 1) {
      service.clock.advance(DAY_MS);
      await service.runPayouts();
    }
    transfer.status = 'bounced_back';
    service.clock.advance(DAY_MS);
    await service.runPayouts();
    expect((await standing(id)).status).toBe('paid');
    await send(event(transfer.id));
    await service.runPayouts();
    expect((await standing(id)).status).toBe('returned');
  });

  test('wrong, foreign and old ones are 400, and nothing is asked', async () => {
    const id = await submit('wise');
    const transfer = transferOf(id);
    transfer.status = 'outgoing_payment_sent';
    const body = event(transfer.id);
    const right = sign(body).toString('base64');
    const other = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
    const wrong = createSign('RSA-SHA256').update(body).sign(other).toString('base64');
    for (const signature of ['', 'rubbish', right.slice(4), wrong]) {
      const answer = await post(body, { 'x-signature-sha256': signature });
      expect(refusal(answer)).toEqual([400, 'invalid_signature']);
    }
    const changed = body.replace('outgoing', 'incoming');
    const answer = await post(changed, { 'x-signature-sha256': right });
    expect(refusal(answer)).toEqual([400, 'invalid_signature']);
    const sentAt = (ms: number) => new Date(service.clock.nowMs() + ms).toISOString();
    for (const sent_at of [sentAt(-3 * DAY_MS - 1), sentAt(6 * 60_000), 'never']) {
      const old = JSON.stringify({ ...JSON.parse(body), sent_at });
      expect(refusal(await send(old))).toEqual([400, 'invalid_signature']);
    }
    await service.runPayouts();
    expect((await standing(id)).status).toBe('processing');
  });

  test('what is not about a payout of the connection is taken, and nothing is asked', async () => {
    const id = await submit('wise');
    const transfer = transferOf(id);
    const foreign = event(transfer.id, { resource: { id: transfer.id, profile_id: 1 } });
    for (const body of [
      event(999),
      event(transfer.id, {}, 'balances#update'),
      foreign,
      JSON.stringify({ event_type: 'transfers#state-change', sent_at: service.clock.now }),
    ]) {
      expect((await send(body)).body.data).toEqual({ isAsked: false });
    }
  });

  test('another address, method or Workspace is 404', async () => {
    const body = event(1);
    const headers = { 'x-signature-sha256': sign(body).toString('base64') };
    const { workspaceId } = await service.newProject();
    for (const path of [
      hookPath.replace('/wise/', '/paypal/'),
      hookPath.replace(/ws_[^/]+/, workspaceId),
      `${hookPath}x`,
    ]) {
      expect((await post(body, headers, path)).status).toBe(404);
    }
  });

  test('without a key to check by, no webhook is taken', async () => {
    await open('wise', { wise: WISE_ACCOUNT }, BANK);
    expect(refusal(await send(event(1)))).toEqual([400, 'invalid_signature']);
  });
});

describe('PayPal', () => {
  beforeEach(() => open('paypal', { paypal: { ...PAYPAL_APP, webhookId: 'WH-1' } }, PAYPAL));

  function headersOf(transmissionId: string, atMs = service.clock.nowMs()) {
    return {
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': 'https://api.paypal.com/cert.pem',
      'paypal-transmission-id': transmissionId,
      'paypal-transmission-sig': 'c2lnbmF0dXJl',
      'paypal-transmission-time': new Date(atMs).toISOString(),
    };
  }
  let sent = 0;
  function send(body: string) {
    sent += 1;
    paypal.sent.add(`t-${sent}`);
    return post(body, headersOf(`t-${sent}`));
  }
  const itemEvent = (payoutId: string) =>
    JSON.stringify({
      event_type: 'PAYMENT.PAYOUTS-ITEM.SUCCEEDED',
      resource_type: 'payouts_item',
      resource: {
        transaction_status: 'SUCCESS',
        payout_batch_id: 'ANYTHING',
        payout_item: { sender_item_id: payoutId },
      },
    });

  test('vouches for its webhook, and is asked', async () => {
    const id = await submit('paypal');
    await send(itemEvent(id));
    await service.runPayouts();
    expect((await standing(id)).status).toBe('processing');
    paypal.batch(`${id}_1`).status = 'SUCCESS';
    expect((await send(itemEvent(id))).body.data).toEqual({ isAsked: true });
    await service.runPayouts();
    expect((await standing(id)).status).toBe('paid');
    expect(paypal.batches.filter(({ key }) => key.startsWith(id))).toHaveLength(1);
  });

  test('is logged in to once, however many webhooks come', async () => {
    const id = await submit('paypal');
    await send(itemEvent(id));
    const before = paypal.tokens;
    for (let n = 0; n < 5; n += 1) expect((await send(itemEvent(id))).status).toBe(200);
    expect(paypal.tokens).toBe(before);
  });

  test('tells what it calls an order whose answer got lost', async () => {
    paypal.fault('lost_answer', 'duplicate_without_link');
    const id = await submit('paypal');
    service.clock.advance(60_000);
    await service.runPayouts();
    expect((await standing(id)).providerReference).toBeNull();
    const batch = paypal.batch(`${id}_1`);
    batch.status = 'SUCCESS';
    const body = JSON.stringify({
      event_type: 'PAYMENT.PAYOUTSBATCH.SUCCESS',
      resource: {
        batch_header: {
          payout_batch_id: batch.id,
          sender_batch_header: { sender_batch_id: batch.key },
        },
      },
    });
    expect((await send(body)).body.data).toEqual({ isAsked: true });
    await service.runPayouts();
    expect(await standing(id)).toMatchObject({ status: 'paid', providerReference: batch.id });
  });

  test('what it did not send, or sent long ago, is 400; when it cannot be asked, 503', async () => {
    const id = await submit('paypal');
    paypal.batch(`${id}_1`).status = 'SUCCESS';
    const body = itemEvent(id);
    expect(refusal(await post(body, headersOf('forged')))).toEqual([400, 'invalid_signature']);
    paypal.sent.add('old');
    const old = headersOf('old', service.clock.nowMs() - 3 * DAY_MS - 1);
    expect(refusal(await post(body, old))).toEqual([400, 'invalid_signature']);
    const { 'paypal-cert-url': _, ...half } = headersOf('old');
    expect(refusal(await post(body, half))).toEqual([400, 'invalid_signature']);
    expect((await send('{"not": json')).status).toBe(400);
    paypal.isDeaf = true;
    expect((await send(body)).status).toBe(503);
    paypal.isDeaf = false;
    await service.runPayouts();
    expect((await standing(id)).status).toBe('processing');
  });
});

describe('Stripe', () => {
  const KEY = 'sk_test_hints';
  const payee = () => addConnected(stripe.account(KEY));
  beforeEach(async () => {
    const stripeConnect = { secretKey: KEY, webhookSecret: STRIPE_SECRET };
    const details: Details = { type: 'stripe_connect', accountId: payee().id };
    await open('stripe_connect', { stripeConnect }, details);
  });

  function send(
    type: string,
    object: object,
    more: { secret?: string; agoS?: number; livemode?: boolean } = {},
  ) {
    const { secret = STRIPE_SECRET, agoS = 0, livemode = false } = more;
    const payload = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type,
      livemode,
      data: { object },
    });
    const timestamp = Math.floor(service.clock.nowMs() / 1_000) - agoS;
    const signature = new Stripe('none').webhooks.generateTestHeaderString({
      payload,
      secret,
      timestamp,
    });
    return post(payload, { 'stripe-signature': signature });
  }

  test('tells of a transfer that was taken back, and is asked', async () => {
    const id = await submit('stripe_connect');
    const [transfer] = platformOf(stripe.account(KEY)).transfers.slice(-1);
    const object = { id: transfer?.id, object: 'transfer', metadata: { payoutId: id } };
    expect((await send('transfer.reversed', object)).body.data).toEqual({ isAsked: true });
    await service.runPayouts();
    expect((await standing(id)).status).toBe('paid');
    if (transfer) transfer.amount_reversed = transfer.amount;
    await send('transfer.reversed', object);
    await service.runPayouts();
    expect((await standing(id)).status).toBe('returned');
  });

  test('wrong secrets, old ones and the other mode are 400', async () => {
    const object = { metadata: { payoutId: 'po_1' } };
    const wrong = await send('transfer.reversed', object, { secret: 'whsec_other' });
    const old = await send('transfer.reversed', object, { agoS: 301 });
    for (const answer of [wrong, old]) expect(refusal(answer)).toEqual([400, 'invalid_signature']);
    const live = await send('transfer.reversed', object, { livemode: true });
    expect(refusal(live)).toEqual([400, 'livemode_mismatch']);
    expect((await send('charge.succeeded', object)).body.data).toEqual({ isAsked: false });
  });

  test('while Stripe cannot be asked about an account it is 503, and comes again', async () => {
    const { id } = payee();
    for (const fault of ['error_before', 'unauthorized', 'throttled'] as const) {
      void stripe.fault(fault, { method: 'GET', path: /accounts/ });
      expect((await send('account.updated', { id })).status).toBe(503);
    }
    expect((await send('account.updated', { id })).status).toBe(200);
  });

  test('an account of nobody here, or of another Project, is passed over', async () => {
    const foreign = addConnected(stripe.account(KEY), {
      metadata: { projectId: (await service.newProject()).projectId, participantId: 'par_1' },
    });
    for (const id of [payee().id, foreign.id, 'acct_gone']) {
      const answer = await send('account.updated', { id, payouts_enabled: true });
      expect(answer.body.data).toEqual({ isAsked: false });
    }
  });
});
