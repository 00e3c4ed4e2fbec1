import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../src/platform/db/database.ts';
import type { Driver } from '../../src/platform/db/driver.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { COUNTED_MAX } from '../../src/platform/http/routes/totals.ts';
import { copyPostgres } from '../database.ts';
import { startService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';
import { countReads, type Reading } from './count-reads.ts';

/** What people look at reads a page, not a Project: it has this many of everything. */
const MANY = 30_000;
const READ_MAX = 1_000;
/** With those without a name and those who were erased, there are 100,000 people. */
const NAMED = 40_000;
/** Each has this many days, and a code that was clicked on each of them. */
const PARTNERS = 20;
const DAYS = 1_000;
/** To whom all of one kind of reward belong. */
const COLLECTOR = 200;

let copy: Awaited<ReturnType<typeof copyPostgres>>;
let service: TestService;
let shop: Shop;
let readings: Promise<Reading>[] = [];

beforeAll(async () => {
  copy = await copyPostgres();
  const driver = openPostgres({
    connectionString: copy.url,
    poolSize: 4,
    onIdleError: () => undefined,
  });
  service = await startService({ database: createDatabase(countAll(driver)) });
  shop = await openShop(service);
  await fill();
});
afterAll(async () => {
  await service.close();
  await copy.drop();
});

/** A statement outside a transaction is counted in one of its own. */
function countAll(driver: Driver): Driver {
  const begin = () => countReads(driver.begin(), (reading) => readings.push(reading));
  return {
    ...driver,
    begin,
    async query<R>(text: string, params?: readonly unknown[]) {
      const session = begin();
      const rows = await session.query<R>(text, params);
      await session.commit();
      return rows;
    },
  };
}

async function fill(): Promise<void> {
  const client = new pg.Client({ connectionString: copy.url });
  await client.connect();
  try {
    const run = (text: string) =>
      client.query(
        text
          .replaceAll('$project', `'${shop.project.projectId}'`)
          .replaceAll('$program', `'${shop.programId}'`),
      );
    await run('set session_replication_role = replica');
    for (const statement of FILLINGS) await run(statement);
    await run('analyze');
  } finally {
    await client.end();
  }
}

const FILLINGS: readonly string[] = [
  `insert into participants (project_id, id, number, kind_number, kind, external_id, is_referrer,
     is_referee, created_at, updated_at)
   select $project, 'par_' || lpad(n::text, 26, '0'), 1000 + n, 1000 + n, 'individual', 'user-' || n,
     true, false, now(), now() from generate_series(1, ${MANY}) as n`,
  // As many again were erased: all that is left of what they were called begins alike.
  `insert into participants (project_id, id, number, kind_number, kind, external_id, is_referrer,
     is_referee, created_at, updated_at, deleted_at)
   select $project, 'par_e' || lpad(n::text, 25, '0'), 100000 + n, 100000 + n, 'individual',
     'deleted_' || n, false, false, now(), now(), now() from generate_series(1, ${MANY}) as n`,
  // The first name is the same for all.
  `insert into participants (project_id, id, number, kind_number, kind, external_id, name, is_referrer,
     is_referee, created_at, updated_at)
   select $project, 'par_n' || lpad(n::text, 25, '0'), 200000 + n, 200000 + n, 'individual', 'Named-' || n,
     'Ada Person-' || n, false, false, now(), now() from generate_series(1, ${NAMED}) as n`,
  `insert into search_keys (project_id, participant_id, key, of_partner)
   select $project, 'par_n' || lpad(n::text, 25, '0'), said || n, n % 2 = 0
   from generate_series(1, ${NAMED}) as n, unnest(array['ada person-', 'person-']) as said`,
  `insert into figures (project_id, subject, part, numbers, referred)
   select $project, 'par_' || lpad(n::text, 26, '0'), part,
     jsonb_build_object('net:USD', (1 + n % 1000)::text), 1 + n % 1000
   from generate_series(1, ${MANY}) as n, unnest(array['', $program]) as part`,
  `insert into figures (project_id, subject, part, numbers, referred)
   select $project, 'lnk_' || n, $program || ':links',
     jsonb_build_object('clicks', n::text, 'revenue:USD', n::text), 1 + n % 1000
   from generate_series(1, ${MANY}) as n`,
  `insert into figures (project_id, subject, part, numbers)
   select $project, $program, to_char(date '2016-01-01' + n, 'YYYY-MM-DD'),
     jsonb_build_object('clicks', n::text, 'referrals', n::text, 'rewards', n::text,
       'purchases', n::text, 'voided', n::text, 'net:USD', n::text)
   from generate_series(1, 3600) as n`,
  `insert into participants (project_id, id, number, kind_number, kind, partner_id, is_referrer,
     is_referee, created_at, updated_at)
   select $project, 'par_p' || n, 300000 + n, 300000 + n, 'individual', 'ptn_' || n, true, false, now(), now()
   from generate_series(1, ${PARTNERS}) as n`,
  `insert into ref_codes (project_id, id, code, participant_id, program_id, position, created_at, updated_at)
   select $project, 'cod_p' || n, 'partner-' || n, 'par_p' || n, $program, 1, now(), now()
   from generate_series(1, ${PARTNERS}) as n`,
  `insert into click_counts (project_id, shared_id, program_id, day, clicks)
   select $project, 'cod_p' || n, $program, date '2019-01-01' + day, 2
   from generate_series(1, ${PARTNERS}) as n, generate_series(1, ${DAYS}) as day`,
  `insert into figures (project_id, subject, part, numbers)
   select $project, 'par_p' || n || ':' || $program, to_char(date '2019-01-01' + day, 'YYYY-MM-DD'),
     jsonb_build_object('referrals', '3', 'purchases', '4', 'net:USD', '5000000000000000000')
   from generate_series(1, ${PARTNERS}) as n, generate_series(1, ${DAYS}) as day`,
  ...['operator', 'stripe_balance'].map(
    (method) => `insert into rewards (project_id, id, number, program_id, rule_id, terms_version_id,
     event_id, beneficiary_role, beneficiary_participant_id, benefit_kind, rate_bps, method, earned_at,
     available_at, fulfillment_status, delivery_status, arithmetic, created_at, updated_at)
   select $project, 'rwd_${method}' || n, ${method.length} * 100000 + n, $program, 'rul_${method}', 'trm_1',
     'evt_' || n, 'referrer', 'par_' || lpad((1 + n % 100)::text, 26, '0'), 'discount', 100, '${method}',
     now(), now(), case when n % 2 = 0 then 'pending' when n % 3 = 0 then 'failed' else 'fulfilled' end,
     case when n % 2 = 0 then 'pending' when n % 3 = 0 then 'failed' else 'delivered' end, '{}', now(), now()
   from generate_series(1, ${MANY}) as n`,
  ),
  `insert into rewards (project_id, id, number, program_id, rule_id, terms_version_id, event_id,
     beneficiary_role, beneficiary_participant_id, benefit_kind, rate_bps, method, earned_at, available_at,
     fulfillment_status, delivery_status, arithmetic, created_at, updated_at)
   select $project, 'rwd_' || n, 5000000 + n, $program, 'rul_collected', 'trm_1', 'evt_' || n, 'referrer',
     'par_' || lpad('${COLLECTOR}', 26, '0'), 'discount', 100, 'operator', now(), now(), 'fulfilled',
     'delivered', '{}', now(), now() from generate_series(1, ${MANY}) as n`,
  `insert into events (project_id, id, number, type, participant_id, source_namespace_id, occurred_at,
     received_at, normalized_facts, facts_hash, processing_state, processing_reason, attempt_count,
     created_at, updated_at)
   select $project, 'evt_' || n, 1000 + n, case when n % 3 = 0 then 'signup' else 'purchase' end,
     'par_' || lpad((n % 100)::text, 26, '0'), 'src_1', now(), now(), '{}', '',
     case when n % 100 = 0 then 'failed' else 'processed' end, 'attributed', 1, now(), now()
   from generate_series(1, ${MANY}) as n`,
  `insert into partner_applications (project_id, id, program_id, applicant_hash, generation, status,
     profile_type, email_verified_at, created_at, updated_at, mail_tries)
   select $project, 'preq_' || n, $program, 'h' || n, 1, 'pending', 'individual',
     case when n % 1000 = 0 then now() end, now(), now(), 0 from generate_series(1, ${MANY}) as n`,
  `insert into referrals (project_id, id, referrer_participant_id, referee_participant_id, enrollment_id,
     program_id, touch_id, binding_event_id, binding_occurred_at, selected_at, policy_version_id,
     created_at, updated_at)
   select $project, 'ref_' || lpad(n::text, 26, '0'), 'par_' || lpad((1 + n % 100)::text, 26, '0'),
     'par_' || lpad(n::text, 26, '0'), 'enr', case when n <= 10 then 'prg_old' else $program end, 'tch',
     'evt', now(), now(), 'pol', now(), now() from generate_series(1, ${MANY}) as n`,
  `insert into ref_codes (project_id, id, code, participant_id, program_id, position, created_at, updated_at)
   select $project, 'cod_' || n, 'code-' || n, 'par_' || lpad(n::text, 26, '0'), $program, 1, now(), now()
   from generate_series(1, ${MANY}) as n`,
  `insert into ref_links (project_id, id, slug, ref_code_id, position, created_at, updated_at)
   select $project, 'lnk_' || n, 'link-' || n, 'cod_' || n, 1, now(), now()
   from generate_series(1, ${MANY}) as n`,
  `insert into ref_names (project_id, name, ref_code_id)
   select $project, 'code-' || n, 'cod_' || n from generate_series(1, ${MANY}) as n`,
  `insert into payout_parts (project_id, payout_id, number, batch_id, participant_id, method, currency,
     currency_exponent, amount_minor, status, created_at, updated_at)
   select $project, 'po_' || n, n, 'pob_' || n / 20000, 'par_' || lpad((1 + n % 100)::text, 26, '0'),
     case when n % 1000 = 0 then 'wise' else 'manual_export' end, 'USD', 2, 100,
     case when n % 100 = 0 then 'failed' else 'paid' end, now(), now()
   from generate_series(1, ${MANY}) as n`,
  `insert into audit_entries (project_id, id, workspace_id, at, actor_type, actor_id, action, target_type,
     target_id, request_id, changes)
   select $project, 'aud_' || lpad(n::text, 26, '0'), p.workspace_id, now(), 'key', 'key_' || n % 100,
     'thing.do', 'thing', 'thing_' || n, 'req', '{}'
   from projects p, generate_series(1, ${MANY}) as n where p.id = $project`,
  // Filters name what exists: these have few rows of what is listed, or none.
  `insert into programs (project_id, id, key, number, kind, name, status, config, enrollment_count,
     created_at, updated_at)
   select project_id, other_id, replace(other_id, '_', '-'), 100 + row_number() over (), kind, name, status, config, 0,
     created_at, updated_at
   from programs, (values ('prg_old'), ('prg_none')) as other (other_id) where project_id = $project`,
  `insert into participants (project_id, id, number, kind_number, kind, external_id, is_referrer,
     is_referee, created_at, updated_at)
   values ($project, 'par_none', 999, 999, 'individual', 'nobody', false, false, now(), now())`,
  `insert into projects (id, workspace_id, project_key, name, environment, allowed_origins, created_at,
     updated_at)
   select 'prj_none', workspace_id, 'none', 'None', environment, '{}', now(), now()
   from projects where id = $project`,
  `insert into payout_batches (id, workspace_id, environment, project_ids, method, status, totals,
     created_by, created_at, updated_at)
   select 'pob_1', workspace_id, environment, array[id], 'wise', 'submitted', '[]', 'somebody', now(), now()
   from projects where id = $project`,
];

/** Reads, and holds every statement to reading little. */
async function frugally(path: string, query: Record<string, string> = {}, most = READ_MAX) {
  readings = [];
  const answer = await shop.read(path, query);
  expect([path, answer.status, answer.body]).toMatchObject([path, 200, {}]);
  const all = await Promise.all(readings);
  expect(all.length).toBeGreaterThan(0);
  expect(all.filter(({ rows }) => rows > most)).toEqual([]);
  return answer.body;
}

test('the days of a month are read without the years before', async () => {
  const { data } = await frugally('/v1/figures/daily', { from: '2020-01-01', to: '2020-01-31' });
  expect(data.total.clicks).toBeGreaterThan(0);
});

test('the totals of partners are added up from their days of a month, without the years before', async () => {
  const ids = Array.from({ length: PARTNERS }, (_, n) => `ptn_${n + 1}`).join();
  const range = { from: '2020-01-01', to: '2020-01-31' };
  const { data } = await frugally('/v1/figures/partners', { ids, ...range });
  expect(data).toHaveLength(PARTNERS);
  expect(data[PARTNERS - 1]).toMatchObject({
    partnerId: `ptn_${PARTNERS}`,
    clicks: 62,
    referrals: 93,
    purchases: 124,
    earned: [{ currency: 'USD', netAmountMinor: '155000000000000000000' }],
  });
});

test('cohorts are read from the days of their weeks, however long the history', async () => {
  const { data } = await frugally('/v1/figures/cohorts', { to: '2020-01-31', weeks: '26' });
  expect(data[0].referrals).toBeGreaterThan(0);
});

test('which links refer most is found without reading the others', async () => {
  const { data } = await frugally('/v1/figures/top-links', { limit: '50' });
  expect(data).toHaveLength(50);
  expect(data[0]).toMatchObject({ referrals: 1_000 });
});

test('who refers most is found without reading who does not', async () => {
  expect((await frugally('/v1/figures/top-referrers')).data).toHaveLength(10);
  const { programId } = shop;
  expect(
    (await frugally('/v1/figures/top-referrers', { programId, limit: '50' })).data[0],
  ).toMatchObject({ referrals: 1_000 });
});

test('what waits for somebody is counted no further than it is told', async () => {
  const { data } = await frugally('/v1/attention');
  expect(data.map(({ kind, isMore }: { kind: string; isMore: boolean }) => [kind, isMore])).toEqual(
    [
      ['rewards_to_grant', true],
      ['rewards_failed', true],
      ['partner_applications', false],
      ['events_failed', true],
    ],
  );
});

test('the widget reads a page of somebody’s rewards, however many they have', async () => {
  const { project, programId } = shop;
  const { secret } = await newWidgetSecret(service, project);
  const token = await makeSigner(
    service,
    project,
    secret,
  )({ claims: { sub: `user-${COLLECTOR}` } });
  let cursor: string | null = null;
  for (let page = 0; page < 3; page += 1) {
    readings = [];
    const { status, body } = await service.call('GET', '/v1/widget/rewards', {
      as: 'nobody',
      headers: { authorization: `Bearer ${token}` },
      query: {
        projectId: project.projectId,
        programId,
        limit: '20',
        ...(cursor ? { cursor } : {}),
      },
    });
    expect([status, body.items?.length]).toEqual([200, 20]);
    const all = await Promise.all(readings);
    expect(all.length).toBeGreaterThan(0);
    expect(all.filter(({ rows }) => rows > READ_MAX)).toEqual([]);
    cursor = body.nextCursor;
  }
});

const personOf = (n: number) => `par_${String(n).padStart(26, '0')}`;
const PERSON = personOf(1);
const NOBODY = 'par_none';

test.each<[string, Record<string, string>]>([
  ['/v1/referrals', {}],
  ['/v1/referrals', { programId: 'prg_old' }],
  ['/v1/referrals', { programId: 'prg_none' }],
  ['/v1/referrals', { referrerParticipantId: PERSON }],
  ['/v1/referrals', { referrerParticipantId: NOBODY }],
  ['/v1/referrals', { refereeParticipantId: PERSON }],
  ['/v1/events', { participantId: PERSON }],
  ['/v1/events', { participantId: NOBODY }],
  ['/v1/events', { processingState: 'failed' }],
  ['/v1/events', { processingState: 'pending' }],
  ['/v1/events', { type: 'signup' }],
  ['/v1/search', { q: 'user-77' }],
  ['/v1/search', { q: 'code-' }],
  ['/v1/search', { q: 'zzz' }],
  ['/v1/search', { q: 'd' }],
  ['/v1/search', { q: PERSON }],
  ['/v1/search', { q: 'NAMED-7' }],
  ['/v1/search', { q: 'a' }],
  ['/v1/search', { q: 'Ada' }],
  ['/v1/search', { q: 'ada person-77' }],
  ['/v1/search', { q: 'PERSON-' }],
  ['/v1/participant-names', { ids: Array.from({ length: 100 }, (_, n) => personOf(n)).join() }],
])('%s reads what it shows by %j', async (path, query) => {
  await frugally(path, query);
});

test('a name that very many have finds twenty of them', async () => {
  expect((await frugally('/v1/search', { q: 'ada' })).data).toHaveLength(20);
});

test.each<Record<string, string>>([
  {},
  { actorId: 'key_7' },
  { actorId: 'key_none' },
  { action: 'nothing.done' },
  { targetId: 'thing_77' },
  { projectId: 'prj_none' },
])('the audit log reads what it shows by %j', async (filter) => {
  readings = [];
  const { workspaceId } = shop.project;
  const query = { workspaceId, ...filter };
  const answer = await service.call('GET', '/v1/audit-log', { as: 'operator', query });
  expect(answer.status).toBe(200);
  const all = await Promise.all(readings);
  expect(all.length).toBeGreaterThan(0);
  expect(all.filter(({ rows }) => rows > READ_MAX)).toEqual([]);
});

/** One row more than is counted shows that there are others. */
const LOOKED_MAX = COUNTED_MAX + 1;
const MANY_OF = { count: COUNTED_MAX, isMore: true };

test.each<[string, Record<string, string>, object]>([
  ['rewards', {}, MANY_OF],
  ['rewards', { fulfillmentStatus: 'pending' }, MANY_OF],
  ['rewards', { fulfillmentStatus: 'revoked' }, { count: 0, isMore: false, sums: [] }],
  ['rewards', { deliveryMethod: 'operator' }, MANY_OF],
  ['rewards', { deliveryMethod: 'payout' }, { count: 0, isMore: false, sums: [] }],
  ['rewards', { fulfillmentStatus: 'pending', benefitKind: 'cash' }, { count: 0, isMore: true }],
  ['rewards', { programId: 'of the shop' }, { isMore: false, count: 0 }],
  ['rewards', { eventId: 'evt_77' }, { count: 3, isMore: false }],
  ['payouts', {}, { ...MANY_OF, sums: null }],
  ['payouts', { status: 'paid' }, MANY_OF],
  ['payouts', { status: 'failed' }, { count: MANY / 100, isMore: false }],
  ['payouts', { status: 'draft' }, { count: 0, isMore: false, sums: [] }],
  ['payouts', { beneficiaryParticipantId: personOf(2), status: 'paid' }, { count: 300 }],
  ['payouts', { batchId: 'pob_1', method: 'wise' }, { isMore: true }],
  ['payouts', { method: 'wise' }, { isMore: true, sums: null }],
  ['referrals', {}, MANY_OF],
  ['referrals', { programId: 'prg_old' }, { count: 10, isMore: false }],
  ['referrals', { referrerParticipantId: PERSON }, { count: 300, isMore: false }],
  ['referrals', { referrerParticipantId: PERSON, programId: 'prg_old' }, { isMore: false }],
  ['referrals', { refereeParticipantId: PERSON }, { count: 1, isMore: false }],
  ['events', { type: 'signup' }, { isMore: true }],
  ['events', { processingState: 'processed' }, { isMore: true }],
  ['events', { processingState: 'failed' }, { count: MANY / 100, isMore: false }],
  ['events', { participantId: PERSON }, { count: 300, isMore: false }],
  ['events', { participantId: PERSON, type: 'signup' }, { count: 100, isMore: false }],
  ['participants', {}, { isMore: false }],
])('the totals of %s by %j read no more rows than are counted', async (list, query, totals) => {
  const asked = query.programId === 'of the shop' ? { programId: shop.programId } : query;
  const { data } = await frugally(`/v1/${list}/totals`, asked, LOOKED_MAX);
  expect(data).toMatchObject(totals);
});

test('the totals of somebody with very many rewards read no more of them than are counted', async () => {
  const query = { beneficiaryParticipantId: personOf(COLLECTOR) };
  await frugally('/v1/rewards/totals', query, LOOKED_MAX);
});

test.each<[string, Record<string, string>]>([
  ['/v1/rewards', {}],
  ['/v1/rewards', { fulfillmentStatus: 'pending' }],
  ['/v1/rewards', { fulfillmentStatus: 'revoked' }],
  ['/v1/referrals', {}],
  ['/v1/referrals', { programId: 'prg_old' }],
  ['/v1/referrals', { referrerParticipantId: NOBODY }],
  ['/v1/events', {}],
  ['/v1/events', { participantId: PERSON }],
  ['/v1/events', { processingState: 'failed' }],
  ['/v1/payouts', {}],
  ['/v1/payouts', { status: 'failed' }],
])('%s reads what it shows by %j with the oldest first', async (path, query) => {
  await frugally(path, { ...query, order: 'asc' });
});
