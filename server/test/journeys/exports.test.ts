import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openShop(service);
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 10_000 });
  await shop.setDelivery({ cashMethod: 'payout' });
});

const person = (externalId: string) => ({ kind: 'individual', externalId });

/** Of cells without line breaks. */
function parse(text: string): { head: string[]; rows: Record<string, string>[] } {
  const [head = [], ...rows] = text
    .split('\r\n')
    .slice(0, -1)
    .map((line) => line.slice(1, -1).split('","'));
  return {
    head,
    rows: rows.map((cells) => Object.fromEntries(cells.map((cell, n) => [head[n], cell]))),
  };
}

const file = (list: string, query: Record<string, string> = {}) =>
  shop.read(`/v1/exports/${list}`, query);
const table = async (list: string, query: Record<string, string> = {}) => {
  const { status, body } = await file(list, query);
  expect([list, status]).toEqual([list, 200]);
  return parse(body).rows;
};
const ids = (rows: readonly Record<string, string>[]) => rows.map(({ id }) => id);
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const listed = async (path: string, query: Record<string, string> = {}): Promise<any[]> =>
  (await shop.read(path, query)).body.data;

test.each([
  ['participants', '/v1/participants'],
  ['referrals', '/v1/referrals'],
  ['events', '/v1/events'],
  ['rewards', '/v1/rewards'],
  ['payouts', '/v1/payouts'],
  ['payout-batches', '/v1/payout-batches'],
])('the export of %s has the rows of its list, in its order', async (list, path) => {
  await shop.signUp('carol');
  await shop.buy('one');
  await shop.buy('two');
  service.payees.set((await listed('/v1/rewards'))[0].beneficiary.participantId);
  await shop.post('/v1/payout-batches', { method: 'manual_export' });
  const rows = await table(list);
  expect(ids(rows)).toEqual((await listed(path)).map(({ id }) => id));
  expect(rows.length).toBeGreaterThan(0);
});

test('what was set up in a Project: Programs, sources and endpoints', async () => {
  await shop.post('/v1/sources', { name: 'Till' });
  const url = 'https://hooks.example.com/in';
  const { endpoint } = (await shop.post('/v1/webhook-endpoints', { url })).body;
  expect(await table('programs')).toMatchObject(
    (await listed('/v1/programs')).map(({ id, name, status }) => ({ id, name, status })),
  );
  expect(await table('sources')).toMatchObject(
    (await listed('/v1/sources')).map(({ id, key }) => ({ id, key, enabled: 'true' })),
  );
  const endpoints = await table('webhook-endpoints');
  expect(endpoints).toMatchObject([{ id: endpoint.id, url }]);
  expect(endpoints[0]?.event_types).toBe(endpoint.eventTypes.join('; '));
});

test('what a Workspace has: keys without their secrets, and who is in it', async () => {
  const { workspaceId, key } = shop.project;
  const read = async (list: string) => {
    const answer = await service.call('GET', `/v1/exports/${list}`, {
      as: 'operator',
      query: { workspaceId },
    });
    expect([list, answer.status]).toEqual([list, 200]);
    return answer.body as string;
  };
  const keys = await read('api-keys');
  expect(parse(keys).rows).toMatchObject([{ last4: key.slice(-4), revoked_at: '' }]);
  expect(keys).not.toContain(key);
  expect(parse(await read('users')).rows).toEqual([]);
  expect(parse(await read('partners')).rows).toEqual([]);
  const invited = { workspaceId, email: 'ada@example.com', role: 'viewer' };
  await service.call('POST', '/v1/invitations', { as: 'operator', body: invited });
  expect(parse(await read('invitations')).rows).toMatchObject([
    { email: 'ada@example.com', role: 'viewer', status: 'open', accepted_at: '' },
  ]);
  const nowhere = await service.call('GET', '/v1/exports/api-keys', {
    as: 'operator',
    query: { workspaceId: 'ws_none' },
  });
  expect(nowhere.status).toBe(404);
});

