import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestService } from '../harness.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';
import { expectCountedRewards } from '../recount.ts';
import { sample } from '../rounds.ts';

/**
 * Void, refund and return after every state: each cell tells what the Reward is afterwards, and
 * what the next payout pays for it, in dollars. Other Rewards keep each payout above the minimum.
 */
const STATES = [
  'earned',
  'drafted',
  'approved',
  'submitted',
  'paid',
  'failed',
  'returned',
  'paid and returned',
  'cancelled',
] as const;
type State = (typeof STATES)[number];

const EVENTS = ['nothing', 'void', 'refund', 'part refund', 'refund, restoration'] as const;
type Event = (typeof EVENTS)[number];

/** Status right after the event, with what it waits for. */
type Cell = readonly [status: string, reason: string | null, nextLine: number];

const untouched: Record<State, Cell> = {
  earned: ['pending', 'awaiting_payout', 10],
  drafted: ['pending', 'awaiting_payout', 10],
  approved: ['in_progress', 'provider_pending', 10],
  submitted: ['in_progress', 'provider_pending', 0],
  paid: ['fulfilled', null, 0],
  failed: ['pending', 'payout_failed', 10],
  returned: ['pending', 'payout_returned', 10],
  'paid and returned': ['pending', 'payout_returned', 10],
  cancelled: ['pending', 'awaiting_payout', 10],
};
const gone = (reason: string, paidLine: number): Record<State, Cell> => ({
  earned: ['cancelled', reason, 0],
  drafted: ['cancelled', reason, 0],
  // Frozen: whatever it is worth by now, it goes out as it was approved.
  approved: ['in_progress', 'provider_pending', 0],
  submitted: ['in_progress', 'provider_pending', paidLine],
  paid: ['fulfilled', null, paidLine],
  failed: ['cancelled', reason, 0],
  returned: ['cancelled', reason, 0],
  'paid and returned': ['cancelled', reason, 0],
  cancelled: ['cancelled', reason, 0],
});
const half = (): Record<State, Cell> => ({
  ...untouched,
  earned: ['pending', 'awaiting_payout', 5],
  drafted: ['pending', 'awaiting_payout', 5],
  approved: ['in_progress', 'provider_pending', 5],
  submitted: ['in_progress', 'provider_pending', -5],
  paid: ['fulfilled', null, -5],
  failed: ['pending', 'payout_failed', 5],
  returned: ['pending', 'payout_returned', 5],
  'paid and returned': ['pending', 'payout_returned', 5],
  cancelled: ['pending', 'awaiting_payout', 5],
});
const restored: Record<State, Cell> = {
  ...untouched,
  // Cancelled in between, they do not remember why they waited before.
  failed: ['pending', 'awaiting_payout', 10],
  returned: ['pending', 'awaiting_payout', 10],
  'paid and returned': ['pending', 'awaiting_payout', 10],
};

const TABLE: Record<Event, Record<State, Cell>> = {
  nothing: untouched,
  void: gone('voided', -10),
  refund: gone('refunded', -10),
  'part refund': half(),
  'refund, restoration': restored,
};

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

interface Scene {
  readonly shop: PayoutShop;
  readonly rewardId: string;
  readonly batchId: string | null;
  readonly payoutId: string | null;
}

async function arrange(state: State): Promise<Scene> {
  const shop = await openPayoutShop(service);
  const [rewardId] = (await shop.earn('it')) as [string];
  await shop.earn('other 1', 'other 2');
  if (state === 'earned') return { shop, rewardId, batchId: null, payoutId: null };
  const { id: batchId, payouts } = await shop.draft();
  const payoutId = payouts[0].id as string;
  const scene = { shop, rewardId, batchId, payoutId };
  if (state === 'drafted') return scene;
  await shop.act(batchId, 'approve');
  if (state === 'approved') return scene;
  if (state === 'cancelled') {
    await shop.act(batchId, 'cancel');
    return scene;
  }
  await shop.act(batchId, 'submit');
  if (state === 'submitted') return scene;
  if (state.startsWith('paid')) await shop.result(payoutId, 'paid');
  if (state === 'failed') await shop.result(payoutId, 'failed');
  if (state.endsWith('returned')) await shop.result(payoutId, 'returned');
  return scene;
}

async function act({ shop, rewardId }: Scene, event: Event): Promise<void> {
  if (event === 'void') await shop.voidReward(rewardId);
  if (event === 'part refund') await shop.refund('it', '500');
  if (event.startsWith('refund')) await shop.refund('it');
  if (event === 'refund, restoration') await shop.restore('it');
}

