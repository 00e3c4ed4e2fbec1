import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadBook } from '../../src/domain/programs/load-book.ts';
import {
  loadRewardsOfPurchases,
  saveChangedRewards,
  saveRewards,
} from '../../src/domain/rewards/change/save-rewards.ts';
import { earnRewards, makeReward } from '../../src/domain/rewards/decide/earn-rewards.ts';
import { type RewardRow, withDelivery } from '../../src/domain/rewards/reward.ts';
import type { ProjectWrite } from '../../src/platform/feed/writer/project-write.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../src/platform/kit/instant.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';
import { rounds } from '../rounds.ts';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  project = await service.newProject();
});

const unit = { key: 'gigabyte', name: 'gigabyte', namePlural: 'gigabytes' };
const CASH = {
  benefitKind: 'cash',
  fixedAmountMinor: '1000',
  currency: 'USD',
  currencyExponent: 2,
  durationMode: 'forever',
};
const CUSTOM = { benefitKind: 'custom', unit, quantity: 5, durationMode: 'forever' };
const DISCOUNT = {
  benefitKind: 'discount',
  rateBps: 2_000,
  durationMode: 'months',
  durationMonths: 3,
};

async function send(method: 'POST' | 'PUT' | 'DELETE', path: string, body: object) {
  const sent = { projectId: project.projectId, ...body };
  const answer = await service.call(method, path, { as: project.key, body: sent });
  expect([path, answer.status, answer.body]).toMatchObject([path, 200, {}]);
  return answer.body.data;
}
function read(path: string, query: Record<string, string | number> = {}, as = project.key) {
  return service.call('GET', path, { as, query: { projectId: project.projectId, ...query } });
}
const list = async (query: Record<string, string | number> = {}) =>
  (await read('/v1/rewards', query)).body;
const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

async function newProgram(kind = 'referral', delivery: object = {}): Promise<string> {
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const { id } = await send('POST', '/v1/programs', { kind, name: 'Invite', config });
  await send('POST', `/v1/programs/${id}/status`, { status: 'active' });
  await send('PUT', `/v1/programs/${id}/delivery-settings`, delivery);
  return id;
}
const addRule = (programId: string, beneficiaryRole: string, terms: object, name = 'Thanks') =>
  send('POST', '/v1/benefit-rules', {
    programId,
    eventType: 'purchase',
    beneficiaryRole,
    purpose: 'bonus',
    name,
    terms,
  });
async function newPerson(externalId: string, kind = 'individual'): Promise<string> {
  const participant = { kind, externalId };
  return (await send('PUT', '/v1/participants', { participant })).id;
}

function write<A>(body: (write: ProjectWrite) => Promise<A>): Promise<A> {
  const request = {
    workspaceId: project.workspaceId,
    projectId: project.projectId,
    actor: { type: 'system', id: 'test' },
    requestId: 'req_test',
    ip: null,
    idempotency: null,
  } as const;
  return service.writer.run(request, async (one) => ({ answer: await body(one) }));
}

/** An Event of a Program's people, and every Reward that the Program's rules give for it. */
function earn(programId: string, people: Record<string, string>): Promise<RewardRow[]> {
  return write(async ({ tx, projectId, now, newId, nextNumber }) => {
    const program = (await loadBook(tx, projectId)).programs.get(programId);
    if (!program) throw new Error(programId);
    const eventId = `evt_${nextNumber('events')}`;
    tx.send(
      `insert into events (project_id, id, number, type, participant_id, source_namespace_id,
         occurred_at, received_at, normalized_facts, facts_hash, processing_state,
         processing_reason, attempt_count, created_at, updated_at)
       values ($1, $2, $3, 'purchase', $4, 'src', $5, $5, '{}', '', 'processed', 'attributed', 1,
         $5, $5)`,
      [projectId, eventId, eventId.slice(4), Object.values(people)[0], now],
    );
    const sides = {
      beneficiaries: people,
      periodKey: 'ref',
      referrerEnrolled: true,
      isReferrerSuspended: false,
      isRejected: false,
      referredAt: null,
      inTime: true,
    };
    const base = { amountMinor: 5_000n, currency: 'USD', currencyExponent: 2 };
    const event = {
      type: 'purchase',
      occurredAt: now,
      receivedAt: now,
      facts: { purchase: null, properties: {}, participantKind: 'individual' },
      base,
      added: { referrals: 0n, purchases: 0n, revenue: 0n, currency: null },
      standing: null,
      personId: 'person',
    };
    const tallies = {
      countOf: () => 0,
      hasEarned: () => false,
      firstEarnedAt: () => null,
      hasEarnedOnce: () => false,
      countMilestones: () => 0,
      milestonesOf: () => [],
      measure: () => ({ value: 0n, carried: 0n, rejected: 0n, underReview: 0n }),
    };
    const rows = earnRewards(program, event, sides, tallies).flatMap((verdict) =>
      verdict.verdict !== 'earned'
        ? []
        : makeReward({ projectId, now, newId }, verdict, {
            number: nextNumber('rewards'),
            programId,
            eventId,
            referralId: null,
            isUnderReview: false,
            purchaseId: `pur of ${eventId}`,
            signupPersonId: null,
            delivery: program.delivery,
          }),
    );
    saveRewards(tx, projectId, rows);
    return { rows: rows.map(({ amountMinor: _, netAmountMinor: __, ...row }) => row) };
  }).then(async ({ rows }) => {
    const purchaseIds = rows.flatMap(({ purchaseId }) => purchaseId ?? []);
    return loadRewardsOfPurchases(service.database.reads, project.projectId, purchaseIds);
  });
}

