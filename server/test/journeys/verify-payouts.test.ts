import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { findDamage } from '../damage.ts';
import { openService, type TestService } from '../harness.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

let service: TestService;
let shop: PayoutShop;
beforeAll(async () => {
  service = await openService();
  shop = await openPayoutShop(service);
  // One of each: paid, paid and returned, failed, under way, drafted, cancelled.
  for (const [order, outcomes] of [
    ['paid', ['paid']],
    ['returned', ['paid', 'returned']],
    ['failed', ['failed']],
    ['underway', []],
  ] as const) {
    await shop.earn(order);
    const { payouts } = await shop.submit();
    for (const outcome of outcomes) await shop.result(payouts[0].id, outcome);
  }
  const { id } = await shop.draft();
  await shop.act(id, 'cancel');
  await shop.earn('drafted');
  await shop.draft();
  const { secret } = await newWidgetSecret(service, shop.project);
  const authorization = `Bearer ${await makeSigner(service, shop.project, secret)()}`;
  for (const email of ['ada@example.com', 'ada@example.net']) {
    await service.call('PUT', '/v1/widget/payout-details', {
      as: 'nobody',
      headers: { authorization },
      body: { projectId: shop.project.projectId, details: { type: 'paypal', email } },
    });
  }
});
afterAll(() => service.close());

async function findAfter(statement: string): Promise<string[]> {
  const found = await findDamage(service.database, shop.project.projectId, statement);
  return found.map(({ subject, field }) => `${subject}: ${field}`);
}

test('payouts that the service has made have nothing that differs', async () => {
  const { kept } = await verifyProject(service.database, shop.project.projectId);
  expect(kept).toEqual([]);
});

const part = (status: string) =>
  `(select payout_id from payout_parts where project_id = $1 and status = '${status}'
    order by number limit 1)`;

test.each([
  [
    'a line that is worth another amount',
    `update payout_lines set amount_minor = amount_minor + 1 where project_id = $1
       and payout_id = ${part('failed')} returning 1`,
    ['payout: amount_minor'],
  ],
  [
    'a transfer that is worth another amount',
    `update payouts set amount_minor = amount_minor + 1 where id = ${part('paid')} returning 1`,
    ['payout: total'],
  ],
  [
    'a Reward that was paid another amount',
    `update rewards set paid_minor = paid_minor + 1 where project_id = $1 and paid_minor > 0
       returning 1`,
    ['reward: paid_minor'],
  ],
  [
    'a line that counts as paid and was not',
    `update payout_lines set state = 'settled' where project_id = $1
       and payout_id = ${part('failed')} returning 1`,
    ['payout line: state', 'reward: paid_minor'],
  ],
  [
    'a line for somebody else’s Reward',
    `update payout_parts set participant_id = (select id from participants
       where project_id = $1 and external_id = 'bob')
     where project_id = $1 and payout_id = ${part('paid')} returning 1`,
    ['payout line: reward'],
  ],
  [
    'a Reward that is said to be in no payout',
    `update rewards set payout_id = null where project_id = $1 and payout_id is not null
       returning 1`,
    ['reward: payout_id'],
  ],
  [
    'a Reward that waits for a payout that is not under way',
    `update payout_lines set state = 'released' where project_id = $1
       and payout_id = ${part('processing')} returning 1`,
    ['reward: fulfillmentStatus'],
  ],
  [
    'a part that stands otherwise than its transfer',
    `update payouts set status = 'failed' where id = ${part('paid')} returning 1`,
    ['payout: status'],
  ],
  [
    'a part without a transfer',
    `delete from payouts where id = ${part('draft')} returning 1`,
    ['payout: status'],
  ],
  [
    'a number that was skipped',
    `update payout_parts set number = number + 1 where project_id = $1 and number =
       (select max(number) from payout_parts where project_id = $1) returning 1`,
    ['payout: number'],
  ],
  [
    'a payment that the feed does not tell',
    `delete from feed_events where project_id = $1 and type = 'payout.failed' returning 1`,
    ['feed: payout.failed'],
  ],
  [
    'a fulfillment by a payout that does not pay for it',
    `update rewards set fulfillment = '{"id": "ful_1", "externalReference": "po_1",
       "occurredAt": "2026-11-15T09:30:00.000Z", "actor": "service"}'
     where project_id = $1 and fulfillment is not null returning 1`,
    ['reward: fulfillment'],
  ],
  [
    'details of somebody who is not there',
    `update payout_details set owner_id = 'pt_0' where project_id = $1 returning 1`,
    ['payout details: owner'],
  ],
  [
    'details that are used at once with others',
    `update payout_details set used_until = null where project_id = $1 and used_until is not null
       returning 1`,
    ['payout details: use'],
  ],
  [
    'details after which there are none',
    `delete from payout_details where project_id = $1 and used_until is null returning 1`,
    ['payout details: use'],
  ],
])('it finds %s', async (_, statement, expected) => {
  const found = await findAfter(statement);
  expect(found).toEqual(expect.arrayContaining([...expected]));
});
