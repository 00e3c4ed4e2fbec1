import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { becomePartner } from '../become-partner.ts';
import { openService, type TestService } from '../harness.ts';
import { openForeignShop, openShop, type Shop } from '../shop.ts';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openShop(service);
});

const put = (externalId: string, more: object = {}, kind = 'individual') =>
  service.call('PUT', '/v1/participants', {
    as: shop.project.key,
    body: { projectId: shop.project.projectId, participant: { kind, externalId }, ...more },
  });
const find = async (q: string, as = shop.project.key) => {
  const { projectId } = shop.project;
  const answer = await service.call('GET', '/v1/search', { as, query: { projectId, q } });
  expect(answer.status).toBe(200);
  return answer.body.data as { type: string; id: string; label: string; participantId: string }[];
};
const brief = async (q: string) => (await find(q)).map(({ type, label }) => `${type} ${label}`);

test('just this id or name comes first, then what begins so', async () => {
  await put('ada-lovelace');
  await put('ADA');
  const { body } = await put('ada', {}, 'group');
  await put('team', { billingId: 'ada' });
  expect(await brief('ada')).toEqual([
    'participant ada',
    'participant ada',
    'referral_link ada',
    'participant team',
    'participant ADA',
    'participant ada-lovelace',
  ]);
  expect((await find(' ada ')).map(({ id }) => id)).toContain(body.data.id);
  // The same case comes first, then any other.
  expect(await brief('ADA')).toEqual([
    'participant ADA',
    'referral_link ada',
    'participant ada',
    'participant ada',
    'participant ada-lovelace',
  ]);
  expect(await brief('nothing-at-all')).toEqual([]);
});

test('a code and a link lead to whose they are', async () => {
  const [link] = await find('ada');
  const code = (
    await shop.post('/v1/referral-codes', {
      programId: shop.programId,
      participant: { kind: 'individual', externalId: 'ada' },
    })
  ).body.data;
  expect(await find(code.code)).toEqual([
    {
      type: 'referral_code',
      id: code.id,
      label: code.code,
      detail: null,
      participantId: code.participantId,
      participant: {
        participantId: code.participantId,
        kind: 'individual',
        externalId: 'ada',
        name: null,
        partnerId: null,
        deletedAt: null,
      },
    },
  ]);
  expect((await find(code.id))[0]).toMatchObject({ label: code.code });
  const byName = (await find('ada')).find(({ type }) => type === 'referral_link');
  expect((await find(byName?.id ?? ''))[0]).toEqual(byName);
  expect(link?.participantId).toBe(code.participantId);
});

test('every id that people come across finds what it is of, and an order its Event', async () => {
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 });
  const { cash } = await shop.buy('order-77');
  const { body } = await shop.read(`/v1/rewards/${cash}`);
  const [referral] = (await shop.read('/v1/referrals')).body.data;
  const endpoint = await shop.post('/v1/webhook-endpoints', { url: 'https://example.com/in' });
  const batch = await shop.post('/v1/payout-batches', { method: 'manual_export' });
  const ids = {
    reward: cash,
    event: body.eventId,
    participant: body.beneficiary.participantId,
    program: shop.programId,
    referral: referral.id,
    webhook_endpoint: endpoint.body.endpoint.id,
    payout_batch: batch.body.data.id,
  };
  for (const [type, id] of Object.entries(ids)) {
    expect([id, await find(id as string)]).toMatchObject([id, [{ type, id }]]);
  }
  expect(await find('order-77')).toMatchObject([
    { type: 'event', id: body.eventId, label: 'purchase order-77' },
  ]);
});

