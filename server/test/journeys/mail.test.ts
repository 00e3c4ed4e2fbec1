import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { followFeeds } from '../../src/outbound/mail/follow/follow-feed.ts';
import { listOrderedPayouts } from '../../src/outbound/mail/follow/outbox-store.ts';
import type { MailSenderDeps } from '../../src/outbound/mail/mail-deps.ts';
import { sendMails } from '../../src/outbound/mail/send/send-mails.ts';
import { addMs, DAY_MS } from '../../src/platform/kit/instant.ts';
import { MailError, type Mailer } from '../../src/platform/mail/mailer.ts';
import { createSmtpMailer } from '../../src/platform/mail/smtp-mailer.ts';
import { startService, type TestService } from '../harness.ts';
import { storeEmail } from '../mail-shop.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';
import { TestSmtpServer } from '../smtp-server.ts';
import { TestMailer } from '../test-mailer.ts';

const KINDS = ['friend_joined', 'reward_earned', 'payout_ordered', 'reward_paid'];
const { signal } = new AbortController();

let service: TestService;
let smtp: TestSmtpServer;
let mailer: Mailer;
beforeAll(async () => {
  service = await startService({ mailer: new TestMailer() });
});
afterAll(() => service.close());
beforeEach(async () => {
  smtp = new TestSmtpServer();
  mailer = createSmtpMailer({ smtpUrl: await smtp.listen(), from: 'Goodword <own@example.com>' });
});
afterEach(() => {
  mailer.close();
  smtp.close();
});

const deps = (): MailSenderDeps => ({
  ...service.built,
  baseUrl: service.built.settings.baseUrl,
  mailer,
  onFailure: () => undefined,
});
const send = async () => {
  while ((await followFeeds(deps(), signal)) > 0);
  while ((await sendMails(deps(), signal)) > 0);
};

const put = (shop: PayoutShop, path: string, body: object) =>
  service.call('PUT', path, {
    as: shop.project.key,
    body: { projectId: shop.project.projectId, ...body },
  });
const setEmail = (shop: PayoutShop, email: string | null) =>
  put(shop, '/v1/participants', {
    participant: { kind: 'individual', externalId: 'ada' },
    name: 'Ada',
    email,
  });
const settings = (shop: PayoutShop, body: object) =>
  put(shop, `/v1/projects/${shop.project.projectId}/mail-settings`, body);
const programMail = (shop: PayoutShop, body: object) =>
  put(shop, `/v1/programs/${shop.programId}/mail-settings`, body);

/** A shop whose participants are mailed at an address of their own. */
async function openMailShop(more: object = {}) {
  const shop = await openPayoutShop(service, { holdDays: 14 });
  const address = `ada.${shop.project.projectId}@example.com`;
  await setEmail(shop, address);
  const sender = { name: 'Acme', address: 'rewards@example.com' };
  expect((await settings(shop, { sender, sandboxMode: 'marked', ...more })).status).toBe(200);
  expect((await programMail(shop, { kinds: KINDS })).status).toBe(200);
  const mails = async () =>
    (await shop.read('/v1/mails')).body.data as {
      id: string;
      kind: string;
      state: string;
      reason: string | null;
      tries: number;
    }[];
  const received = () => smtp.received.filter(({ recipients }) => recipients.includes(address));
  return { ...shop, address, mails, received };
}

