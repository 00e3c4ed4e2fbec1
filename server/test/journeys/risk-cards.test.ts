import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { purgeOnce } from '../../src/surfaces/privacy/worker.ts';
import { type Answer, openService, type TestService } from '../harness.ts';
import { charge, invoice, START_S } from '../stripe-events.ts';
import { openStripeShop, type StripeShop } from '../stripe-shop.ts';

let service: TestService;
let shop: StripeShop;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openStripeShop(service);
});

const FINGERPRINT = 'Xt5EWLLDS7FJjR1c';
const ok = ({ status, body }: Answer) => {
  expect([status, body]).toMatchObject([200, {}]);
  return body;
};
const nameCustomer = async (externalId: string): Promise<string> => {
  const participant = { kind: 'individual', externalId };
  const answer = await service.call('PUT', '/v1/participants', {
    as: shop.project.key,
    body: { projectId: shop.project.projectId, participant, billingId: `cus_${externalId}` },
  });
  return ok(answer).data.id;
};
const payWithCard = (externalId: string, options: { at?: number; fingerprint?: string } = {}) =>
  shop.sendEvent(
    'charge.succeeded',
    charge({ id: `ch_${externalId}`, customer: `cus_${externalId}`, ...options }),
    { created: options.at ?? START_S },
  );
const rowsOf = (table: string, columns: string) =>
  service.database.reads.query<Record<string, string>>(
    `select ${columns} from ${table} where project_id = $1`,
    [shop.project.projectId],
  );
const cards = () => rowsOf('participant_cards', 'participant_id as id, card_hash as hash');
const expectVerified = async () =>
  expect((await verifyProject(service.database, shop.project.projectId)).kept).toEqual([]);

test('a card of three customers opens a review of the purchase that is paid with it', async () => {
  const policy = { mode: 'review', reviewAt: 60 };
  ok(await shop.post(`/v1/programs/${shop.programId}/risk-policies`, policy));
  for (const name of ['cyd', 'dan']) {
    await shop.signUp(name);
    await nameCustomer(name);
    expect(await payWithCard(name)).toEqual({ state: 'done', reason: null });
  }
  await payWithCard('bob');
  await shop.sendEvent('invoice.paid', invoice({ customer: 'cus_bob' }));
  const [reward] = ok(await shop.read('/v1/rewards')).data;
  expect(reward.delivery).toMatchObject({ status: 'on_hold', reason: 'risk_review' });
  const { data } = ok(await shop.read(`/v1/events/${reward.eventId}/explanation`));
  expect(data.risk).toMatchObject({
    score: 60,
    signals: [{ signal: 'shared_payment', value: '2', points: 60 }],
  });
  const [review] = ok(await shop.read('/v1/risk-reviews')).data;
  expect(review).toMatchObject({ referee: { externalId: 'bob' }, eventId: reward.eventId });
  await expectVerified();
});

describe('a card', () => {
  test('is stored as a keyed hash of its own Project, and once however often it pays', async () => {
    await payWithCard('bob');
    await payWithCard('bob');
    const own = await cards();
    expect(own).toHaveLength(1);
    expect(JSON.stringify(own)).not.toContain(FINGERPRINT);
    shop = await openStripeShop(service);
    await payWithCard('bob');
    expect((await cards()).map(({ hash }) => hash)).not.toEqual(own.map(({ hash }) => hash));
  });

  test('of a customer who is not known yet waits for them, without its fingerprint', async () => {
    const told = await payWithCard('cyd');
    expect(told).toMatchObject({ state: 'parked', reason: 'unknown_customer' });
    expect(await shop.parked()).toMatchObject([{ objectId: 'ch_cyd', customerId: 'cus_cyd' }]);
    expect(JSON.stringify(await rowsOf('stripe_parked', 'told'))).not.toContain(FINGERPRINT);
    const cyd = await nameCustomer('cyd');
    await service.settleStripe();
    expect(await cards()).toMatchObject([{ id: cyd }]);
    expect(await shop.parked()).toEqual([]);
  });

  test('of a customer whom only the metadata of an invoice names is recorded with the invoice', async () => {
    for (const at of [START_S, START_S + 1]) await payWithCard('cyd', { at });
    await shop.signUp('cyd');
    const metadata = { participant_external_id: 'cyd' };
    const told = await shop.sendEvent('invoice.paid', invoice({ customer: 'cus_cyd', metadata }));
    expect(told).toEqual({ state: 'done', reason: null });
    expect(await cards()).toHaveLength(1);
    expect(await shop.parked()).toEqual([]);
  });

  test('stays parked if it is resolved as that of nobody', async () => {
    await payWithCard('cyd');
    const [{ id } = {}] = await shop.parked();
    const resolve = (externalId: string) =>
      shop.operate('POST', `/parked/${id}/resolve`, {
        participant: { kind: 'individual', externalId },
      });
    expect((await resolve('nobody')).status).toBe(404);
    expect(await shop.parked()).toHaveLength(1);
    ok(await resolve('bob'));
    expect([await cards(), await shop.parked()]).toMatchObject([[{}], []]);
  });

  test('of another method, or without a customer, is not recorded', async () => {
    const others = [charge({ fingerprint: null }), charge({ customer: null })];
    for (const other of others) {
      const told = await shop.sendEvent('charge.succeeded', other);
      expect(told).toEqual({ state: 'ignored', reason: 'no_fact' });
    }
    expect(await cards()).toEqual([]);
  });

  test('goes with the person, and does not come back', async () => {
    const cyd = await nameCustomer('cyd');
    await payWithCard('cyd');
    await payWithCard('bob');
    const erased = await service.call('DELETE', `/v1/participants/${cyd}`, {
      as: shop.project.key,
      query: { projectId: shop.project.projectId },
    });
    ok(erased);
    expect(await cards()).toMatchObject([{ id: expect.not.stringMatching(cyd) }]);
    expect(await payWithCard('cyd')).toEqual({ state: 'ignored', reason: 'participant_deleted' });
    expect(await cards()).toHaveLength(1);
  });

  test('goes 400 days after it paid last', async () => {
    const purge = () =>
      purgeOnce({
        database: service.database,
        clock: service.clock,
        auditRetentionDays: 36_500,
        attemptRetentionDays: 36_500,
      });
    await nameCustomer('cyd');
    await payWithCard('cyd');
    await payWithCard('bob');
    service.clock.advance(399 * DAY_MS);
    await payWithCard('bob', { at: START_S + 399 * 86_400 });
    await purge();
    expect(await cards()).toHaveLength(2);
    service.clock.advance(2 * DAY_MS);
    await purge();
    expect(await cards()).toHaveLength(1);
  });
});
