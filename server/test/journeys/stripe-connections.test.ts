import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStripeKey } from '../../src/outbound/integrations/stripe/connections/connection.ts';
import {
  findConnection,
  findConnectionById,
} from '../../src/outbound/integrations/stripe/connections/connection-store.ts';
import { DAY_MS, HOUR_MS } from '../../src/platform/kit/instant.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';
import { customer, stripeEvent } from '../stripe-events.ts';
import { RESTRICTED_KEY, signStripe, WEBHOOK_SECRET } from '../stripe-shop.ts';

const PATH = '/v1/integrations/stripe/connections';
const LIVE_KEY = RESTRICTED_KEY.replace('test', 'live');

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  project = await service.newProject();
});

const send = (method: 'POST' | 'PATCH', path: string, body: object) =>
  service.call(method, PATH + path, {
    as: 'operator',
    body: { projectId: project.projectId, ...body },
  });
const read = (path = '') =>
  service.call('GET', PATH + path, {
    as: 'operator',
    query: { projectId: project.projectId },
  });
const remove = (id: string) =>
  service.call('DELETE', `${PATH}/${id}`, {
    as: 'operator',
    query: { projectId: project.projectId },
  });
const connect = async (input: object = {}) => {
  const answer = await send('POST', '', { restrictedKey: RESTRICTED_KEY, ...input });
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer.body.data as { id: string; webhookUrl: string; sourceNamespaceId: string };
};
/** An event that names nobody, signed so. */
const deliver = (id: string, secret: string) => {
  const payload = JSON.stringify(stripeEvent('customer.created', customer('cus_1')));
  return service.call('POST', `/v1/integrations/stripe/${project.projectId}/${id}`, {
    body: payload,
    headers: { 'stripe-signature': signStripe(service, payload, secret) },
  });
};

describe('a Stripe connection', () => {
  test('is made, listed and read, and tells where Stripe is to send its events', async () => {
    const made = await connect({ webhookSecret: WEBHOOK_SECRET });
    expect(made).toMatchObject({
      projectId: project.projectId,
      status: 'active',
      livemode: false,
      hasWebhookSecret: true,
      last4: RESTRICTED_KEY.slice(-4),
      webhookUrl: `https://refer.example.com/v1/integrations/stripe/${project.projectId}/${made.id}`,
    });
    expect((await read()).body.data).toEqual([made]);
    expect((await read(`/${made.id}`)).body.data).toEqual(made);
    expect((await read('/scn_nothing')).status).toBe(404);
  });

  test('has a source of its own, of kind billing', async () => {
    const { sourceNamespaceId } = await connect();
    const { body } = await service.call('GET', '/v1/sources', {
      as: project.key,
      query: { projectId: project.projectId },
    });
    expect(body.data).toMatchObject([
      { id: sourceNamespaceId, name: 'Stripe', kind: 'billing', enabled: true },
    ]);
  });

  test('shows neither key nor secret: not in answers, in the log, in the audit log, or at rest', async () => {
    const { id } = await connect({ webhookSecret: WEBHOOK_SECRET });
    const next = { restrictedKey: `${RESTRICTED_KEY}x`, webhookSecret: `${WEBHOOK_SECRET}x` };
    const changed = await send('PATCH', `/${id}`, next);
    const audit = await service.call('GET', '/v1/audit-log', {
      as: 'operator',
      query: { workspaceId: project.workspaceId },
    });
    const rows = await service.database.reads.query('select * from stripe_connections');
    const everywhere = JSON.stringify([changed.body, audit.body, rows, service.log]);
    expect(everywhere).not.toContain(RESTRICTED_KEY.slice(8, 20));
    expect(everywhere).not.toContain(WEBHOOK_SECRET.slice(6, 20));
    expect(JSON.stringify(audit.body)).toContain('stripe_connection.change');
  });

  test('gives its key to whoever calls Stripe, and to nobody in another row', async () => {
    const { id } = await connect();
    const row = await findConnection(service.database.reads, project.projectId);
    const keyring = createKeyring(ROOT_KEY);
    if (!row) throw new Error('There is no active connection.');
    expect(row.id).toBe(id);
    expect(openStripeKey(keyring, row)).toBe(RESTRICTED_KEY);
    expect(() => openStripeKey(keyring, { ...row, projectId: 'prj_other' })).toThrow();
  });

  test.each([
    ['a live key in a sandbox', 'sandbox', LIVE_KEY],
    ['a test key in a live Project', 'live', RESTRICTED_KEY],
  ] as const)('is refused with %s', async (_name, environment, restrictedKey) => {
    project = await service.newProject(environment);
    const answer = await send('POST', '', { restrictedKey });
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, 'restrictedKey']);
    const right = environment === 'live' ? LIVE_KEY : RESTRICTED_KEY;
    const { id } = await connect({ restrictedKey: right });
    expect((await send('PATCH', `/${id}`, { restrictedKey })).status).toBe(400);
    expect((await read(`/${id}`)).body.data.livemode).toBe(environment === 'live');
  });

  test.each([
    ['a secret key', { restrictedKey: 'sk_test_51AbCdEfGhIjKlMnOp' }],
    ['a publishable key', { restrictedKey: 'pk_test_51AbCdEfGhIjKlMnOp' }],
    ['no key', { restrictedKey: null }],
    ['a secret of another kind', { webhookSecret: 'wsec_AbCdEfGhIjKl' }],
    ['a field that nobody knows', { apiKey: RESTRICTED_KEY }],
  ])('is 400 with %s', async (_name, input) => {
    const answer = await send('POST', '', { restrictedKey: RESTRICTED_KEY, ...input });
    expect(answer.status).toBe(400);
    expect((await read()).body.data).toEqual([]);
  });

  test('is one per Project that is active', async () => {
    const first = await connect();
    const second = await send('POST', '', { restrictedKey: RESTRICTED_KEY });
    expect([second.status, second.body.error.reason]).toEqual([409, 'connection_exists']);
    await send('PATCH', `/${first.id}`, { status: 'disabled' });
    expect(await findConnection(service.database.reads, project.projectId)).toBeUndefined();
    const other = await connect();
    const again = await send('PATCH', `/${first.id}`, { status: 'active' });
    expect([again.status, again.body.error.reason]).toEqual([409, 'connection_exists']);
    expect((await findConnection(service.database.reads, project.projectId))?.id).toBe(other.id);
  });

  test('is made once though two are asked for at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => send('POST', '', { restrictedKey: RESTRICTED_KEY })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  });

  test('of another Project is 404 under this one', async () => {
    const { id } = await connect();
    project = await service.newProject();
    expect((await read(`/${id}`)).status).toBe(404);
    expect((await send('PATCH', `/${id}`, { status: 'disabled' })).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
  });
});

