import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
let sourceNamespaceId: string;
let programId: string;
let loyaltyId: string;
let original: TestProject;

beforeAll(async () => {
  service = await openService();
  original = await service.newProject();
  project = original;
  sourceNamespaceId = (await post('/v1/sources', {})).body.sourceNamespaceId;
  programId = await newProgram('referral');
  loyaltyId = await newProgram('loyalty');
  await post('/v1/referral-links', { programId, participant: person('ada'), slug: 'ada' });
});
afterAll(() => service.close());
beforeEach(async () => {
  project = await service.copyProject(original);
});

const person = (externalId: string) => ({ kind: 'individual', externalId });
const post = (path: string, body: object) =>
  service.call('POST', path, { as: project.key, body: { projectId: project.projectId, ...body } });
const read = async (path: string, query: Record<string, string> = {}) => {
  const asked = { projectId: project.projectId, ...query };
  return (await service.call('GET', path, { as: project.key, query: asked })).body;
};
async function newProgram(kind: string): Promise<string> {
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const { id } = (await post('/v1/programs', { kind, name: kind, config })).body.data;
  await post(`/v1/programs/${id}/status`, { status: 'active' });
  return id;
}
const addRule = (terms: object, more: object = {}) =>
  post('/v1/benefit-rules', {
    programId,
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    purpose: 'bonus',
    name: 'Thanks',
    terms,
    ...more,
  });
const ok = async (answer: ReturnType<typeof post>) => {
  const { status, body } = await answer;
  expect([status, body]).toMatchObject([200, {}]);
  return body;
};
const track = (body: object) => ok(post('/v1/track/events', { sourceNamespaceId, ...body }));
const signUp = (externalId: string) =>
  track({ type: 'signup', participant: person(externalId), refCode: 'ada' });
const buy = async (order: string, amountMinor = '1000', more: object = {}) =>
  (
    await track({
      type: 'purchase',
      participant: person('bob'),
      sourceEventId: order,
      purchase: { amountMinor, currency: 'USD' },
      ...more,
    })
  ).eventId as string;
const money = (amountMinor: string) => ({ amountMinor, currency: 'USD', currencyExponent: 2 });
const adjust = (kind: string, order: string, more: object) =>
  ok(
    post('/v1/track/adjustments', {
      sourceNamespaceId,
      sourceEventId: `${kind} of ${order}`,
      purchase: { sourceEventId: order },
      kind,
      occurredAt: service.clock.now,
      ...more,
    }),
  );
const refund = (order: string, amountMinor = '1000') => adjust('refund', order, money(amountMinor));
const rewardsOf = async (eventId: string) => (await read('/v1/rewards', { eventId })).data;
const earnedBy = async (eventId: string) =>
  (await rewardsOf(eventId)).map(
    (one: { money: { amountMinor: string } }) => one.money.amountMinor,
  );
const rulesOf = async (eventId: string) =>
  (await read(`/v1/events/${eventId}/explanation`)).data.rules;

async function expectClean(): Promise<void> {
  const { kept } = await verifyProject(service.database, project.projectId);
  expect(kept).toEqual([]);
}

const GROWING = {
  benefitKind: 'cash',
  calculation: 'percentage',
  durationMode: 'forever',
  tiers: {
    measure: 'purchases',
    window: 'calendar_month',
    steps: [
      { from: '0', rateBps: 1_000 },
      { from: '3', rateBps: 2_000 },
    ],
  },
};
const CASH = {
  benefitKind: 'cash',
  fixedAmountMinor: '5000',
  currency: 'USD',
  currencyExponent: 2,
};
const EACH_TWO = {
  ...CASH,
  calculation: 'milestone',
  milestone: { measure: 'purchases', at: '2', repeat: true },
};