describe('somebody who earns', () => {
  test('is mailed once, in the name of the Project, however often everything is repeated', async () => {
    const shop = await openMailShop();
    await shop.earn('order-1');
    await Promise.all([send(), send()]);
    await send();
    const [mail, ...others] = shop.received();
    expect(others).toEqual([]);
    expect(mail?.message).toMatch(/^From: Acme <rewards@example\.com>\r$/m);
    expect(mail?.message).toMatch(/^Subject: \[Sandbox\] You earned \$10\.00\r$/m);
    expect(mail?.message).toContain('Hello Ada,');
    expect(mail?.message).toContain('available from November 29, 2026');
    expect(mail?.message).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(await shop.mails()).toMatchObject([{ kind: 'reward_earned', state: 'sent', tries: 1 }]);
  });

  test('is mailed once per fact while several processes follow and send', async () => {
    const shop = await openMailShop();
    const rewardIds = await shop.earn(...Array.from({ length: 12 }, (_, n) => `order-${n}`));
    await Promise.all([send(), send(), send(), send()]);
    await send();
    expect(shop.received()).toHaveLength(rewardIds.length);
    const ids = shop.received().map(({ message }) => /^Message-ID: (.*)\r$/im.exec(message)?.[1]);
    expect(new Set(ids).size).toBe(rewardIds.length);
    expect((await shop.mails()).every(({ state }) => state === 'sent')).toBe(true);
  });

  test('is mailed although the feed of another Project cannot be read', async () => {
    const [broken, shop] = [await openMailShop(), await openMailShop()];
    await broken.earn('order-1');
    await service.database.transaction(async (tx) =>
      tx.send(`update feed_events set data = '{}' where project_id = $1`, [
        broken.project.projectId,
      ]),
    );
    await shop.earn('order-1');
    const failures: unknown[] = [];
    const watched = { ...deps(), onFailure: (error: unknown) => failures.push(error) };
    while ((await followFeeds(watched, signal)) > 0);
    await sendMails(watched, signal);
    expect([broken.received().length, shop.received().length]).toEqual([0, 1]);
    expect(failures.length).toBeGreaterThan(0);
  });

  test('hears nothing of facts from before, or from more than a day ago', async () => {
    const shop = await openPayoutShop(service);
    await setEmail(shop, 'early@example.com');
    await shop.earn('before');
    await settings(shop, {
      sender: { name: 'Acme', address: 'rewards@example.com' },
      sandboxMode: 'marked',
    });
    await programMail(shop, { kinds: KINDS });
    await send();
    await shop.earn('late');
    service.clock.advance(DAY_MS + 1);
    await send();
    expect((await shop.read('/v1/mails')).body.data).toEqual([]);
  });

  test('hears nothing without a sender, an address or a kind that is on', async () => {
    const shop = await openMailShop({ sender: null });
    await shop.earn('no-sender');
    await send();
    expect(await shop.mails()).toMatchObject([{ state: 'dropped', reason: 'no_sender' }]);
    await settings(shop, { sender: { name: 'Acme', address: 'rewards@example.com' } });
    await setEmail(shop, null);
    await shop.earn('no-address');
    await send();
    expect(await shop.mails()).toMatchObject([{ reason: 'no_address' }, {}]);
    await setEmail(shop, shop.address);
    await programMail(shop, { kinds: [] });
    await shop.earn('off');
    await send();
    expect(await shop.mails()).toHaveLength(2);
    expect(shop.received()).toEqual([]);
  });

  test('is mailed when the payout is ordered, and when it is paid', async () => {
    const shop = await openMailShop();
    await programMail(shop, { kinds: ['payout_ordered', 'reward_paid'] });
    await shop.earn('order-1', 'order-2');
    service.clock.advance(15 * DAY_MS);
    const { payouts } = await shop.submit();
    await service.runPayouts();
    await service.sendMails();
    expect(await shop.mails()).toMatchObject([{ kind: 'payout_ordered', state: 'sent' }]);
    await shop.result(payouts[0].id, 'paid');
    await service.sendMails();
    await service.sendMails();
    expect(await shop.mails()).toMatchObject([
      { kind: 'reward_paid', state: 'sent' },
      { kind: 'payout_ordered' },
    ]);
    const [last] = service.mailer?.sent.filter(({ to }) => to === shop.address).slice(-1) ?? [];
    expect(last?.subject).toBe('[Sandbox] You received $20.00');
  });
});

test('payouts of a Program that does not mail them take no place from those of others', async () => {
  const shop = await openMailShop();
  await programMail(shop, { kinds: ['reward_paid'] });
  await shop.earn('order-1');
  service.clock.advance(15 * DAY_MS);
  await shop.submit();
  await service.runPayouts();
  const list = () => {
    const since = addMs(service.clock.now, -DAY_MS);
    return listOrderedPayouts(service.database.reads, shop.project.projectId, since, 200);
  };
  expect(await list()).toEqual([]);
  service.clock.advance(1_000);
  // It was ordered before the kind was switched on.
  await programMail(shop, { kinds: ['payout_ordered'] });
  expect(await list()).toEqual([]);
  await shop.earn('order-2');
  service.clock.advance(15 * DAY_MS);
  await shop.submit();
  await service.runPayouts();
  expect(await list()).toMatchObject([{ programId: shop.programId }]);
});

