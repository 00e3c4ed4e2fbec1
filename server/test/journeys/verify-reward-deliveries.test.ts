import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { findDamage } from '../damage.ts';
import { startService, type TestService } from '../harness.ts';
import { MemoryRewards } from '../memory-rewards.ts';
import { openRewardShop, type RewardShop } from '../reward-shop.ts';

const balance = new MemoryRewards('stripe_balance');
const coupons = new MemoryRewards('stripe_coupon');
let service: TestService;
let shop: RewardShop;
beforeAll(async () => {
  service = await startService({ rewardProviders: [balance, coupons] });
  const connect = (projectId: string) => {
    balance.connected.add(projectId);
    coupons.connected.add(projectId);
  };
  shop = await openRewardShop(service, connect, ['credit'], 'referee');
  // One of each: delivered, corrected, taken back, on its way, waiting for an account.
  for (const who of ['delivered', 'corrected', 'revoked', 'sent', 'waiting']) {
    if (who !== 'waiting') await shop.bill(`cus_${who}`, who);
    if (who === 'sent') balance.fault('lost_answer');
    const id = await shop.earnBy('credit', who);
    await service.deliverRewards();
    if (who === 'corrected') await shop.adjust('refund', who, '500');
    if (who === 'revoked') await shop.voidReward(id);
    await service.deliverRewards();
  }
});
afterAll(() => service.close());

async function findAfter(statement: string): Promise<string[]> {
  const found = await findDamage(service.database, shop.project.projectId, statement);
  return found.map(({ subject, field }) => `${subject}: ${field}`);
}

test('what the service has delivered has nothing that differs', async () => {
  const { kept } = await verifyProject(service.database, shop.project.projectId);
  expect(kept).toEqual([]);
});

const of = (status: string) =>
  `(select id from rewards where project_id = $1 and fulfillment_status = '${status}'
    order by number limit 1)`;

test.each([
  [
    'a Reward that nobody would deliver',
    `delete from reward_deliveries where project_id = $1 and reward_id = ${of('pending')}
     returning 1`,
    'reward: delivery',
  ],
  [
    'a line of another amount',
    `update reward_delivery_lines set amount_minor = amount_minor + 1 where project_id = $1
       and reward_id = ${of('fulfilled')} and attempt = 1 returning 1`,
    'reward: paid_minor',
  ],
  [
    'something on its way that nobody sent',
    `update reward_deliveries set step = null, amount_minor = null, intended_at = null
     where project_id = $1 and reward_id = ${of('in_progress')} returning 1`,
    'reward: fulfillmentStatus',
  ],
  [
    'a second grant',
    `insert into reward_delivery_lines
     select project_id, reward_id, 99, 'grant', 0, 'twice', settled_at from reward_delivery_lines
     where project_id = $1 and reward_id = ${of('fulfilled')} limit 1 returning 1`,
    'reward: lines',
  ],
  [
    'a key that is used again',
    `update reward_deliveries set attempt = 1
     where project_id = $1 and reward_id = ${of('fulfilled')} returning 1`,
    'reward delivery: attempt',
  ],
])('%s is found', async (_, statement, expected) => {
  expect(await findAfter(statement)).toContain(expected);
});