test('a Reward is read with its success beside its fields, and is listed without it (D-RWD-1)', async () => {
  const programId = await newProgram();
  const rule = await addRule(programId, 'referrer', CASH);
  const ann = await newPerson('ann', 'group');
  const [row] = await earn(programId, { referrer: ann });
  const reward = {
    id: row?.id,
    projectId: project.projectId,
    programId,
    ruleId: rule.id,
    termsVersionId: rule.terms.id,
    eventId: 'evt_1',
    beneficiaryRole: 'referrer',
    beneficiary: { participantId: ann, kind: 'group', externalId: 'ann' },
    benefitKind: 'cash',
    money: { amountMinor: '1000', netAmountMinor: '1000', currency: 'USD', currencyExponent: 2 },
    discount: null,
    custom: null,
    tier: null,
    milestone: null,
    earnedAt: service.clock.now,
    availableAt: service.clock.now,
    fulfillmentStatus: 'pending',
    fulfillment: null,
    revocation: null,
    delivery: {
      method: 'operator',
      status: 'pending',
      reason: 'awaiting_operator',
      providerReference: null,
    },
    void: null,
  };
  const detail = await read(`/v1/rewards/${row?.id}`);
  expect(detail.body).toEqual({ success: true, ...reward });
  expect(await list()).toEqual({ success: true, data: [reward], nextCursor: null });
});

test('custom Rewards carry their unit’s names and plan, discounts their life (D-RWD-10, D-TERM-3)', async () => {
  const planUpgrades = [{ unitKey: unit.key, plan: 'pro', periods: 2 }];
  const programId = await newProgram('referral', { planUpgrades });
  const rule = await addRule(programId, 'referrer', { ...CUSTOM, validityDays: 30 });
  await addRule(programId, 'referee', DISCOUNT);
  await earn(programId, { referrer: await newPerson('ann'), referee: await newPerson('bob') });
  const { data } = await list();
  expect(
    data.map(({ custom, discount }: Record<string, unknown>) => ({ custom, discount })),
  ).toEqual([
    { custom: null, discount: { rateBps: 2_000, durationMode: 'months', durationMonths: 3 } },
    {
      custom: {
        quantity: 5,
        customUnitId: rule.terms.customUnitId,
        unitKey: unit.key,
        unitName: unit.name,
        unitNamePlural: unit.namePlural,
        validityDays: 30,
        plan: 'pro',
        periods: 2,
      },
      discount: null,
    },
  ]);
});

test('a hold ends at its time with nobody writing (D-RWD-4)', async () => {
  const programId = await newProgram('referral', { holdDays: 14, cashMethod: 'payout' });
  await addRule(programId, 'referrer', CASH);
  const [row] = await earn(programId, { referrer: await newPerson('ann') });
  const delivery = async () => (await read(`/v1/rewards/${row?.id}`)).body.delivery;
  expect(row?.availableAt).toBe(addMs(service.clock.now, 14 * DAY_MS));
  service.clock.advance(14 * DAY_MS - 1);
  expect(await delivery()).toMatchObject({ status: 'on_hold', reason: 'hold_period' });
  service.clock.advance(1);
  expect(await delivery()).toMatchObject({ status: 'pending', reason: 'awaiting_payout_details' });
  expect((await list()).data[0].delivery.reason).toBe('awaiting_payout_details');
});

