import { afterAll, beforeAll, expect, test } from 'vitest';
import { openService, type TestService } from '../harness.ts';
import { openPayoutShop } from '../payout-shop.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

test('a payout says which event of whom earned each of its rewards', async () => {
  const shop = await openPayoutShop(service);
  const ids = await shop.earn('1', '2');
  const [listed] = (await shop.draft()).payouts;
  const { data } = (await shop.read(`/v1/payouts/${listed.id}`)).body;
  expect(data.rewards).toHaveLength(2);
  for (const line of data.rewards) {
    expect(ids).toContain(line.rewardId);
    const reward = await shop.reward(line.rewardId);
    const { body } = await shop.read(`/v1/events/${reward.eventId}`);
    expect(line).toMatchObject({
      programId: reward.programId,
      ruleId: reward.ruleId,
      eventId: reward.eventId,
      earnedAt: reward.earnedAt,
      eventType: body.data.type,
      participantId: body.data.participantId,
    });
    expect(line.participantId).not.toBe(line.beneficiary.participantId);
  }
  // The rest is as in the list.
  const lines = data.rewards.map(({ rewardId, beneficiary, amountMinor }: typeof listed) => {
    return { rewardId, beneficiary, amountMinor };
  });
  expect({ ...data, rewards: lines }).toEqual(listed);
});

test('a batch awaits results from its submission until every payout has one', async () => {
  const shop = await openPayoutShop(service);
  await shop.earn('1');
  const { id, payouts } = await shop.draft();
  const awaits = async () => {
    const { body } = await shop.read('/v1/payout-batches');
    const detail = (await shop.read(`/v1/payout-batches/${id}`)).body.data.awaitsResults;
    return [body.data.find((one: { id: string }) => one.id === id).awaitsResults, detail];
  };
  expect(await awaits()).toEqual([false, false]);
  await shop.act(id, 'approve');
  expect(await awaits()).toEqual([false, false]);
  await shop.act(id, 'submit');
  expect(await awaits()).toEqual([true, true]);
  await shop.result(payouts[0].id, 'paid');
  expect(await awaits()).toEqual([false, false]);
});
