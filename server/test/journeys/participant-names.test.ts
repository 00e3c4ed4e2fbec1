import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queryable } from '../../src/platform/db/driver.ts';
import { nameParticipants } from '../../src/surfaces/views/name-participants.ts';
import { becomePartner } from '../become-partner.ts';
import { openService, type TestService } from '../harness.ts';
import { openForeignShop, openShop, type Shop } from '../shop.ts';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await openService();
  shop = await openShop(service);
});
afterAll(() => service.close());

async function put(externalId: string, name: string | null = null): Promise<string> {
  const { projectId, key: as } = shop.project;
  const participant = { kind: 'individual', externalId };
  const body = { projectId, participant, name };
  return (await service.call('PUT', '/v1/participants', { as, body })).body.data.id;
}

const read = (ids: readonly string[], as = shop.project.key, of = shop) =>
  service.call('GET', '/v1/participant-names', {
    as,
    query: { projectId: of.project.projectId, ids: ids.join(',') },
  });

async function newKey(permissions: readonly string[]): Promise<string> {
  const { workspaceId } = shop.project;
  const body = { workspaceId, environment: 'sandbox', name: 'K', permissions };
  return (await service.call('POST', '/v1/api-keys', { as: 'operator', body })).body.key;
}

test('one call names people in the order of their ids, each once; unknown ids are left out', async () => {
  const ada = await put('u-1', 'Ada');
  const nameless = await put('u-2');
  const foreign = await openForeignShop(service);
  const { data } = (await read([nameless, 'par_none', ada, nameless])).body;
  expect(data).toEqual([
    {
      participantId: nameless,
      kind: 'individual',
      externalId: 'u-2',
      name: null,
      partnerId: null,
      deletedAt: null,
    },
    expect.objectContaining({ participantId: ada, name: 'Ada', externalId: 'u-1' }),
  ]);
  expect((await read([ada], foreign.project.key, foreign)).body.data).toEqual([]);
});

test('a hundred people take as many statements as two', async () => {
  const { participantId } = await becomePartner(service, shop.project, 'grace@example.com');
  const ids = [participantId];
  for (let n = 0; n < 99; n += 1) ids.push(await put(`many-${n}`, `Person ${n}`));
  const count = async (asked: readonly string[]) => {
    let statements = 0;
    const { reads } = service.database;
    const counting: Queryable = {
      query: (text, params) => {
        statements += 1;
        return reads.query(text, params);
      },
    };
    const { projectId } = shop.project;
    const named = await nameParticipants(counting, projectId, () => true, asked);
    expect(named.size).toBe(asked.length);
    expect(named.get(participantId)?.name).toBe('Grace Hopper');
    return statements;
  };
  expect([await count(ids.slice(0, 2)), await count(ids)]).toEqual([2, 2]);
  const answer = await read(ids);
  expect(answer.body.data).toHaveLength(100);
});

test('who may not read partners gets no name of theirs, and who may not read participants nothing', async () => {
  const { participantId } = await becomePartner(service, shop.project, 'lin@example.com');
  const [seen] = (await read([participantId], await newKey(['participants:read']))).body.data;
  expect(seen).toMatchObject({ name: null, deletedAt: null, partnerId: expect.any(String) });
  expect((await read([participantId], await newKey(['referrals:read']))).status).toBe(403);
});

test('of an erased person only the id is left, and that they were erased', async () => {
  const id = await put('u-9', 'Nina');
  const { projectId, key: as } = shop.project;
  await service.call('DELETE', `/v1/participants/${id}`, { as, query: { projectId } });
  expect((await read([id])).body.data).toMatchObject([
    { name: null, externalId: `deleted_${id}`, deletedAt: expect.any(String) },
  ]);
});

test.each([
  ['none', []],
  ['an empty one', ['a', '', 'b']],
  ['more than a hundred', Array.from({ length: 101 }, (_, n) => `par_${n}`)],
])('%s is refused, with the path of the field', async (_, ids) => {
  const { status, body } = await read(ids);
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('ids')]);
});

test('names are in no event of the feed (D-WH-5)', async () => {
  await put('u-20', 'Quixotica');
  const { body } = await shop.read('/v1/webhook-events', { limit: '500' });
  expect(JSON.stringify(body)).toContain('u-20');
  expect(JSON.stringify(body)).not.toContain('Quixotica');
});
