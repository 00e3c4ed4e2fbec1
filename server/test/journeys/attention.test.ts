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
});

const run = (text: string, more: readonly unknown[] = []) =>
  service.database.transaction((tx) => tx.query(text, [shop.project.projectId, ...more]));
const attention = async (as = shop.project.key) => {
  const { projectId } = shop.project;
  const answer = await service.call('GET', '/v1/attention', { as, query: { projectId } });
  expect(answer.status).toBe(200);
  return answer.body.data;
};
const keyWith = async (...permissions: string[]) => {
  const { workspaceId } = shop.project;
  const body = { workspaceId, environment: 'sandbox', name: 'K', permissions };
  return (await service.call('POST', '/v1/api-keys', { as: 'operator', body })).body.key;
};
const item = (kind: string, count: number, path: string, query: object) => ({
  kind,
  count,
  isMore: false,
  list: { path, query },
  endpoint: null,
});

/** One of everything that can wait for somebody. */
async function letAllWait(): Promise<{ endpointId: string }> {
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 });
  await shop.addRule({ benefitKind: 'discount', rateBps: 500 });
  const one = await shop.buy('one');
  const two = await shop.buy('two');
  await run(`update rewards set fulfillment_status = 'failed' where project_id = $1 and id = $2`, [
    two.cash,
  ]);
  await shop.post(`/v1/rewards/${one.discount}/fulfillment`, { externalReference: 'given' });
  await shop.post(`/v1/rewards/${one.discount}/void`, { reasonCode: 'fraud' });
  await run(
    `update events set processing_state = 'failed', processing_reason = 'attempts_exhausted'
     where project_id = $1 and source_event_id = 'one'`,
  );
  const { workspaceId } = shop.project;
  const batch = (id: string, status: string) =>
    run(
      `insert into payout_batches (id, workspace_id, environment, project_ids, method, status, totals,
         created_by, created_at, updated_at)
       select $2, $3, 'sandbox', array[$1], 'paypal', $4, '[]', 'key:x', now(), now()`,
      [id, workspaceId, status],
    );
  const at = shop.project.projectId.slice(4);
  await batch(`pob_a${at}`, 'draft');
  await batch(`pob_b${at}`, 'approved');
  await batch(`pob_c${at}`, 'submitted');
  const payout = (id: string, unansweredHours: number) =>
    run(
      `insert into payouts (id, workspace_id, environment, batch_id, method, payee, currency,
         currency_exponent, project_ids, amount_minor, status, is_applied, attempt, is_sent, tries,
         created_at, updated_at, unanswered_since)
       select $2, $3, 'sandbox', $4, 'paypal', $2, 'USD', 2, array[$1], 100, 'processing', true, 1, true,
         1, now(), now(), $5`,
      [
        id,
        workspaceId,
        `pob_c${at}`,
        new Date(service.clock.nowMs() - unansweredHours * 3_600_000).toISOString(),
      ],
    );
  await payout(`po_a${at}`, 24);
  await payout(`po_b${at}`, 23);
  const application = (id: string, verifiedAt: string | null) =>
    run(
      `insert into partner_applications (project_id, id, program_id, applicant_hash, generation, status,
         profile_type, email_verified_at, created_at, updated_at, mail_tries)
       values ($1, $2, $3, $2, 1, 'pending', 'individual', $4, now(), now(), 0)`,
      [id, shop.programId, verifiedAt],
    );
  await application('preq_proven', service.clock.now);
  await application('preq_unproven', null);
  const made = await shop.post('/v1/webhook-endpoints', { url: 'https://hooks.example.com/in' });
  const { id: endpointId } = made.body.endpoint;
  await run(
    `insert into webhook_attempts (project_id, endpoint_id, position, id, started_at, outcome,
       response_status, latency_ms) values ($1, $2, 1, 'wha_1', now(), 'failed', 500, 1)`,
    [endpointId],
  );
  await run(
    `insert into webhook_deliveries (project_id, queue_id, position, attempts, is_retry, due_at)
     select $1, queue_id, n, 1, true, now() from webhook_endpoints, generate_series(2, 3) as n
     where project_id = $1`,
  );
  await run(
    `insert into stripe_connections (project_id, id, status, livemode, sealed_key, key_last4,
       webhook_secrets, source_id, created_at, updated_at)
     values ($1, 'scn_1', 'active', false, '', '', '[]', 'src', now(), now())`,
  );
  await run(
    `insert into stripe_parked (project_id, id, connection_id, event_id, type, reason, told, waits_for,
       attempts, parked_at)
     values ($1, 'spk_1', 'scn_1', 'evt', 'invoice.paid', 'unknown_customer', '{}', 'customer:c', 0, now())`,
  );
  return { endpointId };
}

