import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { type AffiliateShop, newSibling, openAffiliateShop } from '../affiliate-shop.ts';
import { followLink } from '../follow-link.ts';
import { openService, type TestService } from '../harness.ts';

let service: TestService;
let shop: AffiliateShop;
let first: string;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openAffiliateShop(service, await service.newProject(), 'grace@example.com');
  first = today();
});

const DAY_MS = 24 * 3_600_000;
const today = () => service.clock.now.slice(0, 10);
const usd = (netAmountMinor: string) => [{ currency: 'USD', currencyExponent: 2, netAmountMinor }];
const nothing = { clicks: 0, referrals: 0, customers: 0, purchases: 0, revenue: [], earned: [] };
const figuresOf = async (from = today(), to = from, query: Record<string, string> = {}) =>
  (await shop.read(`/v1/partners/${shop.partnerId}/figures`, { from, to, ...query })).data;
const dayOf = async (day: string) => (await figuresOf(day)).total;
const expectSound = async () =>
  expect((await verifyProject(service.database, shop.project.projectId)).kept).toEqual([]);
const dayRows = () =>
  service.database.reads.query<{ subject: string; part: string; numbers: object }>(
    `select subject, part, numbers from figures where project_id = $1 and subject like '%:%'
     order by subject, part`,
    [shop.project.projectId],
  );
const ok = async (answer: Promise<{ status: number; body: object }>) => {
  const { status, body } = await answer;
  expect([status, body]).toMatchObject([200, {}]);
};
async function adjust(order: string, fields: Record<string, string>): Promise<void> {
  const [source] = (await shop.read('/v1/sources')).data;
  await ok(
    shop.post('/v1/track/adjustments', {
      sourceNamespaceId: source.id,
      purchase: { sourceEventId: order },
      occurredAt: service.clock.now,
      ...(fields.kind === 'dispute_lost' ? {} : { currency: 'USD', currencyExponent: 2 }),
      ...fields,
    }),
  );
}

test('each number counts on the day of its fact, and what changes later changes that day', async () => {
  await shop.signUp('bob');
  await shop.signUp('cyd');
  service.clock.advance(DAY_MS);
  const second = today();
  await shop.buy('bob', 'order-1');
  await shop.buy('bob', 'order-2', '1000');
  expect(await dayOf(first)).toEqual({ ...nothing, referrals: 2 });
  const bought = { ...nothing, customers: 1, purchases: 2 };
  expect(await dayOf(second)).toEqual({ ...bought, revenue: usd('21000'), earned: usd('2100') });

  service.clock.advance(3 * DAY_MS);
  await adjust('order-1', { sourceEventId: 'r', kind: 'refund', amountMinor: '5000' });
  expect(await dayOf(second)).toEqual({ ...bought, revenue: usd('16000'), earned: usd('1600') });
  await adjust('order-1', { sourceEventId: 'd', kind: 'dispute', amountMinor: '15000' });
  expect(await dayOf(second)).toMatchObject({ revenue: usd('16000') });
  await adjust('order-1', { sourceEventId: 'l', kind: 'dispute_lost', closes: 'd' });
  expect(await dayOf(second)).toEqual({ ...bought, revenue: usd('1000'), earned: usd('100') });
  const restores = { kind: 'restoration', restores: 'r', amountMinor: '5000' };
  await adjust('order-1', { sourceEventId: 'back', ...restores });
  expect(await dayOf(second)).toMatchObject({ revenue: usd('6000') });
  expect(await dayOf(today())).toEqual(nothing);
  await expectSound();
});

