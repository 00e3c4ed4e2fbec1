import { expect, test } from 'vitest';
import { listOrderedParts } from '../../src/outbound/payouts/batches/part-store.ts';
import {
  listOwedByMethod,
  listOwedByPayout,
} from '../../src/outbound/payouts/overview/overview-queries.ts';
import { findOpenTransfer } from '../../src/outbound/payouts/transfers/payout-store.ts';
import type { Queryable } from '../../src/platform/db/driver.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { copyPostgres } from '../database.ts';
import { countReads, type Reading } from './count-reads.ts';

const MANY = 20_000;

test('what providers were told is found without reading what was paid by hand, or is over', async () => {
  const copy = await copyPostgres();
  const driver = openPostgres({
    connectionString: copy.url,
    poolSize: 1,
    onIdleError: () => undefined,
  });
  await driver.query(
    `insert into payout_parts (project_id, payout_id, number, batch_id, participant_id, method,
       currency, currency_exponent, amount_minor, status, created_at, updated_at)
     select 'prj_1', 'po_' || n, n, 'pob_1', 'par_1',
       case when n <= 3 then 'wise' else 'manual_export' end, 'USD', 2, 100, 'paid',
       '2026-11-15', '2026-11-15' from generate_series(1, ${MANY}) as n`,
  );
  await driver.query(
    `insert into workspaces (id, name, created_at, updated_at)
     values ('ws_1', 'Acme', '2026-11-15', '2026-11-15')`,
  );
  await driver.query(
    `insert into payout_batches (id, workspace_id, environment, project_ids, method, status, totals,
       created_by, created_at, updated_at)
     values ('pob_1', 'ws_1', 'live', '{}', 'wise', 'submitted', '[]', 'test', '2026-11-15',
       '2026-11-15')`,
  );
  await driver.query(
    `insert into payouts (id, workspace_id, environment, batch_id, method, payee, currency,
       currency_exponent, project_ids, amount_minor, status, is_applied, attempt, is_sent, sent_at,
       connection_id, tries, created_at, updated_at)
     select 'po_' || n, 'ws_1', 'live', 'pob_1', 'wise', 'par_' || n, 'USD', 2, '{}', 100, 'paid',
       true, 1, true, '2026-11-15', 'pcn_1', 0, '2026-11-15', '2026-11-15'
     from generate_series(1, ${MANY}) as n`,
  );
  await driver.query('analyze');
  const rowsOf = async (read: (source: ReturnType<typeof countReads>) => Promise<unknown>) => {
    const readings: Promise<Reading>[] = [];
    const session = countReads(driver.begin(), (reading) => readings.push(reading));
    const found = await read(session);
    await session.commit();
    const counted = await Promise.all(readings);
    return { found, rows: counted.reduce((sum, { rows }) => sum + rows, 0) };
  };
  const page = await rowsOf((source) => listOrderedParts(source, 'prj_1', null, 50));
  expect(page.found).toHaveLength(3);
  expect(page.rows).toBeLessThan(100);
  const open = await rowsOf((source) => findOpenTransfer(source, 'pcn_1'));
  expect(open.found).toBeUndefined();
  expect(open.rows).toBeLessThan(100);
  await driver.close();
  await copy.drop();
});

test('what is owed is found without reading what is paid, and summed without reading the rewards', async () => {
  const copy = await copyPostgres();
  const driver = openPostgres({
    connectionString: copy.url,
    poolSize: 1,
    onIdleError: () => undefined,
  });
  await driver.query('set session_replication_role = replica');
  await driver.query(
    `insert into participants (project_id, id, number, kind_number, kind, external_id,
       is_referrer, is_referee, created_at, updated_at)
     select 'prj_1', 'par_' || n, n, n, 'individual', 'user-' || n, true, false, '2026-11-15',
       '2026-11-15'
     from generate_series(1, 5000) as n`,
  );
  // Of twenty thousand rewards five are owed by payout, and five by the product.
  await driver.query(
    `insert into rewards (project_id, id, number, program_id, rule_id, terms_version_id, event_id,
       beneficiary_role, beneficiary_participant_id, benefit_kind, amount_minor, net_amount_minor,
       currency, currency_exponent, method, earned_at, available_at, fulfillment_status,
       delivery_status, arithmetic, created_at, updated_at, paid_minor)
     select 'prj_1', 'rwd_' || n, n, 'prg_1', 'rul_1', 'trm_1', 'evt_' || n, 'referrer',
       'par_' || (1 + n % 5000), 'cash', 100, 100, 'USD', 2,
       case when n <= 5 or n > ${MANY / 2} then 'payout' else 'operator' end,
       '2026-11-15', '2026-11-15', case when n <= 10 then 'pending' else 'fulfilled' end,
       'pending', '{}', '2026-11-15', '2026-11-15', case when n <= 10 then 0 else 100 end
     from generate_series(1, ${MANY}) as n`,
  );
  await driver.query('vacuum analyze');
  const selection = {
    projectId: 'prj_1',
    currency: null,
    now: '2026-11-20T00:00:00.000Z',
    limit: 10_000,
  };
  for (const read of [
    (source: ReturnType<typeof countReads>) => listOwedByPayout(source, selection),
    (source: ReturnType<typeof countReads>) => listOwedByMethod(source, selection, 'operator'),
  ]) {
    const readings: Promise<Reading>[] = [];
    const session = countReads(driver.begin(), (reading) => readings.push(reading));
    expect(await read(session)).toHaveLength(5);
    await session.commit();
    const rows = (await Promise.all(readings)).reduce((sum, one) => sum + one.rows, 0);
    expect(rows).toBeLessThan(200);
  }
  const asked: [text: string, params: readonly unknown[]][] = [];
  const recorder: Queryable = {
    async query(text, params = []) {
      asked.push([text, params]);
      return [];
    },
  };
  await listOwedByPayout(recorder, selection);
  const [text, params] = asked[0] as (typeof asked)[number];
  const plan = await driver.query<{ 'QUERY PLAN': string }>(`explain ${text}`, params);
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain(
    'Index Only Scan using rewards_due_by_payout',
  );
  await driver.close();
  await copy.drop();
});
