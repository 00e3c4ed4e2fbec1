import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { saveChangedRewards } from '../../src/domain/rewards/change/save-rewards.ts';
import { figuresOf } from '../../src/domain/rewards/decide/reward-figures.ts';
import type { FulfillmentStatus } from '../../src/domain/rewards/decide/states.ts';
import { withDelivery } from '../../src/domain/rewards/reward.ts';
import { saveFigures } from '../../src/platform/figures/figures.ts';
import { differenceOf } from '../../src/platform/figures/tally.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';
import { expectCountedRewards } from '../recount.ts';
import { loadRewardsOfEvent } from '../rewards-of-event.ts';

let service: TestService;
let project: TestProject;
let sourceNamespaceId: string;
let programId: string;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
/** Each test gets a copy of this one. */
let original: TestProject;
beforeAll(async () => {
  original = await service.newProject();
  project = original;
  sourceNamespaceId = (await write('/v1/sources', {})).body.sourceNamespaceId;
  programId = await newProgram();
  await write('/v1/referral-links', { programId, participant: person('ada'), slug: 'ada' });
});
beforeEach(async () => {
  project = await service.copyProject(original);
});

const person = (externalId: string) => ({ kind: 'individual', externalId });
const write = (path: string, body: object) =>
  service.call('POST', path, { as: project.key, body: { projectId: project.projectId, ...body } });
const read = (path: string, query: Record<string, string> = {}, as = project.key) =>
  service.call('GET', path, { as, query: { projectId: project.projectId, ...query } });
const summary = async (id = programId) => (await read(`/v1/programs/${id}/summary`)).body.data;
async function newProgram(): Promise<string> {
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const made = await write('/v1/programs', { kind: 'referral', name: 'Invite', config });
  await write(`/v1/programs/${made.body.data.id}/status`, { status: 'active' });
  return made.body.data.id;
}
const addRule = (beneficiaryRole: string, terms: object) =>
  write('/v1/benefit-rules', {
    programId,
    eventType: 'purchase',
    beneficiaryRole,
    purpose: 'bonus',
    name: 'Thanks',
    terms: { durationMode: 'forever', ...terms },
  });
const custom = (key: string, quantity: number) => ({
  benefitKind: 'custom',
  quantity,
  unit: { key, name: key, namePlural: `${key}s` },
});
const track = (body: object) => write('/v1/track/events', { sourceNamespaceId, ...body });
const signUp = (externalId: string) =>
  track({ type: 'signup', participant: person(externalId), refCode: 'ada' });
const buy = (externalId: string, sourceEventId: string) =>
  track({
    type: 'purchase',
    participant: person(externalId),
    sourceEventId,
    purchase: { amountMinor: '1000', currency: 'USD' },
  });
const adjust = (kind: string, order: string, amountMinor: string, more: object = {}) =>
  write('/v1/track/adjustments', {
    sourceNamespaceId,
    sourceEventId: `${kind} of ${order}`,
    purchase: { sourceEventId: order },
    kind,
    amountMinor,
    currency: 'USD',
    currencyExponent: 2,
    occurredAt: service.clock.now,
    ...more,
  });

/** Moves all Rewards of an Event, as a delivery would. */
function move(eventId: string, fulfillmentStatus: FulfillmentStatus): Promise<null> {
  const request = {
    workspaceId: project.workspaceId,
    projectId: project.projectId,
    actor: { type: 'system', id: 'test' },
    requestId: 'req_test',
    ip: null,
    idempotency: null,
  } as const;
  return service.writer.run(request, async ({ tx, projectId, now }) => {
    const before = await loadRewardsOfEvent(tx, projectId, eventId);
    const after = before.map((row) => withDelivery({ ...row, fulfillmentStatus }, now));
    saveChangedRewards(tx, projectId, after);
    saveFigures(
      tx,
      projectId,
      differenceOf(
        before.flatMap((row) => figuresOf(row)),
        after.flatMap((row) => figuresOf(row)),
      ),
    );
    return { answer: null };
  });
}