describe('a mail', () => {
  test('is taken with no more others than can be sent while nobody else takes them', async () => {
    const shop = await openMailShop();
    await shop.earn(...Array.from({ length: 8 }, (_, n) => `order-${n}`));
    await followFeeds(deps(), signal);
    const stopped = { ...deps(), mailer: { send: () => new Promise<never>(() => {}), close() {} } };
    void sendMails(stopped, signal);
    const taken = async () => (await shop.mails()).filter(({ tries }) => tries === 1).length;
    await expect.poll(taken).toBe(5);
  });

  test('is retried while the server is busy, later and later', async () => {
    const shop = await openMailShop();
    await shop.earn('order-1');
    smtp.answers = { RCPT: '451 come back later' };
    await send();
    await send();
    expect(await shop.mails()).toMatchObject([
      { state: 'waiting', reason: 'retry_scheduled', tries: 1 },
    ]);
    smtp.answers = {};
    service.clock.advance(5 * 60_000);
    await send();
    expect(await shop.mails()).toMatchObject([{ state: 'sent', tries: 2 }]);
    expect(shop.received()).toHaveLength(1);
  });

  test('that was refused for good stops all others, until there is another address', async () => {
    const shop = await openMailShop();
    await shop.earn('order-1');
    smtp.answers = { RCPT: '550 no such user' };
    await send();
    smtp.answers = {};
    await shop.earn('order-2');
    await send();
    expect(await shop.mails()).toMatchObject([
      { state: 'suppressed', reason: 'bounced_before' },
      { state: 'bounced', tries: 1 },
    ]);
    await setEmail(shop, `new.${shop.address}`);
    await shop.earn('order-3');
    await send();
    expect((await shop.mails())[0]).toMatchObject({ state: 'sent' });
  });

  test('is not sent again if the connection ended before the server’s answer', async () => {
    const shop = await openMailShop();
    await shop.earn('order-1');
    smtp.hangsUp = true;
    await send();
    smtp.hangsUp = false;
    service.clock.advance(DAY_MS);
    await send();
    expect(await shop.mails()).toMatchObject([{ state: 'unknown', reason: 'connection_lost' }]);
    expect(shop.received()).toHaveLength(1);
  });

  test('is not sent again if the process ended before it recorded the answer', async () => {
    const shop = await openMailShop();
    await shop.earn('order-1');
    await followFeeds(deps(), signal);
    // Hands the mail over, and never returns.
    let handed = 0;
    const dying = {
      send: () =>
        new Promise<never>(() => {
          handed += 1;
        }),
      close() {},
    };
    void sendMails({ ...deps(), mailer: dying }, signal);
    await expect.poll(() => handed).toBe(1);
    await send();
    expect(await shop.mails()).toMatchObject([{ state: 'sending' }]);
    service.clock.advance(10 * 60_000);
    await send();
    expect(await shop.mails()).toMatchObject([{ state: 'unknown', reason: 'interrupted' }]);
    expect(shop.received()).toEqual([]);
  });

  test('is sent by the next process if the first ended before it was handed over', async () => {
    const shop = await openMailShop();
    await shop.earn('order-1');
    await followFeeds(deps(), signal);
    const failing = {
      ...deps(),
      keyring: {
        ...service.built.keyring,
        hmac: () => {
          throw new Error('The process ends here.');
        },
      },
    };
    await sendMails(failing, signal);
    expect(await shop.mails()).toMatchObject([{ state: 'waiting' }]);
    service.clock.advance(10 * 60_000);
    await send();
    expect(await shop.mails()).toMatchObject([{ state: 'sent' }]);
    expect(shop.received()).toHaveLength(1);
  });

  test('of somebody who was erased is not sent, and leaves nothing behind', async () => {
    const shop = await openMailShop();
    await shop.earn('order-1');
    smtp.answers = { RCPT: '550 no such user' };
    await send();
    smtp.answers = {};
    await shop.earn('order-2');
    await followFeeds(deps(), signal);
    const { status } = await service.call('DELETE', `/v1/participants/${shop.adaId}`, {
      as: shop.project.key,
      query: { projectId: shop.project.projectId, force: true },
    });
    expect(status).toBe(200);
    await send();
    expect(await shop.mails()).toEqual([]);
    expect(shop.received()).toEqual([]);
    for (const table of ['mails', 'mail_opt_outs', 'mail_bounces']) {
      const rows = await service.database.reads.query(
        `select 1 from ${table} where project_id = $1 and recipient_id = $2`,
        [shop.project.projectId, shop.adaId],
      );
      expect(rows).toEqual([]);
    }
  });

  test('that is refused while its recipient is erased leaves no trace of the address', async () => {
    const shop = await openMailShop();
    await shop.earn('order-1');
    while ((await followFeeds(deps(), signal)) > 0);
    const erasing: Mailer = {
      ...mailer,
      async send() {
        await service.call('DELETE', `/v1/participants/${shop.adaId}`, {
          as: shop.project.key,
          query: { projectId: shop.project.projectId, force: true },
        });
        throw new MailError('no such user', true);
      },
    };
    await sendMails({ ...deps(), mailer: erasing }, signal);
    const rows = await service.database.reads.query(
      'select 1 from mail_bounces where project_id = $1',
      [shop.project.projectId],
    );
    expect(rows).toEqual([]);
  });

  test('about a payout is not written again after its payee was erased', async () => {
    const shop = await openMailShop();
    await shop.earn('order-1');
    service.clock.advance(15 * DAY_MS);
    await shop.submit();
    await service.runPayouts();
    await service.sendMails();
    expect((await shop.mails())[0]).toMatchObject({ kind: 'payout_ordered', state: 'sent' });
    const { status } = await service.call('DELETE', `/v1/participants/${shop.adaId}`, {
      as: shop.project.key,
      query: { projectId: shop.project.projectId, force: true },
    });
    expect(status).toBe(200);
    await service.sendMails();
    expect(await shop.mails()).toEqual([]);
  });

  test('is forgotten after 90 days', async () => {
    const shop = await openMailShop();
    await shop.earn('order-1');
    await send();
    const { purgeMails } = await import('../../src/outbound/mail/erase-mails.ts');
    service.clock.advance(90 * DAY_MS);
    await purgeMails(service.database, service.clock.now, 100);
    expect(await shop.mails()).toHaveLength(1);
    service.clock.advance(1);
    await purgeMails(service.database, service.clock.now, 100);
    expect(await shop.mails()).toEqual([]);
  });
});

