import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasListCursor } from '../../src/platform/http/routes/list-cursor.ts';
import type { Route } from '../../src/platform/http/routes/route.ts';
import { becomePartner } from '../become-partner.ts';
import { startService, type TestService } from '../harness.ts';
import { runBacktest } from '../run-backtest.ts';
import { openForeignShop, type Shop } from '../shop.ts';
import { TestMailer } from '../test-mailer.ts';

type Query = Record<string, string>;

/** Ids of a Project's things, by what they are. */
interface Things {
  readonly shop: Shop;
  readonly ids: Readonly<Record<string, string>>;
}

let service: TestService;
let here: Things;
let elsewhere: Things;
beforeAll(async () => {
  service = await startService({ mailer: new TestMailer() });
  here = await fill('here');
  elsewhere = await fill('elsewhere');
});
afterAll(() => service.close());

/** Two or more of what lists show, and a partner. */
async function fill(name: string): Promise<Things> {
  const shop = await openForeignShop(service);
  const { project } = shop;
  await shop.addRule({
    benefitKind: 'cash',
    calculation: 'fixed',
    fixedAmountMinor: '500',
    currency: 'USD',
    currencyExponent: 2,
  });
  await shop.setDelivery({ cashMethod: 'payout', holdDays: 0 });
  await set(shop, `/v1/projects/${project.projectId}/mail-settings`, {
    sender: { name: 'Acme', address: 'rewards@example.com' },
  });
  await set(shop, `/v1/programs/${shop.programId}/mail-settings`, { kinds: ['friend_joined'] });
  const ada = { kind: 'individual', externalId: 'ada' };
  await set(shop, '/v1/participants', { participant: ada, email: `ada.${name}@example.com` });
  const url = 'https://shop.example.com/webhooks';
  const { endpoint } = (await shop.post('/v1/webhook-endpoints', { url })).body;
  for (const who of ['carol', 'dave']) await shop.signUp(who);
  const { cash } = await shop.buy('order-1');
  const participants = (await shop.read('/v1/participants', { externalId: 'ada' })).body;
  service.payees.set(participants.data[0].id);
  const batch = (await shop.post('/v1/payout-batches', { method: 'manual_export' })).body.data;
  await shop.buy('order-2');
  await shop.post('/v1/payout-batches', { method: 'manual_export' });
  await shop.buy('order-3');
  for (let order = 4; order < 54; order += 1) await shop.order(`order-${order}`);
  const [event] = (await shop.read('/v1/events')).body.data;
  const partner = await becomePartner(service, project, `${name}@example.com`);
  const applicant = { name: 'Linus', profileType: 'individual', programId: partner.programId };
  await shop.post('/v1/partner-applications', { ...applicant, email: `linus.${name}@example.com` });
  await service.sendMails();
  const backtestId = await backtest(shop);
  const restores = `/v1/workspaces/${project.workspaceId}/restores`;
  const { body: restore } = await service.call('POST', restores, {
    as: 'operator',
    body: { since: '2026-11-15T00:00:00.000Z' },
  });
  const feed = (await shop.read('/v1/webhook-events')).body.events;
  const [referral] = (await shop.read('/v1/referrals')).body.data;
  return {
    shop,
    ids: {
      participant: participants.data[0].id,
      program: shop.programId,
      referral: referral.id,
      event: event.id,
      reward: cash as string,
      batch: batch.id,
      endpoint: endpoint.id,
      'webhook event': feed[0].id,
      partner: partner.partnerId,
      workspace: project.workspaceId,
      backtest: backtestId,
      restore: restore.data.id,
    },
  };
}

/** What twice as much for each purchase would have cost; returns its id. */
async function backtest(shop: Shop): Promise<string> {
  const terms = { benefitKind: 'cash', fixedAmountMinor: '1000', currency: 'USD' };
  const { body } = await shop.post('/v1/backtests', {
    programId: shop.programId,
    from: '2000-01-01T00:00:00.000Z',
    to: '2100-01-01T00:00:00.000Z',
    definition: {
      apiVersion: 'goodword/v1',
      kind: 'Program',
      rules: { thanks: { terms: { ...terms, durationMode: 'forever' } } },
    },
  });
  await runBacktest(service);
  return body.data.id;
}

async function set({ project }: Shop, path: string, body: object): Promise<void> {
  const { projectId, key: as } = project;
  const { status } = await service.call('PUT', path, { as, body: { projectId, ...body } });
  expect([path, status]).toEqual([path, 200]);
}

