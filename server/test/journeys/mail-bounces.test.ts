import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../harness.ts';
import { type MailShop, openMailShop } from '../mail-shop.ts';
import { TestMailer } from '../test-mailer.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ mailer: new TestMailer() });
});
afterAll(() => service.close());

const report = (shop: MailShop, body: object) => shop.post('/v1/mails/bounces', body);

/** Sends a mail about an order, and returns its Message-ID. */
async function sendMail(shop: MailShop, order: string): Promise<string> {
  await shop.earn(order);
  await service.sendMails();
  return service.mailer?.sent.findLast(({ to }) => to === shop.address)?.messageId ?? '';
}

async function openShop(): Promise<MailShop> {
  const shop = await openMailShop(service);
  await shop.setKinds('reward_earned');
  return shop;
}

describe('a hard bounce that is reported later', () => {
  test('stops mails to the address until there is another one, and is recorded once', async () => {
    const shop = await openShop();
    const messageId = await sendMail(shop, 'order-1');
    const [{ id: mailId } = { id: '' }] = await shop.mails();
    const body = {
      messageId,
      kind: 'hard',
      occurredAt: '2026-11-15T09:00:00Z',
      diagnostic: `550 5.1.1 <${shop.address}> unknown`,
    };
    const answers = await Promise.all([report(shop, body), report(shop, body)]);
    expect(answers.map(({ body: { data } }) => data.isNew).toSorted()).toEqual([false, true]);
    expect(answers[0]?.body.data).toMatchObject({ mailId, recipientCount: 1 });
    expect(await shop.mails()).toMatchObject([
      {
        state: 'bounced',
        reason: 'reported_later',
        bounce: {
          kind: 'hard',
          at: '2026-11-15T09:00:00.000Z',
          diagnostic: '550 5.1.1 <…> unknown',
        },
      },
    ]);
    await shop.earn('order-2');
    await service.sendMails();
    expect((await shop.mails())[0]).toMatchObject({
      state: 'suppressed',
      reason: 'bounced_before',
    });
    await shop.setEmail('ada', `new.${shop.address}`);
    await shop.earn('order-3');
    await service.sendMails();
    expect((await shop.mails())[0]).toMatchObject({ state: 'sent' });
  });

  test('does not stop an address that the recipient got after the mail', async () => {
    const shop = await openShop();
    const messageId = await sendMail(shop, 'order-1');
    await shop.setEmail('ada', `new.${shop.address}`);
    await report(shop, { messageId, kind: 'hard' });
    await shop.earn('order-2');
    await service.sendMails();
    expect((await shop.mails())[0]).toMatchObject({ state: 'sent' });
  });

  test('of an earlier address leaves the current one stopped', async () => {
    const shop = await openShop();
    const messageId = await sendMail(shop, 'order-1');
    const current = `new.${shop.address}`;
    await shop.setEmail('ada', current);
    await report(shop, { email: current, kind: 'hard' });
    expect((await report(shop, { messageId, kind: 'hard' })).body.data.isNew).toBe(true);
    await shop.earn('order-2');
    await service.sendMails();
    expect((await shop.mails())[0]).toMatchObject({ reason: 'bounced_before' });
    await shop.setEmail('ada', shop.address);
    await shop.earn('order-3');
    await service.sendMails();
    expect((await shop.mails())[0]).toMatchObject({ reason: 'bounced_before' });
  });

  test('can be reported by the address, in upper or lower case', async () => {
    const shop = await openShop();
    const body = { email: shop.address.toUpperCase(), kind: 'hard' };
    expect((await report(shop, body)).body.data).toEqual({
      mailId: null,
      recipientCount: 1,
      isNew: true,
    });
    expect((await report(shop, body)).body.data.isNew).toBe(false);
    await sendMail(shop, 'order-1');
    expect(await shop.mails()).toMatchObject([{ reason: 'bounced_before' }]);
  });
});

