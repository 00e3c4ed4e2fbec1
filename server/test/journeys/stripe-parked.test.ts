import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { purgeOnce } from '../../src/surfaces/privacy/worker.ts';
import { openService, type TestService } from '../harness.ts';
import { readDatabase } from '../read-database.ts';
import {
  customer,
  invoice,
  invoicePayment,
  refund,
  START_S,
  stripeEvent,
  subscription,
} from '../stripe-events.ts';
import { openStripeShop, RESTRICTED_KEY, type StripeShop, WEBHOOK_SECRET } from '../stripe-shop.ts';

let service: TestService;
let shop: StripeShop;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openStripeShop(service);
});
afterEach(async () => {
  const { kept } = await verifyProject(service.database, shop.project.projectId);
  expect(kept).toEqual([]);
});

const PARKED = { state: 'parked', reason: 'unknown_customer' };
const DONE = { state: 'done', reason: null };
const eve = { kind: 'individual', externalId: 'eve' };
const ofEve = { participant_external_id: 'eve', participant_kind: 'individual' };
const billEve = (billingId: string | null = 'cus_eve') =>
  service.call('PUT', '/v1/participants', {
    as: shop.project.key,
    body: { projectId: shop.project.projectId, participant: eve, billingId },
  });
const invoiceOfEve = (id = 'in_eve') => invoice({ id, customer: 'cus_eve' });
const resolve = (id: unknown, participant: object = eve) =>
  shop.operate('POST', `/parked/${id}/resolve`, { participant });
const purchasesOf = async (externalId: string) => {
  const { body } = await shop.read('/v1/participants', { externalId });
  const [participant] = body.data;
  if (!participant) return [];
  const detail = await shop.read(`/v1/participants/${participant.id}`);
  return detail.body.data.events
    .filter(({ type }: { type: string }) => type === 'purchase')
    .map(({ sourceEventId }: { sourceEventId: string }) => sourceEventId);
};

