import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestService } from '../harness.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';
import { expectCountedRewards } from '../recount.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const typesOf = async (shop: PayoutShop) =>
  (await shop.feed()).map(({ type }) => type).filter((type) => /^payout|fulfilled/.test(type));

/** Nothing in the Project contradicts anything else. */
async function expectSound(shop: PayoutShop): Promise<void> {
  const { kept } = await verifyProject(service.database, shop.project.projectId);
  expect(kept).toEqual([]);
  await expectCountedRewards(service, shop.project);
}

describe('from earning to paid', () => {
  test('a draft reserves, an approval fixes, a submission sends, and a result fulfills', async () => {
    const shop = await openPayoutShop(service);
    const [first, second] = (await shop.earn('1', '2')) as [string, string];
    const draft = await shop.draft();
    expect(draft.shown).toMatchObject({
      status: 'draft',
      totals: [{ currency: 'USD', currencyExponent: 2, amountMinor: '2000', payoutCount: 1 }],
    });
    expect(draft.payouts).toMatchObject([{ status: 'draft', amountMinor: '2000' }]);
    expect((await shop.reward(first)).fulfillmentStatus).toBe('pending');

    expect((await shop.act(draft.id, 'approve')).body.data.status).toBe('approved');
    expect(await shop.reward(first)).toMatchObject({
      fulfillmentStatus: 'in_progress',
      delivery: { status: 'processing', reason: 'provider_pending' },
    });
    expect((await shop.act(draft.id, 'submit')).body.data.status).toBe('submitted');
    const payoutId = draft.payouts[0].id;
    const paid = await shop.result(payoutId, 'paid', { reference: 'SEPA-1' });
    expect(paid.body.data).toMatchObject({
      id: payoutId,
      status: 'paid',
      providerReference: 'SEPA-1',
      paidAt: service.clock.now,
      failureReason: null,
    });
    expect(await shop.reward(second)).toMatchObject({
      fulfillmentStatus: 'fulfilled',
      fulfillment: { actor: 'service', externalReference: payoutId },
      delivery: { status: 'delivered', reason: null, providerReference: 'SEPA-1' },
    });
    expect((await shop.read(`/v1/payout-batches/${draft.id}`)).body.data).toMatchObject({
      payeeCount: 1,
      payoutsByStatus: [{ status: 'paid', count: 1 }],
    });
    const events = await shop.feed();
    expect(await typesOf(shop)).toEqual(['reward.fulfilled', 'reward.fulfilled', 'payout.paid']);
    // The event carries what the call shows.
    expect(events.at(-1)?.data.payout).toEqual(paid.body.data);
    await expectSound(shop);
  });

  test('the next batch finds nothing more to pay', async () => {
    const shop = await openPayoutShop(service);
    await shop.earn('1');
    await shop.draft();
    expect((await shop.draft()).shown).toMatchObject({ status: 'draft', totals: [] });
  });

  test('what is on hold is not paid, and is once the Project’s clock has passed it', async () => {
    const shop = await openPayoutShop(service, { holdDays: 14 });
    const [id] = (await shop.earn('1')) as [string];
    expect((await shop.draft()).payouts).toEqual([]);
    expect((await shop.reward(id)).delivery.reason).toBe('hold_period');
    const future = new Date(service.clock.nowMs() + 20 * 86_400_000).toISOString();
    // Nor by asking for a later cutoff.
    expect((await shop.draft({ cutoffAt: future })).payouts).toEqual([]);
    const { projectId } = shop.project;
    await service.call('PUT', `/v1/projects/${projectId}/clock`, {
      as: shop.project.key,
      body: { now: future },
    });
    expect((await shop.draft()).payouts).toHaveLength(1);
  });

  test('an earlier cutoff leaves out what became available after it', async () => {
    const shop = await openPayoutShop(service);
    await shop.earn('1');
    const cutoffAt = service.clock.now;
    service.clock.advance(1_000);
    await shop.earn('2');
    expect((await shop.draft({ cutoffAt })).payouts).toMatchObject([{ amountMinor: '1000' }]);
  });
});