describe('a sandbox', () => {
  test('shows what would be sent, and sends nothing unless it is allowed to', async () => {
    const shop = await openMailShop({ sandboxMode: 'preview' });
    await shop.earn('order-1');
    await send();
    expect(await shop.mails()).toMatchObject([{ state: 'preview', reason: 'sandbox' }]);
    await settings(shop, { sandboxMode: 'listed', sandboxAddresses: ['me@example.com'] });
    await shop.earn('order-2');
    await send();
    expect(await shop.mails()).toMatchObject([{ state: 'preview', reason: 'not_listed' }, {}]);
    await settings(shop, { sandboxAddresses: [shop.address.toUpperCase()] });
    await shop.earn('order-3');
    await send();
    expect((await shop.mails())[0]).toMatchObject({ state: 'sent' });
    expect(shop.received()).toHaveLength(1);
  });
});

describe('unsubscribing', () => {
  const urlIn = (message: string) => {
    const text = message.replace(/=\r\n/g, '').replace(/\r\n /g, ' ');
    const found = /List-Unsubscribe: <([^>]+)>/.exec(text)?.[1] ?? '';
    return `${service.url}${new URL(found).pathname}${new URL(found).search}`;
  };

  test('works with one POST without a session, for this kind', async () => {
    const shop = await openMailShop();
    await shop.earn('order-1');
    await send();
    const url = urlIn(shop.received()[0]?.message ?? '');
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    for (let n = 0; n < 2; n += 1) {
      expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
    }
    await shop.earn('order-2');
    await shop.signUp('carol');
    await send();
    expect(await shop.mails()).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'reward_earned', state: 'suppressed' }),
        expect.objectContaining({ kind: 'friend_joined', state: 'sent' }),
      ]),
    );
    expect(service.log.join('\n')).not.toContain(new URL(url).searchParams.get('token'));
  });

  test('opening the page changes nothing; its buttons stop this kind or all', async () => {
    const shop = await openMailShop();
    await shop.earn('order-1');
    await send();
    const url = urlIn(shop.received()[0]?.message ?? '');
    const page = await fetch(url);
    expect(await page.text()).toContain('Stop mails of this kind');
    await shop.earn('order-2');
    await send();
    expect((await shop.mails())[0]).toMatchObject({ state: 'sent' });
    await fetch(url, { method: 'POST', body: new URLSearchParams({ from: 'all' }) });
    await shop.signUp('carol');
    await send();
    expect((await shop.mails())[0]).toMatchObject({
      kind: 'friend_joined',
      reason: 'unsubscribed',
    });
  });

  test('the page speaks the language of the mail, and English if it does not know it', async () => {
    const shop = await openMailShop();
    await settings(shop, { language: 'de' });
    await shop.earn('order-1');
    await send();
    const message = shop.received()[0]?.message.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    const [path] = /\/mail\/unsubscribe\?token=\S+&lang=de/.exec(message ?? '') ?? [];
    const url = `${service.url}${path}`;
    expect(await (await fetch(url)).text()).toContain('E-Mails dieser Art abbestellen');
    const body = new URLSearchParams({ from: 'kind' });
    const done = await (await fetch(url, { method: 'POST', body })).text();
    expect(done).toContain('<html lang="de"');
    expect(done).toContain('Sie haben die E-Mails abbestellt');
    const unknown = await (await fetch(url.replace('lang=de', 'lang=%22x'))).text();
    expect(unknown).toContain('Stop mails of every kind');
  });

  test('needs a link that was mailed', async () => {
    for (const query of ['', '?token=', '?token=prj_1.par_1.reward_earned.x']) {
      const url = `${service.url}/mail/unsubscribe${query}`;
      expect((await fetch(url)).status).toBe(400);
      expect((await fetch(url, { method: 'POST', body: new URLSearchParams() })).status).toBe(400);
    }
  });
});

