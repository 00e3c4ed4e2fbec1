import { expect, test } from 'vitest';
import { createDatabase } from '../../src/platform/db/database.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { writeRewardsCursor } from '../../src/surfaces/partner-page/merge-rewards.ts';
import { openAffiliateShop } from '../affiliate-shop.ts';
import { copyPostgres } from '../database.ts';
import { startService } from '../harness.ts';
import { TestMailer } from '../test-mailer.ts';
import { Visitor } from '../visitor.ts';
import { countReads, type Reading } from './count-reads.ts';

const EMAIL = 'grace@example.com';
const MANY = 30_000;

test('the page reads as little of a Partner with 30,000 Rewards and payouts as of one with few', async () => {
  const copy = await copyPostgres();
  const driver = openPostgres({
    connectionString: copy.url,
    poolSize: 1,
    onIdleError: () => undefined,
  });
  let readings: Promise<Reading>[] = [];
  /** Each read in a transaction of its own, in which what it reads is counted. */
  const query = async <R>(text: string, params?: readonly unknown[]): Promise<R[]> => {
    const session = countReads(driver.begin(), (reading) => readings.push(reading));
    try {
      return await session.query<R>(text, params);
    } finally {
      await session.commit();
    }
  };
  const mailer = new TestMailer();
  const service = await startService({ database: createDatabase({ ...driver, query }), mailer });
  const shop = await openAffiliateShop(service, await service.newProject(), EMAIL);
  const { projectId } = shop.project;
  await shop.signUp('bob');
  for (const order of ['1', '2', '3']) await shop.buy('bob', order);
  const grace = new Visitor(service);
  await grace.signIn(EMAIL);
  const readOf = async (path: string) => {
    readings = [];
    const { status, html } = await grace.get(path);
    expect([path, status]).toEqual([path, 200]);
    const counted = await Promise.all(readings);
    expect(counted.length).toBeGreaterThan(3);
    return { html, rows: counted.reduce((sum, { rows }) => sum + rows, 0) };
  };
  const paths = ['/partner', '/partner/rewards', '/partner/payouts', '/partner/details'];
  const few = new Map<string, number>();
  for (const path of paths) few.set(path, (await readOf(path)).rows);

  const [bob] = (await shop.read('/v1/participants', { externalId: 'bob' })).data;
  // The newer half is of others.
  await driver.query(
    `insert into rewards (project_id, id, number, program_id, rule_id, terms_version_id, event_id,
       referral_id, purchase_id, beneficiary_role, beneficiary_participant_id, benefit_kind,
       amount_minor, currency, currency_exponent, method, earned_at, available_at, arithmetic,
       created_at, net_amount_minor, fulfillment_status, delivery_status, delivery_reason,
       paid_minor, updated_at)
     select project_id, id || n, number + n, program_id, rule_id || n, terms_version_id, event_id,
       referral_id, purchase_id, beneficiary_role,
       case when n <= ${MANY} then beneficiary_participant_id else $2 end, benefit_kind,
       amount_minor, currency, currency_exponent, method, earned_at, available_at, arithmetic,
       created_at, net_amount_minor, fulfillment_status, delivery_status, delivery_reason,
       paid_minor, updated_at
     from rewards, generate_series(1, 2 * ${MANY}) as n
     where project_id = $1 and number = 3`,
    [projectId, bob.id],
  );
  await driver.query(
    `insert into payout_batches (id, workspace_id, environment, project_ids, method, status, totals,
       created_by, created_at, updated_at)
     select 'pob_' || n, $1, 'sandbox', '{}', 'manual_export', 'submitted', '[]', 'test',
       '2026-11-15', '2026-11-15' from generate_series(1, 2 * ${MANY}) as n`,
    [shop.project.workspaceId],
  );
  await driver.query(
    `insert into payouts (id, workspace_id, environment, batch_id, method, payee, currency, currency_exponent,
       project_ids, amount_minor, status, is_applied, attempt, is_sent, tries, created_at, updated_at)
     select 'po_' || lpad(n::text, 26, '0'), $1, 'sandbox', 'pob_' || n, 'manual_export',
       case when n <= ${MANY} then $2 else 'ptn_other' end, 'USD', 2, '{}',
       100, 'paid', true, 1, false, 0, '2026-11-15', '2026-11-15'
     from generate_series(1, 2 * ${MANY}) as n`,
    [shop.project.workspaceId, shop.partnerId],
  );
  await driver.query('analyze');

  for (const path of paths) {
    const { rows } = await readOf(path);
    expect([path, rows < (few.get(path) ?? 0) + 300]).toEqual([path, true]);
  }
  // The last pages, too, also once the planner knows no cursor in particular.
  const deep = [
    `/partner/payouts?after=po_${'50'.padStart(26, '0')}`,
    `/partner/rewards?after=${writeRewardsCursor(new Map([[projectId, 50]]))}`,
  ];
  for (let times = 0; times < 8; times += 1) {
    for (const path of deep) {
      const { html, rows } = await readOf(path);
      expect(html.match(/<li>/g)).toHaveLength(25);
      expect([path, rows < 400]).toEqual([path, true]);
    }
  }
  await service.close();
  await copy.drop();
});