test('nothing waits in a Project that is in order', async () => {
  expect(await attention('operator')).toEqual([]);
});

test('everything that waits is told, with how many and where they are listed', async () => {
  const { endpointId } = await letAllWait();
  const path = `/v1/webhook-endpoints/${endpointId}/deliveries`;
  const endpoint = { id: endpointId, url: 'https://hooks.example.com/in' };
  const method = { deliveryMethod: 'operator' };
  const told = await attention('operator');
  expect(told).toEqual([
    item('rewards_to_grant', 1, '/v1/rewards', { fulfillmentStatus: 'pending', ...method }),
    item('rewards_to_take_back', 1, '/v1/rewards', {
      fulfillmentStatus: 'revocation_pending',
      ...method,
    }),
    item('rewards_failed', 1, '/v1/rewards', { fulfillmentStatus: 'failed' }),
    item('payout_batches_to_approve', 1, '/v1/payout-batches', { status: 'draft' }),
    item('payout_batches_to_submit', 1, '/v1/payout-batches', { status: 'approved' }),
    item('payouts_unanswered', 1, '/v1/payouts', { status: 'processing' }),
    item('partner_applications', 1, '/v1/partner-applications', { status: 'pending' }),
    { ...item('webhook_deliveries_failed', 1, path, { status: 'failed' }), endpoint },
    { ...item('webhook_deliveries_retrying', 2, path, { status: 'pending' }), endpoint },
    item('stripe_events_parked', 1, '/v1/integrations/stripe/parked', {}),
    item('events_failed', 1, '/v1/events', { processingState: 'failed' }),
  ]);
  for (const { list } of told.filter(({ kind }: { kind: string }) => /^rewards/.test(kind))) {
    expect((await shop.read(list.path, list.query)).body.data.length).toBeGreaterThan(0);
  }
});

test('each part is for who may list it', async () => {
  await letAllWait();
  const kinds = async (as: string) => [
    ...new Set((await attention(as)).map(({ kind }: { kind: string }) => kind.split('_')[0])),
  ];
  expect(await kinds(await keyWith('referrals:read'))).toEqual(['rewards', 'events']);
  expect(await kinds(await keyWith('payouts:read'))).toEqual(['payout', 'payouts']);
  expect(await kinds(await keyWith('partners:read'))).toEqual(['partner']);
  expect(await kinds(await keyWith('webhooks:read'))).toEqual(['webhook']);
  expect(await kinds(await keyWith('programs:read'))).toEqual([]);
  expect(await kinds(shop.project.key)).not.toContain('stripe');
});

test('a disabled endpoint waits for nobody, and one Project tells nothing of another', async () => {
  const { endpointId } = await letAllWait();
  const { projectId, key } = shop.project;
  await service.call('PATCH', `/v1/webhook-endpoints/${endpointId}`, {
    as: key,
    body: { projectId, enabled: false },
  });
  const kinds = (await attention()).map(({ kind }: { kind: string }) => kind);
  expect(kinds.filter((kind: string) => kind.startsWith('webhook'))).toEqual([]);
  shop = await openShop(service);
  expect(await attention('operator')).toEqual([]);
});

test('beyond a hundred nothing is counted', async () => {
  const copies = (count: number) =>
    run(
      `insert into events (project_id, id, number, type, participant_id, source_namespace_id,
         occurred_at, received_at, normalized_facts, facts_hash, processing_state, processing_reason,
         attempt_count, created_at, updated_at)
       select h.project_id, 'evt_' || n, 1000 + n, 'purchase', 'par', 'src', now(), now(), '{}', '', 'failed',
         'attempts_exhausted', 20, now(), now()
       from project_heads h cross join generate_series(1, $2::int) as n where h.project_id = $1
       on conflict do nothing`,
      [count],
    );
  await copies(100);
  expect(await attention()).toMatchObject([{ kind: 'events_failed', count: 100, isMore: false }]);
  await copies(150);
  expect(await attention()).toMatchObject([{ kind: 'events_failed', count: 100, isMore: true }]);
});
