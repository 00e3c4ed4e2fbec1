import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestService } from '../harness.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const LARGEST = '9'.repeat(15);
const TOO_LARGE = '1'.repeat(16);
/** As earlier versions accepted them. */
const EIGHTEEN_DIGITS = '9'.repeat(18);
const TOLD = /at most 15 digits/;

/** Bob, who buys, earns a dollar by each purchase himself. */
async function addReferee(shop: PayoutShop): Promise<void> {
  await shop.addRule(
    {
      benefitKind: 'cash',
      calculation: 'fixed',
      fixedAmountMinor: '100',
      currency: 'USD',
      currencyExponent: 2,
    },
    'referee',
  );
  const { body } = await shop.read('/v1/participants', { externalId: 'bob' });
  service.payees.set(body.data[0].id);
}

test('amounts of more than 15 digits are refused with words that say so (D-AM-1)', async () => {
  const shop = await openPayoutShop(service);
  const { sourceNamespaceId, programId } = shop;
  const buy = (amountMinor: string, more: object = {}) =>
    shop.post('/v1/track/events', {
      sourceNamespaceId,
      type: 'purchase',
      participant: { kind: 'individual', externalId: 'bob' },
      sourceEventId: `order of ${amountMinor}`,
      purchase: { amountMinor, currency: 'USD', ...more },
    });
  const refund = (amountMinor: string) =>
    shop.post('/v1/track/adjustments', {
      sourceNamespaceId,
      sourceEventId: `refund of ${amountMinor}`,
      purchase: { sourceEventId: `order of ${LARGEST}` },
      kind: 'refund',
      amountMinor,
      currency: 'USD',
      currencyExponent: 2,
      occurredAt: service.clock.now,
    });
  const addRule = (fixedAmountMinor: string) =>
    shop.post('/v1/benefit-rules', {
      programId,
      eventType: 'signup',
      beneficiaryRole: 'referrer',
      purpose: 'bonus',
      name: 'Much',
      terms: {
        benefitKind: 'cash',
        fixedAmountMinor,
        currency: 'USD',
        currencyExponent: 2,
      },
    });
  for (const send of [buy, refund, addRule]) {
    expect((await send(LARGEST)).status).toBe(200);
    const refused = await send(TOO_LARGE);
    expect(refused.status).toBe(400);
    expect(refused.body.error.details[0].issue).toMatch(TOLD);
  }
  const tax = await buy('1', { taxAmountMinor: TOO_LARGE });
  expect(tax.body.error.details[0].issue).toMatch(TOLD);
});

test('rewards of 18 digits that are there from before break nothing, and hold up nobody else', async () => {
  const shop = await openPayoutShop(service);
  await addReferee(shop);
  const orders = Array.from({ length: 10 }, (_, index) => String(index));
  const ids = await Promise.all(orders.map(async (order) => (await shop.earn(order))[0] as string));
  const { projectId } = shop.project;
  await service.database.reads.query(
    `update rewards set amount_minor = $2, net_amount_minor = $2
     where project_id = $1 and beneficiary_role = 'referrer'`,
    [projectId, EIGHTEEN_DIGITS],
  );
  await service.database.reads.query(
    `update figures set numbers = (select jsonb_object_agg(key,
         case when key ~ '^(net|amount):' then value || '000000000000000000' else value end)
       from jsonb_each_text(numbers))
     where project_id = $1 and numbers <> '{}'`,
    [projectId],
  );
  const batch = await shop.draft();
  expect(batch.shown).toMatchObject({ status: 'draft', failureReason: null });
  expect(batch.payouts).toMatchObject([{ amountMinor: '1000' }]);
  const owed = await service.database.reads.query<{ reason: string }>(
    `select distinct delivery_reason as reason from rewards
     where project_id = $1 and beneficiary_role = 'referrer'`,
    [projectId],
  );
  expect(owed).toEqual([{ reason: 'above_maximum' }]);
  expect((await shop.act(batch.id, 'approve')).status).toBe(200);
  for (const [path, query] of [
    ['/v1/rewards', {}],
    ['/v1/payouts', {}],
    [`/v1/rewards/${ids[0]}`, {}],
    [`/v1/programs/${shop.programId}/summary`, {}],
    [`/v1/participants/${shop.adaId}`, {}],
  ] as const) {
    expect([path, (await shop.read(path, query)).status]).toEqual([path, 200]);
  }
  await verifyProject(service.database, projectId);
  // Once nine of them are voided, the last is paid.
  for (const id of ids.slice(1)) await shop.voidReward(id);
  expect((await shop.draft()).payouts).toMatchObject([{ amountMinor: EIGHTEEN_DIGITS }]);
});

test('a batch that the database refuses is given up with a reason, and the next one is made', async () => {
  const shop = await openPayoutShop(service);
  await shop.earn('1', '2');
  const refuse = 'alter table payout_parts add constraint too_much check (amount_minor < 1500)';
  await service.database.reads.query(`${refuse} not valid`);
  try {
    const { shown, payouts } = await shop.draft();
    expect(shown).toMatchObject({ status: 'cancelled', failureReason: 'amount_out_of_range' });
    expect(payouts).toEqual([]);
  } finally {
    await service.database.reads.query('alter table payout_parts drop constraint too_much');
  }
  expect((await shop.draft()).payouts).toMatchObject([{ amountMinor: '2000' }]);
  const stuck = await service.database.reads.query(
    `select 1 from payout_batches where status = 'reserving'`,
  );
  expect(stuck).toEqual([]);
});
