import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestService } from '../harness.ts';
import { openReviewOf } from '../open-review.ts';
import { openShop, type Shop } from '../shop.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const migration = (what: string) => {
  const file = readdirSync(FOLDER).find((name) => name.endsWith(`_${what}.sql`)) ?? '';
  return readFileSync(new URL(file, FOLDER), 'utf8');
};
const USD = { currency: 'USD', currencyExponent: 2 };
const TIERS = {
  measure: 'purchases',
  window: 'calendar_month',
  steps: [
    { from: '0', rateBps: 1_000 },
    { from: '9', rateBps: 2_000 },
  ],
};

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await openService();
  shop = await openShop(service);
});
afterAll(() => service.close());

const ok = async (answer: ReturnType<Shop['post']>) => {
  const { status, body } = await answer;
  expect([status, body]).toMatchObject([200, {}]);
  return body;
};
const buy = (externalId: string, sourceEventId: string) => {
  const participant = { kind: 'individual', externalId };
  const purchase = { amountMinor: '1000', currency: 'USD' };
  const { sourceNamespaceId } = shop;
  const event = { type: 'purchase', sourceNamespaceId, sourceEventId, participant, purchase };
  return ok(shop.post('/v1/track/events', event));
};
const adjust = (kind: string, sourceEventId: string, amountMinor: string) => {
  const purchase = { sourceEventId };
  const facts = { kind, amountMinor, ...USD, occurredAt: service.clock.now };
  const source = { sourceNamespaceId: shop.sourceNamespaceId, sourceEventId: `${kind} of it` };
  return ok(shop.post('/v1/track/adjustments', { ...source, purchase, ...facts }));
};
/** The numbers that the migrations count. */
const countedAnew = () =>
  service.database.reads.query<{ subject: string }>(
    `select subject, part, name, n.value from figures cross join lateral jsonb_each_text(numbers) as n (name, value)
     where project_id = $1 and (part = 'signals' or name like 'rejected:%' or name like 'reviewed:%') and n.value <> '0' order by 1, 2, 3`,
    [shop.project.projectId],
  );

const heldMilestones = () =>
  service.database.reads.query<{ id: string }>(
    `select id from rewards where project_id = $1 and milestone is not null and is_under_review
       and delivery_status = 'on_hold' and delivery_reason = 'risk_review' order by id`,
    [shop.project.projectId],
  );

test('reviews from before figures counted them are counted as if they were new', async () => {
  await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', tiers: TIERS });
  const { programId } = shop;
  const rule = { programId, eventType: 'signup', purpose: 'bonus', beneficiaryRole: 'referrer' };
  const mug = { benefitKind: 'cash', calculation: 'milestone', fixedAmountMinor: '5000', ...USD };
  const milestone = { measure: 'referrals', at: '2' };
  const terms = { ...mug, durationMode: 'once', milestone };
  await ok(shop.post('/v1/benefit-rules', { ...rule, name: 'Mug', terms }));
  for (const name of ['fake', 'fraud', 'dan']) await shop.signUp(name);
  for (const order of ['f-1', 'f-2', 'f-3']) await buy('fake', order);
  await adjust('refund', 'f-1', '400');
  await adjust('dispute', 'f-2', '1000');
  await buy('dan', 'd-1');
  for (const order of ['b-1', 'b-2']) await buy('bob', order);
  const decisions = { fake: 'reject', fraud: 'reject', dan: 'approve', bob: null };
  for (const [name, decision] of Object.entries(decisions)) {
    const review = await openReviewOf(service, shop, name);
    if (decision) await ok(shop.post(`/v1/risk-reviews/${review}/decision`, { decision }));
  }
  await buy('fake', 'f-4');
  const held = await heldMilestones();
  expect(held).toHaveLength(1);
  const counted = await countedAnew();
  expect(counted.length).toBeGreaterThan(20);
  const migrate = () =>
    service.database.transaction(async (tx) => {
      await tx.script('drop index rewards_held_milestones');
      await tx.script(migration('rejected_measures'));
      await tx.script(migration('reviewed_milestones'));
    });
  await migrate();
  expect(await countedAnew()).toEqual(counted);
  // As a store of that time has them.
  await service.database.transaction(async (tx) => {
    tx.send(`delete from figures where project_id = $1 and part = 'signals'`, [
      shop.project.projectId,
    ]);
    tx.send(
      `update figures set numbers = (select coalesce(jsonb_object_agg(name, value), '{}')
         from jsonb_each_text(numbers) as n (name, value)
         where name not like 'rejected:%' and name not like 'reviewed:%')
       where project_id = $1`,
      [shop.project.projectId],
    );
    tx.send(
      `update rewards set is_under_review = false, delivery_status = 'pending', delivery_reason = 'awaiting_payout_details'
       where project_id = $1 and milestone is not null`,
      [shop.project.projectId],
    );
    await tx.script(migration('signal_figures'));
  });
  await migrate();
  expect(await countedAnew()).toEqual(counted);
  expect(await heldMilestones()).toEqual(held);
  expect((await verifyProject(service.database, shop.project.projectId)).kept).toEqual([]);
});
