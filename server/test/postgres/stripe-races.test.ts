import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPostgres } from '../database.ts';
import { killAll, type Program, runVerifier, startProgram } from '../process.ts';
import { invoice, invoicePayment, refund, stripeEvent } from '../stripe-events.ts';
import { RESTRICTED_KEY, WEBHOOK_SECRET } from '../stripe-shop.ts';

const ADMIN_TOKEN = 'a'.repeat(40);
const env = {
  ADMIN_TOKEN,
  ROOT_KEY: Buffer.alloc(32, 3).toString('base64'),
  LOG_LEVEL: 'error',
};
const CUSTOMERS = 12;
const { webhooks } = new Stripe('none');

let copy: Awaited<ReturnType<typeof copyPostgres>>;
let programs: Program[];
let projectId: string;
let hookPath: string;
beforeAll(async () => {
  copy = await copyPostgres();
  programs = await Promise.all(Array.from({ length: 3 }, launch));
});
afterAll(async () => {
  await killAll();
  await copy.drop();
});

const launch = () => startProgram({ ...env, DATABASE_URL: copy.url });
const person = (externalId: string) => ({ kind: 'individual', externalId });
const some = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

async function operate(method: string, path: string, body?: object) {
  const response = await fetch(`${programs[0]?.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_TOKEN}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const answer: any = await response.json();
  expect([path, response.status, answer]).toMatchObject([path, 200, {}]);
  return answer;
}

async function openShop(): Promise<void> {
  const workspaceId = (await operate('POST', '/v1/workspaces', { name: 'Acme' })).data.id;
  const shop = { workspaceId, name: 'Shop', environment: 'sandbox' };
  projectId = (await operate('POST', '/v1/projects', shop)).data.id;
  const post = (path: string, body: object) => operate('POST', path, { projectId, ...body });
  const { sourceNamespaceId } = await post('/v1/sources', {});
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const program = await post('/v1/programs', { kind: 'referral', name: 'Invite', config });
  const programId = program.data.id;
  await post('/v1/benefit-rules', {
    programId,
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    purpose: 'bonus',
    name: 'Thanks',
    terms: {
      benefitKind: 'cash',
      calculation: 'percentage',
      rateBps: 1_000,
      durationMode: 'forever',
    },
  });
  await post(`/v1/programs/${programId}/status`, { status: 'active' });
  await post('/v1/referral-links', { programId, participant: person('ada'), slug: 'ada' });
  for (let n = 0; n < CUSTOMERS; n += 1) {
    const signup = { type: 'signup', participant: person(`c${n}`), refCode: 'ada' };
    await post('/v1/track/events', { sourceNamespaceId, ...signup });
  }
  const connection = await post('/v1/integrations/stripe/connections', {
    restrictedKey: RESTRICTED_KEY,
    webhookSecret: WEBHOOK_SECRET,
  });
  hookPath = `/v1/integrations/stripe/${projectId}/${connection.data.id}`;
}

const bill = (n: number) =>
  operate('PUT', '/v1/participants', {
    projectId,
    participant: person(`c${n}`),
    billingId: `cus_${n}`,
  });

/** As Stripe does: to any process, again until it is answered with 200. */
async function deliver(event: Stripe.Event): Promise<void> {
  const payload = JSON.stringify(event);
  for (;;) {
    const signature = webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
    const response = await fetch(`${some(programs).url}${hookPath}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body: payload,
    }).catch(() => undefined);
    if (response?.status === 200) return;
    if (response) expect(response.status).toBe(503);
  }
}

/** 11.90 with 1.90 tax; half goes back in three parts, and one part more fails. */
function eventsOf(n: number): Stripe.Event[] {
  // In whole seconds, and after the rule.
  const created = Math.ceil(Date.now() / 1_000);
  const of = { paymentIntent: `pi_${n}` };
  const paid = { id: `in_${n}`, customer: `cus_${n}`, total: 1_190, tax: 190, paidAt: created };
  const back = (part: number, amount: number, status = 'succeeded') => ({
    ...refund({ id: `re_${n}_${part}`, amount, status, ...of }),
    created,
  });
  return [
    stripeEvent('invoice.paid', invoice(paid), { created }),
    stripeEvent('invoice_payment.paid', invoicePayment({ invoice: `in_${n}`, ...of }), { created }),
    ...[198, 198, 199, 300].map((amount, part) =>
      stripeEvent('refund.created', back(part, amount), { created }),
    ),
    stripeEvent('refund.failed', back(3, 300, 'failed'), { created }),
  ];
}

test('events out of order, three times each, to three processes of which one is killed: each counts once', async () => {
  await openShop();
  const events = Array.from({ length: CUSTOMERS }, (_, n) => eventsOf(n)).flat();
  const shuffled = [...events, ...events, ...events]
    .map((event) => ({ event, rank: Math.random() }))
    .toSorted((a, b) => a.rank - b.rank);
  const delivered = Promise.all(shuffled.map(({ event }) => deliver(event)));
  // Meanwhile the backend tells who the customers are, and a process dies.
  for (let n = 0; n < CUSTOMERS; n += 1) {
    await bill(n);
    if (n === CUSTOMERS / 2) {
      await programs[2]?.kill('SIGKILL');
      programs = [...programs.slice(0, 2), await launch()];
    }
  }
  await delivered;
  const parked = async () =>
    (await operate('GET', `/v1/integrations/stripe/parked?projectId=${projectId}`)).data;
  await expect.poll(parked, { timeout: 60_000, interval: 200 }).toEqual([]);

  const rewards = (await operate('GET', `/v1/rewards?projectId=${projectId}&limit=100`)).data;
  const nets = rewards.map(
    ({ money }: { money: { netAmountMinor: string } }) => money.netAmountMinor,
  );
  expect(nets).toEqual(Array(CUSTOMERS).fill('50'));
  expect(await runVerifier([], { DATABASE_URL: copy.url })).toMatchObject({ code: 0 });
});