describe('an event of a customer whom nobody knows (D-SUB-2)', () => {
  test('is parked, and listed with what there is to say about it', async () => {
    expect(await shop.sendEvent('invoice.paid', invoiceOfEve(), { id: 'evt_eve' })).toEqual(PARKED);
    expect(await shop.parked()).toEqual([
      {
        id: expect.stringMatching(/^spk_/),
        projectId: shop.project.projectId,
        connectionId: shop.connectionId,
        stripeEventId: 'evt_eve',
        type: 'invoice.paid',
        reason: 'unknown_customer',
        customerId: 'cus_eve',
        objectId: 'in_eve',
        amountMinor: '1000',
        currency: 'USD',
        occurredAt: new Date((START_S - 10) * 1_000).toISOString(),
        parkedAt: service.clock.now,
      },
    ]);
    expect(await shop.reward()).toBeUndefined();
    const { projectId } = shop.project;
    const file = await service.call('GET', '/v1/exports/stripe-parked', {
      as: 'operator',
      query: { projectId },
    });
    expect(file.body).toContain(
      '"invoice.paid","unknown_customer","cus_eve","in_eve","1000","USD"',
    );
  });

  test('sent again is parked once', async () => {
    const event = stripeEvent('invoice.paid', invoiceOfEve());
    const answers = await Promise.all(Array.from({ length: 5 }, () => shop.deliver(event)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(await shop.parked()).toHaveLength(1);
  });

  test('is handled once a participant has that billingId, and what waited for it with it', async () => {
    await shop.signUp('eve');
    await shop.sendEvent('refund.created', refund({ amount: 500 }));
    await shop.sendEvent('invoice_payment.paid', invoicePayment({ invoice: 'in_eve' }));
    await shop.sendEvent('invoice.paid', invoiceOfEve());
    await shop.sendEvent('invoice.paid', invoice({ id: 'in_other', customer: 'cus_other' }));
    expect(await shop.parked()).toHaveLength(3);
    await service.settleStripe();
    expect(await shop.parked()).toHaveLength(3);
    await billEve();
    await service.settleStripe();
    expect(await purchasesOf('eve')).toEqual(['in_eve']);
    expect(await shop.reward()).toMatchObject({ net: '50' });
    expect(await shop.parked()).toMatchObject([{ objectId: 'in_other' }]);
  });

  test('is handled when a participant is made with that billingId', async () => {
    await shop.sendEvent('customer.subscription.created', subscription({ customer: 'cus_eve' }));
    await billEve();
    await service.settleStripe();
    expect(await shop.parked()).toEqual([]);
    const [fact] = await service.database.reads.query<{ change: string }>(
      'select change from subscription_facts where project_id = $1',
      [shop.project.projectId],
    );
    expect(fact?.change).toBe('started');
  });

  test('is handled when Stripe tells that the customer’s metadata names somebody', async () => {
    await shop.signUp('eve');
    await shop.sendEvent('invoice.paid', invoiceOfEve());
    expect(await shop.sendEvent('customer.updated', customer('cus_eve', ofEve))).toEqual(DONE);
    expect(await purchasesOf('eve')).toEqual(['in_eve']);
    expect(await shop.reward()).toMatchObject({ net: '100' });
    expect(await shop.parked()).toEqual([]);
  });

  test('needs no parking when the invoice or its subscription names the participant', async () => {
    await shop.sendEvent(
      'invoice.paid',
      invoice({ id: 'in_a', customer: 'cus_eve', metadata: ofEve }),
    );
    const bySubscription = { subscription: 'sub_1', subscriptionMetadata: ofEve };
    await shop.sendEvent(
      'invoice.paid',
      invoice({ id: 'in_b', customer: 'cus_eve', ...bySubscription }),
    );
    expect((await purchasesOf('eve')).toSorted()).toEqual(['in_a', 'in_b']);
  });

  test('the billingId counts more than metadata', async () => {
    await shop.sendEvent('invoice.paid', invoice({ customer: 'cus_bob', metadata: ofEve }));
    expect([await purchasesOf('bob'), await purchasesOf('eve')]).toEqual([['in_1'], []]);
  });
});

describe('a customer’s metadata', () => {
  const billingIdOf = async (externalId: string) =>
    (await shop.read('/v1/participants', { externalId })).body.data[0]?.billingId;

  test('becomes the billingId of whoever it names', async () => {
    await shop.sendEvent('customer.created', customer('cus_eve', ofEve));
    expect(await billingIdOf('eve')).toBe('cus_eve');
    await shop.sendEvent('invoice.paid', invoiceOfEve());
    expect(await purchasesOf('eve')).toEqual(['in_eve']);
  });

  test('takes nothing from anybody', async () => {
    const known = { state: 'ignored', reason: 'known_already' };
    expect(await shop.sendEvent('customer.created', customer('cus_bob', ofEve))).toEqual(known);
    expect([await billingIdOf('bob'), await billingIdOf('eve')]).toEqual(['cus_bob', undefined]);
    const ofBob = { participant_external_id: 'bob' };
    expect(await shop.sendEvent('customer.created', customer('cus_new', ofBob))).toEqual(known);
    expect(await billingIdOf('bob')).toBe('cus_bob');
  });
});

describe('an operator', () => {
  test('says whom a parked event is about', async () => {
    await shop.signUp('eve');
    await shop.sendEvent('invoice.paid', invoiceOfEve());
    await shop.sendEvent('invoice_payment.paid', invoicePayment({ invoice: 'in_eve' }));
    await shop.sendEvent('refund.created', refund({ amount: 500 }));
    const [waiting, unknown] = await shop.parked();
    expect([waiting?.reason, unknown?.reason]).toEqual(['invoice_not_paid', 'unknown_customer']);
    const refused = await resolve(waiting?.id);
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'invalid_transition']);
    const resolved = await resolve(unknown?.id);
    expect([resolved.status, resolved.body.data]).toEqual([200, unknown]);
    expect(await purchasesOf('eve')).toEqual(['in_eve']);
    expect(await shop.reward()).toMatchObject({ net: '50' });
    expect(await shop.parked()).toEqual([]);
    expect((await resolve(unknown?.id)).status).toBe(404);
  });

  test('is refused for somebody who was erased, and the event stays', async () => {
    const { body } = await billEve(null);
    await service.call('DELETE', `/v1/participants/${body.data.id}`, {
      as: shop.project.key,
      query: { projectId: shop.project.projectId },
    });
    await shop.sendEvent('invoice.paid', invoiceOfEve());
    const [parked] = await shop.parked();
    const answer = await resolve(parked?.id);
    expect([answer.status, answer.body.error.reason]).toEqual([409, 'participant_deleted']);
    expect(await shop.parked()).toHaveLength(1);
  });

  test('pages through what is parked, newest first', async () => {
    for (const n of [1, 2, 3]) await shop.sendEvent('invoice.paid', invoiceOfEve(`in_${n}`));
    const list = async (query: Record<string, string>) =>
      (
        await service.call('GET', '/v1/integrations/stripe/parked', {
          as: 'operator',
          query: { projectId: shop.project.projectId, ...query },
        })
      ).body;
    const first = await list({ limit: '2' });
    const rest = await list({ limit: '2', cursor: first.nextCursor });
    const ids = [...first.data, ...rest.data].map(({ objectId }) => objectId);
    expect([ids, rest.nextCursor]).toEqual([['in_3', 'in_2', 'in_1'], null]);
  });
});

