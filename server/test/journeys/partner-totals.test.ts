import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AffiliateShop, newSibling, openAffiliateShop } from '../affiliate-shop.ts';
import { becomePartner } from '../become-partner.ts';
import { followLink } from '../follow-link.ts';
import { openService, type TestService } from '../harness.ts';

const DAY_MS = 24 * 3_600_000;

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

const today = () => service.clock.now.slice(0, 10);
const nothing = { clicks: 0, referrals: 0, customers: 0, purchases: 0, revenue: [], earned: [] };
const totalsOf = async (ids: readonly string[], query: Record<string, string> = {}) =>
  (
    await shop.read('/v1/figures/partners', {
      ids: ids.join(','),
      from: first,
      to: today(),
      ...query,
    })
  ).data;

test('the totals of partners are those of each one’s days, in the order of the ids', async () => {
  const idle = await becomePartner(service, shop.project, 'ida@example.com');
  await followLink(shop.linkUrl.replace(/^https?:\/\/[^/]+/, service.url));
  await followLink(`${service.url}/l/${shop.project.projectKey}/${shop.code}`);
  await service.flushClicks();
  await shop.signUp('bob');
  service.clock.advance(DAY_MS);
  await shop.buy('bob', 'order-1');
  const { total } = (
    await shop.read(`/v1/partners/${shop.partnerId}/figures`, { from: first, to: today() })
  ).data;
  expect(total).toMatchObject({ clicks: 2, referrals: 1, customers: 1 });
  const grace = { partnerId: shop.partnerId, participantId: shop.participantId, ...total };
  const ida = { partnerId: idle.partnerId, participantId: idle.participantId, ...nothing };
  expect(await totalsOf([idle.partnerId, shop.partnerId, idle.partnerId])).toEqual([ida, grace]);
  const { clicks, referrals, ...bought } = grace;
  expect(await totalsOf([shop.partnerId], { from: today() })).toEqual([
    { ...bought, clicks: 0, referrals: 0 },
  ]);
  const ofProgram = { programId: idle.programId };
  expect(await totalsOf([shop.partnerId], ofProgram)).toEqual([{ ...grace, ...nothing }]);
});

test('a partner that is unknown, erased or of another project is left out', async () => {
  const { partnerId, participantId, project } = shop;
  const sibling = await newSibling(service, project);
  const path = '/v1/figures/partners';
  const range = { ids: partnerId, from: first, to: first };
  const ask = (query: Record<string, string>) =>
    service.call('GET', path, { as: project.key, query: { ...range, ...query } });
  expect((await ask({ projectId: sibling.projectId })).body.data).toEqual([]);
  expect(await totalsOf(['ptn_none', partnerId])).toMatchObject([{ partnerId }]);
  await service.call('DELETE', `/v1/participants/${participantId}`, {
    as: project.key,
    query: { projectId: project.projectId, force: true },
  });
  expect(await totalsOf([partnerId])).toEqual([]);
});

test('ids, days and the program are checked', async () => {
  const { partnerId: ids, project } = shop;
  const ask = async (query: Record<string, string>) => {
    const given = { projectId: project.projectId, ids, from: first, to: first, ...query };
    const { status, body } = await service.call('GET', '/v1/figures/partners', {
      as: project.key,
      query: given,
    });
    return [status, body.error?.details?.[0]?.path ?? body.error?.code];
  };
  expect(await ask({ ids: '' })).toEqual([400, 'ids']);
  expect(await ask({ ids: Array(101).fill(ids).join(',') })).toEqual([400, 'ids']);
  expect(await ask({ from: '2026-02-30' })).toEqual([400, 'from']);
  expect(await ask({ to: '2020-01-01' })).toEqual([400, 'to']);
  expect(await ask({ programId: 'prg_none' })).toEqual([404, 'NOT_FOUND']);
});