test('terms are read back as they were published, and copies of a program have them', async () => {
  const conditions = [
    { field: 'purchase.amountMinor', op: 'gte', value: '500' },
    { field: 'properties.plan', op: 'in', value: ['annual', 'two years'] },
  ];
  const { terms } = (await ok(addRule({ ...GROWING, conditions }))).data;
  expect(terms).toMatchObject({
    rateBps: 1_000,
    conditions,
    tiers: {
      measure: 'purchases',
      window: 'calendar_month',
      steps: [
        { from: '0', rateBps: 1_000, fixedAmountMinor: null, quantity: null },
        { from: '3', rateBps: 2_000, fixedAmountMinor: null, quantity: null },
      ],
    },
    milestone: null,
  });
  await ok(addRule(EACH_TWO));
  const copy = await ok(post('/v1/programs/copies', { programId }));
  const rules = await read(`/v1/programs/${copy.data.id}/benefit-rules`);
  const versions = await Promise.all(
    rules.data.map(({ id }: { id: string }) => read(`/v1/benefit-rules/${id}/terms`)),
  );
  expect(versions.map(({ data }) => data[0])).toMatchObject([
    { conditions, tiers: terms.tiers },
    { milestone: { measure: 'purchases', at: '2', repeat: true } },
  ]);
});

describe('bad terms are refused with the path of the field (D-TIER-1 to 3)', () => {
  const step = (from: string, rateBps: number | null = 100) => ({ from, rateBps });
  const share = { benefitKind: 'cash', calculation: 'percentage' };
  const tiers = (steps: object[], more: object = {}) => ({
    ...share,
    tiers: { measure: 'referrals', steps, ...more },
  });
  const when = (condition: object) => ({ ...CASH, conditions: [condition] });
  test.each<[string, object, object]>([
    ['terms.tiers.steps', tiers([step('0')]), {}],
    ['terms.tiers.steps', tiers(Array.from({ length: 21 }, (_, n) => step(String(n)))), {}],
    ['terms.tiers.steps.0.from', tiers([step('1'), step('2')]), {}],
    ['terms.tiers.steps.1.from', tiers([step('0'), step('0')]), {}],
    ['terms.tiers.steps.2.from', tiers([step('0'), step('5'), step('3')]), {}],
    ['terms.tiers.steps.1.rateBps', tiers([step('0'), step('5', null)]), {}],
    ['terms.tiers.steps.1.quantity', tiers([step('0'), { ...step('5'), quantity: 1 }]), {}],
    ['terms.tiers.steps.1.currency', tiers([step('0'), { ...step('5'), currency: 'EUR' }]), {}],
    ['terms.tiers.measure', tiers([step('0'), step('5')], { measure: 'friends' }), {}],
    ['terms.tiers.window', tiers([step('0'), step('5')], { window: 'year' }), {}],
    ['terms.currency', tiers([step('0'), step('5')], { measure: 'revenue' }), {}],
    ['terms.currency', { ...share, rateBps: 1, currency: 'USD' }, {}],
    ['terms.tiers.measure', tiers([step('0'), step('5')]), { beneficiaryRole: 'referee' }],
    ['terms.tiers', { ...EACH_TWO, tiers: GROWING.tiers }, {}],
    ['terms.calculation', EACH_TWO, { purpose: 'primary' }],
    ['terms.milestone', { ...CASH, calculation: 'milestone' }, {}],
    ['terms.milestone', { ...CASH, milestone: EACH_TWO.milestone }, {}],
    ['terms.milestone.at', { ...EACH_TWO, milestone: { measure: 'purchases', at: '0' } }, {}],
    ['terms.durationMode', { ...EACH_TWO, durationMode: 'forever' }, {}],
    ['terms.conditions.0.field', when({ field: 'purchase.color', op: 'eq', value: 'red' }), {}],
    ['terms.conditions.0.field', when({ field: 'properties.', op: 'eq', value: 'red' }), {}],
    ['terms.conditions.0.field', when({ field: 'constructor', op: 'eq', value: 'red' }), {}],
    ['terms.conditions.0.field', when({ field: '__proto__', op: 'eq', value: 'red' }), {}],
    [
      'terms.conditions.0.field',
      when({ field: 'properties.__proto__', op: 'eq', value: 'red' }),
      {},
    ],
    ['terms.conditions.0.op', when({ field: 'properties.x', op: 'like', value: 'red' }), {}],
    ['terms.conditions.0.op', when({ field: 'purchase.currency', op: 'gte', value: 'USD' }), {}],
    ['terms.conditions.0.value', when({ field: 'properties.x', op: 'gte', value: 1.5 }), {}],
    ['terms.conditions.0.value', when({ field: 'properties.x', op: 'in', value: 'red' }), {}],
    ['terms.conditions.0.value', when({ field: 'purchase.isFirst', op: 'eq', value: 1 }), {}],
    ['terms.conditions.0.value', when({ field: 'purchase.currency', op: 'eq', value: 'ZZZ' }), {}],
    [
      'terms.conditions.0.field',
      when({ field: 'purchase.isFirst', op: 'eq', value: true }),
      { eventType: 'signup' },
    ],
    [
      'terms.conditions',
      { ...CASH, conditions: Array(11).fill({ field: 'properties.x', op: 'eq', value: 1 }) },
      {},
    ],
  ])('%s of %j', async (path, terms, more) => {
    const { status, body } = await addRule(terms, more);
    expect(status).toBe(400);
    const paths = body.error.details.map((one: { path: string }) => one.path);
    expect(paths.some((one: string) => one === path || one.startsWith(`${path}.`))).toBe(true);
  });
});