describe('the webhook secret', () => {
  test('may come after the connection; until then every event is refused', async () => {
    const { id } = await connect();
    expect((await deliver(id, WEBHOOK_SECRET)).status).toBe(400);
    const { body } = await send('PATCH', `/${id}`, { webhookSecret: WEBHOOK_SECRET });
    expect(body.data.hasWebhookSecret).toBe(true);
    expect((await deliver(id, WEBHOOK_SECRET)).status).toBe(200);
  });

  test('that was replaced is good for 24 hours more, beside the new one alone', async () => {
    const [one, two, three] = ['whsec_first000', 'whsec_second00', 'whsec_third000'] as const;
    const { id } = await connect({ webhookSecret: one });
    const works = async () => {
      const answers = await Promise.all([one, two, three].map((secret) => deliver(id, secret)));
      return answers.map(({ status }) => status === 200);
    };
    expect(await works()).toEqual([true, false, false]);
    await send('PATCH', `/${id}`, { webhookSecret: two });
    expect(await works()).toEqual([true, true, false]);
    service.clock.advance(HOUR_MS);
    // Sending the same again is no rotation.
    await send('PATCH', `/${id}`, { webhookSecret: two });
    service.clock.advance(DAY_MS - HOUR_MS - 1);
    expect(await works()).toEqual([true, true, false]);
    service.clock.advance(1);
    expect(await works()).toEqual([false, true, false]);
    await send('PATCH', `/${id}`, { webhookSecret: three });
    await send('PATCH', `/${id}`, { webhookSecret: one });
    expect(await works()).toEqual([true, false, true]);
  });
});

describe('a connection that is deleted', () => {
  test('is gone with its secrets, takes no events, and leaves room for another', async () => {
    const { id, sourceNamespaceId } = await connect({ webhookSecret: WEBHOOK_SECRET });
    expect((await remove(id)).body.data.id).toBe(id);
    expect((await remove(id)).status).toBe(404);
    expect((await deliver(id, WEBHOOK_SECRET)).status).toBe(404);
    const { reads } = service.database;
    expect(await findConnectionById(reads, project.projectId, id)).toBeUndefined();
    const { body } = await service.call('GET', '/v1/sources', {
      as: project.key,
      query: { projectId: project.projectId },
    });
    expect(body.data).toMatchObject([{ id: sourceNamespaceId, enabled: false }]);
    expect((await connect()).id).not.toBe(id);
  });
});