describe('somebody who is erased (D-PART-5)', () => {
  test('leaves nothing parked, and nothing of their customer is kept again', async () => {
    const gone = { state: 'ignored', reason: 'participant_deleted' };
    const mia = { participant_external_id: 'mia' };
    const invoiceOfMia = (id: string) => invoice({ id, customer: 'cus_mia' });
    await shop.sendEvent('invoice.paid', invoiceOfMia('in_1'));
    const { body } = await service.call('PUT', '/v1/participants', {
      as: shop.project.key,
      body: {
        projectId: shop.project.projectId,
        participant: { kind: 'individual', externalId: 'mia' },
        billingId: 'cus_mia',
      },
    });
    const erased = await service.call('DELETE', `/v1/participants/${body.data.id}`, {
      as: shop.project.key,
      query: { projectId: shop.project.projectId },
    });
    expect(erased.status).toBe(200);
    expect(await readDatabase(service)).not.toContain('cus_mia');
    expect(await shop.sendEvent('invoice.paid', invoiceOfMia('in_late'))).toEqual(gone);
    const named = invoice({ id: 'in_named', customer: 'cus_mia2', metadata: mia });
    expect(await shop.sendEvent('invoice.paid', named)).toEqual(gone);
    expect(await shop.sendEvent('customer.updated', customer('cus_mia3', mia))).toEqual(gone);
    await service.settleStripe();
    expect(await readDatabase(service)).not.toContain('cus_mia');
    expect(await shop.parked()).toEqual([]);
  });

  test('and readmitted is waited for again, until they are named (D-AM-8)', async () => {
    const { projectId, key } = shop.project;
    const name = (billingId: string) =>
      service.call('PUT', '/v1/participants', {
        as: key,
        body: { projectId, participant: { kind: 'individual', externalId: 'mia' }, billingId },
      });
    const { body } = await name('cus_mia');
    await service.call('DELETE', `/v1/participants/${body.data.id}`, {
      as: key,
      query: { projectId },
    });
    const readmitted = await service.call('POST', `/v1/participants/${body.data.id}/readmit`, {
      as: 'operator',
      body: { projectId },
    });
    expect(readmitted.status).toBe(200);
    const told = await shop.sendEvent('invoice.paid', invoice({ id: 'in_2', customer: 'cus_mia' }));
    expect(told).toMatchObject({ state: 'parked', reason: 'unknown_customer' });
    expect((await name('cus_mia')).status).toBe(200);
    await service.settleStripe();
    expect(await shop.parked()).toEqual([]);
  });
});

