import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openShop(service);
});

const START = {
  referrals: '11',
  purchases: '4',
  revenue: [{ currency: 'usd', amountMinor: '2500' }],
};
const STORED = {
  referrals: '11',
  purchases: '4',
  revenue: [{ currency: 'USD', amountMinor: '2500' }],
};
const row = (externalId = 'ada', startingMeasures: object | null = START) => ({
  externalId,
  startingMeasures,
});
const importRows = async (rows: readonly object[], more: object = {}) => {
  const answer = await shop.post('/v1/imports/rows', { programId: shop.programId, rows, ...more });
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer.body.data.results;
};
const status = (results: readonly { readonly status: string }[]) =>
  results.map((one) => one.status);
const find = async (externalId: string) =>
  (await shop.read('/v1/participants', { externalId })).body.data[0];
const rulesOf = async (eventId: string) =>
  (await shop.read(`/v1/events/${eventId}/explanation`)).body.data.rules;
const rewardsOf = async (eventId: string) =>
  (await shop.read('/v1/rewards', { eventId })).body.data;
const sound = async () =>
  expect((await verifyProject(service.database, shop.project.projectId)).kept).toEqual([]);

const USD = { currency: 'USD', currencyExponent: 2 };
const SHARE = {
  benefitKind: 'cash',
  calculation: 'percentage',
  tiers: {
    measure: 'referrals',
    steps: [
      { from: '0', rateBps: 1_000 },
      { from: '12', rateBps: 2_000 },
    ],
  },
};
const bonus = (milestone: object) => ({
  benefitKind: 'cash',
  calculation: 'milestone',
  durationMode: 'once',
  fixedAmountMinor: '5000',
  ...USD,
  milestone,
});