/** What the id in a field names. */
const NAMES: readonly (readonly [path: RegExp, field: RegExp, what: string])[] = [
  [/deliveries$/, /^eventId$/, 'webhook event'],
  [/./, /participantId$/i, 'participant'],
  [/./, /^recipientId$/, 'participant'],
  [
    /./,
    /^(program|referral|event|reward|batch|endpoint|partner|workspace|backtest|restore)Id$/,
    '',
  ],
];
/** Whatever acted and was changed, by the id that the log recorded: it may be of any kind, and need not exist. */
const RECORDED = ['actorId', 'targetId'];
const OTHER_IDS = ['projectId', 'workspaceId', 'externalId', ...RECORDED];

function whatIn(path: string, field: string): string {
  const found = NAMES.find(([where, name]) => where.test(path) && name.test(field));
  if (!found) throw new Error(`Which thing does ${field} of ${path} name?`);
  return found[2] || field.replace(/Id$/, '');
}

const readRoutes = () =>
  service.routes.filter(({ method, access }) => method === 'GET' && access.by !== 'widget');

const fieldsOf = (route: Route): string[] => Object.keys(route.query?.properties ?? {});

/** A call that succeeds: with the ids that its path names, and the fields that it must have. */
function plainCall(route: Route, { shop, ids }: Things): { path: string; query: Query } {
  const own: Query = { ...shop.project };
  const idIn = (name: string) => own[name] ?? (ids[whatIn(route.path, name)] as string);
  const valueFor = (name: string) => {
    const { pattern = '' } = (route.query?.properties[name] ?? {}) as { pattern?: string };
    if (name.endsWith('Id')) return idIn(name);
    if (name === 'ids') return idIn('partnerId');
    if (name === 'from' || name === 'to')
      return pattern.endsWith('-[0-9]{2}-[0-9]{2}$') ? '2026-11-15' : '2026-11';
    throw new Error(`Which value has ${name} of ${route.path}?`);
  };
  const needed = ((route.query?.required ?? []) as string[]).concat(
    fieldsOf(route).filter((name) => name === 'workspaceId'),
  );
  return {
    path: route.path.replace(/\{(\w+)\}/g, (_, name: string) => idIn(name)),
    query: Object.fromEntries(needed.map((name) => [name, valueFor(name)])),
  };
}

const get = (path: string, query: Query) => service.call('GET', path, { as: 'operator', query });

describe('an id in the filter of a list', () => {
  const filters = () =>
    readRoutes().flatMap((route) =>
      fieldsOf(route)
        .filter((field) => field.endsWith('Id') && !OTHER_IDS.includes(field))
        .map((field) => ({ route, field })),
    );

  test('that is of this project is a filter, of another project 404 (D-ERR-2)', async () => {
    const seen: string[] = [];
    for (const { route, field } of filters()) {
      const what = whatIn(route.path, field);
      const { path, query } = plainCall(route, here);
      const ask = async (value: string | undefined) =>
        (await get(path, { ...query, [field]: value as string })).status;
      const statuses = [await ask(here.ids[what]), await ask(elsewhere.ids[what])];
      expect([path, field, ...statuses]).toEqual([path, field, 200, 404]);
      expect([path, field, await ask('par_00000000000000000000000000')]).toEqual([
        path,
        field,
        404,
      ]);
      seen.push(`${route.path} ${field}`);
    }
    expect(seen).toEqual(
      expect.arrayContaining([
        '/v1/events participantId',
        '/v1/events/totals participantId',
        '/v1/mails recipientId',
        '/v1/payouts batchId',
        '/v1/payouts/totals beneficiaryParticipantId',
        '/v1/referrals programId',
        '/v1/referrals/totals referrerParticipantId',
        '/v1/reward-adjustments rewardId',
        '/v1/exports/payouts batchId',
        '/v1/figures/daily programId',
      ]),
    );
  });

  test('is described with its refusal, unless the figures of a program are asked for', () => {
    const undeclared = filters().filter(({ route, field }) => {
      const schema = route.query?.properties[field] as { 'x-names'?: string } | undefined;
      return schema?.['x-names'] !== whatIn(route.path, field) && field !== 'recipientId';
    });
    const paths = undeclared.map(({ route }) => route.path);
    expect(
      paths.filter((path) => !path.endsWith('/figures') && !path.startsWith('/v1/figures/')),
    ).toEqual([]);
  });

  test('finds what is left of somebody who was erased', async () => {
    const { shop } = here;
    const carol = (await shop.read('/v1/participants', { externalId: 'carol' })).body.data[0].id;
    const { projectId, key: as } = shop.project;
    const erased = await service.call('DELETE', `/v1/participants/${carol}`, {
      as,
      query: { projectId, force: true },
    });
    expect(erased.status).toBe(200);
    const { status, body } = await shop.read('/v1/referrals', { refereeParticipantId: carol });
    expect([status, body.data.length]).toEqual([200, 1]);
    expect((await shop.read('/v1/mails', { recipientId: carol })).status).toBe(200);
  });

  test('of the audit log is a project of its workspace', async () => {
    const { projectId, workspaceId } = here.shop.project;
    const ask = async (id: string) =>
      (await get('/v1/audit-log', { workspaceId, projectId: id })).status;
    const other = await service.newProject();
    expect(other.workspaceId).not.toBe(workspaceId);
    expect([await ask(projectId), await ask(other.projectId)]).toEqual([200, 404]);
  });
});

