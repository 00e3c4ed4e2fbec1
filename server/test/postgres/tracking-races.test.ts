import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPostgres } from '../database.ts';
import { killAll, type Program, startProgram } from '../process.ts';

const ADMIN_TOKEN = 'a'.repeat(40);
const env = {
  ADMIN_TOKEN,
  ROOT_KEY: Buffer.alloc(32, 3).toString('base64'),
  LOG_LEVEL: 'error',
};
const CAP = 7;
const PEOPLE = 40;
let copy: Awaited<ReturnType<typeof copyPostgres>>;
let reader: pg.Client;
let programs: Program[];
let projectId: string;
let sourceNamespaceId: string;
let key: string;

beforeAll(async () => {
  copy = await copyPostgres();
  reader = new pg.Client({ connectionString: copy.url });
  await reader.connect();
  programs = await Promise.all(
    Array.from({ length: 3 }, () => startProgram({ ...env, DATABASE_URL: copy.url })),
  );
  const workspace = await tell('/v1/workspaces', { name: 'Acme' });
  const workspaceId = workspace.data.id;
  const environment = 'live';
  projectId = (await tell('/v1/projects', { workspaceId, name: 'Shop', environment })).data.id;
  const keyBody = { workspaceId, environment, name: 'Races', permissions: 'full' };
  key = (await tell('/v1/api-keys', keyBody)).key;
  sourceNamespaceId = (await tell('/v1/sources', { projectId })).sourceNamespaceId;
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const program = { projectId, kind: 'referral', name: 'Invite', config };
  const programId = (await tell('/v1/programs', program)).data.id;
  const rule = { projectId, programId, purpose: 'bonus', name: 'Thanks' };
  await tell('/v1/benefit-rules', {
    ...rule,
    eventType: 'signup',
    beneficiaryRole: 'referrer',
    terms: {
      benefitKind: 'credit',
      fixedAmountMinor: '500',
      currency: 'USD',
      currencyExponent: 2,
      maxRewardsPerBeneficiary: CAP,
    },
  });
  await tell('/v1/benefit-rules', {
    ...rule,
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    terms: {
      benefitKind: 'cash',
      calculation: 'percentage',
      rateBps: 1_000,
      durationMode: 'forever',
    },
  });
  await tell(`/v1/programs/${programId}/status`, { projectId, status: 'active' });
  for (const slug of ['ada', 'eve']) {
    const link = { projectId, programId, participant: person(slug), slug };
    await tell('/v1/referral-links', link);
  }
});
afterAll(async () => {
  await killAll();
  await reader.end();
  await copy.drop();
});

const person = (externalId: string) => ({ kind: 'individual', externalId });

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function tell(path: string, body: object): Promise<any> {
  const response = await fetch(`${programs[0]?.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_TOKEN}` },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response.json();
}

