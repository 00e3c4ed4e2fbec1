import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { type ReceivedMail, TestSmtpServer } from '../../../test/smtp-server.ts';
import { readMailbox } from '../kit/mailbox.ts';
import type { MailError, Mailer } from './mailer.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

async function connect(answers?: Record<string, string>, deadlineMs = 30_000) {
  const server = new TestSmtpServer(answers);
  const mailer = createSmtpMailer({
    smtpUrl: await server.listen(),
    from: 'Shop <shop@example.com>',
    deadlineMs,
  });
  cleanups.push(
    () => mailer.close(),
    () => server.close(),
  );
  return { server, mailer };
}

const mail = {
  to: 'ada@example.com',
  subject: 'Grüße',
  text: 'plain words',
  html: '<p>rich words</p>',
};

test('a mail arrives in both forms, from the set sender, to its one recipient', async () => {
  const { server, mailer } = await connect();
  await mailer.send(mail);
  expect(server.received).toHaveLength(1);
  const [{ recipients, message }] = server.received as [ReceivedMail];
  expect(recipients).toEqual(['ada@example.com']);
  expect(message).toMatch(/^From: Shop <shop@example.com>\r$/m);
  expect(message).toMatch(/^To: ada@example.com\r$/m);
  expect(message).toMatch(/^Subject: =\?UTF-8\?/m);
  expect(message).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(message).toContain('plain words');
  expect(message).toContain('<p>rich words</p>');
});

const UTF8 = { EHLO: '250-test\r\n250 SMTPUTF8' };
const fateOf = (mailer: Mailer, to: string) =>
  mailer.send({ ...mail, to }).then(
    () => 'accepted',
    (error: MailError) => error.fate,
  );

test('the server is given exactly the address, also an odd one', async () => {
  const { server, mailer } = await connect(UTF8);
  const addresses = [
    "!#$%&'*+-/=?^_`{|}~.x@example.com",
    'Ada.King+tag@mail.example.co.uk',
    'ada@xn--bcher-kva.example',
    'ü@ü.de',
    '李.小龙@例え.jp',
  ];
  for (const to of addresses) await mailer.send({ ...mail, to });
  expect(server.received.map(({ recipients }) => recipients)).toEqual(addresses.map((to) => [to]));
});

test('a domain outside ASCII is given in the form that every server reads', async () => {
  const { server, mailer } = await connect();
  await mailer.send({ ...mail, to: 'Ada@Bücher.example' });
  expect(server.received[0]?.recipients).toEqual(['Ada@xn--bcher-kva.example']);
});

test.each([
  'a@example.com, b@example.com',
  'a@example.com>',
  '<a@example.com',
  '"a"@example.com',
  'a b@example.com',
  '\u202ea@example.com',
  'a@b@example.com',
  'a@example',
  'a@example.com\r\nRCPT TO:<b@example.com>',
])('%j goes to nobody', async (to) => {
  const { server, mailer } = await connect(UTF8);
  await expect(mailer.send({ ...mail, to })).rejects.toMatchObject({
    final: true,
    fate: 'unusable',
  });
  expect(server.received).toEqual([]);
});

test('letters outside ASCII before the @ go only to a server that supports them', async () => {
  const { server, mailer } = await connect();
  expect(await fateOf(mailer, 'ü@example.com')).toBe('unsupported');
  expect(server.received).toEqual([]);
  server.answers = UTF8;
  expect(await fateOf(mailer, 'ü@example.com')).toBe('accepted');
  server.answers = { CONNECT: '421 come back later' };
  expect(await fateOf(mailer, 'é@example.com')).toBe('retry');
  server.close();
  expect(await fateOf(mailer, 'é@example.com')).toBe('retry');
});

test('whatever address is kept, the server gets this mailbox or nothing', async () => {
  const { server, mailer } = await connect(UTF8);
  const letters = 'aZ9.-+_\'ü李\u0308\u202e <>,;:"()[]\\@\t'.split('');
  const text = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(text, text, async (local, domain) => {
      const to = `${local}@${domain}.example.com`;
      const before = server.received.length;
      await mailer.send({ ...mail, to }).catch(() => undefined);
      const got = server.received.slice(before).map(({ recipients }) => recipients);
      expect(got).toEqual([readMailbox(to)].flatMap((one) => (one ? [[one.recipient]] : [])));
    }),
    { numRuns: 200 },
  );
});

