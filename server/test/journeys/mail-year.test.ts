import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMs, DAY_MS } from '../../src/platform/kit/instant.ts';
import { startService, type TestService } from '../harness.ts';
import { openMailShop } from '../mail-shop.ts';
import { TestMailer } from '../test-mailer.ts';

const KINDS = [
  'friend_joined',
  'reward_earned',
  'payout_ordered',
  'reward_paid',
  'payout_details_missing',
];

let service: TestService;
beforeAll(async () => {
  service = await startService({ mailer: new TestMailer() });
});
afterAll(() => service.close());

test('moving the clock of a sandbox over a year shows which mails would have been sent, to whom and when', async () => {
  const shop = await openMailShop(service, { sandboxMode: 'preview' });
  await shop.setKinds(...KINDS);
  const begin = service.clock.now;
  const dayOf = (at: string) => (Date.parse(at) - Date.parse(begin)) / DAY_MS;
  const goTo = (day: number) => shop.moveClock(addMs(begin, day * DAY_MS));
  service.payees.forget(shop.adaId);

  await shop.signUp('carol');
  await shop.earn('order-1');
  await goTo(10);
  await goTo(14);
  await goTo(30);
  await shop.earn('order-2');
  await goTo(60);
  service.payees.set(shop.adaId);
  const { payouts } = await shop.submit();
  await service.runPayouts();
  await goTo(63);
  await shop.result(payouts[0].id, 'paid');
  await goTo(180);
  await shop.earn('order-3');
  service.payees.refuse(shop.adaId);
  await goTo(200);
  await goTo(300);
  await goTo(365);
  await service.sendMails();

  const mails = await shop.mails();
  expect(
    mails.map(({ kind, projectTime }) => `${dayOf(projectTime)} ${kind}`).toReversed(),
  ).toEqual([
    '0 friend_joined',
    '0 reward_earned',
    '14 payout_details_missing',
    '30 reward_earned',
    '60 payout_ordered',
    '63 reward_paid',
    '180 reward_earned',
    '200 payout_details_missing',
  ]);
  for (const mail of mails) {
    expect(mail).toMatchObject({ recipientId: shop.adaId, state: 'preview', reason: 'sandbox' });
  }
  expect(service.mailer?.sent).toEqual([]);
});

test('a mail that cannot be written does not stop the clock', async () => {
  const shop = await openMailShop(service, { sandboxMode: 'preview' });
  await shop.setKinds(...KINDS);
  await shop.earn('order-1');
  await service.database.transaction(async (tx) =>
    tx.send(`update feed_events set data = '{}' where project_id = $1`, [shop.project.projectId]),
  );
  const now = addMs(service.clock.now, 30 * DAY_MS);
  await shop.moveClock(now);
  const { body } = await shop.read(`/v1/projects/${shop.project.projectId}/clock`);
  expect(body.data.now).toBe(now);
});