test('what facts change is saved for each Reward, and nothing else of it moves', async () => {
  const programId = await newProgram();
  await addRule(programId, 'referrer', CASH);
  await addRule(programId, 'referrer', CUSTOM);
  await addRule(programId, 'referee', CASH);
  const people = { referrer: await newPerson('ann'), referee: await newPerson('bob') };
  const rows = await earn(programId, people);
  await earn(programId, people);
  const before = (await list()).data;
  service.clock.advance(HOUR_MS);
  await write(async ({ tx, projectId, now, newId }) => {
    const loaded = await loadRewardsOfPurchases(tx, projectId, ['pur of evt_1', 'pur of nothing']);
    expect(loaded.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    const [money, custom, granted] = loaded as [RewardRow, RewardRow, RewardRow];
    const changed: RewardRow[] = [
      { ...money, netAmountMinor: 0n, fulfillmentStatus: 'cancelled' },
      {
        ...custom,
        fulfillmentStatus: 'cancelled',
        void: { id: 'void_1', reasonCode: 'refund', reason: 'it’s "all" back\\', voidedAt: now },
      },
      {
        ...granted,
        fulfillmentStatus: 'fulfilled',
        providerReference: 'tr_1',
        fulfillment: { id: 'ful_1', externalReference: 'g1', occurredAt: now, actor: 'api' },
        revocation: { id: 'rev_1', externalReference: 'g2', occurredAt: now, actor: 'console' },
        // Fixed at earning: a change of these is not a change of a Reward.
        amountMinor: 7n,
        method: 'payout',
      },
    ];
    saveChangedRewards(
      tx,
      projectId,
      changed.map((row) => withDelivery(row, now)),
    );
    saveChangedRewards(tx, projectId, []);
    return newId('req');
  });
  const after = (await list()).data;
  const cancelled = { ...before[5].delivery, status: 'cancelled' };
  expect(after).toEqual([
    ...before.slice(0, 3),
    {
      ...before[3],
      fulfillmentStatus: 'fulfilled',
      delivery: {
        method: 'operator',
        status: 'delivered',
        reason: null,
        providerReference: 'tr_1',
      },
      fulfillment: {
        id: 'ful_1',
        externalReference: 'g1',
        occurredAt: service.clock.now,
        actor: 'api',
      },
      revocation: {
        id: 'rev_1',
        externalReference: 'g2',
        occurredAt: service.clock.now,
        actor: 'console',
      },
    },
    {
      ...before[4],
      fulfillmentStatus: 'cancelled',
      delivery: { ...cancelled, reason: 'voided' },
      void: {
        id: 'void_1',
        reasonCode: 'refund',
        reason: 'it’s "all" back\\',
        voidedAt: service.clock.now,
      },
    },
    {
      ...before[5],
      money: { ...before[5].money, netAmountMinor: '0' },
      fulfillmentStatus: 'cancelled',
      delivery: { ...cancelled, reason: 'refunded' },
    },
  ]);
});

test('pages go on where the last one ended, whatever is earned meanwhile', async () => {
  const programId = await newProgram();
  await addRule(programId, 'referrer', CASH);
  const referrer = await newPerson('ann');
  const earned: string[] = [];
  for (let index = 0; index < 7; index += 1) {
    earned.unshift(...(await earn(programId, { referrer })).map(({ id }) => id));
  }
  const seen: string[] = [];
  let query: Record<string, string | number> = { limit: 3 };
  for (const expected of [3, 3, 1]) {
    const page = await list(query);
    expect(page.data).toHaveLength(expected);
    seen.push(...idsOf(page));
    query = { limit: 3, cursor: page.nextCursor };
    await earn(programId, { referrer });
  }
  expect(seen).toEqual(earned);
  expect(query.cursor).toBeNull();
  expect((await list({ limit: 10 })).nextCursor).toBeNull();
  expect((await list()).data).toHaveLength(10);
});

test('every filter, alone and together, gives exactly what matches, newest first (D-RWD-1)', async () => {
  const programs = [
    await newProgram('referral', { cashMethod: 'payout' }),
    await newProgram('affiliate', { customMethod: 'manual' }),
    await newProgram('loyalty'),
    await newProgram(),
  ] as [string, string, string, string];
  const people = [await newPerson('ann'), await newPerson('bob'), await newPerson('team', 'group')];
  for (const programId of programs.slice(0, 2)) {
    await addRule(programId, 'referrer', CASH);
    await addRule(programId, 'referee', CUSTOM);
    await addRule(programId, 'referee', { ...CASH, benefitKind: 'credit' });
  }
  await addRule(programs[2], 'subject', DISCOUNT);
  const [ann, bob, team] = people as [string, string, string];
  const rows: RewardRow[] = [];
  for (let round = 0; round < 4; round += 1) {
    rows.push(...(await earn(programs[0], { referrer: ann, referee: bob })));
    if (round % 2 === 0) service.clock.advance(HOUR_MS);
    rows.push(...(await earn(programs[1], { referrer: bob, referee: team })));
    rows.push(...(await earn(programs[2], { subject: ann })));
    service.clock.advance(HOUR_MS);
  }
  const statuses = ['pending', 'fulfilled', 'failed', 'pending', 'cancelled'] as const;
  const settled = rows.map((row, index): RewardRow => {
    return { ...row, fulfillmentStatus: statuses[index % statuses.length] ?? 'pending' };
  });
  await write(async ({ tx, projectId, now }) => {
    saveChangedRewards(
      tx,
      projectId,
      settled.map((row) => withDelivery(row, now)),
    );
    return null;
  });

  const times = [...new Set(settled.map(({ earnedAt }) => earnedAt))].flatMap((at) => [
    addMs(at, -1),
    at,
    addMs(at, 1),
  ]);
  const maybe = (...values: string[]) =>
    fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 });
  const queries = fc.record({
    programId: maybe(...programs),
    beneficiaryParticipantId: maybe(...people),
    beneficiaryRole: maybe('referrer', 'referee', 'subject'),
    benefitKind: maybe('cash', 'credit', 'discount', 'custom'),
    deliveryMethod: maybe('operator', 'manual', 'payout'),
    fulfillmentStatus: maybe('pending', 'fulfilled', 'failed', 'cancelled', 'revoked'),
    eventId: maybe('evt_1', 'evt_5'),
    earnedFrom: maybe(...times),
    earnedTo: maybe(...times),
  });
  type Query = typeof queries extends fc.Arbitrary<infer Q> ? Q : never;
  const tests: Record<keyof Query, (row: RewardRow, value: string) => boolean> = {
    programId: (row, value) => row.programId === value,
    beneficiaryParticipantId: (row, value) => row.beneficiaryParticipantId === value,
    beneficiaryRole: (row, value) => row.beneficiaryRole === value,
    benefitKind: (row, value) => row.benefitKind === value,
    deliveryMethod: (row, value) => row.method === value,
    fulfillmentStatus: (row, value) => row.fulfillmentStatus === value,
    eventId: (row, value) => row.eventId === value,
    earnedFrom: (row, value) => row.earnedAt >= value,
    earnedTo: (row, value) => row.earnedAt <= value,
  };
  const check = async (asked: Partial<Query>) => {
    const given = Object.entries(asked).filter(([, value]) => value !== undefined) as [
      keyof Query,
      string,
    ][];
    const expected = settled
      .filter((row) => given.every(([name, value]) => tests[name](row, value)))
      .map(({ id }) => id)
      .toReversed();
    const first = await list({ ...Object.fromEntries(given), limit: 5 });
    expect(idsOf(first)).toEqual(expected.slice(0, 5));
    expect(first.nextCursor === null).toBe(expected.length <= 5);
    if (first.nextCursor === null) return;
    const rest = await list({ ...Object.fromEntries(given), cursor: first.nextCursor });
    expect(idsOf(rest)).toEqual(expected.slice(5));
  };
  for (const name of Object.keys(tests) as (keyof Query)[]) {
    await fc.assert(
      fc.asyncProperty(queries, (query) => check({ [name]: query[name] })),
      { numRuns: 4 },
    );
  }
  // Few filters at a time, so that something is left to be found.
  const names = fc.subarray(Object.keys(tests) as (keyof Query)[], { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(queries, names, (query, some) =>
      check(Object.fromEntries(some.map((name) => [name, query[name]]))),
    ),
    { numRuns: rounds(20, 60) },
  );
});