/** The same call in every process at once; each must be taken, and with the same answer. */
async function tellAll(path: string, bodies: readonly object[]): Promise<unknown[]> {
  const shuffled = bodies.flatMap((body, n) => programs.map((program) => ({ n, body, program })));
  shuffled.sort((a, b) => ((a.n * 7919) % 101) - ((b.n * 7919) % 101));
  const answers = await Promise.all(
    shuffled.map(async ({ n, body, program }) => {
      const response = await fetch(`${program.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({ projectId, sourceNamespaceId, ...body }),
      });
      return { n, status: response.status, text: await response.text() };
    }),
  );
  return bodies.map((_, n) => {
    const same = answers.filter((answer) => answer.n === n);
    expect(same.map(({ status }) => status)).toEqual(programs.map(() => 200));
    const [first] = same;
    expect(new Set(same.map(({ text }) => text)).size).toBe(1);
    return JSON.parse(first?.text ?? '');
  });
}

const countOf = async (sql: string) => {
  const { rows } = await reader.query<{ n: string }>(sql, [projectId]);
  return Number(rows[0]?.n);
};

test('three processes tell of the same signups, purchases and refunds at once: each counts once, and no cap is passed', async () => {
  const people = Array.from({ length: PEOPLE }, (_, n) => `person-${n}`);
  await Promise.all([
    tellAll(
      '/v1/track/events',
      people.map((name) => ({ type: 'signup', participant: person(name), refCode: 'ada' })),
    ),
    tellAll(
      '/v1/track/events',
      people.map((name) => ({
        type: 'purchase',
        participant: person(name),
        sourceEventId: `order-${name}`,
        purchase: { amountMinor: '1000', currency: 'USD', invoiceId: `invoice-${name}` },
      })),
    ),
  ]);
  await tellAll(
    '/v1/track/adjustments',
    people.map((name) => ({
      sourceEventId: `refund-${name}`,
      purchase: { sourceEventId: `order-${name}` },
      kind: 'refund',
      amountMinor: '400',
      currency: 'USD',
      currencyExponent: 2,
      occurredAt: new Date().toISOString(),
    })),
  );

  const counts = {
    signups: await countOf('select count(*) as n from signups where project_id = $1'),
    events: await countOf('select count(*) as n from events where project_id = $1'),
    referrals: await countOf('select count(*) as n from referrals where project_id = $1'),
    referees: await countOf(
      'select count(distinct referee_participant_id) as n from referrals where project_id = $1',
    ),
    capped: await countOf(
      `select count(*) as n from rewards where project_id = $1 and benefit_kind = 'credit'`,
    ),
    commissions: await countOf(
      `select count(*) as n from rewards where project_id = $1 and benefit_kind = 'cash'`,
    ),
    nets: await countOf('select sum(net_amount_minor) as n from rewards where project_id = $1'),
    refunds: await countOf('select count(*) as n from purchase_adjustments where project_id = $1'),
    adjustments: await countOf(
      'select count(*) as n from reward_adjustments where project_id = $1',
    ),
    waiting: await countOf(
      `select count(*) as n from events where project_id = $1 and processing_state = 'pending'`,
    ),
    positions: await countOf(
      `select max(position) - count(*) as n from feed_events where project_id = $1`,
    ),
  };
  expect(counts).toEqual({
    signups: PEOPLE,
    events: 2 * PEOPLE,
    referrals: PEOPLE,
    referees: PEOPLE,
    capped: CAP,
    commissions: PEOPLE,
    nets: CAP * 500 + PEOPLE * 60,
    refunds: PEOPLE,
    adjustments: PEOPLE,
    waiting: 0,
    positions: 0,
  });
});

test('two codes race for one person in different processes: one wins, and everybody hears the same', async () => {
  const codes = ['ada', 'eve'];
  for (let n = 0; n < 10; n += 1) {
    const answers = await Promise.all(
      programs.map(async (program, index) => {
        const response = await fetch(`${program.url}/v1/track/events`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-api-key': key },
          body: JSON.stringify({
            projectId,
            sourceNamespaceId,
            type: 'signup',
            participant: person(`racer-${n}`),
            refCode: codes[(index + n) % 2],
          }),
        });
        return response.text();
      }),
    );
    expect(new Set(answers).size).toBe(1);
  }
});

test('a refund that overdraws is refused whichever process it reaches first', async () => {
  await tell('/v1/track/events', {
    projectId,
    sourceNamespaceId,
    type: 'purchase',
    participant: person('person-1'),
    sourceEventId: 'order-last',
    purchase: { amountMinor: '1000', currency: 'USD' },
  });
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const program = programs[n % programs.length] as Program;
      const response = await fetch(`${program.url}/v1/track/adjustments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({
          projectId,
          sourceNamespaceId,
          sourceEventId: `overdraw-${n}`,
          purchase: { sourceEventId: 'order-last' },
          kind: 'refund',
          amountMinor: '300',
          currency: 'USD',
          currencyExponent: 2,
          occurredAt: new Date().toISOString(),
        }),
      });
      return response.status;
    }),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(3);
  expect(statuses.filter((status) => status === 409)).toHaveLength(9);
});
