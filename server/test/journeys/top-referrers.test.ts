import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { becomePartner } from '../become-partner.ts';
import { openService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';

let service: TestService;
let shop: Shop;
let sourceNamespaceId: string;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  // With ada, who brought bob.
  shop = await openShop(service);
  sourceNamespaceId = (await shop.post('/v1/sources')).body.sourceNamespaceId;
});

const person = (externalId: string) => ({ kind: 'individual', externalId });
const share = (programId: string, externalId: string) =>
  shop.post('/v1/referral-links', { programId, participant: person(externalId), slug: externalId });
const bring = (referrer: string, externalId: string) =>
  shop.post('/v1/track/events', {
    sourceNamespaceId,
    type: 'signup',
    participant: person(externalId),
    refCode: referrer,
  });
const top = async (query: Record<string, string> = {}) =>
  (await shop.read('/v1/figures/top-referrers', query)).body.data;
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const brief = (rows: any[]) =>
  rows.map(({ participant, referrals }) => [participant.externalId, referrals]);

async function newProgram(): Promise<string> {
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const made = await shop.post('/v1/programs', { kind: 'referral', name: 'Second', config });
  await shop.post(`/v1/programs/${made.body.data.id}/status`, { status: 'active' });
  return made.body.data.id;
}

test('who brought most comes first, of equals who came first, and nobody without any', async () => {
  await share(shop.programId, 'grace');
  await share(shop.programId, 'linus');
  await share(shop.programId, 'idle');
  await bring('linus', 'carol');
  await bring('grace', 'dave');
  await bring('grace', 'erin');
  expect(brief(await top())).toEqual([
    ['grace', 2],
    ['ada', 1],
    ['linus', 1],
  ]);
  expect(brief(await top({ limit: '1' }))).toEqual([['grace', 2]]);
});

test('of one Program counts what was brought and earned there; of all, everything', async () => {
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 });
  await shop.buy('order-1');
  const { cash } = await shop.buy('order-2');
  await shop.post(`/v1/rewards/${cash}/void`, { reasonCode: 'fraud' });
  const second = await newProgram();
  await shop.post('/v1/referral-links', {
    programId: second,
    participant: person('ada'),
    slug: 'ada-too',
  });
  await bring('ada-too', 'frank');
  const earned = [{ currency: 'USD', currencyExponent: 2, netAmountMinor: '100' }];
  expect(await top()).toMatchObject([{ referrals: 2, earned }]);
  expect(await top({ programId: shop.programId })).toMatchObject([{ referrals: 1, earned }]);
  expect(await top({ programId: second })).toMatchObject([{ referrals: 1, earned: [] }]);
  expect((await shop.read('/v1/figures/top-referrers', { programId: 'prg_none' })).status).toBe(
    404,
  );
});

test('who was erased is still counted, without a name', async () => {
  const [{ participant }] = await top();
  const { projectId, key } = shop.project;
  await service.call('DELETE', `/v1/participants/${participant.participantId}`, {
    as: key,
    query: { projectId, force: true },
  });
  const [erased] = await top();
  expect(erased).toMatchObject({ referrals: 1, participant: { name: null } });
  expect(erased.participant.deletedAt).toEqual(service.clock.now);
});

test('a partner has the name that it applied with, for those who may read partners', async () => {
  const { project } = shop;
  const partner = await becomePartner(service, project, 'grace@example.com');
  await bring(partner.code, 'carol');
  const listed = { participantId: partner.participantId, externalId: null, deletedAt: null };
  const named = { ...listed, partnerId: partner.partnerId, name: 'Grace Hopper' };
  expect(await top({ programId: partner.programId })).toMatchObject([{ participant: named }]);

  const { workspaceId, projectId } = project;
  const permissions = ['referrals:read', 'participants:read'];
  const body = { workspaceId, environment: 'sandbox', name: 'K', permissions };
  const { key } = (await service.call('POST', '/v1/api-keys', { as: 'operator', body })).body;
  const answer = await service.call('GET', '/v1/figures/top-referrers', {
    as: key,
    query: { projectId, programId: partner.programId },
  });
  expect(answer.body.data).toMatchObject([{ participant: { ...named, name: null } }]);
});

test('needs to read both referrals and participants, and takes at most fifty', async () => {
  const { workspaceId, projectId } = shop.project;
  const body = { workspaceId, environment: 'sandbox', name: 'K', permissions: ['referrals:read'] };
  const { key } = (await service.call('POST', '/v1/api-keys', { as: 'operator', body })).body;
  const query = { projectId };
  expect((await service.call('GET', '/v1/figures/top-referrers', { as: key, query })).status).toBe(
    403,
  );
  expect((await shop.read('/v1/figures/top-referrers', { limit: '51' })).status).toBe(400);
});
