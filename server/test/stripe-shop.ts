import Stripe from 'stripe';
import { expect } from 'vitest';
import type { Answer, TestService } from './harness.ts';
import { openShop, type Shop } from './shop.ts';
import { type EventOptions, stripeEvent } from './stripe-events.ts';

export const RESTRICTED_KEY = 'rk_test_51AbCdEfGhIjKlMnOp';
export const WEBHOOK_SECRET = 'whsec_AbCdEfGhIjKlMnOpQrStUvWx';
const { webhooks } = new Stripe('none');

/** The header with which Stripe would send this body now. */
export function signStripe(
  service: Pick<TestService, 'clock'>,
  payload: string,
  secret = WEBHOOK_SECRET,
  ageSeconds = 0,
): string {
  const timestamp = Math.floor(service.clock.nowMs() / 1_000) - ageSeconds;
  return webhooks.generateTestHeaderString({ payload, secret, timestamp });
}

/** A shop whose customers pay by Stripe: bob is its customer `cus_bob`. */
export interface StripeShop extends Shop {
  readonly connectionId: string;
  readonly sourceNamespaceId: string;
  readonly hookPath: string;
  /** Sends an event as Stripe does, whatever comes of it. */
  deliver(event: Stripe.Event): Promise<Answer>;
  /** Makes an event and sends it; it must be taken. Returns what became of it. */
  sendEvent(
    type: string,
    object: object,
    options?: EventOptions,
  ): Promise<{ state: string; reason: string | null }>;
  operate(method: 'POST' | 'PATCH', path: string, body?: object): Promise<Answer>;
  /** The same shop, with Stripe sending to another of its connections. */
  withConnection(connection: { id: string; sourceNamespaceId: string }): StripeShop;
  parked(): Promise<Record<string, unknown>[]>;
  /** What the referrer's cash Reward is worth now, and how it stands. */
  reward(): Promise<{ net: string; status: string } | undefined>;
}

export async function openStripeShop(
  service: Pick<TestService, 'call' | 'newProject' | 'clock'>,
): Promise<StripeShop> {
  const shop = await openShop(service);
  const { projectId } = shop.project;
  await shop.addRule({
    benefitKind: 'cash',
    calculation: 'percentage',
    rateBps: 1_000,
    durationMode: 'forever',
  });
  await shop.signUp('bob');
  const put = await service.call('PUT', '/v1/participants', {
    as: shop.project.key,
    body: {
      projectId,
      participant: { kind: 'individual', externalId: 'bob' },
      billingId: 'cus_bob',
    },
  });
  expect(put.status).toBe(200);
  const operate = (method: 'POST' | 'PATCH', path: string, body: object = {}) =>
    service.call(method, `/v1/integrations/stripe${path}`, {
      as: 'operator',
      body: { projectId, ...body },
    });
  const { status, body } = await operate('POST', '/connections', {
    restrictedKey: RESTRICTED_KEY,
    webhookSecret: WEBHOOK_SECRET,
  });
  expect(status).toBe(200);
  return over(body.data);

  function over(connection: { id: string; sourceNamespaceId: string }): StripeShop {
    const { id: connectionId, sourceNamespaceId } = connection;
    const hookPath = `/v1/integrations/stripe/${projectId}/${connectionId}`;
    const deliver = (event: Stripe.Event) => {
      const payload = JSON.stringify(event);
      const headers = { 'stripe-signature': signStripe(service, payload) };
      return service.call('POST', hookPath, { body: payload, headers });
    };
    return {
      ...shop,
      connectionId,
      sourceNamespaceId,
      hookPath,
      deliver,
      async sendEvent(type, object, options) {
        const answer = await deliver(stripeEvent(type, object, options));
        expect([answer.status, answer.body]).toMatchObject([200, {}]);
        return answer.body.data;
      },
      operate,
      withConnection: over,
      parked: async () => {
        const query = { projectId };
        const path = '/v1/integrations/stripe/parked';
        return (await service.call('GET', path, { as: 'operator', query })).body.data;
      },
      reward: async () => {
        const { body: list } = await shop.read('/v1/rewards', { benefitKind: 'cash' });
        const [newest] = list.data;
        return newest && { net: newest.money.netAmountMinor, status: newest.fulfillmentStatus };
      },
    };
  }
}
