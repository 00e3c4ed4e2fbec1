import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openService, startService, type TestService } from '../harness.ts';
import { type EventOptions, invoice, stripeEvent } from '../stripe-events.ts';
import { openStripeShop, type StripeShop, signStripe, WEBHOOK_SECRET } from '../stripe-shop.ts';

let service: TestService;
let shop: StripeShop;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openStripeShop(service);
});

const payload = (options: EventOptions = {}) =>
  JSON.stringify(stripeEvent('invoice.paid', invoice(), options));
const send = (body: string, signature: string | null, path = shop.hookPath) =>
  service.call('POST', path, {
    body,
    headers: signature === null ? {} : { 'stripe-signature': signature },
  });
/** Nothing of the event is there. */
const expectNothing = async () => {
  expect(await shop.reward()).toBeUndefined();
  const rows = await service.database.reads.query(
    'select 1 from stripe_events where project_id = $1',
    [shop.project.projectId],
  );
  expect(rows).toEqual([]);
};

describe('a request that Stripe did not sign', () => {
  test.each<[string, (body: string) => string | null]>([
    ['without a signature', () => null],
    ['with an empty one', () => ''],
    ['with rubbish', () => 't=1,v1='],
    ['with one of another secret', (body) => signStripe(service, body, 'whsec_another')],
    ['with one of another body', (body) => signStripe(service, `${body} `)],
    ['with one that is 301 seconds old', (body) => signStripe(service, body, WEBHOOK_SECRET, 301)],
  ])('%s is 400 and changes nothing', async (_name, toSignature) => {
    const body = payload();
    const answer = await send(body, toSignature(body));
    expect([answer.status, answer.body.error.reason]).toEqual([400, 'invalid_signature']);
    await expectNothing();
  });

  test('once more is refused when the signature has grown old', async () => {
    const body = payload();
    const signature = signStripe(service, body);
    service.clock.advance(300_000);
    expect((await send(body, signature)).body.data.state).toBe('done');
    service.clock.advance(1_000);
    expect((await send(body, signature)).status).toBe(400);
  });

  test('again and again gets 429, and Stripe from the same address is still heard', async () => {
    const guarded = await startService({ settings: { failedAuthenticationsPerMinute: 3 } });
    try {
      const own = await openStripeShop(guarded);
      const statuses = [];
      for (let n = 0; n < 5; n += 1) {
        const headers = { 'stripe-signature': 't=1,v1=ab' };
        statuses.push((await guarded.call('POST', own.hookPath, { body: '{}', headers })).status);
      }
      expect(statuses).toEqual([400, 400, 400, 429, 429]);
      expect(await own.sendEvent('invoice.paid', invoice())).toMatchObject({ state: 'done' });
    } finally {
      await guarded.close();
    }
  });
});