/** Ends whatever is open, then tells what one more payout pays for the Reward. */
async function nextLine({ shop, rewardId, batchId }: Scene, state: State): Promise<number> {
  if (batchId && (state === 'drafted' || state === 'approved')) await shop.act(batchId, 'cancel');
  if (batchId && state === 'submitted') {
    const { body } = await shop.read('/v1/payouts', { batchId });
    await shop.result(body.data[0].id, 'paid');
  }
  await shop.earn('later 1', 'later 2', 'later 3');
  const { payouts } = await shop.submit();
  const line = payouts[0].rewards.find((one: { rewardId: string }) => one.rewardId === rewardId);
  await shop.result(payouts[0].id, 'paid');
  return Number(line?.amountMinor ?? '0') / 100;
}

const CELLS = EVENTS.flatMap((event) => STATES.map((state) => [event, state] as const));
test.each(sample(CELLS, 8))('%s after %s', async (event, state) => {
  const scene = await arrange(state);
  await act(scene, event);
  const reward = await scene.shop.reward(scene.rewardId);
  const { fulfillmentStatus, delivery } = reward;
  const line = await nextLine(scene, state);
  expect([fulfillmentStatus, delivery.reason, line]).toEqual(TABLE[event][state]);
  const { projectId } = scene.shop.project;
  const { kept } = await verifyProject(service.database, projectId);
  expect(kept).toEqual([]);
  await expectCountedRewards(service, scene.shop.project);
  // All is even: nothing is left to pay, and what it was paid is what it is worth.
  expect((await scene.shop.draft()).payouts).toEqual([]);
  const [row] = await service.database.reads.query<{ due: bigint }>(
    'select payout_due_minor as due from rewards where project_id = $1 and id = $2',
    [projectId, scene.rewardId],
  );
  expect(row?.due).toBe(0n);
});

/** While a payout is under way: the event comes first, then what becomes of the payout. */
const OUTCOMES: readonly [Event, string, [string, string | null], number][] = [
  ['void', 'paid', ['fulfilled', null], -10],
  ['void', 'failed', ['cancelled', 'voided'], 0],
  ['void', 'returned', ['cancelled', 'voided'], 0],
  ['refund', 'paid', ['fulfilled', null], -10],
  ['refund', 'failed', ['cancelled', 'refunded'], 0],
  ['refund', 'returned', ['cancelled', 'refunded'], 0],
  ['part refund', 'paid', ['fulfilled', null], -5],
  ['part refund', 'failed', ['pending', 'payout_failed'], 5],
  ['part refund', 'returned', ['pending', 'payout_returned'], 5],
  ['refund, restoration', 'paid', ['fulfilled', null], 0],
  ['refund, restoration', 'failed', ['pending', 'payout_failed'], 10],
  ['refund, restoration', 'returned', ['pending', 'payout_returned'], 10],
];
test.each(OUTCOMES)('%s under way, then %s', async (event, outcome, standing, line) => {
  const scene = await arrange('submitted');
  await act(scene, event);
  await scene.shop.result(scene.payoutId as string, outcome);
  const reward = await scene.shop.reward(scene.rewardId);
  expect([reward.fulfillmentStatus, reward.delivery.reason]).toEqual(standing);
  expect(await nextLine(scene, 'paid')).toBe(line);
  const { kept } = await verifyProject(service.database, scene.shop.project.projectId);
  expect(kept).toEqual([]);
});

/** After payment: the event, then the return. */
const RETURNS: readonly [Event, string, string | null, number][] = [
  ['nothing', 'pending', 'payout_returned', 10],
  ['void', 'cancelled', 'voided', 0],
  ['refund', 'cancelled', 'refunded', 0],
  ['part refund', 'pending', 'payout_returned', 5],
  ['refund, restoration', 'pending', 'payout_returned', 10],
];
test.each(RETURNS)('paid, %s, then returned: %s', async (event, status, reason, line) => {
  const scene = await arrange('paid');
  await act(scene, event);
  await scene.shop.result(scene.payoutId as string, 'returned');
  const reward = await scene.shop.reward(scene.rewardId);
  expect([reward.fulfillmentStatus, reward.delivery.reason]).toEqual([status, reason]);
  expect(await nextLine(scene, 'paid')).toBe(line);
  const { kept } = await verifyProject(service.database, scene.shop.project.projectId);
  expect(kept).toEqual([]);
});

test('what was taken back is given again if the first payment comes back after all', async () => {
  const { shop, rewardId, payoutId } = await arrange('paid');
  await shop.voidReward(rewardId);
  await shop.earn('a', 'b', 'c');
  const second = (await shop.submit()).payouts[0].id;
  await shop.result(second, 'paid');
  // Both the payment and its taking back had gone through; now the payment is undone.
  await shop.result(payoutId as string, 'returned');
  expect((await shop.reward(rewardId)).fulfillmentStatus).toBe('fulfilled');
  expect(await nextLine({ shop, rewardId, batchId: null, payoutId: null }, 'paid')).toBe(10);
  expect((await shop.draft()).payouts).toEqual([]);
  const { kept } = await verifyProject(service.database, shop.project.projectId);
  expect(kept).toEqual([]);
});
