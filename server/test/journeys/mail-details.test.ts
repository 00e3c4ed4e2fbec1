import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { startService, type TestService } from '../harness.ts';
import { type MailShop, openMailShop } from '../mail-shop.ts';
import { TestMailer } from '../test-mailer.ts';

const KIND = 'payout_details_missing';
const SUBJECT = '[Sandbox] Where should we send your money?';

let service: TestService;
beforeAll(async () => {
  service = await startService({ mailer: new TestMailer() });
});
afterAll(() => service.close());

/** A day at a time, as the worker would see it. */
async function wait(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    service.clock.advance(DAY_MS);
    await service.sendMails();
  }
}

describe('somebody whose cash becomes due without payout details', () => {
  test('is asked once, when it does, however often the workers look', async () => {
    const shop = await openMailShop(service);
    await shop.setKinds(KIND);
    service.payees.forget(shop.adaId);
    await shop.earn('order-1', 'order-2');
    await wait(13);
    expect(shop.subjects()).toEqual([]);
    service.clock.advance(DAY_MS);
    await Promise.all([service.sendMails(), service.sendMails()]);
    expect(shop.subjects()).toEqual([SUBJECT]);
    await shop.earn('order-3');
    await wait(60);
    expect(shop.subjects()).toEqual([SUBJECT]);
  });

  test('is asked again after other details were refused, and not within 30 days', async () => {
    const shop = await openMailShop(service, { holdDays: 0 });
    await shop.setKinds(KIND);
    service.payees.forget(shop.adaId);
    await shop.earn('order-1');
    await service.sendMails();
    service.payees.set(shop.adaId);
    await service.sendMails();
    service.payees.refuse(shop.adaId);
    await wait(29);
    expect(shop.subjects()).toEqual([SUBJECT]);
    await wait(1);
    expect(shop.subjects()).toEqual([SUBJECT, SUBJECT]);
    await wait(40);
    expect(shop.subjects()).toHaveLength(2);
  });

  test('is not asked after a reminder, and can be reminded by an operator besides', async () => {
    const shop = await openMailShop(service, { holdDays: 0 });
    await shop.setKinds(KIND);
    service.payees.forget(shop.adaId);
    await shop.earn('order-1');
    expect((await shop.post('/v1/payouts/reminders')).body.data.reminded).toEqual([shop.adaId]);
    await service.sendMails();
    expect(shop.subjects()).toEqual([SUBJECT]);
    service.clock.advance(7 * DAY_MS);
    expect((await shop.post('/v1/payouts/reminders')).body.data.reminded).toEqual([shop.adaId]);
  });

  test('is not asked if the kind is off, details are there, or it was due before', async () => {
    const shop = await openMailShop(service, { holdDays: 0 });
    await shop.setKinds('friend_joined');
    service.payees.forget(shop.adaId);
    await shop.earn('order-1');
    await wait(1);
    await shop.setKinds(KIND);
    await wait(1);
    service.payees.set(shop.adaId);
    await shop.earn('order-2');
    await wait(1);
    expect(await shop.mails()).toEqual([]);
  });

  test('gets nothing if the kind is switched off before it is sent', async () => {
    const shop = await openMailShop(service);
    await shop.setKinds(KIND);
    service.payees.forget(shop.adaId);
    await shop.earn('order-1');
    await shop.moveClock('2027-06-01T00:00:00Z');
    await shop.setKinds();
    await service.sendMails();
    expect(await shop.mails()).toMatchObject([{ state: 'dropped', reason: 'switched_off' }]);
  });

  test('is asked once they can be mailed: with a sender, an address, and none that was refused', async () => {
    const shop = await openMailShop(service, { holdDays: 0 });
    await shop.setKinds(KIND);
    service.payees.forget(shop.adaId);
    await shop.setMail({ sender: null });
    await shop.earn('order-1');
    await wait(1);
    await shop.setMail({ sender: { name: 'Acme', address: 'rewards@example.com' } });
    await shop.setEmail('ada', null);
    await wait(1);
    const refused = `refused.${shop.address}`;
    await shop.setEmail('ada', refused);
    await shop.post('/v1/mails/bounces', { email: refused, kind: 'hard' });
    await wait(1);
    expect(await shop.mails()).toEqual([]);
    await shop.setEmail('ada', shop.address);
    await wait(2);
    expect(shop.subjects()).toEqual([SUBJECT]);
  });

  test('is forgotten with the person', async () => {
    const shop = await openMailShop(service, { holdDays: 0 });
    await shop.setKinds(KIND);
    service.payees.forget(shop.adaId);
    await shop.earn('order-1');
    await service.sendMails();
    const { projectId, key: as } = shop.project;
    const query = { projectId, force: true };
    await service.call('DELETE', `/v1/participants/${shop.adaId}`, { as, query });
    const rows = await service.database.reads.query(
      'select 1 from mail_detail_requests where project_id = $1',
      [projectId],
    );
    expect(rows).toEqual([]);
  });
});

test('a reminder counts in a sandbox that only previews, as it would if it were sent', async () => {
  const shop = await openMailShop(service, { sandboxMode: 'preview' });
  service.payees.forget(shop.adaId);
  await shop.earn('order-1');
  const remind = async () => (await shop.post('/v1/payouts/reminders')).body.data.reminded;
  expect(await remind()).toEqual([shop.adaId]);
  await service.sendMails();
  expect(await shop.mails()).toMatchObject([{ state: 'preview' }]);
  service.clock.advance(1_000);
  expect(await remind()).toEqual([]);
});

describe('a dry run of reminders', () => {
  const remind = async (shop: MailShop, body: object) =>
    (await shop.post('/v1/payouts/reminders', body)).body.data;

  test('says who would be mailed, and mails nobody', async () => {
    const shop = await openMailShop(service);
    service.payees.forget(shop.adaId);
    await shop.earn('order-1');
    for (let n = 0; n < 2; n += 1) {
      expect(await remind(shop, { dryRun: true })).toEqual({
        reminded: [shop.adaId],
        skipped: [],
        skippedCount: 0,
        skippedReasons: [],
        isMore: false,
      });
    }
    await service.sendMails();
    expect(shop.subjects()).toEqual([]);
    expect((await remind(shop, {})).reminded).toEqual([shop.adaId]);
    await service.sendMails();
    expect(shop.subjects()).toEqual([SUBJECT]);
  });

  test('says who is left out, and why', async () => {
    const shop = await openMailShop(service);
    service.payees.forget(shop.adaId);
    await shop.earn('order-1');
    const reasonOf = async () => (await remind(shop, { dryRun: true })).skipped[0]?.reason;
    await shop.setEmail('ada', null);
    expect(await reasonOf()).toBe('no_address');
    await shop.keepEmail('ada', 'a@b.de>');
    expect(await reasonOf()).toBe('unusable_address');
    await shop.setEmail('ada', shop.address);
    const report = { email: shop.address, kind: 'hard' };
    expect((await shop.post('/v1/mails/bounces', report)).status).toBe(200);
    expect(await reasonOf()).toBe('bounced_before');
    await service.database.transaction(async (tx) =>
      tx.send(
        `insert into mail_opt_outs (project_id, recipient_id, kind, created_at)
         values ($1, $2, '', $3)`,
        [shop.project.projectId, shop.adaId, service.clock.now],
      ),
    );
    expect(await reasonOf()).toBe('unsubscribed');
  });
});