test('a void lowers what was earned on its day, and a repeat of anything changes nothing', async () => {
  await shop.signUp('bob');
  await shop.buy('bob', 'order-1');
  const before = await dayOf(first);
  await shop.signUp('bob');
  await shop.buy('bob', 'order-1');
  expect(await dayOf(first)).toEqual(before);
  const [reward] = await shop.rewards();
  service.clock.advance(DAY_MS);
  for (let times = 0; times < 2; times += 1) {
    await ok(shop.post(`/v1/rewards/${reward.id}/void`, { reasonCode: 'fraud' }));
  }
  expect(await dayOf(first)).toEqual({ ...before, earned: [] });
  await expectSound();
});

test('the days add up to the totals, by program, and to what is earned in the ledger', async () => {
  for (const name of ['bob', 'cyd', 'dan']) await shop.signUp(name);
  for (const [at, name] of ['bob', 'cyd', 'bob'].entries()) {
    service.clock.advance(DAY_MS);
    await shop.buy(name, `order-${at}`, String(1_000 * (at + 1)));
  }
  await adjust('order-2', { sourceEventId: 'r', kind: 'refund', amountMinor: '1500' });
  const { total, days, programs, previous } = await figuresOf(first, today());
  expect(days).toHaveLength(4);
  expect(total).toEqual({
    ...nothing,
    referrals: 3,
    customers: 2,
    purchases: 3,
    revenue: usd('4500'),
    earned: usd('450'),
  });
  const rewards = await shop.rewards();
  const net = rewards.reduce((sum, { money }) => sum + BigInt(money.netAmountMinor), 0n);
  expect(total.earned).toEqual(usd(String(net)));
  expect(programs).toMatchObject([{ programId: shop.programId, total }]);
  expect(previous).toBeNull();
  const compared = await figuresOf(today(), today(), { compare: 'previous' });
  expect(compared.previous.total).toMatchObject({ purchases: 1, revenue: usd('2000') });
  await expectSound();
});

test('a batch leaves what its facts leave one by one', async () => {
  const fill = async (isBatch: boolean) => {
    const [source] = (await shop.read('/v1/sources')).data;
    const person = (externalId: string) => ({ kind: 'individual', externalId });
    const events = ['bob', 'cyd'].flatMap((name) => [
      { type: 'signup', participant: person(name), refCode: shop.code },
      {
        type: 'purchase',
        participant: person(name),
        sourceEventId: `order of ${name}`,
        purchase: { amountMinor: '999', currency: 'USD' },
      },
    ]);
    const told = events.map((one) => ({ sourceNamespaceId: source.id, ...one }));
    if (isBatch) await ok(shop.post('/v1/track/events/batch', { events: told }));
    else for (const one of told) await ok(shop.post('/v1/track/events', one));
    await expectSound();
    return dayOf(first);
  };
  const together = await fill(true);
  shop = await openAffiliateShop(service, await service.newProject(), 'ada@example.com');
  expect(await fill(false)).toEqual(together);
  expect(together).toMatchObject({ referrals: 2, customers: 2, revenue: usd('1998') });
});

test('clicks of its links and codes are counted by day, once', async () => {
  await followLink(shop.linkUrl.replace(/^https?:\/\/[^/]+/, service.url));
  await followLink(`${service.url}/l/${shop.project.projectKey}/${shop.code}`);
  await service.flushClicks();
  expect(await dayOf(first)).toEqual({ ...nothing, clicks: 2 });
  const query = { from: first, to: first, programId: shop.programId };
  const { total } = (await shop.read('/v1/figures/daily', query)).data;
  expect(total.clicks).toBe(2);
  await expectSound();
});

test('somebody who refers without being a partner has no rows by day', async () => {
  const participant = { kind: 'individual', externalId: 'ada' };
  const program = await shop.post('/v1/programs', {
    kind: 'referral',
    name: 'Invite',
    config: { brandConfig: { landingPageUrl: 'https://example.com' } },
  });
  const programId = program.body.data.id;
  await ok(shop.post(`/v1/programs/${programId}/status`, { status: 'active' }));
  await ok(shop.post('/v1/referral-links', { programId, participant, slug: 'ada' }));
  const [source] = (await shop.read('/v1/sources')).data;
  const bob = { kind: 'individual', externalId: 'bob' };
  const fact = { sourceNamespaceId: source.id, participant: bob };
  await ok(shop.post('/v1/track/events', { ...fact, type: 'signup', refCode: 'ada' }));
  await shop.buy('bob', 'order-1');
  await adjust('order-1', { sourceEventId: 'r', kind: 'refund', amountMinor: '100' });
  expect(await dayRows()).toEqual([]);
  await expectSound();
});