describe('what is awaited', () => {
  test('says that details are missing, and no longer once they are there', async () => {
    const shop = await openPayoutShop(service);
    const [id] = (await shop.earn('1')) as [string];
    const reason = async () => (await shop.reward(id)).delivery.reason;
    expect(await reason()).toBe('awaiting_payout');
    service.payees.forget(shop.adaId);
    // Nobody needs to make a batch for that.
    expect(await reason()).toBe('awaiting_payout_details');
    expect((await shop.draft()).payouts).toEqual([]);
    expect((await shop.reward(id)).delivery).toMatchObject({
      status: 'pending',
      reason: 'awaiting_payout_details',
    });
    const listed = await shop.read('/v1/rewards', { deliveryMethod: 'payout' });
    expect(listed.body.data[0].delivery.reason).toBe('awaiting_payout_details');
    service.payees.set(shop.adaId);
    expect(await reason()).toBe('awaiting_payout');
    expect((await shop.draft()).payouts).toHaveLength(1);
    expect((await shop.reward(id)).delivery.reason).toBe('awaiting_payout');
    await expectSound(shop);
  });

  test('details that were refused since the draft are not approved, and it waits for others', async () => {
    const shop = await openPayoutShop(service);
    const [id] = (await shop.earn('1')) as [string];
    const { id: batchId, payouts } = await shop.draft();
    service.payees.refuse(shop.adaId);
    const { body } = await shop.act(batchId, 'approve');
    expect(body.data).toMatchObject({ status: 'approved', totals: [] });
    const payout = await shop.read(`/v1/payouts/${payouts[0].id}`);
    expect(payout.body.data.status).toBe('cancelled');
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: 'pending',
      delivery: { status: 'pending', reason: 'awaiting_payout_details' },
    });
    await expectSound(shop);
    service.payees.set(shop.adaId);
    expect((await shop.draft()).payouts).toHaveLength(1);
  });

  test('details that a provider refused count as missing', async () => {
    const shop = await openPayoutShop(service);
    const [id] = (await shop.earn('1')) as [string];
    service.payees.refuse(shop.adaId);
    expect((await shop.reward(id)).delivery.reason).toBe('awaiting_payout_details');
  });

  test('without a minimum the least sum is paid (D-AM-6)', async () => {
    const shop = await openPayoutShop(service, { cashMinor: '1' });
    await shop.earn('1');
    expect((await shop.draft()).payouts).toMatchObject([{ amountMinor: '1' }]);
    await expectSound(shop);
  });

  test('below the minimum it is carried over, and paid with the next ones (D-PAY-2)', async () => {
    const shop = await openPayoutShop(service, { cashMinor: '400' });
    await shop.setMinimum('1000');
    const [first] = (await shop.earn('1', '2')) as [string];
    expect((await shop.draft()).payouts).toEqual([]);
    expect((await shop.reward(first)).delivery.reason).toBe('below_minimum');
    await shop.earn('3');
    const [payout] = (await shop.draft()).payouts;
    expect(payout).toMatchObject({ amountMinor: '1200' });
    expect(payout.rewards).toHaveLength(3);
    expect((await shop.reward(first)).delivery.reason).toBe('awaiting_payout');
    await expectSound(shop);
  });

  test('a minimum of the Workspace’s own counts, for its currency alone', async () => {
    const shop = await openPayoutShop(service);
    const path = `/v1/workspaces/${shop.project.workspaceId}/payout-settings`;
    const as = 'operator';
    expect((await service.call('GET', path, { as })).body.data.minimums).toEqual({});
    const set = await service.call('PUT', path, { as, body: { minimums: { usd: '1001' } } });
    expect(set.body.data.minimums).toEqual({ USD: '1001' });
    await shop.earn('1');
    expect((await shop.draft()).payouts).toEqual([]);
    await service.call('PUT', path, { as, body: { minimums: null } });
    expect((await shop.draft()).payouts).toHaveLength(1);
    const twice = { minimums: { EUR: '100000', eur: '5' } };
    expect((await service.call('PUT', path, { as, body: twice })).status).toBe(400);
    const wrong = await service.call('PUT', path, { as, body: { minimums: { XXX: '1' } } });
    expect(wrong.body.error.details).toEqual([
      { path: 'minimums.XXX', issue: 'is not an ISO 4217 currency' },
    ]);
    const none = await service.call('GET', '/v1/workspaces/ws_no/payout-settings', { as });
    expect(none.status).toBe(404);
  });

  test('where a Workspace wants a second approver, who made a batch cannot be it', async () => {
    const shop = await openPayoutShop(service);
    const path = `/v1/workspaces/${shop.project.workspaceId}/payout-settings`;
    const set = (body: object) => service.call('PUT', path, { as: 'operator', body });
    await set({ minimums: { USD: '900' } });
    const on = await set({ requireSecondApprover: true });
    expect(on.body.data).toMatchObject({ minimums: { USD: '900' }, requireSecondApprover: true });
    await shop.earn('1');
    const draft = await shop.draft();
    const own = await shop.act(draft.id, 'approve');
    expect([own.status, own.body.error.reason]).toEqual([403, 'second_approver_required']);
    const other = await service.call('POST', `/v1/payout-batches/${draft.id}/approve`, {
      as: 'operator',
      body: { projectId: shop.project.projectId },
    });
    expect(other.body.data.status).toBe('approved');
    // A key is nobody: whoever made a batch in person could hold one.
    await shop.earn('3');
    const made = await service.call('POST', '/v1/payout-batches', {
      as: 'operator',
      body: { projectId: shop.project.projectId, method: 'manual_export' },
    });
    const byKey = await shop.act(made.body.data.id, 'approve');
    expect([byKey.status, byKey.body.error.reason]).toEqual([403, 'second_approver_required']);
    // What is not told stays, also when both are told at once.
    await Promise.all([set({ minimums: { USD: '800' } }), set({ requireSecondApprover: true })]);
    const kept = await service.call('GET', path, { as: 'operator' });
    expect(kept.body.data).toMatchObject({ minimums: { USD: '800' }, requireSecondApprover: true });
    await set({ requireSecondApprover: null });
    await shop.earn('2');
    const next = await shop.draft();
    expect((await shop.act(next.id, 'approve')).status).toBe(200);
  });

  test('a failed payout leaves its Rewards to the next one, and says why', async () => {
    const shop = await openPayoutShop(service);
    const [id] = (await shop.earn('1')) as [string];
    const { payouts } = await shop.submit();
    const failed = await shop.result(payouts[0].id, 'failed', {
      failureReason: 'account_closed',
      failureMessage: 'Closed in May.',
    });
    expect(failed.body.data).toMatchObject({
      status: 'failed',
      failureReason: 'account_closed',
      failureMessage: 'Closed in May.',
      paidAt: null,
    });
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: 'pending',
      delivery: { reason: 'payout_failed' },
    });
    expect(await typesOf(shop)).toEqual(['payout.failed']);
    expect((await shop.draft()).payouts[0]).toMatchObject({ amountMinor: '1000' });
    await expectSound(shop);
  });

  test('a payout that came back after it was paid is paid again, with both events (trap 14)', async () => {
    const shop = await openPayoutShop(service);
    const [id] = (await shop.earn('1')) as [string];
    const first = (await shop.submit()).payouts[0].id;
    await shop.result(first, 'paid');
    const back = await shop.result(first, 'returned');
    expect(back.body.data).toMatchObject({
      status: 'returned',
      failureReason: 'other',
      paidAt: service.clock.now,
    });
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: 'pending',
      fulfillment: null,
      delivery: { reason: 'payout_returned', providerReference: null },
    });
    const second = (await shop.submit()).payouts[0].id;
    await shop.result(second, 'paid');
    expect((await shop.reward(id)).fulfillment.externalReference).toBe(second);
    expect(await typesOf(shop)).toEqual([
      'reward.fulfilled',
      'payout.paid',
      'payout.returned',
      'reward.fulfilled',
      'payout.paid',
    ]);
    await expectSound(shop);
  });
});

