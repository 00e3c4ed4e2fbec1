import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approveBatch } from '../../src/outbound/payouts/batches/approve-batch.ts';
import { cancelBatch } from '../../src/outbound/payouts/batches/cancel-batch.ts';
import { createBatch } from '../../src/outbound/payouts/batches/create-batch.ts';
import { submitBatch } from '../../src/outbound/payouts/batches/submit-batch.ts';
import type { PayoutDeps } from '../../src/outbound/payouts/payout-deps.ts';
import { recordResult } from '../../src/outbound/payouts/transfers/record-result.ts';
import { runPayoutsOnce } from '../../src/outbound/payouts/worker.ts';
import type { ProjectWriter } from '../../src/platform/feed/writer/writer.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestService } from '../harness.ts';
import { openPartnerShops } from '../partner-shops.ts';
import type { PayoutShop } from '../payout-shop.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const idsOf = (shops: readonly PayoutShop[]) => shops.map(({ project }) => project.projectId);
const payoutEvents = async (shop: PayoutShop) =>
  (await shop.feed()).filter(({ type }) => type.startsWith('payout.'));

async function expectSound(shops: readonly PayoutShop[]): Promise<void> {
  for (const { project } of shops) {
    const { kept } = await verifyProject(service.database, project.projectId);
    expect(kept).toEqual([]);
  }
}

describe('one transfer for several Projects (D-PAY-5)', () => {
  test('each gets an event with its own lines under the same payout, and nothing of the others', async () => {
    const shops = await openPartnerShops(service, 3);
    const [one, two, three] = shops as [PayoutShop, PayoutShop, PayoutShop];
    await one.earn('1', '2');
    await two.earn('3');
    await three.earn('4');
    const batch = await one.submit({ projectIds: idsOf(shops).slice(0, 2) });
    expect(batch.shown).toMatchObject({
      projectIds: idsOf([one, two]),
      totals: [{ amountMinor: '3000', payoutCount: 1 }],
    });
    const payoutId = batch.payouts[0].id;
    // Told by one of the Projects, it counts for all.
    expect((await two.result(payoutId, 'paid', { reference: 'T' })).body.data.amountMinor).toBe(
      '1000',
    );
    for (const [shop, amountMinor, lines] of [
      [one, '2000', 2],
      [two, '1000', 1],
    ] as const) {
      const [event, ...rest] = await payoutEvents(shop);
      expect(rest).toEqual([]);
      expect(event?.data.payout).toMatchObject({ id: payoutId, status: 'paid', amountMinor });
      expect(event?.data.payout.rewards).toHaveLength(lines);
      expect(event?.data.payout.rewards[0].beneficiary).toEqual({
        participantId: shop.adaId,
        kind: 'individual',
        externalId: null,
      });
    }
    expect(await payoutEvents(three)).toEqual([]);
    expect((await three.read(`/v1/payouts/${payoutId}`)).status).toBe(404);
    await expectSound(shops);
  });

  test('the minimum is that of the transfer, not of each Project', async () => {
    const shops = await openPartnerShops(service, 2, '600');
    const [one, two] = shops as [PayoutShop, PayoutShop];
    await one.setMinimum('1000');
    await one.earn('1');
    await two.earn('2');
    expect((await one.draft()).payouts).toEqual([]);
    const { payouts } = await one.draft({ projectIds: idsOf(shops) });
    expect(payouts).toMatchObject([{ amountMinor: '600' }]);
    await expectSound(shops);
  });

  test('a debt in one Project comes off what another owes', async () => {
    const shops = await openPartnerShops(service, 2);
    const [one, two] = shops as [PayoutShop, PayoutShop];
    const [lost] = (await one.earn('1')) as [string];
    await one.result((await one.submit()).payouts[0].id, 'paid');
    await one.voidReward(lost);
    await two.earn('2', '3', '4');
    const batch = await one.submit({ projectIds: idsOf(shops) });
    expect(batch.shown.totals).toMatchObject([{ amountMinor: '2000' }]);
    expect(batch.payouts[0].amountMinor).toBe('-1000');
    await one.result(batch.payouts[0].id, 'paid');
    const [, event] = await payoutEvents(one);
    expect(event?.data.payout.amountMinor).toBe('-1000');
    await expectSound(shops);
  });

  test('an approval gives up what the Projects together have fallen short of', async () => {
    const shops = await openPartnerShops(service, 2);
    const [one, two] = shops as [PayoutShop, PayoutShop];
    await one.setMinimum('1000');
    const [first] = (await one.earn('1')) as [string];
    const [second] = (await two.earn('2')) as [string];
    const { id } = await one.draft({ projectIds: idsOf(shops) });
    await one.voidReward(first);
    await two.refund('2', '1');
    await one.act(id, 'approve');
    expect(await two.reward(second)).toMatchObject({
      fulfillmentStatus: 'pending',
      delivery: { reason: 'below_minimum' },
    });
    expect((await one.reward(first)).fulfillmentStatus).toBe('cancelled');
    await expectSound(shops);
  });

  test('Projects of another Workspace or environment are refused', async () => {
    const [one] = (await openPartnerShops(service, 1)) as [PayoutShop];
    const { workspaceId } = one.project;
    const body = { workspaceId, name: 'Live', environment: 'live' };
    const { data } = (await service.call('POST', '/v1/projects', { as: 'operator', body })).body;
    const answer = await one.post('/v1/payout-batches', {
      method: 'manual_export',
      projectIds: [data.id],
    });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'ENVIRONMENT_MISMATCH']);
  });
});