test('a refused recipient is final; a refused login, sender or busy server is not', async () => {
  const fail = async (answers: Record<string, string>): Promise<MailError> => {
    const { mailer } = await connect(answers);
    return mailer.send(mail).then(
      () => {
        throw new Error('The mail was taken.');
      },
      (error: MailError) => error,
    );
  };
  expect((await fail({ RCPT: '550 no such user' })).final).toBe(true);
  expect((await fail({ RCPT: '451 come back later' })).final).toBe(false);
  expect((await fail({ MAIL: '550 sender refused' })).final).toBe(false);
  expect((await fail({ CONNECT: '554 go away' })).final).toBe(false);
});

test('a failure says whether the server may have accepted the mail', async () => {
  const { server, mailer } = await connect();
  const fate = () =>
    mailer.send(mail).then(
      () => 'accepted',
      (error: MailError) => error.fate,
    );
  expect(await fate()).toBe('accepted');
  server.hangsUp = true;
  expect(await fate()).toBe('unknown');
  expect(server.received).toHaveLength(2);
  server.hangsUp = false;
  server.answers = { END: '451 come back later' };
  expect(await fate()).toBe('retry');
  server.answers = { END: '554 no such content here' };
  expect(await fate()).toBe('rejected');
  server.answers = { RCPT: '550 no such user' };
  expect(await fate()).toBe('refused');
  server.close();
  expect(await fate()).toBe('retry');
});

test('a mail can have its own sender, id and address for unsubscribing', async () => {
  const { server, mailer } = await connect();
  await mailer.send({
    ...mail,
    from: { name: 'Acme, Inc.', address: 'hello@acme.example' },
    replyTo: 'help@acme.example',
    messageId: '<mail_1@refer.example.com>',
    unsubscribeUrl: 'https://refer.example.com/mail/unsubscribe?token=abc',
  });
  const [{ message }] = server.received as [ReceivedMail];
  expect(message).toMatch(/^From: "Acme, Inc\." <hello@acme\.example>\r$/m);
  expect(message).toMatch(/^Reply-To: help@acme\.example\r$/m);
  expect(message).toMatch(/^Message-ID: <mail_1@refer\.example\.com>\r$/m);
  expect(message.replace(/\r\n /g, ' ')).toContain(
    'List-Unsubscribe: <https://refer.example.com/mail/unsubscribe?token=abc>',
  );
  expect(message).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
});

test('an error has none of the server’s words, which can quote an address', async () => {
  const { mailer } = await connect({ RCPT: '550 <ada@example.com> unknown' });
  const error: Error = await mailer.send(mail).catch((reason) => reason);
  expect(error.name).toBe('MailError');
  expect(error.message).toContain('550');
  expect(`${error.message} ${error.stack} ${String(error.cause)}`).not.toContain('ada@');
});

test('a server that is not there fails the mail and is not final', async () => {
  const { server, mailer } = await connect();
  server.close();
  await expect(mailer.send(mail)).rejects.toMatchObject({ name: 'MailError', final: false });
});

test('a server that talks for ever is cut off also while it is asked for SMTPUTF8', async () => {
  const { server, mailer } = await connect(UTF8, 1_000);
  server.trickles = 'EHLO';
  expect(await fateOf(mailer, 'ü@example.com')).toBe('retry');
  await expect.poll(() => server.trickling).toBe(0);
  server.trickles = null;
  expect(await fateOf(mailer, 'ü@example.com')).toBe('accepted');
  expect(server.received).toHaveLength(1);
});

test.each(['EHLO', 'RCPT', 'DATA'])(
  'a server that talks for ever at %s is cut off at the deadline, and the next mail goes out',
  async (command) => {
    const { server, mailer } = await connect({}, 1_000);
    server.trickles = command;
    const error: MailError = await mailer.send(mail).catch((reason) => reason);
    expect(error).toMatchObject({ name: 'MailError', final: false });
    expect(error.message).toContain('1000 ms');
    await expect.poll(() => server.trickling).toBe(0);
    server.trickles = null;
    await mailer.send(mail);
    expect(server.received).toHaveLength(1);
  },
);

test('closing gives up the mail under way at once, and nothing is sent after it', async () => {
  const { server, mailer } = await connect();
  server.trickles = 'RCPT';
  const sent = mailer.send(mail).catch((reason) => reason);
  await expect.poll(() => server.trickling).toBe(1);
  mailer.close();
  expect(await sent).toMatchObject({ name: 'MailError', final: false });
  await expect(mailer.send(mail)).rejects.toMatchObject({ name: 'MailError', final: false });
  await expect.poll(() => server.trickling).toBe(0);
  expect(server.received).toEqual([]);
}, 15_000);
