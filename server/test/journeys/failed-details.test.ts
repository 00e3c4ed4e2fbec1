import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { showPartnerDetails } from '../../src/outbound/payouts/details/partner-details.ts';
import { saveDetails } from '../../src/outbound/payouts/details/save-details.ts';
import { hintTransfer } from '../../src/outbound/payouts/transfers/hint-transfer.ts';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { ROOT_KEY, startService, type TestService } from '../harness.ts';
import { MemoryProvider } from '../memory-provider.ts';
import { openPartnerShops } from '../partner-shops.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

const LEASE_MS = 5 * 60_000;
let provider: MemoryProvider;
let service: TestService;
beforeAll(async () => {
  provider = new MemoryProvider();
  service = await startService({ payoutProviders: [provider] });
});
afterAll(() => service.close());

describe('of a participant', () => {
  let shop: PayoutShop;
  let sign: () => Promise<string>;
  beforeEach(async () => {
    shop = await openPayoutShop(service);
    service.payees.forget(shop.adaId);
    const { secret } = await newWidgetSecret(service, shop.project);
    sign = makeSigner(service, shop.project, secret);
    await save('ada@example.com');
    await shop.earn('order');
  });

  async function save(email: string): Promise<void> {
    const { projectId } = shop.project;
    const { status } = await service.call('PUT', '/v1/widget/payout-details', {
      as: 'nobody',
      headers: { authorization: `Bearer ${await sign()}` },
      body: { projectId, details: { type: 'paypal', email } },
    });
    expect(status).toBe(200);
  }
  async function shown(): Promise<{ status: string; label: string }> {
    const { body } = await service.call('GET', '/v1/widget/payout-details', {
      as: 'nobody',
      headers: { authorization: `Bearer ${await sign()}` },
      query: { projectId: shop.project.projectId },
    });
    return body;
  }
  async function submit(method: string): Promise<string> {
    return (await shop.submit({ method })).payouts[0].id;
  }
  async function wait(ms: number): Promise<void> {
    service.clock.advance(ms);
    await service.runPayouts();
  }

  test.each([
    ['invalid_details', 'needs_update'],
    ['account_closed', 'needs_update'],
    ['insufficient_funds', 'active'],
    ['unclaimed', 'active'],
    ['other', 'active'],
  ])('after an operator told of %s they are %s', async (failureReason, status) => {
    const id = await submit('manual_export');
    await shop.result(id, 'failed', { failureReason });
    expect((await shown()).status).toBe(status);
    const draft = await shop.draft();
    expect(draft.payouts).toHaveLength(status === 'active' ? 1 : 0);
  });

  test('a return by hand counts as well, of what was paid and of what was not', async () => {
    const id = await submit('manual_export');
    await shop.result(id, 'paid');
    expect((await shown()).status).toBe('active');
    await shop.result(id, 'returned', { failureReason: 'account_closed' });
    expect((await shown()).status).toBe('needs_update');
    // Until their owner says that they are right; the same return again changes nothing then.
    await save('ada@example.com');
    await shop.result(id, 'returned', { failureReason: 'account_closed' });
    expect((await shown()).status).toBe('active');
  });

  test('a refusal of the provider counts: at once, later, and on return', async () => {
    provider.fault('rejected');
    await submit('paypal');
    await service.runPayouts();
    expect((await shown()).status).toBe('needs_update');
    expect((await shop.draft({ method: 'paypal' })).payouts).toEqual([]);
    for (const state of ['failed', 'returned'] as const) {
      await save('ada@example.com');
      const id = await submit('paypal');
      await service.runPayouts();
      expect((await shown()).status).toBe('active');
      await provider.move(`${id}_1`, state);
      await wait(LEASE_MS);
      expect((await shown()).status).toBe('needs_update');
    }
  });

  test('a reason that the provider gives after the return counts as well', async () => {
    provider.isVague = true;
    const id = await submit('paypal');
    await service.runPayouts();
    await provider.move(`${id}_1`, 'returned');
    await wait(LEASE_MS);
    expect((await shown()).status).toBe('active');
    const hint = { connectionId: 'memory', payoutId: id, reference: null };
    await hintTransfer(service.payoutDeps, { ...hint, failureCode: 'ACCOUNT_CLOSED' });
    await service.runPayouts();
    provider.isVague = false;
    expect((await shown()).status).toBe('needs_update');
    const { body } = await shop.read(`/v1/payouts/${id}`);
    expect(body.data).toMatchObject({ status: 'returned', failureReason: 'account_closed' });
    const told = (await shop.feed()).filter(({ type }) => type.startsWith('payout.'));
    expect(told).toHaveLength(1);
  });

  test('those that took their place meanwhile are not blamed', async () => {
    const id = await submit('paypal');
    await service.runPayouts();
    await save('ada@lovelace.example');
    await wait(DAY_MS);
    await provider.move(`${id}_1`, 'failed');
    await wait(DAY_MS);
    expect(await shown()).toMatchObject({ status: 'active', label: 'a•••@lovelace.example' });
    expect((await shop.draft({ method: 'paypal' })).payouts).toHaveLength(1);
  });

  test('neither are they after a payout by hand', async () => {
    const id = await submit('manual_export');
    await save('ada@lovelace.example');
    service.clock.advance(DAY_MS);
    await shop.result(id, 'failed', { failureReason: 'invalid_details' });
    expect(await shown()).toMatchObject({ status: 'active', label: 'a•••@lovelace.example' });
  });

  test('a payout that was approved before does not go to them either', async () => {
    await submit('paypal');
    await shop.earn('second');
    const later = await shop.approve({ method: 'paypal' });
    provider.fault('rejected');
    await service.runPayouts();
    await shop.act(later.id, 'submit');
    await service.runPayouts();
    const { id } = later.payouts[0];
    const { body } = await shop.read(`/v1/payouts/${id}`);
    expect(body.data).toMatchObject({ status: 'failed', failureReason: 'invalid_details' });
    expect((await provider.transfers()).filter(({ key }) => key.startsWith(id))).toEqual([]);
  });
});

