import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const person = (externalId: string) => ({ kind: 'individual', externalId });
const month = () => service.clock.now.slice(0, 7);
const usd = (netAmountMinor: string) => [{ currency: 'USD', currencyExponent: 2, netAmountMinor }];
const expectSound = async ({ project }: Shop) =>
  expect((await verifyProject(service.database, project.projectId)).kept).toEqual([]);

/** Somebody lands on a page with ada's code and these parameters. */
async function land({ project }: Shop, utm: Record<string, string>): Promise<string> {
  const query = new URLSearchParams({ ref: 'ada', ...utm });
  const { status, body } = await service.call('POST', '/v1/clicks', {
    body: {
      projectKey: project.projectKey,
      ref: 'ada',
      url: `https://example.com/welcome?${query}`,
    },
  });
  expect(status).toBe(200);
  return body.handle ?? body.data.handle;
}

async function comeBy(shop: Shop, name: string, utm: Record<string, string>): Promise<void> {
  const handle = await land(shop, utm);
  const { status, body } = await shop.post('/v1/track/events', {
    sourceNamespaceId: shop.sourceNamespaceId,
    type: 'signup',
    participant: person(name),
    identify: { handle },
  });
  expect([status, body.attribution === null]).toEqual([200, false]);
}

async function buy(shop: Shop, name: string, order: string, amountMinor: string): Promise<void> {
  const { status } = await shop.post('/v1/track/events', {
    sourceNamespaceId: shop.sourceNamespaceId,
    type: 'purchase',
    participant: person(name),
    sourceEventId: order,
    purchase: { amountMinor, currency: 'USD' },
  });
  expect(status).toBe(200);
}

const campaigns = async (shop: Shop, query: Record<string, string> = {}) => {
  const asked = { from: month(), to: month(), ...query };
  return (await shop.read('/v1/figures/campaigns', asked)).body.data;
};

test('a campaign has its referrals, customers and revenue, in the month of the referral', async () => {
  const shop = await openShop(service);
  const first = month();
  const blog = { utm_source: 'Blog', utm_medium: 'post', utm_campaign: 'Launch' };
  await comeBy(shop, 'cyd', blog);
  await comeBy(shop, 'dan', { ...blog, utm_source: 'blog' });
  await comeBy(shop, 'eve', { utm_source: 'ada@example.com' });
  await comeBy(shop, 'fay', { utm_term: 'shoes' });
  service.clock.advance(40 * 24 * 3_600_000);
  await buy(shop, 'cyd', 'order-1', '1000');
  await buy(shop, 'cyd', 'order-1', '1000');
  await shop.post('/v1/track/adjustments', {
    sourceNamespaceId: shop.sourceNamespaceId,
    purchase: { sourceEventId: 'order-1' },
    sourceEventId: 'refund-1',
    kind: 'refund',
    occurredAt: service.clock.now,
    amountMinor: '300',
    currency: 'USD',
    currencyExponent: 2,
  });
  const numbers = { referrals: 2, customers: 1, revenue: usd('700') };
  const other = { referrals: 1, customers: 0, revenue: [] };
  expect(await campaigns(shop, { from: first })).toEqual([
    {
      source: 'blog',
      medium: 'post',
      campaign: 'launch',
      isOther: false,
      ...numbers,
      months: [{ month: first, ...numbers }],
    },
    {
      source: null,
      medium: null,
      campaign: null,
      isOther: true,
      ...other,
      months: [{ month: first, ...other }],
    },
  ]);
  expect(await campaigns(shop)).toEqual([]);
  await expectSound(shop);
});

test('a month has 200 campaigns, and later ones count as others, in one batch or in many', async () => {
  const shop = await openShop(service);
  const { sourceNamespaceId } = shop;
  const signups = await Promise.all(
    Array.from({ length: 203 }, async (_, n) => ({
      sourceNamespaceId,
      type: 'signup',
      participant: person(`p${n}`),
      identify: { handle: await land(shop, { utm_campaign: `number ${n}` }) },
    })),
  );
  for (const events of [signups.slice(0, 150), signups.slice(150)]) {
    const { body } = await shop.post('/v1/track/events/batch', { events });
    for (const result of body.results) expect(result).toMatchObject({ success: true });
  }
  const all = await campaigns(shop, { limit: '200' });
  expect(all).toHaveLength(200);
  const rows = await service.database.reads.query<{ part: string }>(
    `select part from figures where project_id = $1 and subject like '%:campaigns'`,
    [shop.project.projectId],
  );
  expect(rows).toHaveLength(201);
  await comeBy(shop, 'late', { utm_campaign: 'number 7' });
  expect(await campaigns(shop, { limit: '1' })).toMatchObject([
    { campaign: 'number 7', referrals: 2 },
  ]);
  await expectSound(shop);
});

test('a range is checked, and so is the program', async () => {
  const shop = await openShop(service);
  const ask = async (query: Record<string, string>) => {
    const { status, body } = await shop.read('/v1/figures/campaigns', query);
    return [status, body.error?.details?.[0]?.path ?? body.error?.code];
  };
  expect(await ask({ from: '2026-11', to: '2026-10' })).toEqual([400, 'to']);
  expect(await ask({ from: '2024-01', to: '2026-11' })).toEqual([400, 'to']);
  expect(await ask({ from: '2026-13', to: '2026-11' })).toEqual([400, 'from']);
  expect(await ask({ from: '2026-13', to: '2026-14' })).toEqual([400, 'from']);
  expect(await ask({ from: 'May', to: '2026-11' })).toEqual([400, 'from']);
  const query = { from: '2026-11', to: '2026-11', programId: 'prg_none' };
  expect(await ask(query)).toEqual([404, 'NOT_FOUND']);
});
