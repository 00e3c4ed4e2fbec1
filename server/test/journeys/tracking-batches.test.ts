import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { EACH_FIGURE } from '../figures.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';
import { rounds } from '../rounds.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

interface Shop extends TestProject {
  readonly sourceNamespaceId: string;
}

const write = (shop: TestProject, path: string, body: object) =>
  service.call('POST', path, { as: shop.key, body: { projectId: shop.projectId, ...body } });

const person = (n: number) => ({ kind: 'individual', externalId: `p${n}` });

/** A Project where persons 0 and 1 can refer, with caps, percentages and a loyalty program. */
async function openShop(): Promise<Shop> {
  const project = await service.newProject();
  const source = await write(project, '/v1/sources', {});
  const newProgram = async (kind: string) => {
    const { body } = await write(project, '/v1/programs', {
      kind,
      name: kind,
      ...(kind === 'loyalty'
        ? {}
        : { config: { brandConfig: { landingPageUrl: 'https://example.com/' } } }),
    });
    await write(project, `/v1/programs/${body.data.id}/status`, { status: 'active' });
    return body.data.id as string;
  };
  const newRule = (programId: string, eventType: string, beneficiaryRole: string, terms: object) =>
    write(project, '/v1/benefit-rules', {
      programId,
      eventType,
      beneficiaryRole,
      name: 'Rule',
      terms,
    });
  const referral = await newProgram('referral');
  const loyalty = await newProgram('loyalty');
  await newRule(referral, 'signup', 'referrer', {
    benefitKind: 'credit',
    fixedAmountMinor: '500',
    currency: 'USD',
    currencyExponent: 2,
    maxRewardsPerBeneficiary: 2,
  });
  await newRule(referral, 'purchase', 'referrer', {
    benefitKind: 'cash',
    calculation: 'percentage',
    rateBps: 333,
    durationMode: 'forever',
  });
  await newRule(loyalty, 'purchase', 'subject', {
    benefitKind: 'custom',
    quantity: 10,
    unit: { key: 'points', name: 'point', namePlural: 'points' },
    durationMode: 'forever',
  });
  for (const n of [0, 1]) {
    await write(project, '/v1/referral-links', {
      programId: referral,
      participant: person(n),
      slug: `link-${n}`,
    });
  }
  return { ...project, sourceNamespaceId: source.body.sourceNamespaceId };
}

const command = fc.oneof(
  fc.record({
    type: fc.constant('signup'),
    person: fc.nat({ max: 6 }),
    refCode: fc.constantFrom('link-0', 'link-1', 'nobody', undefined),
  }),
  fc.record({
    type: fc.constant('purchase'),
    person: fc.nat({ max: 6 }),
    order: fc.nat({ max: 5 }),
    amount: fc.constantFrom('0', '1', '999', '100000'),
  }),
  fc.record({
    type: fc.constant('custom_visit'),
    person: fc.nat({ max: 6 }),
    order: fc.nat({ max: 3 }),
  }),
);

interface Command {
  type: string;
  person: number;
  refCode?: string;
  order?: number;
  amount?: string;
}

function toEvent(shop: Shop, one: Command) {
  return {
    sourceNamespaceId: shop.sourceNamespaceId,
    type: one.type,
    participant: person(one.person),
    ...(one.refCode === undefined ? {} : { refCode: one.refCode }),
    ...(one.order === undefined ? {} : { sourceEventId: `${one.type}-${one.order}` }),
    ...(one.amount === undefined ? {} : { purchase: { amountMinor: one.amount, currency: 'USD' } }),
  };
}