test('a payout that comes back from somebody who was erased is owed to nobody (D-PART-5)', async () => {
  const shop = await openPayoutShop(service);
  const [id] = (await shop.earn('1')) as [string];
  const [payout] = (await shop.submit()).payouts;
  await shop.result(payout.id, 'paid');
  const { beneficiary } = await shop.reward(id);
  await service.call('DELETE', `/v1/participants/${beneficiary.participantId}`, {
    as: shop.project.key,
    query: { projectId: shop.project.projectId },
  });
  await shop.result(payout.id, 'returned');
  expect(await shop.reward(id)).toMatchObject({
    fulfillmentStatus: 'cancelled',
    void: { reasonCode: 'participant_deleted' },
  });
  const types = (await shop.feed()).map(({ type }) => type);
  expect(types.filter((type) => type === 'reward.voided')).toHaveLength(1);
  await shop.result(payout.id, 'returned');
  expect((await shop.feed()).length).toBe(types.length);
  await expectSound(shop);
});

describe('between draft and payment', () => {
  test('the approval computes every line anew', async () => {
    const shop = await openPayoutShop(service);
    const ids = await shop.earn('1', '2', '3');
    const draft = await shop.draft();
    expect(draft.payouts[0].amountMinor).toBe('3000');
    await shop.voidReward(ids[0] as string);
    await shop.refund('2', '500');
    const approved = await shop.act(draft.id, 'approve');
    expect(approved.body.data.totals[0].amountMinor).toBe('1500');
    const { body } = await shop.read(`/v1/payouts/${draft.payouts[0].id}`);
    expect(body.data.rewards.map((line: { amountMinor: string }) => line.amountMinor)).toEqual([
      '500',
      '1000',
    ]);
    await expectSound(shop);
  });

  test('what has fallen below the minimum by the approval is given up', async () => {
    const shop = await openPayoutShop(service);
    await shop.setMinimum('1000');
    const [, second] = await shop.earn('1', '2');
    const draft = await shop.draft();
    await shop.refund('1');
    await shop.refund('2', '100');
    const approved = await shop.act(draft.id, 'approve');
    expect(approved.body.data).toMatchObject({ status: 'approved', totals: [] });
    const { body } = await shop.read(`/v1/payouts/${draft.payouts[0].id}`);
    expect(body.data).toMatchObject({ status: 'cancelled', failureReason: null });
    expect(await shop.reward(second as string)).toMatchObject({
      fulfillmentStatus: 'pending',
      delivery: { reason: 'below_minimum' },
    });
    expect(await typesOf(shop)).toEqual([]);
    await expectSound(shop);
  });

  test('a transfer whose payee owes something by the approval says so', async () => {
    const shop = await openPayoutShop(service);
    const [first] = (await shop.earn('1')) as [string];
    const { payouts } = await shop.submit();
    await shop.result(payouts[0].id, 'paid');
    await shop.voidReward(first);
    await shop.earn('2', '3');
    const draft = await shop.draft();
    await shop.refund('2');
    await shop.refund('3');
    await shop.act(draft.id, 'approve');
    const { body } = await shop.read(`/v1/payouts/${draft.payouts[0].id}`);
    expect(body.data).toMatchObject({ status: 'cancelled' });
    expect(body.data.failureMessage).toContain('owed more');
    await expectSound(shop);
  });

  test('after the approval a line stays, and the next payout takes back what was too much', async () => {
    const shop = await openPayoutShop(service);
    const [first] = (await shop.earn('1', '2')) as [string];
    const { payouts } = await shop.submit();
    await shop.voidReward(first);
    expect((await shop.reward(first)).fulfillmentStatus).toBe('in_progress');
    await shop.result(payouts[0].id, 'paid');
    expect(await shop.reward(first)).toMatchObject({
      fulfillmentStatus: 'fulfilled',
      void: { reasonCode: 'fraud' },
    });
    await shop.earn('3', '4');
    const [next] = (await shop.submit()).payouts;
    expect(next.amountMinor).toBe('1000');
    expect(next.rewards).toContainEqual(
      expect.objectContaining({ rewardId: first, amountMinor: '-1000' }),
    );
    await shop.result(next.id, 'paid');
    expect((await shop.draft()).payouts).toEqual([]);
    await expectSound(shop);
  });

  test('a debt alone is no transfer: it waits for something to come off', async () => {
    const shop = await openPayoutShop(service);
    const [first] = (await shop.earn('1')) as [string];
    const { payouts } = await shop.submit();
    await shop.result(payouts[0].id, 'paid');
    await shop.voidReward(first);
    expect((await shop.draft()).payouts).toEqual([]);
    await shop.earn('2');
    // 10 dollars earned less 10 owed.
    expect((await shop.draft()).payouts).toEqual([]);
    await shop.earn('3');
    expect((await shop.draft()).payouts).toMatchObject([{ amountMinor: '1000' }]);
    await expectSound(shop);
  });

  test.each(['draft', 'approve'] as const)('a batch is cancelled after %s', async (made) => {
    const shop = await openPayoutShop(service);
    const [id, lost] = (await shop.earn('1', '2')) as [string, string];
    const batch = await shop[made]();
    await shop.voidReward(lost);
    const cancelled = await shop.act(batch.id, 'cancel');
    expect(cancelled.body.data).toMatchObject({
      status: 'cancelled',
      cancelledAt: service.clock.now,
    });
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: 'pending',
      delivery: { reason: 'awaiting_payout' },
    });
    expect((await shop.reward(lost)).fulfillmentStatus).toBe('cancelled');
    const { body } = await shop.read('/v1/payouts', { status: 'cancelled' });
    expect(body.data).toHaveLength(1);
    expect(await typesOf(shop)).toEqual([]);
    expect((await shop.draft()).payouts).toMatchObject([{ amountMinor: '1000' }]);
    await expectSound(shop);
  });
});