test('times may come with an offset, up to the last that there is', async () => {
  const programId = await newProgram();
  await addRule(programId, 'referrer', CASH);
  await earn(programId, { referrer: await newPerson('ann') });
  const here = (await list()).data[0].earnedAt.replace('Z', '+00:00');
  expect((await list({ earnedFrom: here, earnedTo: here })).data).toHaveLength(1);
  expect((await list({ earnedTo: '9999-12-31T23:59:59.999Z' })).data).toHaveLength(1);
  expect((await list({ earnedFrom: '9999-12-31T23:59:59.999Z' })).data).toEqual([]);
  expect((await list({ earnedTo: '1000-01-01T00:00:00Z' })).data).toEqual([]);
});

test('a Project without Rewards has an empty list, whatever is asked', async () => {
  const empty = { success: true, data: [], nextCursor: null };
  expect(await list()).toEqual(empty);
  expect(await list({ earnedFrom: service.clock.now, earnedTo: service.clock.now })).toEqual(empty);
  expect(await list({ benefitKind: 'cash' })).toEqual(empty);
  expect(await list({ programId: await newProgram() })).toEqual(empty);
});

test('an erased person keeps their Rewards under a name that says nothing (D-PART-5)', async () => {
  const programId = await newProgram();
  await addRule(programId, 'referrer', CASH);
  const ann = await newPerson('ann');
  const [row] = await earn(programId, { referrer: ann });
  await write(async ({ tx, projectId, now }) => {
    const granted = { ...(row as RewardRow), fulfillmentStatus: 'fulfilled' as const };
    saveChangedRewards(tx, projectId, [withDelivery(granted, now)]);
    return null;
  });
  await service.call('DELETE', `/v1/participants/${ann}`, {
    as: project.key,
    query: { projectId: project.projectId },
  });
  const { beneficiary } = (await read(`/v1/rewards/${row?.id}`)).body;
  expect(beneficiary).toEqual({
    participantId: ann,
    kind: 'individual',
    externalId: `deleted_${ann}`,
  });
});