/** What a Project holds, without the ids, which are random. */
async function portrait(shop: Shop): Promise<unknown> {
  const { reads } = service.database;
  const of = (sql: string) => reads.query(sql, [shop.projectId]);
  const [events, referrals, rewards, feed, participants, programs, figures] = await Promise.all([
    of(`select e.number, e.type, p.external_id, e.processing_state, e.processing_reason,
          e.attempt_count from events e
        join participants p on p.project_id = $1 and p.id = e.participant_id
        where e.project_id = $1 order by e.number`),
    of(`select a.external_id as referrer, b.external_id as referee from referrals r
        join participants a on a.project_id = $1 and a.id = r.referrer_participant_id
        join participants b on b.project_id = $1 and b.id = r.referee_participant_id
        where r.project_id = $1 order by 2`),
    of(`select w.number, w.benefit_kind, w.amount_minor, w.quantity, p.external_id from rewards w
        join participants p on p.project_id = $1 and p.id = w.beneficiary_participant_id
        where w.project_id = $1 order by w.number`),
    of('select position, type from feed_events where project_id = $1 order by position'),
    of(`select external_id, number, is_referrer, is_referee from participants
        where project_id = $1 order by number`),
    of('select kind, enrollment_count from programs where project_id = $1 order by kind'),
    of(`select regexp_replace(name, '[a-z]+_[0-9a-z]{26}', 'id') as name, value::text as value from ${EACH_FIGURE} as f
        where project_id = $1 and value <> 0 order by 1, f.value`),
  ]);
  return { events, referrals, rewards, feed, participants, programs, figures };
}

test('a batch leaves exactly what single calls leave, and repeating either changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 14 }), async (generated) => {
      const commands = generated as Command[];
      const [together, alone] = [await openShop(), await openShop()];
      const batch = await write(together, '/v1/track/events/batch', {
        events: commands.map((one) => toEvent(together, one)),
      });
      const singles = [];
      for (const one of commands) {
        singles.push((await write(alone, '/v1/track/events', toEvent(alone, one))).body);
      }
      const outcome = (answer: {
        success: boolean;
        processingReason?: string;
        error?: { reason: string };
      }) => (answer.success ? answer.processingReason : answer.error?.reason);
      expect(batch.body.results.map(outcome)).toEqual(singles.map(outcome));
      const left = await portrait(together);
      expect(left).toEqual(await portrait(alone));

      const again = await write(together, '/v1/track/events/batch', {
        events: commands.map((one) => toEvent(together, one)),
      });
      const withoutIds = (results: object[]) =>
        JSON.stringify(results).replaceAll(/req_[0-9a-z]{26}/g, 'req');
      expect(withoutIds(again.body.results)).toBe(withoutIds(batch.body.results));
      expect(await portrait(together)).toEqual(left);
      for (const { projectId } of [together, alone]) {
        expect((await verifyProject(service.database, projectId)).kept).toEqual([]);
      }
    }),
    { numRuns: rounds(3, 12) },
  );
});

test('counters equal what is recounted, and caps hold, after any sequence', async () => {
  const { reads } = service.database;
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (generated) => {
      const shop = await openShop();
      await write(shop, '/v1/track/events/batch', {
        events: (generated as Command[]).map((one) => toEvent(shop, one)),
      });
      expect((await verifyProject(service.database, shop.projectId)).kept).toEqual([]);
      const over = await reads.query(
        `select 1 from rewards where project_id = $1 and benefit_kind = 'credit'
         group by beneficiary_participant_id having count(*) > 2`,
        [shop.projectId],
      );
      expect(over).toEqual([]);
    }),
    { numRuns: rounds(3, 12) },
  );
});

test('a batch answers to an Idempotency-Key as a whole (D-IDEM-1)', async () => {
  const shop = await openShop();
  const send = (sourceEventId: string) =>
    service.call('POST', '/v1/track/events/batch', {
      as: shop.key,
      headers: { 'idempotency-key': 'batch-1' },
      body: {
        projectId: shop.projectId,
        events: [
          { ...toEvent(shop, { type: 'custom_visit', person: 1 }), sourceEventId },
          { type: 'nonsense' },
        ],
      },
    });
  const first = await send('visit-1');
  expect(first.body.results).toMatchObject([{ success: true }, { success: false }]);
  expect((await send('visit-1')).body).toEqual(first.body);
  const other = await send('visit-2');
  expect([other.status, other.body.error.reason]).toEqual([409, 'idempotency_key_reused']);
  const [events] = await service.database.reads.query<{ n: bigint }>(
    'select count(*) as n from events where project_id = $1',
    [shop.projectId],
  );
  expect(events?.n).toBe(1n);
});
