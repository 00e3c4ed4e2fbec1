import { afterAll, beforeAll, expect, test } from 'vitest';
import { openService, type TestService } from '../harness.ts';
import { openPayoutShop } from '../payout-shop.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

test('an approved batch is exported with what a bank needs, and every export is in the audit log', async () => {
  const shop = await openPayoutShop(service);
  await shop.earn('1');
  const { id, payouts } = await shop.approve();
  const po = payouts[0].id;
  const answer = await shop.read(`/v1/payout-batches/${id}/export`);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${id}-bank.csv"`);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.body).toBe(
    [
      '"payout_id","type","recipient_name","email","country","account_currency","iban","bic","account_number","routing_code","amount","currency","reference","problem"',
      `"${po}","bank","Ada Lovelace","","GB","GBP","GB33BUKB20201555555555","BUKBGB22","","","10.00","USD","${po}",""`,
      '',
    ].join('\r\n'),
  );
  const [entry] = await service.database.reads.query<{ changes: object }>(
    `select changes from audit_entries where project_id = $1 and action = 'payout_batch.export'`,
    [shop.project.projectId],
  );
  expect(entry?.changes).toEqual({ layout: 'bank', payouts: 1 });
  // The account is nowhere in the log, nor in what the service has stored of the call.
  expect(service.log.join('\n')).not.toContain('GB33BUKB');
});

test('a name that a spreadsheet would run as a formula is defused', async () => {
  const shop = await openPayoutShop(service);
  service.payees.set(shop.adaId, {
    type: 'bank',
    holderName: '=HYPERLINK("http://evil.example","x")',
    country: 'US',
    currency: 'USD',
    accountNumber: '+1234567',
    routingCode: '021000021',
  });
  await shop.earn('1');
  const { id } = await shop.approve();
  const { body } = await shop.read(`/v1/payout-batches/${id}/export`);
  expect(body).toContain(`"'=HYPERLINK(""http://evil.example"",""x"")"`);
  expect(body).toContain(`"'+1234567","021000021"`);
});

test('PayPal’s page gets its five columns, and only payees with PayPal', async () => {
  const shop = await openPayoutShop(service);
  service.payees.set(shop.adaId, { type: 'paypal', email: 'ada@example.com' });
  await shop.earn('1', '2');
  const { id, payouts } = await shop.approve();
  const po = payouts[0].id;
  const paypal = await shop.read(`/v1/payout-batches/${id}/export`, { layout: 'paypal' });
  expect(paypal.body).toBe(`"ada@example.com","20.00","USD","${po}","${po}"\r\n`);
  // An apostrophe, which guards spreadsheets, would make another mailbox of it.
  service.payees.set(shop.adaId, { type: 'paypal', email: '+ada@example.com' });
  const plus = await shop.read(`/v1/payout-batches/${id}/export`, { layout: 'paypal' });
  expect(plus.body).toContain('"+ada@example.com","20.00"');
  service.payees.set(shop.adaId);
  const none = await shop.read(`/v1/payout-batches/${id}/export`, { layout: 'paypal' });
  expect(none.body).toBe('');
});

test('what has its result, or was given up, is not exported again; who lost their details stands out', async () => {
  const shop = await openPayoutShop(service);
  await shop.earn('1');
  const { id, payouts } = await shop.submit();
  service.payees.forget(shop.adaId);
  const rows = async () =>
    (await shop.read(`/v1/payout-batches/${id}/export`)).body.trimEnd().split('\r\n').slice(1);
  expect(await rows()).toEqual([
    expect.stringMatching(/"10\.00","USD","po_\w+","details_missing"$/),
  ]);
  await shop.result(payouts[0].id, 'failed', { failureReason: 'invalid_details' });
  expect(await rows()).toEqual([]);
});

test('nobody is paid by the file to details that were refused, or that no hand can pay to', async () => {
  const shop = await openPayoutShop(service);
  await shop.earn('1');
  const { id, payouts } = await shop.approve();
  const row = async () =>
    (await shop.read(`/v1/payout-batches/${id}/export`)).body.split('\r\n')[1];
  const missing = new RegExp(`^"${payouts[0].id}",("",){9}"10\\.00",.*"details_missing"$`);
  service.payees.refuse(shop.adaId);
  expect(await row()).toMatch(missing);
  service.payees.set(shop.adaId, { type: 'stripe_connect', accountId: 'acct_1' });
  expect(await row()).toMatch(missing);
  service.payees.set(shop.adaId);
  expect(await row()).toContain('GB33BUKB20201555555555');
});

test('a draft is not exported: its amounts are not final', async () => {
  const shop = await openPayoutShop(service);
  await shop.earn('1');
  const { id } = await shop.draft();
  const early = await shop.read(`/v1/payout-batches/${id}/export`);
  expect([early.status, early.body.error.reason]).toEqual([409, 'invalid_transition']);
  await shop.act(id, 'cancel');
  expect((await shop.read(`/v1/payout-batches/${id}/export`)).status).toBe(409);
});

test('a restore lists the batches that somebody may have paid from their file since the backup', async () => {
  const shop = await openPayoutShop(service);
  const restores = `/v1/workspaces/${shop.project.workspaceId}/restores`;
  await shop.earn('paid');
  const paid = await shop.submit();
  await shop.result(paid.payouts[0].id, 'paid');
  await shop.earn('submitted');
  const submitted = await shop.submit();
  await shop.earn('approved');
  const approved = await shop.approve();
  await shop.earn('drafted');
  const drafted = await shop.draft();
  const listed = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const answer = await service.call(method, path, { as: 'operator', ...(body ? { body } : {}) });
    expect([answer.status, answer.body]).toMatchObject([200, {}]);
    return answer.body.data.files.map((one: { batchId: string; status: string }) => [
      one.batchId,
      one.status,
    ]);
  };
  expect(await listed('POST', restores, { since: service.clock.now })).toEqual([
    [drafted.id, 'draft'],
    [approved.id, 'approved'],
    [submitted.id, 'submitted'],
  ]);
  const [held] = (await service.call('GET', restores, { as: 'operator' })).body.data;
  expect(held.files[1].totals).toMatchObject([{ amountMinor: '1000', payoutCount: 1 }]);
  // What is settled is no longer in question. Results may be recorded during the hold: they move no money.
  await shop.result(submitted.payouts[0].id, 'paid');
  await shop.act(drafted.id, 'cancel');
  expect(await listed('GET', `${restores}/${held.id}`)).toEqual([[approved.id, 'approved']]);
});