describe('settings', () => {
  test('are quiet by default, keep what is omitted, and are in the audit log', async () => {
    const shop = await openPayoutShop(service);
    const path = `/v1/projects/${shop.project.projectId}/mail-settings`;
    expect((await shop.read(path)).body.data).toMatchObject({
      sender: null,
      language: 'en',
      sandboxMode: 'preview',
      teamKinds: [],
      canSend: true,
    });
    const program = `/v1/programs/${shop.programId}/mail-settings`;
    expect((await shop.read(program)).body.data).toMatchObject({ kinds: [], texts: {} });
    await settings(shop, { sender: { name: 'Acme', address: 'rewards@example.com' } });
    await settings(shop, { language: 'de' });
    for (const name of ['a\r\nBcc: eve@example.com', 'a\nb', 'a\u2028b', ' ', '']) {
      const refused = await settings(shop, { sender: { name, address: 'rewards@example.com' } });
      expect([
        refused.status,
        refused.body.error.details.map(({ path: at }: { path: string }) => at),
      ]).toEqual([400, ['sender.name']]);
    }
    expect((await shop.read(path)).body.data).toMatchObject({
      sender: { name: 'Acme', replyTo: null },
      language: 'de',
    });
    const log = await service.call('GET', '/v1/audit-log', {
      as: 'operator',
      query: { workspaceId: shop.project.workspaceId, action: 'mail_settings.change' },
    });
    expect(log.body.data.length).toBeGreaterThanOrEqual(2);
  });

  test.each([
    [
      { texts: { en: { friend_joined: { subject: 'Hi {name}', body: 'x' } } } },
      'texts.en.friend_joined.subject',
    ],
    [{ texts: { xx: {} } }, 'texts.xx'],
    [{ texts: { en: { nothing: { subject: 'a', body: 'b' } } } }, 'texts.en.nothing'],
    [{ kinds: ['spam'] }, 'kinds.0'],
    [{ language: 'xx' }, 'language'],
  ])('refuse %o by its path', async (body, path) => {
    const shop = await openPayoutShop(service);
    const answer = await programMail(shop, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].path).toBe(path);
  });

  test('a preview shows a mail in its language, with a text that is not saved yet', async () => {
    const shop = await openPayoutShop(service);
    const preview = (body: object) =>
      shop.post(`/v1/programs/${shop.programId}/mail-previews`, body);
    const german = await preview({ kind: 'reward_earned', language: 'de' });
    expect(german.body.data.subject).toMatch(/^Ihre Prämie: 25,00/);
    const own = { subject: 'Hooray: {reward}', body: 'One.\n\nTwo.' };
    const english = await preview({ kind: 'reward_earned', text: own });
    expect(english.body.data).toMatchObject({ subject: 'Hooray: €25.00', template: own });
    const bad = await preview({ kind: 'friend_joined', text: own });
    expect(bad.body.error.details[0].path).toBe('text.subject');
    expect((await shop.read('/v1/mails')).body.data).toEqual([]);
  });
});

