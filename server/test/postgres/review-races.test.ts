import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPostgres } from '../database.ts';
import { killAll, type Program, runVerifier, startProgram } from '../process.ts';

const ADMIN_TOKEN = 'a'.repeat(40);
const env = {
  ADMIN_TOKEN,
  ROOT_KEY: Buffer.alloc(32, 3).toString('base64'),
  LOG_LEVEL: 'error',
};
/** Each is referred by ada with an address of hers. */
const REFEREES = 6;
const ORDERS = 4;
/** Another one, who is erased while the review is decided. */
const ERASED = 'cyd';

let copy: Awaited<ReturnType<typeof copyPostgres>>;
let programs: Program[];
let projectId: string;
let sourceNamespaceId: string;
beforeAll(async () => {
  copy = await copyPostgres();
  programs = await Promise.all(
    Array.from({ length: 2 }, () => startProgram({ ...env, DATABASE_URL: copy.url })),
  );
});
afterAll(async () => {
  await killAll();
  await copy.drop();
});

const some = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
const person = (externalId: string) => ({ kind: 'individual', externalId });

/** By any process; returns the status with the response. */
async function call(method: string, path: string, body?: object) {
  const response = await fetch(`${some(programs).url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_TOKEN}` },
    ...(body ? { body: JSON.stringify({ projectId, ...body }) } : {}),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const answer: any = await response.json();
  return { status: response.status, answer, reason: answer.error?.reason ?? null };
}

async function operate(method: string, path: string, body?: object) {
  const { status, answer } = await call(method, path, body);
  expect([path, status, answer]).toMatchObject([path, 200, {}]);
  return answer;
}
const list = async (path: string) => (await operate('GET', `${path}projectId=${projectId}`)).data;

async function openShop(): Promise<void> {
  const workspaceId = (await operate('POST', '/v1/workspaces', { name: 'Acme' })).data.id;
  const shop = { workspaceId, name: 'Shop', environment: 'sandbox' };
  projectId = (await operate('POST', '/v1/projects', shop)).data.id;
  const post = (path: string, body: object) => operate('POST', path, body);
  sourceNamespaceId = (await post('/v1/sources', {})).sourceNamespaceId;
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const made = await post('/v1/programs', { kind: 'referral', name: 'Invite', config });
  const programId = made.data.id;
  await post('/v1/benefit-rules', {
    programId,
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    purpose: 'bonus',
    name: 'Thanks',
    terms: {
      benefitKind: 'credit',
      calculation: 'percentage',
      rateBps: 1_000,
      durationMode: 'forever',
    },
  });
  await post('/v1/benefit-rules', {
    programId,
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    purpose: 'bonus',
    name: 'Every third',
    terms: {
      benefitKind: 'cash',
      calculation: 'milestone',
      fixedAmountMinor: '500',
      currency: 'USD',
      currencyExponent: 2,
      durationMode: 'once',
      milestone: { measure: 'purchases', at: '3', repeat: true },
    },
  });
  await post(`/v1/programs/${programId}/status`, { status: 'active' });
  const points = { email_alias: 100 };
  await post(`/v1/programs/${programId}/risk-policies`, { mode: 'review', points, reviewAt: 100 });
  await post('/v1/referral-links', { programId, participant: person('ada'), slug: 'ada' });
  const name = (externalId: string, email: string) =>
    operate('PUT', '/v1/participants', { participant: person(externalId), email });
  await name('ada', 'ada@example.com');
  const names = Array.from({ length: REFEREES }, (_, n) => `c${n}`);
  for (const one of [...names, ERASED]) {
    await name(one, `ada+${one}@example.com`);
    const signup = { type: 'signup', participant: person(one), refCode: 'ada' };
    await post('/v1/track/events', { sourceNamespaceId, ...signup });
  }
}

const buy = (n: number, order: number) =>
  operate('POST', '/v1/track/events', {
    sourceNamespaceId,
    type: 'purchase',
    participant: person(`c${n}`),
    sourceEventId: `o-${n}-${order}`,
    purchase: { amountMinor: '1000', currency: 'USD' },
  });
const refund = (n: number, order: number) =>
  operate('POST', '/v1/track/adjustments', {
    sourceNamespaceId,
    sourceEventId: `r-${n}-${order}`,
    purchase: { sourceEventId: `o-${n}-${order}` },
    kind: 'refund',
    amountMinor: '1000',
    currency: 'USD',
    currencyExponent: 2,
    occurredAt: new Date().toISOString(),
  });

const isShare = ({ milestone }: { milestone: object | null }) => milestone === null;
async function erase(externalId: string): Promise<void> {
  const [{ id }] = await list(`/v1/participants?externalId=${externalId}&`);
  await operate('DELETE', `/v1/participants/${id}?force=true&projectId=${projectId}`);
}

test('decisions beside purchases, grants, refunds and an erasure by two processes: one wins, and all Rewards follow it', async () => {
  await openShop();
  const reviews = await list('/v1/risk-reviews?');
  expect(reviews).toHaveLength(REFEREES + 1);
  for (let n = 0; n < REFEREES; n += 1) await buy(n, 0);
  const held = await list('/v1/rewards?');
  expect(held).toHaveLength(REFEREES + Math.floor(REFEREES / 3));
  const orders = Array.from({ length: ORDERS }, (_, order) => order + 1);
  const decisions = reviews.flatMap(({ id }: { id: string }) =>
    ['approve', 'reject'].map(async (decision) => {
      const made = await call('POST', `/v1/risk-reviews/${id}/decision`, { decision });
      if (made.status !== 200) expect(made.reason).toBe('review_decided');
      return made.status;
    }),
  );
  const grants = held.map(async ({ id }: { id: string }) => {
    const facts = { externalReference: `g-${id}` };
    const { status, reason } = await call('POST', `/v1/rewards/${id}/fulfillment`, facts);
    if (status !== 200)
      expect(['under_review', 'reward_voided', 'reward_cancelled']).toContain(reason);
  });
  const facts = Array.from({ length: REFEREES }, (_, n) => [
    ...orders.map((order) => buy(n, order)),
    refund(n, 0),
  ]).flat();
  const [statuses] = await Promise.all([
    Promise.all(decisions),
    Promise.all(grants),
    Promise.all(facts),
    erase(ERASED),
  ]);
  expect(statuses.filter((status) => status === 200)).toHaveLength(REFEREES + 1);

  const status = new Map<string, string>();
  for (const one of await list('/v1/risk-reviews?')) status.set(one.referee.externalId, one.status);
  for (let n = 0; n < REFEREES; n += 1) {
    const { eventId } = await buy(n, ORDERS + 1);
    const earned = (await list(`/v1/rewards?eventId=${eventId}&`)).filter(isShare);
    const isApproved = status.get(`c${n}`) === 'approved';
    expect(earned).toHaveLength(isApproved ? 1 : 0);
  }
  for (const { delivery } of await list('/v1/rewards?limit=100&')) {
    expect(delivery.reason).not.toBe('risk_review');
  }
  expect(await runVerifier([], { DATABASE_URL: copy.url })).toMatchObject({ code: 0 });
});