test('a signup without an id of its own is found by the one that it shows', async () => {
  const participant = { kind: 'individual', externalId: 'cy' };
  const { sourceNamespaceId } = shop;
  const signup = { sourceNamespaceId, type: 'signup' };
  const { eventId, participantId } = (
    await shop.post('/v1/track/events', { ...signup, participant })
  ).body;
  const shown = (await shop.read(`/v1/events/${eventId}`)).body.data.sourceEventId;
  expect(shown).toBe(`signup:${participantId}`);
  expect(await find(` ${shown} `)).toMatchObject([{ type: 'event', id: eventId, participantId }]);

  const named = { ...signup, participant: { ...participant, externalId: 'di' } };
  const other = (await shop.post('/v1/track/events', { ...named, sourceEventId: 's-1' })).body;
  expect(await find('s-1')).toMatchObject([{ type: 'event', id: other.eventId }]);
  expect(await find(`signup:${other.participantId}`)).toEqual([]);
  expect(await find(`signup:${participantId.slice(0, -1)}`)).toEqual([]);
});

test('what the caller may not read is not found, nor what another Project has', async () => {
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 });
  const { cash = '' } = await shop.buy('order-1');
  const { workspaceId } = shop.project;
  const permissions = ['participants:read'];
  const body = { workspaceId, environment: 'sandbox', name: 'K', permissions };
  const { key } = (await service.call('POST', '/v1/api-keys', { as: 'operator', body })).body;
  for (const q of [cash, 'order-1', shop.programId]) {
    expect(await find(q)).toHaveLength(1);
    expect(await find(q, key)).toEqual([]);
  }
  expect(await find('bob', key)).toHaveLength(1);
  const [bob] = await find('bob');
  shop = await openForeignShop(service);
  expect(await find(cash)).toEqual([]);
  expect(await find(bob?.id ?? '')).toEqual([]);
});

test('who was erased is not found by what they were called, and no more than twenty are', async () => {
  for (let n = 0; n < 25; n += 1) await put(`many-${n}`);
  expect(await find('many-')).toHaveLength(20);
  expect((await find('many-7'))[0]).toMatchObject({ label: 'many-7' });
  const [one] = await find('many-24');
  await service.call('DELETE', `/v1/participants/${one?.id}`, {
    as: shop.project.key,
    query: { projectId: shop.project.projectId },
  });
  expect(await find('many-24')).toEqual([]);
  expect(await find('deleted_')).toEqual([]);
});

test('people are found by the beginning of any word of their name, and of their address', async () => {
  await put('u-1', { name: 'Grace Brewster Hopper', email: 'Amazing@example.com' });
  await put('u-2', { name: 'José Hopkins' });
  for (const q of ['grace', 'BREW', 'Brewster hop', 'amazing@', 'AMAZ']) {
    expect([q, await brief(q)]).toEqual([q, ['participant u-1']]);
  }
  expect(await brief('jose')).toEqual(['participant u-2']);
  expect(await brief('hop')).toEqual(['participant u-2', 'participant u-1']);
  expect((await find('hop'))[0]).toMatchObject({ participant: { name: 'José Hopkins' } });
  expect(await brief('opper')).toEqual([]);
  expect(await brief('example.com')).toEqual([]);
});

test('letters, hyphens and apostrophes are typed as people type them', async () => {
  await put('u-1', { name: 'Jean-Luc O’Neil', email: "jean-luc.o'neil@example.com" });
  await put('u-2', { name: 'Łukasz Ørsted Æther-Großmann' });
  const typed = {
    'u-1': [
      'jean luc',
      'jean-luc',
      'luc',
      "o'neil",
      'o’neil',
      'oneil',
      'neil',
      'jean-luc.o',
      'JEAN-LUC O',
    ],
    'u-2': ['lukasz', 'łuk', 'orsted', 'ØRS', 'aether', 'æther gross', 'GROSSMANN', 'großm'],
  };
  for (const [externalId, all] of Object.entries(typed)) {
    for (const q of all) expect([q, await brief(q)]).toEqual([q, [`participant ${externalId}`]]);
  }
  for (const q of ['ukasz', 'eil', "'", '-', '’ -']) expect([q, await brief(q)]).toEqual([q, []]);
});