test('a row has what the list tells, an empty cell for nothing, and no formulas', async () => {
  await service.call('PUT', '/v1/participants', {
    as: shop.project.key,
    body: {
      projectId: shop.project.projectId,
      participant: person('carol'),
      name: '=HYPERLINK("x")',
      email: '+carol@example.com',
    },
  });
  const { body, headers } = await file('participants', { externalId: 'carol' });
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const day = service.clock.now.slice(0, 10);
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="participants-${shop.project.projectId}-${day}.csv"`,
  );
  const [carol] = await listed('/v1/participants', { externalId: 'carol' });
  expect(body.split('\r\n')).toEqual([
    '"id","kind","external_id","name","email","billing_id","partner_id","is_referrer","is_referee","created_at","updated_at","deleted_at","starting_measures"',
    `"${carol.id}","individual","carol","'=HYPERLINK(""x"")","'+carol@example.com","","","false","false","${carol.createdAt}","${carol.updatedAt}","",""`,
    '',
  ]);
});

test('filters are those of the list', async () => {
  await shop.signUp('carol');
  await shop.order('one');
  expect((await table('events', { type: 'purchase' })).map(({ type }) => type)).toEqual([
    'purchase',
  ]);
  expect(await table('rewards', { fulfillmentStatus: 'failed' })).toEqual([]);
  expect((await table('participants', { kind: 'group' })).length).toBe(0);
  const [referral] = await listed('/v1/referrals');
  const { refereeParticipantId } = referral;
  expect(await table('referrals', { refereeParticipantId })).toMatchObject([
    { referee_external_id: 'carol', referrer_external_id: 'ada' },
  ]);
  expect((await file('rewards', { programId: 'prg_none' })).status).toBe(404);
  expect((await file('rewards', { fulfillmentStatus: 'nonsense' })).status).toBe(400);
  expect((await file('webhook-deliveries', { endpointId: 'whe_none' })).status).toBe(404);
  expect((await file('nothing')).status).toBe(404);
});

test('the audit log keeps that one person was asked for, not who', async () => {
  await table('participants', { externalId: 'carol@example.com', kind: 'individual' });
  const { workspaceId } = shop.project;
  const query = { workspaceId, action: 'list.export' };
  const log = await service.call('GET', '/v1/audit-log', { as: 'operator', query });
  const { changes } = log.body.data[0];
  expect(changes).toMatchObject({ kind: 'individual', isOfOnePerson: true });
  expect(JSON.stringify(changes)).not.toContain('carol');
});

test('amounts are exact, below zero too', async () => {
  const { sourceNamespaceId } = (await shop.post('/v1/sources')).body;
  await shop.buy('one');
  await shop.post('/v1/track/adjustments', {
    sourceNamespaceId,
    sourceEventId: 'refund',
    purchase: { sourceEventId: 'one' },
    kind: 'refund',
    amountMinor: '500',
    currency: 'USD',
    currencyExponent: 2,
    occurredAt: service.clock.now,
  });
  expect(await table('reward-adjustments')).toMatchObject([
    { signed_amount_minor: '-500', currency: 'USD' },
  ]);
  expect(await table('rewards')).toMatchObject([{ amount_minor: '1000', net_amount_minor: '500' }]);
  expect((await table('events'))[0]).toMatchObject({ amount_minor: '1000', currency: 'USD' });
});

test('more rows than a page has are all there, each once, newest first', async () => {
  const { sourceNamespaceId } = (await shop.post('/v1/sources')).body;
  const count = 1_700;
  for (let from = 0; from < count; from += 425) {
    const events = Array.from({ length: 425 }, (_, n) => ({
      sourceNamespaceId,
      type: (from + n) % 5 === 0 ? 'custom_fifth' : 'custom_visit',
      participant: person(`visitor-${from + n}`),
      sourceEventId: `visit-${from + n}`,
    }));
    expect((await shop.post('/v1/track/events/batch', { events })).status).toBe(200);
  }
  const names = Array.from({ length: count }, (_, n) => `visit-${count - 1 - n}`);
  const visits = (await table('events')).map((row) => row.source_event_id);
  expect(visits.slice(0, count)).toEqual(names);
  expect(visits).toHaveLength(count + 1);
  const fifths = (await table('events', { type: 'custom_fifth' })).map(
    (row) => row.source_event_id,
  );
  expect(fifths).toEqual(names.filter((name) => Number(name.slice(6)) % 5 === 0));
  const people = (await table('participants')).map((row) => row.external_id);
  expect(people).toHaveLength(count + 2);
  expect(new Set(people).size).toBe(count + 2);
});

test('what was sent to an endpoint, and the audit log, in which every export is', async () => {
  const made = await shop.post('/v1/webhook-endpoints', { url: 'https://hooks.example.com/in' });
  const endpointId = made.body.endpoint.id;
  await shop.signUp('carol');
  const deliveries = await table('webhook-deliveries', { endpointId });
  expect(deliveries.map((row) => row.event_type)).toContain('event.recorded');
  const { workspaceId } = shop.project;
  const query = { workspaceId, action: 'list.export' };
  const as = 'operator';
  const log = await service.call('GET', '/v1/exports/audit-log', { as, query });
  expect(log.headers.get('content-disposition')).toContain(`audit-log-${workspaceId}-`);
  expect(parse(log.body).rows).toMatchObject([
    { action: 'list.export', target_id: 'webhook-deliveries', actor_type: 'key' },
  ]);
  const after = await service.call('GET', '/v1/audit-log', { as, query });
  expect(after.body.data[0]).toMatchObject({ targetId: 'audit-log', actorType: 'cli' });
});

test('the audit log of a project that the workspace does not have is 404, whatever its name', async () => {
  const { workspaceId } = shop.project;
  const projectId = 'x"\r\nset-cookie: a=b; é.csv';
  const log = await service.call('GET', '/v1/exports/audit-log', {
    as: 'operator',
    query: { workspaceId, projectId },
  });
  expect(log.status).toBe(404);
  expect(log.headers.get('set-cookie')).toBeNull();
  expect(log.headers.get('content-disposition')).toBeNull();
  const long = await service.call('GET', '/v1/exports/audit-log', {
    as: 'operator',
    query: { workspaceId, projectId: 'x'.repeat(129) },
  });
  expect(long.status).toBe(400);
});