describe('a Project that is connected anew', () => {
  const reconnect = async (): Promise<StripeShop> => {
    const removed = await service.call(
      'DELETE',
      `/v1/integrations/stripe/connections/${shop.connectionId}`,
      {
        as: 'operator',
        query: { projectId: shop.project.projectId },
      },
    );
    expect(removed.status).toBe(200);
    const { body } = await shop.operate('POST', '/connections', {
      restrictedKey: RESTRICTED_KEY,
      webhookSecret: WEBHOOK_SECRET,
    });
    return shop.withConnection(body.data);
  };

  test('knows the invoices and refunds of the connection before', async () => {
    await shop.sendEvent('invoice.paid', invoice());
    await shop.sendEvent('invoice_payment.paid', invoicePayment());
    await shop.sendEvent('refund.created', refund({ amount: 300 }));
    const again = await reconnect();
    const known = { state: 'ignored', reason: 'known_already' };
    expect(await again.sendEvent('invoice.paid', invoice())).toEqual(known);
    expect(await again.sendEvent('refund.created', refund({ id: 're_2', amount: 200 }))).toEqual(
      DONE,
    );
    expect(await shop.reward()).toMatchObject({ net: '50' });
    expect(await again.sendEvent('refund.failed', refund({ amount: 300 }))).toEqual(DONE);
    expect(await shop.reward()).toMatchObject({ net: '80' });
  });

  test('has lost what was parked for the connection before', async () => {
    await shop.sendEvent('invoice.paid', invoiceOfEve());
    await reconnect();
    const rows = await service.database.reads.query(
      'select 1 from stripe_parked where project_id = $1',
      [shop.project.projectId],
    );
    expect(rows).toEqual([]);
    await billEve();
    await service.settleStripe();
    expect(await purchasesOf('eve')).toEqual([]);
  });
});

test('one that cannot be handled is tried again later, and does not hold up the others', async () => {
  await shop.sendEvent('invoice.paid', invoiceOfEve());
  const enable = (enabled: boolean) =>
    service.call('PATCH', `/v1/sources/${shop.sourceNamespaceId}`, {
      as: shop.project.key,
      body: { projectId: shop.project.projectId, enabled },
    });
  await enable(false);
  await billEve();
  await service.settleStripe();
  expect(await shop.parked()).toHaveLength(1);
  await enable(true);
  await service.settleStripe();
  expect(await shop.parked()).toHaveLength(1);
  service.clock.advance(30_000);
  await service.settleStripe();
  expect(await shop.parked()).toEqual([]);
  expect(await purchasesOf('eve')).toEqual(['in_eve']);
});

describe('what nobody makes sense of', () => {
  const purge = async () => {
    const options = { auditRetentionDays: 36_500, attemptRetentionDays: 30 };
    while ((await purgeOnce({ ...service, ...options })) > 0);
  };

  test('is dropped after 90 days; that an event came is forgotten after 30', async () => {
    await shop.sendEvent('invoice.paid', invoiceOfEve());
    const countEvents = async () =>
      (
        await service.database.reads.query('select 1 from stripe_events where project_id = $1', [
          shop.project.projectId,
        ])
      ).length;
    service.clock.advance(30 * DAY_MS);
    await purge();
    expect([await countEvents(), (await shop.parked()).length]).toEqual([1, 1]);
    service.clock.advance(1);
    await purge();
    expect([await countEvents(), (await shop.parked()).length]).toEqual([0, 1]);
    service.clock.advance(60 * DAY_MS - 1);
    await purge();
    expect(await shop.parked()).toHaveLength(1);
    service.clock.advance(1);
    await purge();
    expect(await shop.parked()).toEqual([]);
  });

  test('is kept for 540 days, when it waits for the end of a refund', async () => {
    await shop.sendEvent('invoice.paid', invoice());
    await shop.sendEvent('invoice_payment.paid', invoicePayment());
    await shop.sendEvent('refund.created', refund({ id: 're_0' }));
    const waiting = [
      { objectId: 're_2', reason: 'reversal_unknown' },
      { objectId: 're_1', reason: 'exceeds_purchase' },
    ];
    await shop.sendEvent('refund.created', refund({ amount: 500 }));
    await shop.sendEvent('refund.failed', refund({ id: 're_2' }));
    service.clock.advance(540 * DAY_MS);
    await purge();
    expect(await shop.parked()).toMatchObject(waiting);
    service.clock.advance(1);
    await purge();
    expect(await shop.parked()).toEqual([]);
  });
});