describe('a cursor', () => {
  const lists = () => readRoutes().filter(hasListCursor);
  const firstPage = async (route: Route, things: Things, filters: Query = {}) => {
    const { path, query } = plainCall(route, things);
    const asked = {
      ...query,
      ...filters,
      ...(fieldsOf(route).includes('limit') ? { limit: '1' } : {}),
    };
    const { status, body } = await get(path, asked);
    expect([path, status]).toEqual([path, 200]);
    return { path, asked, cursor: body.nextCursor as string | null };
  };
  const refusal = {
    status: 400,
    body: { error: { code: 'INVALID_REQUEST', details: [{ path: 'cursor' }] } },
  };

  test('continues its own list, and no other list, project or workspace', async () => {
    const cursors = new Map<string, string>();
    for (const route of lists()) {
      const { path, asked, cursor } = await firstPage(route, here);
      if (cursor === null) continue;
      cursors.set(route.path, cursor);
      expect([path, (await get(path, { ...asked, cursor })).status]).toEqual([path, 200]);
      const other = await firstPage(route, elsewhere);
      // Lists of everything that the caller may see are the same everywhere.
      if (JSON.stringify(other.asked) === JSON.stringify(asked)) continue;
      expect(await get(other.path, { ...other.asked, cursor })).toMatchObject(refusal);
    }
    expect([...cursors.keys()]).toEqual(
      expect.arrayContaining([
        '/v1/referrals',
        '/v1/rewards',
        '/v1/events',
        '/v1/payouts',
        '/v1/mails',
        '/v1/payout-batches',
        '/v1/partner-applications',
        '/v1/webhook-endpoints/{endpointId}/deliveries',
        '/v1/backtests/{backtestId}/differences',
        '/v1/audit-log',
      ]),
    );
    for (const route of lists()) {
      const { path, asked } = await firstPage(route, here);
      for (const [from, cursor] of cursors) {
        if (from === route.path) continue;
        expect(await get(path, { ...asked, cursor })).toMatchObject(refusal);
      }
      const own = cursors.get(route.path);
      for (const bad of ['x', '.', `${own}x`, `x${own}`, 'cHJqXzE.AAAAAAAAAAAAAAAA']) {
        expect(await get(path, { ...asked, cursor: bad })).toMatchObject(refusal);
      }
    }
  });

  test('keeps the filters and the order, but not the size of a page', async () => {
    const { shop, ids } = here;
    const changes: readonly (readonly [path: string, filters: Query])[] = [
      ['/v1/referrals', { programId: ids.program as string }],
      ['/v1/referrals', { order: 'asc' }],
      ['/v1/rewards', { benefitKind: 'cash' }],
      ['/v1/events', { type: 'purchase' }],
      ['/v1/payouts', { currency: 'USD' }],
      ['/v1/payout-batches', { status: 'draft' }],
      ['/v1/mails', { state: 'preview' }],
      ['/v1/partner-applications', { status: 'pending' }],
    ];
    for (const [path, filters] of changes) {
      const limit: Query = path === '/v1/events' ? {} : { limit: '1' };
      const { nextCursor: cursor } = (await shop.read(path, limit)).body;
      expect(typeof cursor).toBe('string');
      expect(await shop.read(path, { ...filters, cursor })).toMatchObject(refusal);
      const again = path === '/v1/events' ? {} : { limit: '2' };
      expect((await shop.read(path, { ...again, cursor })).status).toBe(200);
    }
    const { nextCursor } = (await shop.read('/v1/referrals', { limit: '1' })).body;
    const sameOrder = { limit: '1', order: 'desc', cursor: nextCursor };
    expect((await shop.read('/v1/referrals', sameOrder)).status).toBe(200);
  });
});