describe('what cannot be', () => {
  test('each step only once, and in its order', async () => {
    const shop = await openPayoutShop(service);
    await shop.earn('1');
    const { id, payouts } = await shop.draft();
    const refused = async (answer: ReturnType<typeof shop.act>) => {
      const { status, body } = await answer;
      expect([status, body.error.reason]).toEqual([409, 'invalid_transition']);
    };
    const po = payouts[0].id;
    await refused(shop.act(id, 'submit'));
    for (const outcome of ['paid', 'failed', 'returned']) await refused(shop.result(po, outcome));
    await shop.act(id, 'approve');
    await refused(shop.act(id, 'approve'));
    await refused(shop.result(po, 'paid'));
    await shop.act(id, 'submit');
    for (const action of ['approve', 'submit', 'cancel'] as const)
      await refused(shop.act(id, action));
    await shop.result(po, 'failed');
    const before = await shop.feed();
    await refused(shop.result(po, 'paid'));
    await refused(shop.result(po, 'returned'));
    expect(
      (await shop.result(po, 'failed', { failureReason: 'unclaimed' })).body.data,
    ).toMatchObject({ status: 'failed', failureReason: 'other' });
    expect(await shop.feed()).toEqual(before);
    await expectSound(shop);
  });

  test('a repeat of an outcome changes nothing, even one that came late', async () => {
    const shop = await openPayoutShop(service);
    await shop.earn('1');
    const po = (await shop.submit()).payouts[0].id;
    await shop.result(po, 'paid', { reference: 'A' });
    expect((await shop.result(po, 'paid', { reference: 'B' })).body.data.providerReference).toBe(
      'A',
    );
    await shop.result(po, 'returned');
    expect((await shop.result(po, 'paid')).body.data.status).toBe('returned');
    expect(await typesOf(shop)).toEqual(['reward.fulfilled', 'payout.paid', 'payout.returned']);
  });

  test('what there is not: 404, and what makes no sense: 400, with nothing changed', async () => {
    const shop = await openPayoutShop(service);
    const other = await openPayoutShop(service);
    await shop.earn('1');
    const { id, payouts } = await shop.submit();
    const po = payouts[0].id;
    for (const path of [`/v1/payouts/${po}`, `/v1/payout-batches/${id}`]) {
      expect((await other.read(path)).status).toBe(404);
    }
    expect((await other.act(id, 'cancel')).status).toBe(404);
    expect((await other.result(po, 'paid')).status).toBe(404);
    expect((await shop.act('pob_none', 'approve')).status).toBe(404);
    const bad = async (path: string, body: object, field: string) => {
      const answer = await shop.post(path, body);
      expect([answer.status, answer.body.error.details?.[0]?.path]).toEqual([400, field]);
    };
    const paid = { outcome: 'paid' };
    await bad(`/v1/payouts/${po}/result`, { ...paid, failureReason: 'other' }, 'failureReason');
    await bad(`/v1/payouts/${po}/result`, { ...paid, failureMessage: 'x' }, 'failureMessage');
    await bad(`/v1/payouts/${po}/result`, { outcome: 'maybe' }, 'outcome');
    await bad('/v1/payout-batches', { method: 'manual_export', currency: 'XXX' }, 'currency');
    await bad('/v1/payout-batches', { method: 'paypal' }, 'method');
    await bad('/v1/payout-batches', { method: 'cheque' }, 'method');
    const foreign = { method: 'manual_export', projectIds: [other.project.projectId] };
    expect((await shop.post('/v1/payout-batches', foreign)).status).toBe(404);
    expect((await shop.read('/v1/payouts', { cursor: 'x' })).status).toBe(400);
    expect(await typesOf(shop)).toEqual([]);
  });

  test('an Idempotency-Key makes one batch of two calls', async () => {
    const shop = await openPayoutShop(service);
    await shop.earn('1');
    const { projectId, key } = shop.project;
    const make = () =>
      service.call('POST', '/v1/payout-batches', {
        as: key,
        body: { projectId, method: 'manual_export' },
        headers: { 'idempotency-key': 'once' },
      });
    const [one, two] = await Promise.all([make(), make()]);
    expect(one.body.data.id).toBe(two.body.data.id);
    const approve = () =>
      service.call('POST', `/v1/payout-batches/${one.body.data.id}/approve`, {
        as: key,
        body: { projectId },
        headers: { 'idempotency-key': 'ok' },
      });
    expect((await approve()).body.data.status).toBe('approved');
    expect((await approve()).body.data.status).toBe('approved');
    expect((await shop.read('/v1/payout-batches')).body.data).toHaveLength(1);
  });
});

describe('lists', () => {
  test('page and filter', async () => {
    const shop = await openPayoutShop(service);
    const made: string[] = [];
    for (const order of ['1', '2', '3']) {
      await shop.earn(order);
      made.unshift((await shop.draft()).payouts[0].id);
    }
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const { body } = await shop.read('/v1/payouts', {
        limit: '2',
        ...(cursor === undefined ? {} : { cursor }),
      });
      seen.push(...body.data.map((one: { id: string }) => one.id));
      if (body.nextCursor === null) break;
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(made);
    const count = async (query: Record<string, string>) =>
      (await shop.read('/v1/payouts', query)).body.data.length;
    expect(await count({ beneficiaryParticipantId: shop.adaId, status: 'draft' })).toBe(3);
    expect(await count({ status: 'paid' })).toBe(0);
    expect(await count({ currency: 'EUR' })).toBe(0);
    expect(await count({ method: 'manual_export', currency: 'usd' })).toBe(3);
    const batches = await shop.read('/v1/payout-batches', { limit: '2', status: 'draft' });
    expect(batches.body.data).toHaveLength(2);
    expect(batches.body.nextCursor).not.toBeNull();
  });
});