test('of a Partner: once for all its Projects, whichever hears of it first', async () => {
  const shops = await openPartnerShops(service, 2);
  const [here, beside] = shops as [PayoutShop, PayoutShop];
  const { workspaceId } = here.project;
  const partnerId = `ptn_of_${workspaceId}`;
  const keyring = createKeyring(ROOT_KEY);
  const details = { type: 'paypal', email: 'ada@example.com' } as const;
  const write = (tx: Parameters<typeof saveDetails>[0]['tx']) => ({
    tx,
    now: service.clock.now,
    newId: service.dispatchDeps.newId,
  });
  const owner = { kind: 'partner', projectId: '', id: partnerId } as const;
  const save = () =>
    service.database.transaction((tx) =>
      saveDetails(write(tx), keyring, owner, { workspaceId, details }),
    );
  await save();
  const status = async () =>
    (await showPartnerDetails({ database: service.database, clock: service.clock }, partnerId))
      .status;
  for (const shop of shops) {
    service.payees.forget(shop.adaId);
    await shop.earn('order');
  }
  const projectIds = [beside.project.projectId];
  const { payouts } = await here.submit({ method: 'paypal', projectIds });
  expect(payouts).toHaveLength(1);
  await service.runPayouts();
  await provider.move(`${payouts[0].id}_1`, 'failed');
  service.clock.advance(LEASE_MS);
  await service.runPayouts();
  expect(await status()).toBe('needs_update');
  expect((await here.draft({ method: 'paypal', projectIds })).payouts).toEqual([]);
  // By hand, too.
  await save();
  expect(await status()).toBe('active');
  const byHand = (await here.submit({ projectIds })).payouts[0].id;
  await here.result(byHand, 'returned', { failureReason: 'invalid_details' });
  expect(await status()).toBe('needs_update');
});
