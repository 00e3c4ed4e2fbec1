import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  claimDeliveries,
  listBelieved,
  listDueProjects,
} from '../../src/domain/rewards/delivery/delivery-store.ts';
import { createDatabase } from '../../src/platform/db/database.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { copyPostgres } from '../database.ts';
import { startService, type TestService } from '../harness.ts';
import { MemoryRewards } from '../memory-rewards.ts';
import { openRewardShop, type RewardShop } from '../reward-shop.ts';
import { rounds } from '../rounds.ts';
import { countReads, type Reading } from './count-reads.ts';

/** So many Rewards wait for an account that nobody has, and as many were delivered. */
const WAITING = rounds(20_000, 100_000);
const READ_MAX = 1_000;

let copy: Awaited<ReturnType<typeof copyPostgres>>;
let service: TestService;
let shop: RewardShop;
let readings: Promise<Reading>[] = [];
let begun = 0;
let people = 0;
const balance = new MemoryRewards('stripe_balance');
const coupons = new MemoryRewards('stripe_coupon');

beforeAll(async () => {
  copy = await copyPostgres();
  await query(
    ...['rewards', 'reward_deliveries', 'reward_delivery_lines'].map(
      (table) => `alter table ${table} set (autovacuum_enabled = false)`,
    ),
  );
  const driver = openPostgres({
    connectionString: copy.url,
    poolSize: 1,
    onIdleError: () => undefined,
  });
  const begin = () => {
    begun += 1;
    return countReads(driver.begin(), (reading) => readings.push(reading));
  };
  service = await startService({
    database: createDatabase({ ...driver, begin }),
    rewardProviders: [balance, coupons],
  });
  const connect = (projectId: string) => {
    balance.connected.add(projectId);
    coupons.connected.add(projectId);
  };
  shop = await openRewardShop(service, connect, ['credit'], 'referee');
  // Plans are made while the tables are empty, as in a new store.
  for (const work of Object.values(WORKS)) await work();
  await fill();
});
afterAll(async () => {
  await service.close();
  await copy.drop();
});

async function query(...statements: string[]): Promise<pg.QueryResult[]> {
  const client = new pg.Client({ connectionString: copy.url });
  await client.connect();
  try {
    const results: pg.QueryResult[] = [];
    for (const one of statements) results.push(await client.query(one));
    return results;
  } finally {
    await client.end();
  }
}

/** Copies of one Reward, each of somebody else; and as many Projects with one each. */
async function fill(): Promise<void> {
  const { projectId } = shop.project;
  const [columns] = await query(
    `select column_name as name from information_schema.columns
     where table_name = 'rewards' and is_generated = 'NEVER'`,
  );
  const names = (columns?.rows ?? []).map(({ name }) => name as string);
  const changed: Readonly<Record<string, string>> = {
    id: `'rwd_w' || n`,
    number: '1000000 + n',
    event_id: `'evt_w' || n`,
    beneficiary_participant_id: `'par_w' || n`,
    fulfillment_status: `case when n <= ${WAITING} then 'pending' else 'fulfilled' end`,
    delivery_reason: `case when n <= ${WAITING} then 'awaiting_billing_account' end`,
  };
  await query(
    'set synchronous_commit = off',
    `insert into rewards (${names.join(', ')})
     select ${names.map((name) => changed[name] ?? name).join(', ')}
     from (select * from rewards where project_id = '${projectId}' limit 1) r,
       generate_series(1, ${2 * WAITING}) as n`,
    `insert into reward_deliveries (project_id, reward_id, participant_id, method, account,
       attempt, tries, due_at, waits_for_account, is_answered)
     select '${projectId}', 'rwd_w' || n, 'par_w' || n, 'stripe_balance',
       case when n > ${WAITING} then 'cus_' || n end, 1, 0, null, n <= ${WAITING}, false
     from generate_series(1, ${2 * WAITING}) as n`,
    `insert into reward_delivery_lines
     select '${projectId}', 'rwd_w' || n, 1, 'grant', 500, 'done', now()
     from generate_series(${WAITING + 1}, ${2 * WAITING}) as n`,
    `insert into reward_deliveries (project_id, reward_id, participant_id, method, attempt, tries,
       due_at, waits_for_account, is_answered)
     select 'prj_' || n, 'rwd', 'par', 'stripe_balance', 1, 0, '2126-01-01', false, false
     from generate_series(1, 300) as n`,
  );
}