describe('a hard bounce can be reported of every address that somebody has', () => {
  test.each([
    ['ü@ü.de', 'ü@ü.de'],
    ['ü@ü.de', 'Ü@xn--tda.de'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@bücher.example'],
    ['a@b', 'A@b'],
    ['a@b.de>', 'a@b.de>'],
    ['\u202ea@b.de', '\u202ea@b.de'],
    ["o'neil-x@example.com", "o'neil-x@example.com"],
    [`${'a'.repeat(300)}@example.com`, `${'a'.repeat(300)}@example.com`],
  ])('stored as %s, reported as %s', async (stored, email) => {
    const shop = await openShop();
    await shop.keepEmail('ada', stored);
    const answer = await report(shop, { email, kind: 'hard' });
    expect([answer.status, answer.body.data]).toEqual([
      200,
      { mailId: null, recipientCount: 1, isNew: true },
    ]);
    expect((await report(shop, { email: stored, kind: 'hard' })).body.data.isNew).toBe(false);
  });

  test('and stops mails to it, whichever form of the domain was reported', async () => {
    const shop = await openShop();
    await shop.setEmail('ada', 'ada@bücher.example');
    await report(shop, { email: 'ADA@xn--bcher-kva.example', kind: 'hard' });
    await sendMail(shop, 'order-1');
    expect(await shop.mails()).toMatchObject([{ reason: 'bounced_before' }]);
  });

  test('and not of one that only looks alike', async () => {
    const shop = await openShop();
    await shop.setEmail('ada', 'ü@ü.de');
    for (const email of ['u@ü.de', 'ü@u.de', 'u@u.de', 'ü@ü.de>']) {
      expect((await report(shop, { email, kind: 'hard' })).status).toBe(404);
    }
  });
});

test('a soft bounce marks its mail, and the next one is sent', async () => {
  const shop = await openShop();
  const messageId = await sendMail(shop, 'order-1');
  expect((await report(shop, { messageId, kind: 'soft' })).status).toBe(200);
  await sendMail(shop, 'order-2');
  expect(await shop.mails()).toMatchObject([
    { state: 'sent', bounce: null },
    { state: 'failed', reason: 'reported_later', bounce: { kind: 'soft', diagnostic: null } },
  ]);
});

test.each([
  ['participants:write', 200],
  ['programs:write', 403],
])('a key with %s gets %i for a report', async (permission, status) => {
  const shop = await openShop();
  const { workspaceId, projectId } = shop.project;
  const made = await service.call('POST', '/v1/api-keys', {
    as: 'operator',
    body: { workspaceId, environment: 'sandbox', name: 'K', permissions: [permission] },
  });
  const answer = await service.call('POST', '/v1/mails/bounces', {
    as: made.body.key,
    body: { projectId, email: shop.address, kind: 'hard' },
  });
  expect(answer.status).toBe(status);
});

describe('a report is refused', () => {
  test.each([
    [{ kind: 'hard' }, 'messageId'],
    [{ kind: 'soft', email: 'ada@example.com' }, 'messageId'],
    [{ kind: 'odd', email: 'ada@example.com' }, 'kind'],
    [{ kind: 'hard', email: 'nobody' }, 'email'],
    [{ kind: 'hard', email: 'a@b@c.de' }, 'email'],
    [{ kind: 'hard', email: 'a b@c.de' }, 'email'],
    [{ kind: 'hard', email: '@c.de' }, 'email'],
    [{ kind: 'hard', email: 'a\u0000@c.de' }, 'email'],
    [{ kind: 'hard', messageId: '' }, 'messageId'],
  ])('by its path: %o', async (body, path) => {
    const shop = await openShop();
    const answer = await report(shop, body);
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
  });

  test('if it is in the future, of an unknown mail or address, or of a mail that never left', async () => {
    const shop = await openShop();
    const messageId = await sendMail(shop, 'order-1');
    const late = await report(shop, {
      messageId,
      kind: 'hard',
      occurredAt: '2027-01-01T00:00:00Z',
    });
    expect(late.body.error.details[0].path).toBe('occurredAt');
    for (const unknown of [
      { messageId: '<x@example.com>' },
      { messageId: `<mail_${'0'.repeat(26)}@refer.example.com>` },
      { email: 'nobody@example.com' },
    ]) {
      expect((await report(shop, { ...unknown, kind: 'hard' })).status).toBe(404);
    }
    const other = await openShop();
    expect((await report(other, { messageId, kind: 'hard' })).status).toBe(404);
    await shop.setMail({ sandboxMode: 'preview' });
    await shop.earn('order-2');
    await service.sendMails();
    const [preview] = await shop.mails();
    const answer = await report(shop, {
      messageId: `<${preview?.id}@refer.example.com>`,
      kind: 'hard',
    });
    expect([answer.status, answer.body.error.reason]).toEqual([409, 'mail_not_sent']);
  });
});