test('what is not there is 404, in the path and in filters alike (D-ERR-2)', async () => {
  const programId = await newProgram();
  await addRule(programId, 'referrer', CASH);
  const [row] = await earn(programId, { referrer: await newPerson('ann') });
  const mine = project;
  project = await service.newProject();
  for (const [path, query] of [
    [`/v1/rewards/${row?.id}`, {}],
    [`/v1/rewards/${'x'.repeat(512)}`, {}],
    ['/v1/rewards', { programId }],
    ['/v1/rewards', { beneficiaryParticipantId: row?.beneficiaryParticipantId ?? '' }],
    ['/v1/rewards', { eventId: row?.eventId ?? '' }],
  ] as const) {
    const answer = await read(path, query);
    expect([path, query, answer.body.error?.code]).toEqual([path, query, 'NOT_FOUND']);
  }
  const foreign = await read(`/v1/rewards/${row?.id}`, { projectId: mine.projectId });
  expect(foreign.body.error.code).toBe('NOT_FOUND');
});

test.each([
  ['cursor', 'nonsense'],
  ['cursor', Buffer.from('rewards 0').toString('base64url')],
  ['cursor', Buffer.from('rewards prj_00000000000000000000000000 5').toString('base64url')],
  ['limit', 0],
  ['limit', 101],
  ['limit', 'ten'],
  ['benefitKind', 'money'],
  ['beneficiaryRole', 'friend'],
  ['fulfillmentStatus', 'done'],
  ['deliveryMethod', 'pigeon'],
  ['earnedFrom', '2026-11-15'],
  ['earnedTo', 'yesterday'],
  ['programId', ' '],
])('a bad %s (%s) is refused by name', async (name, value) => {
  const answer = await read('/v1/rewards', { [name]: value });
  expect(answer.body.error).toMatchObject({ code: 'INVALID_REQUEST', details: [{ path: name }] });
});

test('reading Rewards takes referrals:read (D-KEY-2)', async () => {
  const keyWith = async (...permissions: string[]) => {
    const body = {
      workspaceId: project.workspaceId,
      environment: 'sandbox',
      name: 'Some',
      permissions,
    };
    return (await service.call('POST', '/v1/api-keys', { as: 'operator', body })).body.key;
  };
  const writer = await keyWith('rewards:write', 'participants:read');
  const reader = await keyWith('referrals:read');
  for (const path of ['/v1/rewards', '/v1/rewards/rwd']) {
    expect((await read(path, {}, writer)).body.error.code).toBe('FORBIDDEN');
    expect((await read(path, {}, reader)).status).toBe(path === '/v1/rewards' ? 200 : 404);
  }
});