describe('an event that is signed', () => {
  test.each<[string, EventOptions, string]>([
    ['of live mode', { livemode: true }, 'livemode_mismatch'],
    ['of a connected account', { account: 'acct_1' }, 'foreign_account'],
    ['of an older API version', { apiVersion: '2024-06-20' }, 'api_version_unsupported'],
  ])('%s is 400 and changes nothing', async (_name, options, reason) => {
    const body = payload(options);
    const answer = await send(body, signStripe(service, body));
    expect([answer.status, answer.body.error.reason]).toEqual([400, reason]);
    await expectNothing();
  });

  test('of a type that is none of ours is 200, and nothing is kept of it', async () => {
    const told = await shop.sendEvent('invoice.created', invoice());
    expect(told).toEqual({ state: 'ignored', reason: 'other_type' });
    await expectNothing();
  });

  test('in a currency that nobody knows is 200 and no fact', async () => {
    const told = await shop.sendEvent('invoice.paid', invoice({ currency: 'zzz' }));
    expect(told).toEqual({ state: 'ignored', reason: 'currency_unsupported' });
    await expectNothing();
  });

  test('is 404 under another Project, another connection, or none', async () => {
    const other = await openStripeShop(service);
    const body = payload();
    for (const path of [
      other.hookPath.replace(other.connectionId, shop.connectionId),
      shop.hookPath.replace(shop.connectionId, 'scn_nothing'),
      shop.hookPath.replace(shop.project.projectId, 'prj_nothing'),
    ]) {
      expect((await send(body, signStripe(service, body), path)).status).toBe(404);
    }
    await expectNothing();
  });

  test('to a connection that is disabled is 409, and is taken when it is sent again later', async () => {
    await shop.operate('PATCH', `/connections/${shop.connectionId}`, { status: 'disabled' });
    const event = stripeEvent('invoice.paid', invoice());
    const refused = await shop.deliver(event);
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'connection_disabled']);
    await expectNothing();
    await shop.operate('PATCH', `/connections/${shop.connectionId}`, { status: 'active' });
    expect((await shop.deliver(event)).body.data.state).toBe('done');
  });

  test('while its source is disabled is 409, and is taken when it is sent again later', async () => {
    const enable = (enabled: boolean) =>
      service.call('PATCH', `/v1/sources/${shop.sourceNamespaceId}`, {
        as: shop.project.key,
        body: { projectId: shop.project.projectId, enabled },
      });
    await enable(false);
    const event = stripeEvent('invoice.paid', invoice());
    const refused = await shop.deliver(event);
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'source_disabled']);
    await expectNothing();
    await enable(true);
    expect((await shop.deliver(event)).body.data.state).toBe('done');
  });

  test('from the future is 400 until the Project’s clock has come that far (D-CLOCK-1)', async () => {
    const inAYear = { paidAt: Math.floor(service.clock.nowMs() / 1_000) + 300 * 86_400 };
    const event = stripeEvent('invoice.paid', invoice(inAYear));
    expect((await shop.deliver(event)).status).toBe(400);
    await expectNothing();
    const now = new Date(inAYear.paidAt * 1_000).toISOString();
    const { projectId } = shop.project;
    await service.call('PUT', `/v1/projects/${projectId}/clock`, {
      as: shop.project.key,
      body: { now },
    });
    expect((await shop.deliver(event)).body.data.state).toBe('done');
  });

  test('of more than a year ago is no fact any more (D-GEN-1)', async () => {
    const paidAt = Math.floor(service.clock.nowMs() / 1_000) - 366 * 86_400;
    const told = await shop.sendEvent('invoice.paid', invoice({ paidAt }));
    expect(told).toEqual({ state: 'ignored', reason: 'too_old' });
    expect(await shop.reward()).toBeUndefined();
  });

  test('may be larger than other bodies, up to a limit', async () => {
    const padded = (bytes: number) => {
      const event = stripeEvent('invoice.created', { id: 'in_1', description: 'x'.repeat(bytes) });
      return JSON.stringify(event);
    };
    const [large, tooLarge] = [padded(900_000), padded(1_100_000)];
    expect((await send(large, signStripe(service, large))).status).toBe(200);
    expect((await send(tooLarge, signStripe(service, tooLarge))).status).toBe(413);
  });

  test('is JSON; another type of body is 415', async () => {
    const body = payload();
    const { status } = await service.call('POST', shop.hookPath, {
      body,
      headers: { 'stripe-signature': signStripe(service, body), 'content-type': 'text/plain' },
    });
    expect(status).toBe(415);
  });
});

test('nothing of what Stripe knows of people is kept or logged', async () => {
  await shop.sendEvent('invoice.paid', invoice());
  await shop.sendEvent('invoice.paid', invoice({ id: 'in_2', customer: 'cus_stranger' }));
  const tables = ['stripe_events', 'stripe_parked', 'stripe_invoices'];
  const rows = await Promise.all(
    tables.map((table) => service.database.reads.query(`select t::text as row from ${table} t`)),
  );
  const everything = JSON.stringify([rows, service.log, await shop.feed()]);
  expect(everything).not.toContain('bob@example.com');
  expect(everything).not.toContain('Bob Jones');
  expect(JSON.stringify(rows)).toContain('cus_stranger');
});