describe('an odd address', () => {
  const sendTo = async (email: string) => {
    const shop = await openMailShop();
    const { projectId } = shop.project;
    await storeEmail(service, projectId, { externalId: 'ada', email });
    await shop.earn('order-1');
    await send();
    const [mail] = await shop.mails();
    return { mail, recipients: smtp.received.flatMap(({ recipients }) => recipients) };
  };

  test.each([
    'a@b.de>',
    'a@b',
    '<a@b.de',
    'a,b@c.de',
    '"a"@b.de',
    '\u202ea@b.de',
    'a\u200b@b.de',
    'a@b\u0001.de',
  ])('of an earlier version is not mailed: %j', async (email) => {
    expect(await sendTo(email)).toMatchObject({
      mail: { state: 'dropped', reason: 'unusable_address' },
      recipients: [],
    });
  });

  test.each(["o'neil+x_{1}@example.com", 'ADA.King@example.com', 'a@xn--tda.de'])(
    'is mailed exactly as it is stored: %s',
    async (email) => {
      expect(await sendTo(email)).toMatchObject({ mail: { state: 'sent' }, recipients: [email] });
    },
  );

  test('with letters outside ASCII is mailed if the server supports them', async () => {
    expect(await sendTo('ü@ü.de')).toMatchObject({
      mail: { state: 'dropped', reason: 'smtputf8_unsupported' },
      recipients: [],
    });
    smtp.answers = { EHLO: '250-test\r\n250 SMTPUTF8' };
    expect(await sendTo('ü@ü.de')).toMatchObject({
      mail: { state: 'sent' },
      recipients: ['ü@ü.de'],
    });
  });
});

describe('a reminder', () => {
  const remind = (shop: PayoutShop, body: object = {}) => shop.post('/v1/payouts/reminders', body);

  test('is mailed once a week to those who earned cash and have no payout details', async () => {
    const shop = await openMailShop();
    await shop.earn('order-1');
    service.payees.forget(shop.adaId);
    const [one, other] = await Promise.all([remind(shop), remind(shop)]);
    const reminded = [one, other].flatMap(({ body }) => body.data.reminded);
    expect(reminded).toEqual([shop.adaId]);
    const again = await remind(shop, { participantIds: [shop.adaId, 'par_unknown'] });
    expect(again.body.data).toEqual({
      reminded: [],
      skipped: [
        { participantId: shop.adaId, reason: 'reminded_lately' },
        { participantId: 'par_unknown', reason: 'not_waiting' },
      ],
      skippedCount: 2,
      skippedReasons: [
        { reason: 'not_waiting', count: 1 },
        { reason: 'reminded_lately', count: 1 },
      ],
      isMore: false,
    });
    await send();
    expect(shop.received().map(({ message }) => /^Subject: (.*)\r$/m.exec(message)?.[1])).toContain(
      '[Sandbox] Where should we send your money?',
    );
    service.clock.advance(7 * DAY_MS);
    expect((await remind(shop)).body.data.reminded).toEqual([shop.adaId]);
  });

  test('names at most 100 of those who are left out, and counts all', async () => {
    const shop = await openMailShop();
    const participantIds = Array.from({ length: 130 }, (_, n) => `par_${n}`);
    for (const dryRun of [true, false]) {
      const { data } = (await remind(shop, { participantIds, dryRun })).body;
      expect(data.skipped).toHaveLength(100);
      expect(data).toMatchObject({
        reminded: [],
        skippedCount: 130,
        skippedReasons: [{ reason: 'not_waiting', count: 130 }],
      });
    }
  });

  test('is not mailed to people who can be paid, or without a sender', async () => {
    const shop = await openMailShop();
    await shop.earn('order-1');
    expect((await remind(shop)).body.data.reminded).toEqual([]);
    await settings(shop, { sender: null });
    const refused = await remind(shop);
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'mail_not_set_up']);
  });
});