test('what a value must be is said in one sentence', async () => {
  const told = async (terms: object) => (await addRule(terms)).body.error.details;
  const condition = { field: 'properties.x', op: 'eq', value: {} };
  expect(await told({ ...CASH, conditions: [condition] })).toEqual([
    {
      path: 'terms.conditions.0.value',
      issue: 'must be a string, a number, a boolean or an array',
    },
  ]);
  const milestone = { measure: 'referrals', at: 'ten' };
  expect(await told({ ...EACH_TWO, milestone })).toEqual([
    {
      path: 'terms.milestone.at',
      issue: 'must be a whole number above zero, as text of at most 15 digits, such as "5"',
    },
  ]);
  const [step] = GROWING.tiers.steps;
  const steps = [step, { ...step, from: '1.5' }];
  expect(await told({ ...GROWING, tiers: { ...GROWING.tiers, steps } })).toEqual([
    {
      path: 'terms.tiers.steps.1.from',
      issue: 'must be a whole number, as text of at most 15 digits, such as "5"',
    },
  ]);
});

test('a rule whose condition does not hold explains which, and what it found', async () => {
  const conditions = [{ field: 'properties.plan', op: 'eq', value: 'annual' }];
  await ok(addRule({ ...CASH, durationMode: 'forever', conditions }));
  await signUp('bob');
  const monthly = await buy('1', '1000', { properties: { plan: 'monthly' } });
  expect(await rulesOf(monthly)).toMatchObject([
    {
      verdict: 'skipped',
      reason: 'condition_not_met',
      condition: { field: 'properties.plan', op: 'eq', value: 'annual', found: 'monthly' },
      tier: null,
      milestone: null,
    },
  ]);
  const annual = await buy('2', '1000', { properties: { plan: 'annual' } });
  expect(await earnedBy(annual)).toEqual(['5000']);
  // What was found may be about the person.
  const event = (await read(`/v1/events/${monthly}`)).data;
  await ok(
    service.call('DELETE', `/v1/participants/${event.participantId}`, {
      as: project.key,
      query: { projectId: project.projectId, force: 'true' },
    }),
  );
  expect(await rulesOf(monthly)).toMatchObject([
    { reason: 'condition_not_met', condition: { field: 'properties.plan', found: null } },
  ]);
});

test('steps count what was there before the terms, months roll over by the clock, a refund lowers the measure', async () => {
  await signUp('bob');
  await buy('1');
  await buy('2');
  await ok(addRule(GROWING));
  const third = await buy('3');
  expect(await earnedBy(third)).toEqual(['200']);
  const [reward] = await rewardsOf(third);
  expect(reward.tier).toEqual({
    measure: 'purchases',
    window: 'calendar_month',
    value: '3',
    carried: '0',
    from: '3',
  });
  expect(await rulesOf(third)).toMatchObject([{ tier: reward.tier, milestone: null }]);
  await refund('1');
  await refund('2');
  expect(await earnedBy(await buy('4'))).toEqual(['100']);
  expect((await rewardsOf(third))[0].money.netAmountMinor).toBe('200');
  await expectClean();

  const dryRun = await post('/v1/simulations/events', {
    sourceNamespaceId,
    type: 'purchase',
    participant: person('bob'),
    sourceEventId: '5',
    purchase: { amountMinor: '1000', currency: 'USD' },
  });
  expect(dryRun.body.data).toMatchObject({
    rewards: [{ money: { amountMinor: '200' }, tier: { value: '3' } }],
  });
  service.clock.advance(32 * DAY_MS);
  expect(await earnedBy(await buy('6'))).toEqual(['100']);
  await expectClean();
  service.clock.advance(-32 * DAY_MS);
});