describe('a partner that is erased', () => {
  const erase = () =>
    ok(
      service.call('DELETE', `/v1/participants/${shop.participantId}`, {
        as: shop.project.key,
        query: { projectId: shop.project.projectId, force: true },
      }),
    );

  test('loses its days, and no later fact about its referees brings them back', async () => {
    await shop.signUp('bob');
    await shop.buy('bob', 'order-1');
    expect(await dayRows()).toHaveLength(1);
    await erase();
    expect(await dayRows()).toEqual([]);
    await adjust('order-1', { sourceEventId: 'r', kind: 'refund', amountMinor: '100' });
    await shop.buy('bob', 'order-2');
    expect(await dayRows()).toEqual([]);
    const path = `/v1/partners/${shop.partnerId}/figures`;
    const query = { projectId: shop.project.projectId, from: first, to: first };
    const asked = await service.call('GET', path, { as: shop.project.key, query });
    expect([asked.status, asked.body.error.code]).toEqual([404, 'NOT_FOUND']);
    await expectSound();
  });
});

test('a partner is unknown in a project that it has not joined, and a range is checked', async () => {
  const ask = async (query: Record<string, string>, as = shop.project.key) => {
    const path = `/v1/partners/${shop.partnerId}/figures`;
    const { status, body } = await service.call('GET', path, { as, query });
    return [status, body.error?.details?.[0]?.path ?? body.error?.code];
  };
  const { projectId } = shop.project;
  const sibling = await newSibling(service, shop.project);
  const range = { from: first, to: first };
  expect(await ask({ projectId: sibling.projectId, ...range })).toEqual([404, 'NOT_FOUND']);
  expect(await ask({ projectId, ...range, programId: 'prg_none' })).toEqual([404, 'NOT_FOUND']);
  expect(await ask({ projectId, from: first, to: '2026-02-30' })).toEqual([400, 'to']);
  expect(await ask({ projectId, from: 'today', to: first })).toEqual([400, 'from']);
  const last = '9999-12-31';
  expect(await ask({ projectId, from: last, to: last })).toEqual([200, undefined]);
});

test('the migration gives the partners of before the same days', async () => {
  for (const name of ['bob', 'cyd']) await shop.signUp(name);
  for (const order of ['order-1', 'order-2', 'order-3']) {
    service.clock.advance(DAY_MS);
    await shop.buy('bob', order);
  }
  const [newest] = await shop.rewards();
  await ok(shop.post(`/v1/rewards/${newest.id}/void`, { reasonCode: 'fraud' }));
  await adjust('order-1', { sourceEventId: 'r', kind: 'refund', amountMinor: '700' });
  const notZero = (rows: Awaited<ReturnType<typeof dayRows>>) =>
    rows.map(({ numbers, ...row }) => ({
      ...row,
      numbers: Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== '0')),
    }));
  const counted = notZero(await dayRows());
  expect(counted).toHaveLength(4);
  const url = new URL('../../migrations/0010_partner_days.sql', import.meta.url);
  const sql = readFileSync(url, 'utf8');
  const fill = sql.slice(sql.indexOf('insert into figures'));
  const statement = fill.slice(0, fill.indexOf(';'));
  await service.database.transaction(async (tx) => {
    tx.send(`delete from figures where subject like '%:%'`, []);
    tx.send(statement, []);
  });
  expect(notZero(await dayRows())).toEqual(counted);
  await expectSound();
});