/** Holds every statement of this to reading little. */
async function frugally<A>(body: () => Promise<A>): Promise<A> {
  readings = [];
  const answer = await body();
  const all = await Promise.all(readings);
  expect(all.length).toBeGreaterThan(0);
  expect(all.filter(({ rows }) => rows > READ_MAX)).toEqual([]);
  return answer;
}

const newPerson = () => {
  people += 1;
  return `p${people}`;
};

const WORKS: Readonly<Record<string, () => Promise<void>>> = {
  'finding out that nothing is due': async () => {
    const { database, clock } = service;
    const claim = {
      methods: ['stripe_balance', 'stripe_coupon'] as const,
      dueBy: clock.now,
      leaseId: 'lease',
      now: clock.now,
      leasedUntil: clock.now,
      limit: 32,
    };
    await frugally(() => database.transaction((tx) => listDueProjects(tx, clock.now)));
    await frugally(() =>
      database.transaction((tx) => claimDeliveries(tx, shop.project.projectId, claim)),
    );
  },
  'a Reward, from earning to delivery': async () => {
    const who = newPerson();
    await shop.bill(`cus_${who}`, who);
    const id = await shop.earnBy('credit', who);
    await frugally(() => service.deliverRewards());
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'fulfilled' });
  },
  'a Reward that comes to wait for an account, and the account': async () => {
    const who = newPerson();
    const id = await shop.earnBy('credit', who);
    await frugally(() => service.deliverRewards());
    expect((await shop.reward(id)).delivery.reason).toBe('awaiting_billing_account');
    await frugally(() => shop.bill(`cus_${who}`, who));
    await frugally(() => service.deliverRewards());
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'fulfilled' });
  },
  'a refund and a void of what was delivered': async () => {
    const who = newPerson();
    await shop.bill(`cus_${who}`, who);
    const id = await shop.earnBy('credit', who);
    await service.deliverRewards();
    await frugally(() => shop.adjust('refund', who, '500'));
    await frugally(() => service.deliverRewards());
    await frugally(() => shop.voidReward(id));
    service.clock.advance(DAY_MS);
    await frugally(() => service.deliverRewards());
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'revoked' });
  },
  'forgetting somebody': async () => {
    const who = newPerson();
    await shop.bill(`cus_${who}`, who);
    await shop.earnBy('credit', who);
    await service.deliverRewards();
    const { data } = (await shop.read('/v1/participants', { externalId: who })).body;
    const { projectId, key } = shop.project;
    const { status } = await frugally(() =>
      service.call('DELETE', `/v1/participants/${data[0].id}`, { as: key, query: { projectId } }),
    );
    expect(status).toBe(200);
  },
};

describe.each([
  ['new', []],
  ['analysed', ['analyze']],
])('of a store that is %s, in which many Rewards wait, little is read for', (_, statements) => {
  beforeAll(async () => {
    await query(...statements);
    // The plans of before are forgotten once as many transactions again have been.
    for (let left = begun; left > 0; left -= 1) {
      await service.database.transaction((tx) => tx.query('select 1'));
    }
  });

  test.each(Object.entries(WORKS))('%s', (_name, work) => work());
});

test('a page of what is believed costs no more far down, once the store is analysed', async () => {
  const after = { account: 'cus_150000', rewardId: '' };
  const page = await frugally(() =>
    service.database.transaction((tx) => listBelieved(tx, shop.project.projectId, after, 200)),
  );
  expect(page).toHaveLength(200);
});