test('are set once for each program: the same again is unchanged, another value is refused', async () => {
  expect(status(await importRows([row()]))).toEqual(['updated']);
  const stored = [{ programId: shop.programId, ...STORED, importedAt: service.clock.now }];
  const { id, startingMeasures, updatedAt } = await find('ada');
  expect(startingMeasures).toEqual(stored);
  expect((await shop.read(`/v1/participants/${id}`)).body.data.startingMeasures).toEqual(stored);
  const again = await importRows([row(), row('ada', STORED), row('ada', null)]);
  expect(status(again)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  expect((await find('ada')).updatedAt).toBe(updatedAt);
  for (const other of [{ ...START, referrals: '12' }, { referrals: '11' }, {}]) {
    const [refused] = await importRows([{ ...row('ada', other), name: 'Ada' }]);
    expect(refused).toMatchObject({ status: 'invalid', issues: [{ path: 'startingMeasures' }] });
  }
  expect((await find('ada')).name).toBeNull();
  // Of another program they are others.
  const second = await shop.post('/v1/programs', { kind: 'referral', name: 'Second' });
  const programId = second.body.data.id;
  expect(status(await importRows([row('ada', { purchases: '1' })], { programId }))).toEqual([
    'updated',
  ]);
  expect((await find('ada')).startingMeasures).toHaveLength(2);
  await sound();
});

test('rows of one file see each other, a dry run leaves nothing, two at once are one', async () => {
  const rows = [row('grace'), row('grace'), row('grace', { referrals: '1' }), row('zoe', {})];
  const expected = ['created', 'unchanged', 'invalid', 'created'];
  expect(status(await importRows(rows, { dryRun: true }))).toEqual(expected);
  expect(await find('grace')).toBeUndefined();
  const both = await Promise.all([importRows(rows), importRows(rows)]);
  expect(both.map(status).sort()).toEqual([
    expected,
    ['unchanged', 'unchanged', 'invalid', 'unchanged'],
  ]);
  expect((await find('grace')).startingMeasures).toMatchObject([STORED]);
  expect((await find('zoe')).startingMeasures).toEqual([]);
  await sound();
});

test('a step begins with them; the reward and the explanation say how much was carried over', async () => {
  await shop.addRule(SHARE);
  const month = { ...SHARE.tiers, window: 'calendar_month' };
  await shop.addRule({ ...SHARE, tiers: month });
  await importRows([row()]);
  // Bob is the twelfth friend.
  const eventId = await shop.order('1');
  const rewards = await rewardsOf(eventId);
  const tiers = rewards.map(({ tier }: { tier: { window: string } }) => tier);
  expect(tiers).toHaveLength(2);
  expect(tiers).toEqual(
    expect.arrayContaining([
      { measure: 'referrals', window: 'all_time', value: '12', carried: '11', from: '12' },
      { measure: 'referrals', window: 'calendar_month', value: '1', carried: '0', from: '0' },
    ]),
  );
  const explained = (await rulesOf(eventId)).map(({ tier }: { tier: object }) => tier);
  expect(explained).toEqual(expect.arrayContaining(tiers));
  const simulated = await shop.post('/v1/simulations/events', {
    sourceNamespaceId: shop.sourceNamespaceId,
    type: 'purchase',
    participant: { kind: 'individual', externalId: 'bob' },
    sourceEventId: '2',
    purchase: { amountMinor: '1000', currency: 'USD' },
  });
  const planned = simulated.body.data.rewards.map(
    ({ tier }: { tier: { carried: string } }) => tier.carried,
  );
  expect(planned.sort()).toEqual(['0', '11']);
  await sound();
});

test('milestones that they reach alone earn nothing; the next one does, is lost and comes back', async () => {
  await shop.addRule(bonus({ measure: 'purchases', at: '4', repeat: false }));
  await shop.addRule(bonus({ measure: 'revenue', at: '1000', repeat: true }));
  await importRows([row()]);
  const eventId = await shop.order('1');
  const [once, each] = await rulesOf(eventId);
  expect(once).toMatchObject({
    reason: 'milestone_passed',
    milestone: { measure: 'purchases', value: '5', carried: '4', at: '4', multiple: 1 },
  });
  expect(each).toMatchObject({
    verdict: 'earned',
    milestone: { measure: 'revenue', value: '3500', carried: '2500', at: '3000', multiple: 3 },
  });
  expect(await rewardsOf(eventId)).toMatchObject([{ milestone: each.milestone, void: null }]);
  await sound();
  const refund = await shop.post('/v1/track/adjustments', {
    sourceNamespaceId: shop.sourceNamespaceId,
    sourceEventId: 'refund',
    purchase: { sourceEventId: '1' },
    kind: 'refund',
    amountMinor: '1000',
    ...USD,
    occurredAt: service.clock.now,
  });
  expect(refund.status).toBe(200);
  expect(await rewardsOf(eventId)).toMatchObject([{ void: { reasonCode: 'milestone_lost' } }]);
  await sound();
  const second = await shop.order('2');
  expect(await rewardsOf(second)).toEqual([]);
  expect(await rewardsOf(eventId)).toMatchObject([{ fulfillmentStatus: 'pending', void: null }]);
  const third = await shop.order('3');
  expect(await rewardsOf(third)).toMatchObject([{ milestone: { at: '4000', multiple: 4 } }]);
  await sound();
});

test('imported after something was earned, they add to it', async () => {
  await shop.addRule(bonus({ measure: 'purchases', at: '2', repeat: true }));
  await shop.order('1');
  expect(await rewardsOf(await shop.order('2'))).toMatchObject([{ milestone: { multiple: 1 } }]);
  await importRows([row()]);
  expect(await rewardsOf(await shop.order('3'))).toEqual([]);
  // Four were carried over and given for elsewhere: this is the eighth purchase, and the fourth time.
  expect(await rewardsOf(await shop.order('4'))).toMatchObject([
    { milestone: { value: '8', carried: '4', at: '8', multiple: 4 } },
  ]);
  await sound();
});

test('the progress of the widget includes them', async () => {
  await shop.addRule(SHARE);
  await shop.addRule(bonus({ measure: 'purchases', at: '3', repeat: true }));
  await importRows([row('ada', { referrals: '10', purchases: '4' })]);
  const { secret } = await newWidgetSecret(service, shop.project);
  const token = await makeSigner(service, shop.project, secret)({ claims: { sub: 'ada' } });
  const { body } = await service.call('POST', '/v1/widget/init', {
    as: 'nobody',
    headers: { authorization: `Bearer ${token}` },
    body: { projectId: shop.project.projectId, programId: shop.programId },
  });
  expect(body.progress).toMatchObject([
    { value: '11', current: { at: '0' }, next: { at: '12', missing: '1' } },
    { value: '4', current: { at: '3', reached: 1 }, next: { at: '6', missing: '2' } },
  ]);
});

test('are in the exports, and so are the steps and milestones of rewards', async () => {
  await shop.addRule(SHARE);
  await shop.addRule(bonus({ measure: 'purchases', at: '5', repeat: false }));
  await importRows([row()]);
  await shop.order('1');
  /** Without quotes. */
  const linesOf = async (list: string) =>
    String((await shop.read(`/v1/exports/${list}`)).body)
      .replaceAll('"', '')
      .split('\r\n');
  const people = await linesOf('participants');
  const importedAt = service.clock.now;
  const stored = JSON.stringify([{ programId: shop.programId, ...STORED, importedAt }]);
  expect(people[0]).toMatch(/,starting_measures$/);
  expect(people.filter((line) => line.endsWith(stored.replaceAll('"', '')))).toHaveLength(1);
  const [header, ...rewards] = await linesOf('rewards');
  expect(header).toMatch(
    /tier_measure,tier_window,tier_value,tier_carried,tier_from,milestone_measure,milestone_value,milestone_carried,milestone_at,milestone_multiple,tier_rejected,milestone_rejected$/,
  );
  const ends = ['referrals,all_time,12,11,12,,,,,,,', ',,,,,purchases,5,4,5,1,,'];
  for (const end of ends) {
    expect(rewards.filter((line) => line.endsWith(`,${end}`))).toHaveLength(1);
  }
});

test('verify finds figures that are not what was imported', async () => {
  await importRows([row()]);
  await service.database.transaction((tx) =>
    tx.query(`update participants set starting_measures = null where project_id = $1`, [
      shop.project.projectId,
    ]),
  );
  const { kept } = await verifyProject(service.database, shop.project.projectId);
  const { id } = await find('ada');
  expect(JSON.stringify(kept)).toContain(`${id} ${shop.programId} carried:referrals`);
});

test('go with the person who is erased', async () => {
  await importRows([row()]);
  const { id } = await find('ada');
  const { projectId, key } = shop.project;
  const erased = await service.call('DELETE', `/v1/participants/${id}`, {
    as: key,
    query: { projectId, force: true },
  });
  expect(erased.status).toBe(200);
  expect((await shop.read(`/v1/participants/${id}`)).body.data.startingMeasures).toEqual([]);
  await sound();
  const [again] = await importRows([row()]);
  expect(again).toMatchObject({ status: 'invalid', issues: [{ path: 'externalId' }] });
});