test('a milestone is earned once at each multiple, lost with its measure, and due again with it', async () => {
  await ok(addRule(EACH_TWO));
  await signUp('bob');
  const first = await buy('1');
  expect(await rulesOf(first)).toMatchObject([
    {
      reason: 'milestone_not_reached',
      milestone: { measure: 'purchases', value: '1', at: '2', multiple: 1 },
    },
  ]);
  const second = await buy('2');
  expect(await rewardsOf(second)).toMatchObject([
    { milestone: { value: '2', at: '2', multiple: 1 }, money: { netAmountMinor: '5000' } },
  ]);
  await refund('1');
  expect(await rewardsOf(second)).toMatchObject([
    { fulfillmentStatus: 'cancelled', void: { reasonCode: 'milestone_lost', reason: null } },
  ]);
  await expectClean();
  const dryRun = await post('/v1/simulations/events', {
    sourceNamespaceId,
    type: 'purchase',
    participant: person('bob'),
    sourceEventId: '3',
    purchase: { amountMinor: '1000', currency: 'USD' },
  });
  const [lost] = await rewardsOf(second);
  service.clock.advance(1234);
  expect(dryRun.body.data.rewards).toMatchObject([{ id: lost.id, fulfillmentStatus: 'pending' }]);
  const third = await buy('3');
  expect(await rewardsOf(third)).toEqual([]);
  expect(await rulesOf(third)).toMatchObject([{ verdict: 'earned', rewardId: lost.id }]);
  expect(await rewardsOf(second)).toMatchObject([{ fulfillmentStatus: 'pending', void: null }]);
  const [reward] = await rewardsOf(second);
  await ok(post(`/v1/rewards/${reward.id}/fulfillment`, { externalReference: 'paid' }));
  await refund('2');
  await refund('3');
  expect(await rewardsOf(second)).toMatchObject([{ fulfillmentStatus: 'fulfilled', void: null }]);
  const { events } = await read('/v1/webhook-events', { limit: '500' });
  const news = events
    .map(({ type }: { type: string }) => type)
    .filter((type: string) => type.startsWith('reward.'));
  expect(news).toEqual(['reward.earned', 'reward.voided', 'reward.earned', 'reward.fulfilled']);
  for (const order of ['4', '5', '6', '7']) await buy(order);
  const all = (await read('/v1/rewards', { limit: '100' })).data;
  expect(
    all.map((one: { milestone: { multiple: number } }) => one.milestone.multiple).sort(),
  ).toEqual([1, 2]);
  await expectClean();
});

test('a mug for two friends', async () => {
  const referrals = { measure: 'referrals', at: '2' };
  await ok(addRule({ ...EACH_TWO, milestone: referrals }, { eventType: 'signup' }));
  await signUp('bob');
  await signUp('carl');
  const { data } = await read('/v1/rewards');
  expect(data).toMatchObject([{ milestone: { measure: 'referrals', value: '2', at: '2' } }]);
  await expectClean();
});

test('one purchase that reaches several multiples earns them all; sent twice at once, once', async () => {
  const milestone = { measure: 'revenue', at: '1000', repeat: true };
  await ok(addRule({ ...EACH_TWO, milestone }));
  await signUp('bob');
  const [one, other] = await Promise.all([buy('big', '5500'), buy('big', '5500')]);
  expect(one).toBe(other);
  expect(await rewardsOf(one)).toHaveLength(5);
  await refund('big', '2600');
  const states = (await rewardsOf(one)).map(
    (reward: { void: object | null }) => reward.void === null,
  );
  expect(states.filter(Boolean)).toHaveLength(2);
  await expectClean();
});