test('full-width letters are typed as well, for names, addresses and codes', async () => {
  await put('u-1', { name: 'Ａｄａ King', email: 'lovelace@example.com' });
  for (const q of ['ada k', 'Ａｄａ　Ｋ', 'ｋｉｎｇ', 'ｌｏｖｅｌａｃｅ＠ｅｘａｍｐｌｅ．ｃｏｍ']) {
    expect([q, await brief(q)]).toEqual([q, ['participant u-1']]);
  }
  expect(await brief('ＡＤＡ')).toEqual(['referral_link ada', 'participant u-1']);
});

test('somebody with another name is no longer found by the one before, nor once erased', async () => {
  const { id } = (await put('u-1', { name: 'Ada Byron', email: 'ada@example.com' })).body.data;
  await put('u-1', { billingId: 'cus_1' });
  expect(await brief('byron')).toEqual(['participant u-1']);
  await put('u-1', { name: 'Ada Lovelace' });
  expect(await brief('byron')).toEqual([]);
  expect(await brief('lovelace')).toEqual(['participant u-1']);
  await put('u-1', { email: null });
  expect(await brief('ada@')).toEqual([]);
  const { projectId, key: as } = shop.project;
  await service.call('DELETE', `/v1/participants/${id}`, { as, query: { projectId } });
  expect(await brief('lovelace')).toEqual([]);
  const left = await service.database.reads.query(
    'select 1 from search_keys where project_id = $1 and participant_id = $2',
    [projectId, id],
  );
  expect(left).toEqual([]);
});

test('a name matches nobody: two people may share it, with their address', async () => {
  const same = { name: 'Ada Byron', email: 'ada@example.com' };
  const first = (await put('u-1', same)).body.data;
  const second = (await put('u-2', same)).body.data;
  expect(first.id).not.toBe(second.id);
  expect((await find('ada b')).map(({ id }) => id).toSorted()).toEqual(
    [first.id, second.id].toSorted(),
  );
});

test('external ids that begin alike do not hide who is called so', async () => {
  for (let n = 0; n < 25; n += 1) await put(`many-${n}`);
  await put('u-1', { name: 'Many Words' });
  const found = await brief('many');
  expect(found).toHaveLength(20);
  expect(found).toContain('participant u-1');
});

test('people without a name or an address take no room in the index of names', async () => {
  const { projectId } = shop.project;
  await put('u-1', { billingId: 'cus_1' });
  const rows = await service.database.reads.query(
    'select 1 from search_keys where project_id = $1',
    [projectId],
  );
  expect(rows).toEqual([]);
});

test.each(['', ' ', 'x'.repeat(513)])('%j is refused', async (q) => {
  const answer = await shop.read('/v1/search', { q });
  expect(answer.status).toBe(400);
});

test.each(['%', '_', "'", '\\', 'a%b', 'par_'])(
  '%j finds nothing, and breaks nothing',
  async (q) => {
    expect(await find(q)).toEqual([]);
  },
);

test('what every object has by nature is no kind of id', async () => {
  expect(await find(`constructor_${'a'.repeat(26)}`, 'operator')).toEqual([]);
});

test('a partner is known by the name that it applied with, to those who may read partners', async () => {
  const { participantId } = await becomePartner(service, shop.project, 'grace@example.com');
  expect(await brief(participantId)).toEqual(['participant Grace Hopper']);
  const { workspaceId } = shop.project;
  const permissions = ['participants:read'];
  const body = { workspaceId, environment: 'sandbox', name: 'K', permissions };
  const { key } = (await service.call('POST', '/v1/api-keys', { as: 'operator', body })).body;
  expect((await find(participantId, key)).map(({ label }) => label)).toEqual([participantId]);
  for (const q of ['hopper', 'GRACE@']) {
    expect((await find(q)).map(({ id }) => id)).toEqual([participantId]);
    expect(await find(q, key)).toEqual([]);
  }
  const { projectId, key: as } = shop.project;
  await service.call('DELETE', `/v1/participants/${participantId}`, { as, query: { projectId } });
  expect(await find('hopper')).toEqual([]);
});