/** The process ends: from its n-th write on, nothing is done any more. */
class Gone extends Error {}

function dyingWriter(writer: ProjectWriter, writes: number): ProjectWriter {
  let left = writes;
  const live = () => {
    if (left === 0) throw new Gone();
    left -= 1;
  };
  return {
    ...writer,
    submit: async (...args) => {
      live();
      return writer.submit(...args);
    },
    run: async (...args) => {
      live();
      return writer.run(...args);
    },
  };
}

describe('cut off after any write', () => {
  const STEPS = ['create', 'approve', 'submit', 'result', 'return', 'cancel'] as const;

  /** Does everything up to a step, which then is cut off after `writes` writes. */
  async function cutOff(step: (typeof STEPS)[number], writes: number) {
    const shops = await openPartnerShops(service, 2);
    const [one, two] = shops as [PayoutShop, PayoutShop];
    await one.earn('1', '2');
    await two.earn('3');
    const { projectId, workspaceId, projectKey } = one.project;
    const project = { id: projectId, workspaceId, projectKey, environment: 'sandbox' } as const;
    const request = {
      workspaceId,
      projectId,
      actor: { type: 'key', id: 'key_1' },
      requestId: 'req_1',
      ip: null,
      idempotency: null,
    } as const;
    const body = { method: 'manual_export', projectIds: idsOf(shops) } as const;
    const deps: PayoutDeps = service.payoutDeps;
    const run = async (which: (typeof STEPS)[number], by: PayoutDeps) => {
      const { id = '', payouts = [] } = which === 'create' ? {} : await last(one);
      switch (which) {
        case 'create':
          return void (await createBatch(by, project, request, body));
        case 'approve':
          return void (await approveBatch(by, project, request, id));
        case 'submit':
          return void (await submitBatch(by, project, request, id));
        case 'cancel':
          return void (await cancelBatch(by, project, request, id));
        default: {
          const outcome = which === 'result' ? 'paid' : 'returned';
          const result = { payoutId: payouts[0].id, outcome } as const;
          return void (await recordResult(by, project, request, result));
        }
      }
    };
    const before = {
      create: [],
      approve: ['create'],
      submit: ['create', 'approve'],
      result: ['create', 'approve', 'submit'],
      return: ['create', 'approve', 'submit', 'result'],
      cancel: ['create', 'approve'],
    } as const;
    for (const earlier of before[step]) await run(earlier, deps);
    let died = false;
    await run(step, { ...deps, writer: dyingWriter(service.writer, writes) }).catch((error) => {
      if (!(error instanceof Gone)) throw error;
      died = true;
    });
    return { shops, died };
  }

  async function last(shop: PayoutShop) {
    const { body } = await shop.read('/v1/payout-batches', { limit: '1' });
    const { id, status } = body.data[0];
    const { body: list } = await shop.read('/v1/payouts', { batchId: id });
    return { id, status, payouts: list.data };
  }

  const ENDS = {
    create: ['draft', 'draft', []],
    approve: ['approved', 'approved', []],
    submit: ['submitted', 'processing', []],
    result: ['submitted', 'paid', ['payout.paid']],
    return: ['submitted', 'returned', ['payout.paid', 'payout.returned']],
    cancel: ['cancelled', 'cancelled', []],
  } as const;

  test.each(STEPS)('%s goes on by itself, and ends as if nothing had happened', async (step) => {
    let writes = 1;
    for (; ; writes += 1) {
      const { shops, died } = await cutOff(step, writes);
      service.clock.advance(60_000);
      await runPayoutsOnce(service.payoutDeps, (error) => {
        throw error;
      });
      const [batch, payout, events] = ENDS[step];
      expect((await last(shops[0] as PayoutShop)).status).toBe(batch);
      for (const shop of shops) {
        const { body } = await shop.read('/v1/payouts');
        expect(body.data.map((one: { status: string }) => one.status)).toEqual([payout]);
        expect((await payoutEvents(shop)).map(({ type }) => type)).toEqual([...events]);
      }
      await expectSound(shops);
      if (!died) break;
    }
    // Each has several places to be cut off at.
    expect(writes).toBeGreaterThan(2);
  });
});