test('loyalty measures what members bought themselves', async () => {
  const terms = { ...EACH_TWO, milestone: { measure: 'purchases', at: '3', repeat: false } };
  await ok(addRule(terms, { programId: loyaltyId, beneficiaryRole: 'subject' }));
  await buy('1');
  await buy('2');
  const third = await buy('3');
  expect(await rewardsOf(third)).toMatchObject([{ beneficiaryRole: 'subject' }]);
  await refund('1');
  expect(await rewardsOf(third)).toMatchObject([{ void: { reasonCode: 'milestone_lost' } }]);
  await expectClean();
});

test('a milestone that needs a disputed purchase is not paid until the dispute is won, and lost with it', async () => {
  const settings = { cashMethod: 'payout' };
  const body = { projectId: project.projectId, ...settings };
  const path = `/v1/programs/${programId}/delivery-settings`;
  await ok(service.call('PUT', path, { as: project.key, body }));
  await ok(addRule(EACH_TWO));
  await signUp('bob');
  await buy('1');
  const second = await buy('2');
  const waiting = async () => (await read('/v1/payout-overview')).data.waiting;
  expect(await waiting()).toMatchObject([{ reason: 'awaiting_payout_details' }]);
  await adjust('dispute', '1', money('1000'));
  expect(await rewardsOf(second)).toMatchObject([
    { delivery: { status: 'on_hold', reason: 'dispute_open' }, void: null },
  ]);
  expect(await waiting()).toMatchObject([
    { reason: 'on_hold', nextAt: null, sums: [{ amountMinor: '5000' }] },
  ]);
  await expectClean();
  const third = await buy('3');
  expect(await rewardsOf(third)).toEqual([]);
  expect(await waiting()).toMatchObject([{ reason: 'awaiting_payout_details' }]);
  await refund('3');
  expect(await waiting()).toMatchObject([{ reason: 'on_hold' }]);
  await adjust('restoration', '1', { ...money('400'), restores: 'dispute of 1' });
  expect(await waiting()).toMatchObject([{ reason: 'awaiting_payout_details' }]);
  await adjust('dispute', '2', money('1000'));
  await expectClean();
  await adjust('dispute_lost', '2', { closes: 'dispute of 2' });
  expect(await rewardsOf(second)).toMatchObject([{ void: { reasonCode: 'milestone_lost' } }]);
  expect(await waiting()).toEqual([]);
  await expectClean();
});

test('undoing a refund earns nothing that a condition had denied', async () => {
  const annual = [{ field: 'properties.plan', op: 'eq', value: 'annual' }];
  await ok(addRule({ ...EACH_TWO, conditions: annual }));
  await signUp('bob');
  await buy('1', '1000', { properties: { plan: 'annual' } });
  const second = await buy('2');
  await refund('2');
  await adjust('restoration', '2', { ...money('1000'), restores: 'refund of 2' });
  expect(await rewardsOf(second)).toEqual([]);
  expect(await rulesOf(second)).toMatchObject([{ reason: 'condition_not_met' }]);
  await expectClean();
});

test('somebody whose referral was imported signs up without earning a milestone again', async () => {
  const once = { ...EACH_TWO, milestone: { measure: 'referrals', at: '2', repeat: true } };
  await ok(addRule(once, { eventType: 'signup' }));
  const rows = ['carl', 'dora'].map((externalId) => ({ externalId, referredByExternalId: 'ada' }));
  await ok(post('/v1/imports/rows', { programId, rows }));
  const signups = ['bob', 'carl', 'dora', 'eric'];
  for (const externalId of signups) await signUp(externalId);
  const { data } = await read('/v1/rewards');
  expect(data).toMatchObject([{ milestone: { value: '4', at: '4' } }]);
  await expectClean();
});

test('nobody but the service voids with milestone_lost', async () => {
  await ok(
    addRule({ ...EACH_TWO, milestone: { measure: 'referrals', at: '1' } }, { eventType: 'signup' }),
  );
  const { eventId } = await signUp('bob');
  const [reward] = await rewardsOf(eventId);
  const { status } = await post(`/v1/rewards/${reward.id}/void`, { reasonCode: 'milestone_lost' });
  expect(status).toBe(400);
});