test('a Program without a past has zeros and no units', async () => {
  const empty = { enrollments: 0, referrals: 0, earnedRewards: 0, customTotals: [] };
  expect(await summary(await newProgram())).toEqual(empty);
  expect(await summary()).toEqual({ ...empty, enrollments: 1 });
});

test('enrollments are those active now, referrals and Rewards all ever (D-PROG-6)', async () => {
  await addRule('referrer', { benefitKind: 'discount', rateBps: 500 });
  const joined = await write('/v1/enrollments', { programId, participant: person('eve') });
  await signUp('bob');
  await buy('bob', 'order-1');
  const facts = { referrals: 1, earnedRewards: 1, customTotals: [] };
  expect(await summary()).toEqual({ enrollments: 2, ...facts });
  await write(`/v1/enrollments/${joined.body.data.id}/end`, {});
  await adjust('refund', 'order-1', '1000');
  expect(await summary()).toEqual({ enrollments: 1, ...facts });
});

test('units add up, each under what became of it, through refunds and deliveries (D-PROG-6)', async () => {
  await addRule('referrer', custom('gigabyte', 5));
  await addRule('referee', custom('credit', 2));
  await addRule('referee', { benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 });
  await signUp('bob');
  const eventIds: string[] = [];
  for (let n = 1; n <= 8; n += 1) eventIds.push((await buy('bob', `order-${n}`)).body.eventId);
  const [first, second, third, fourth, fifth, sixth] = eventIds as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  await move(first, 'fulfilled');
  await move(second, 'in_progress');
  await move(third, 'failed');
  await move(fourth, 'revocation_pending');
  await move(fifth, 'revoked');
  await move(sixth, 'fulfilled');
  // Granted and refunded: to be taken back. Not granted, refunded and restored: pending again.
  await adjust('refund', 'order-6', '1000');
  await adjust('refund', 'order-7', '1000');
  await adjust('restoration', 'order-7', '1000', { restores: 'refund of order-7' });
  // Part of it, or a dispute, takes nothing from units.
  await adjust('refund', 'order-8', '400');
  await adjust('dispute', 'order-8', '600');

  const { customTotals, ...rest } = await summary();
  expect(rest).toEqual({ enrollments: 1, referrals: 1, earnedRewards: 24 });
  const units = customTotals.map(({ customUnitId, ...unit }: { customUnitId: string }) => {
    expect(customUnitId).toMatch(/^unit_/);
    return unit;
  });
  const totals = (key: string, quantity: number) => ({
    unitKey: key,
    name: key,
    namePlural: `${key}s`,
    rewardCount: 8,
    earnedQuantity: 8 * quantity,
    fulfilledQuantity: quantity,
    pendingQuantity: 4 * quantity,
    voidedQuantity: 3 * quantity,
  });
  expect(units).toEqual([totals('gigabyte', 5), totals('credit', 2)]);
  await expectCountedRewards(service, project);
});

test('only for who may read referrals, and only of a Program of the Project (D-KEY-2)', async () => {
  const path = `/v1/programs/${programId}/summary`;
  const keyWith = async (permission: string) => {
    const { workspaceId } = project;
    const body = { workspaceId, environment: 'sandbox', name: 'K', permissions: [permission] };
    return (await service.call('POST', '/v1/api-keys', { as: 'operator', body })).body.key;
  };
  expect((await read(path, {}, await keyWith('programs:read'))).status).toBe(403);
  expect((await read(path, {}, await keyWith('referrals:read'))).status).toBe(200);
  expect((await read(path, {}, 'operator')).status).toBe(200);
  expect((await read('/v1/programs/prg_none/summary')).status).toBe(404);
  project = await service.newProject();
  expect((await read(path)).status).toBe(404);
});
