import pg from 'pg';
import { milestoneNames } from '../../src/domain/rewards/decide/reward-figures.ts';
import { REFERRED } from '../../src/platform/figures/tally.ts';
import { rounds } from '../rounds.ts';

/** Rows in every table, of a Project with many people. */
export const CROWD = rounds(2_500, 200_000);
/** The revenue that every multiple of the referrer's milestone needs. */
export const MILESTONE = 500;
const SMALL_PROJECTS = rounds(500, 3_000);

const AT = `timestamptz '2026-11-01T00:00:00Z'`;
const NONE = 'null';

function ofEverySecond(name: string): string {
  return `case when n % 2 = 0 then '${name}_' || p || '_' || n end`;
}

/** Every second row of a crowd is of one referrer. */
function ofReferrer(value: string, other: string): string {
  return `case when referrer is not null and n % 2 = 0 then ${value} else ${other} end`;
}

/** What the rows hold where a value made of the column's name and a number would be refused or unlike life. */
const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  participants: { kind: `'individual'`, partner_id: NONE },
  enrollments: {},
  ref_codes: { position: '1' },
  ref_links: { position: '1' },
  ref_names: {},
  tombstones: { kind: `'individual'` },
  handles: { identified_participant_id: ofEverySecond('participant_id') },
  touches: {
    source: `'link'`,
    handle_id: ofEverySecond('handle_id'),
    participant_id: `case when n % 2 = 1 then 'participant_id_' || p || '_' || n end`,
  },
  handle_references: {},
  events: {
    type: `case when n % 3 = 0 then 'signup' else 'purchase' end`,
    processing_state: `case when n % 10 = 0 then 'pending' else 'processed' end`,
    next_attempt_at: `case when n % 10 = 0 then timestamptz '2036-11-01T00:00:00Z' end`,
  },
  source_keys: {},
  signups: {},
  purchases: { duplicate_of: NONE, refunded_minor: '0', disputed_minor: '0' },
  referrals: {
    binding_subscription_fact_id: NONE,
    referrer_participant_id: ofReferrer('referrer', `'referrer_participant_id_' || p || '_' || n`),
    // One of the participants.
    referee_participant_id: `'id_' || p || '_' || n`,
  },
  rewards: {
    benefit_kind: `'cash'`,
    fulfillment_status: `'pending'`,
    beneficiary_participant_id: ofReferrer('referrer', `'beneficiary_' || p || '_' || n`),
    rule_id: ofReferrer('rule', `'rule_id_' || p || '_' || n`),
    milestone: ofReferrer(`'revenue:USD'`, NONE),
    milestone_at: ofReferrer(`n / 2 * ${MILESTONE}`, NONE),
  },
  figures: {
    subject: ofReferrer(`referrer || '/' || program`, `'subject_' || p || '_' || n`),
    part: ofReferrer(`(date '2000-01-01' + n)::text`, `'part_' || p || '_' || n`),
  },
  purchase_adjustments: {
    kind: `'refund'`,
    restores_id: NONE,
    closes_id: NONE,
    rule: '2',
    amount_minor: '1000000 + n',
  },
  early_adjustments: { expires_at: `timestamptz '2036-11-01T00:00:00Z'` },
  reward_adjustments: {},
  subscription_facts: { change: `'started'` },
  partner_applications: { status: `'pending'`, profile_type: `'individual'` },
  participant_networks: {},
  participant_cards: {},
  payout_details: { owner_kind: `'participant'`, type: `'wise'`, used_until: AT },
  erasures: { due_at: `timestamptz '2036-11-01T00:00:00Z'` },
  idempotency_keys: {},
  feed_events: {},
  webhook_deliveries: {
    queue_id: `'crowd'`,
    is_retry: 'n % 2 = 0',
    due_at: `timestamptz '2036-11-01T00:00:00Z'`,
    lease_id: NONE,
    leased_until: NONE,
  },
  webhook_attempts: {
    endpoint_id: `'crowd'`,
    outcome: `'succeeded'`,
    response_status: '200',
    response_body: `'thanks'`,
    failure_reason: NONE,
  },
  stripe_events: {},
  stripe_parked: { due_at: NONE },
  stripe_invoices: {},
  stripe_payments: {},
  stripe_reversals: { kind: `'refund'` },
  stripe_erased_customers: {},
};

const BY_TYPE: Readonly<Record<string, string>> = {
  // Above what the service itself will count to.
  bigint: '1000000 + n',
  integer: 'n',
  numeric: 'n',
  boolean: 'false',
  json: `'{}'`,
  jsonb: `'{}'`,
  'timestamp with time zone': AT,
};

async function withClient(url: string, body: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await body(client);
  } finally {
    await client.end();
  }
}

/** What the planner knows of the tables is then what the test tells it. */
export function keepAutovacuumAway(url: string): Promise<void> {
  return withClient(url, async (client) => {
    for (const table of Object.keys(TABLES)) {
      await client.query(`alter table ${table} set (autovacuum_enabled = false)`);
    }
  });
}

/** Somebody with half of a crowd's referrals, and a Reward of a milestone for each. */
export interface CrowdReferrer {
  readonly participantId: string;
  readonly programId: string;
  readonly milestoneRuleId: string;
}

/** Fills every table that facts are written to, whatever its rows refer to: of one Project. */
export async function fillWithCrowd(
  url: string,
  projectId: string,
  { participantId, programId, milestoneRuleId }: CrowdReferrer,
): Promise<void> {
  await fill(
    url,
    `select '${projectId}', 0, n, '${participantId}', '${programId}', '${milestoneRuleId}'
     from generate_series(1, ${CROWD}) as n`,
  );
  const multiples = CROWD / 2;
  const numbers = {
    [REFERRED]: multiples,
    purchases: multiples,
    'revenue:USD': multiples * MILESTONE,
    [milestoneNames(milestoneRuleId).reached]: multiples,
  };
  await withClient(url, async (client) => {
    await client.query(
      `insert into figures (project_id, subject, part, numbers) values ($1, $2, $3, $4)`,
      [projectId, participantId, programId, numbers],
    );
  });
}

/** The same with a few rows each of many Projects. */
export function fillWithSmallOnes(url: string, rowsEach: number): Promise<void> {
  return fill(
    url,
    `select 'prj_' || p, p, n, null, null, null
     from generate_series(1, ${SMALL_PROJECTS}) as p, generate_series(1, ${rowsEach}) as n`,
  );
}

export function analyse(url: string): Promise<void> {
  return withClient(url, async (client) => {
    await client.query('analyze');
  });
}

function fill(url: string, numbers: string): Promise<void> {
  return withClient(url, async (client) => {
    await client.query(`set session_replication_role = replica`);
    await client.query(`set synchronous_commit = off`);
    for (const [table, values] of Object.entries(TABLES)) {
      const { rows: columns } = await client.query<{ name: string; type: string }>(
        `select column_name as name, data_type as type from information_schema.columns
         where table_schema = 'public' and table_name = $1 and column_name <> 'project_id'
           and (is_nullable = 'NO' or column_name like '%\\_id' or column_name = any($2::text[]))`,
        [table, Object.keys(values)],
      );
      const filled = columns.map(
        ({ name, type }) => values[name] ?? BY_TYPE[type] ?? `'${name}_' || p || '_' || n`,
      );
      await client.query(
        `insert into ${table} (project_id, ${columns.map(({ name }) => name).join(', ')})
         select project_id, ${filled.join(', ')} from (${numbers}) as numbers (project_id, p, n, referrer, program, rule)`,
      );
    }
  });
}
