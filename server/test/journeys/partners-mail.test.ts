import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listApplications } from '../../src/domain/partners/applications/list-applications.ts';
import { erasePartnerApplications } from '../../src/domain/partners/erase.ts';
import type { MailWorkerDeps } from '../../src/domain/partners/partner-deps.ts';
import { sendDueMails } from '../../src/domain/partners/send-due-mails.ts';
import { startPartnerMailWorker } from '../../src/domain/partners/worker.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { openDatabaseClock } from '../../src/platform/db/database-clock.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import type { Mailer } from '../../src/platform/mail/mailer.ts';
import { createSmtpMailer } from '../../src/platform/mail/smtp-mailer.ts';
import { startWorkers } from '../../src/workers.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';
import { type ReceivedMail, TestSmtpServer } from '../smtp-server.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let service: TestService;
let smtp: TestSmtpServer;
let smtpUrl: string;
let mailer: Mailer;
let project: TestProject;
let programId: string;
let failures: unknown[];
let applicants = 0;

beforeAll(async () => {
  service = await openService();
  smtp = new TestSmtpServer();
  smtpUrl = await smtp.listen();
  mailer = createSmtpMailer({ smtpUrl, from: 'shop@example.com' });
});
afterAll(async () => {
  mailer.close();
  smtp.close();
  await service.close();
});
beforeEach(async () => {
  // Past every retry of the tests before.
  service.clock.advance(10 * DAY_MS);
  await service.database.transaction((tx) =>
    tx.query('update partner_applications set mail_due_at = null'),
  );
  smtp.received.length = 0;
  smtp.answers = {};
  smtp.trickles = null;
  failures = [];
  project = await service.newProject();
  programId = await newProgram();
});

async function newProgram(): Promise<string> {
  const { projectId, key } = project;
  const made = await service.call('POST', '/v1/programs', {
    as: key,
    body: {
      projectId,
      kind: 'affiliate',
      name: 'Friends & Partners',
      config: {
        brandConfig: { landingPageUrl: 'https://shop.example.com' },
        partnerApplicationsOpen: true,
      },
    },
  });
  const id = made.body.data.id;
  await service.call('POST', `/v1/programs/${id}/status`, {
    as: key,
    body: { projectId, status: 'active' },
  });
  return id;
}

function workerDeps(): MailWorkerDeps {
  return {
    database: service.database,
    clock: service.clock,
    keyring: createKeyring(ROOT_KEY),
    baseUrl: 'https://refer.example.com',
    mailer,
    onFailure: (error) => failures.push(error),
  };
}

const sendDue = () => sendDueMails(workerDeps(), new AbortController().signal);

async function apply(email?: string): Promise<{ id: string; email: string }> {
  applicants += 1;
  const address = email ?? `bob${applicants}@example.com`;
  const answer = await service.call('POST', '/v1/partner-applications', {
    body: {
      projectId: project.projectId,
      programId,
      name: 'BUY NOW at evil.example',
      email: address,
      profileType: 'individual',
      message: 'BUY NOW',
    },
  });
  expect(answer.status).toBe(200);
  return { id: answer.body.data.id, email: address };
}

async function find(id: string) {
  const { body } = await service.call('GET', '/v1/partner-applications', {
    as: project.key,
    query: { projectId: project.projectId },
  });
  return body.data.find((application: { id: string }) => application.id === id);
}

function tokenIn(mail: ReceivedMail): string {
  const text = mail.message.replace(/=\r\n/g, '').replace(/=3D/g, '=');
  return /verify\?token=([\w.-]+)/.exec(text)?.[1] as string;
}

/** Opens the page and presses its button. */
async function press(token: string): Promise<Response> {
  const url = `${service.url}/partner-applications/verify`;
  const html = await (await fetch(`${url}?token=${token}`)).text();
  const digest = /name="digest" value="([^"]*)"/.exec(html)?.[1] ?? '';
  return fetch(url, { method: 'POST', body: new URLSearchParams({ token, digest }) });
}

const deliveriesTo = (email: string) =>
  smtp.received.filter((mail) => mail.recipients.includes(email));

test('the link comes by mail once, and proves the address', async () => {
  const { id, email } = await apply();
  expect(await sendDue()).toBe(1);
  expect(await sendDue()).toBe(0);
  expect(smtp.received).toHaveLength(1);
  const [mail] = deliveriesTo(email) as [ReceivedMail];
  expect((await press(tokenIn(mail))).status).toBe(200);
  expect((await find(id)).emailVerifiedAt).toBe(service.clock.now);
});

test('a mail has no word of the applicant’s own', async () => {
  await apply();
  await sendDue();
  expect(smtp.received[0]?.message).toContain('Friends');
  expect(smtp.received[0]?.message).not.toMatch(/BUY|evil/);
});

test('applications of many Projects are all mailed, each to its own address', async () => {
  const emails: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    if (index > 0) {
      project = await service.newProject();
      programId = await newProgram();
    }
    for (let each = 0; each < 7; each += 1) emails.push((await apply()).email);
  }
  let taken = 0;
  for (let run = await sendDue(); run > 0; run = await sendDue()) taken += run;
  expect(taken).toBe(21);
  expect(smtp.received.flatMap((mail) => mail.recipients).sort()).toEqual(emails.sort());
});

test('two workers at once send each mail once', async () => {
  const emails = [];
  for (let each = 0; each < 8; each += 1) emails.push((await apply()).email);
  const runAll = async () => {
    while ((await sendDue()) > 0);
  };
  await Promise.all([runAll(), runAll(), runAll()]);
  expect(smtp.received.flatMap((mail) => mail.recipients).sort()).toEqual(emails.sort());
});

test('a mail that fails is tried again, each wait twice the last, ten times; then the operator gets the link', async () => {
  const { id } = await apply();
  smtp.answers = { RCPT: '451 later' };
  let waitMs = 5 * MINUTE_MS;
  for (let tries = 1; tries <= 10; tries += 1) {
    expect(await sendDue()).toBe(1);
    expect(failures).toHaveLength(tries);
    service.clock.advance(waitMs - 1);
    expect(await sendDue()).toBe(0);
    service.clock.advance(1);
    waitMs *= 2;
  }
  expect(await sendDue()).toBe(0);
  expect(failures.map(String).join()).toContain('451');
  expect(failures.map(String).join()).not.toContain('@');
  expect(await listedLink(id)).toContain('token=');
});

/** As a service with SMTP shows it. */
async function listedLink(id: string): Promise<string | null> {
  const { data } = await listApplications(
    {
      ...workerDeps(),
      writer: service.writer,
      newId: () => 'unused',
      applicationsPerMinute: 1,
      eraseBesides: async () => undefined,
      onMailDue: () => undefined,
    },
    {
      id: project.projectId,
      workspaceId: project.workspaceId,
      projectKey: project.projectKey,
      environment: 'sandbox',
    },
    {
      filter: { programId: null, status: null },
      page: { limit: 50, before: null },
      showsLinks: true,
    },
  );
  return data.find((application) => application.id === id)?.verificationUrl ?? null;
}

test('with SMTP the operator does not see a link that is on its way', async () => {
  const { id } = await apply();
  expect(await listedLink(id)).toBeNull();
  await sendDue();
  expect(await listedLink(id)).toBeNull();
});

test('an address that is refused for good is not tried again', async () => {
  const { id } = await apply();
  smtp.answers = { RCPT: '550 no such user' };
  expect(await sendDue()).toBe(1);
  service.clock.advance(DAY_MS / 2);
  expect(await sendDue()).toBe(0);
  expect(await listedLink(id)).toContain('token=');
});

test('a mail whose sender died is due again when the lease ends', async () => {
  const { email } = await apply();
  const dying: MailWorkerDeps = {
    ...workerDeps(),
    mailer: { send: () => new Promise(() => undefined), close: () => undefined },
  };
  // Never comes back, as a process that was killed.
  void sendDueMails(dying, new AbortController().signal);
  await expect
    .poll(async () => {
      const rows = await service.database.reads.query(
        'select 1 from partner_applications where project_id = $1 and mail_tries = 1',
        [project.projectId],
      );
      return rows.length;
    })
    .toBe(1);
  expect(await sendDue()).toBe(0);
  service.clock.advance(10 * MINUTE_MS);
  expect(await sendDue()).toBe(1);
  expect(deliveriesTo(email)).toHaveLength(1);
});

test('who proved the address, or was rejected, gets no further mail', async () => {
  const proven = await apply();
  const rejected = await apply();
  smtp.answers = { RCPT: '451 later' };
  await sendDue();
  const token = new URL((await find(proven.id)).verificationUrl).searchParams.get('token');
  await press(token as string);
  await service.call('POST', `/v1/partner-applications/${rejected.id}/reject`, {
    as: project.key,
    body: { projectId: project.projectId },
  });
  smtp.answers = {};
  service.clock.advance(DAY_MS);
  expect(await sendDue()).toBe(0);
});

test('a mail that fails after its applicant was proven is not taken up again', async () => {
  const { id } = await apply();
  const token = new URL((await find(id)).verificationUrl).searchParams.get('token') as string;
  const slow: MailWorkerDeps = {
    ...workerDeps(),
    mailer: {
      async send() {
        await press(token);
        throw new Error('too late');
      },
      close: () => undefined,
    },
  };
  expect(await sendDueMails(slow, new AbortController().signal)).toBe(1);
  service.clock.advance(DAY_MS);
  expect(await sendDue()).toBe(0);
});

test('applying again brings the link again, at most once a day', async () => {
  const { email } = await apply();
  await sendDue();
  service.clock.advance(DAY_MS - 1);
  await apply(email);
  expect(await sendDue()).toBe(0);
  service.clock.advance(1);
  await apply(email);
  await apply(email);
  expect(await sendDue()).toBe(1);
  expect(deliveriesTo(email)).toHaveLength(2);
});

test('addresses of one mailbox get one mail a day, and the link is for the address it went to', async () => {
  const { id, email } = await apply();
  const tagged = (tag: string) => email.replace('@', `+${tag}@`);
  await apply(tagged('1'));
  expect(await sendDue()).toBe(1);
  expect(smtp.received.flatMap((mail) => mail.recipients)).toEqual([tagged('1')]);
  service.clock.advance(DAY_MS - 1);
  for (const tag of ['2', '3', '4']) expect((await apply(tagged(tag))).id).toBe(id);
  expect(await sendDue()).toBe(0);
  // Who has had no mail at an address could not prove it: the first one stays.
  expect((await find(id)).email).toBe(tagged('1'));
  service.clock.advance(1);
  await apply(tagged('5'));
  expect(await sendDue()).toBe(1);
  const [first, second] = smtp.received as [ReceivedMail, ReceivedMail];
  expect(second.recipients).toEqual([tagged('5')]);
  expect((await press(tokenIn(first))).status).toBe(400);
  expect((await press(tokenIn(second))).status).toBe(200);
  expect(await find(id)).toMatchObject({
    email: tagged('5'),
    emailVerifiedAt: service.clock.now,
  });
});

test('an address that is being mailed stays until the outcome is known', async () => {
  const { id, email } = await apply();
  smtp.answers = { RCPT: '451 later' };
  await sendDue();
  await apply(email.replace('@', '+other@'));
  expect((await find(id)).email).toBe(email);
});

test('a Project with many mails due does not keep those of others from being seen', async () => {
  for (let each = 0; each < 101; each += 1) await apply();
  service.clock.advance(1);
  project = await service.newProject();
  programId = await newProgram();
  const { email } = await apply();
  await sendDue();
  expect(deliveriesTo(email)).toHaveLength(1);
});

test('stopping does not wait for a server that talks for ever, and the mail is tried again', async () => {
  const { email } = await apply();
  smtp.trickles = 'RCPT';
  const mailer = createSmtpMailer({ smtpUrl, from: 'shop@example.com' });
  const databaseClock = await openDatabaseClock(service.database.reads);
  const workers = startWorkers(readConfig({}), { ...service.built, mailer, databaseClock });
  await expect.poll(() => smtp.trickling, { timeout: 5_000 }).toBe(1);
  await workers.stop();
  smtp.trickles = null;
  service.clock.advance(5 * MINUTE_MS);
  expect(await sendDue()).toBe(1);
  expect(deliveriesTo(email)).toHaveLength(1);
}, 20_000);

test('a poke makes the worker look at once, and stopping ends it', async () => {
  const worker = startPartnerMailWorker(workerDeps());
  try {
    const { email } = await apply();
    worker.poke();
    await expect.poll(() => deliveriesTo(email).length, { timeout: 4_000 }).toBe(1);
  } finally {
    await worker.stop();
  }
});

test('erasing a partner blanks all their applications and withdraws what is pending (D-PART-5)', async () => {
  const { id, email } = await apply();
  await sendDue();
  await press(tokenIn(smtp.received[0] as ReceivedMail));
  const approved = await service.call('POST', `/v1/partner-applications/${id}/approve`, {
    as: project.key,
    body: { projectId: project.projectId },
  });
  const stranger = await apply();
  programId = await newProgram();
  const other = await apply(email);
  const { participantId } = approved.body.data;
  await service.writer.run(
    {
      workspaceId: project.workspaceId,
      projectId: project.projectId,
      actor: { type: 'system', id: 'test' },
      requestId: 'req_test',
      ip: null,
      idempotency: null,
    },
    async (write) => {
      await erasePartnerApplications(write, participantId);
      return { answer: null };
    },
  );
  const blank = { name: null, email: null, companyName: null, website: null, message: null };
  expect(await find(id)).toMatchObject({ ...blank, status: 'approved', participantId });
  expect(await find(other.id)).toMatchObject({
    ...blank,
    status: 'withdrawn',
    decidedBy: 'system:erasure',
    verificationUrl: null,
  });
  expect(await find(stranger.id)).toMatchObject({ email: stranger.email, status: 'pending' });
  const kept = await service.database.reads.query(
    'select * from partner_applications where project_id = $1',
    [project.projectId],
  );
  expect(JSON.stringify(kept, (_, value) => (typeof value === 'bigint' ? 0 : value))).not.toContain(
    email,
  );
  const counts = await service.database.reads.query(
    `select unproven from partner_application_counts where project_id = $1 and program_id = $2`,
    [project.projectId, programId],
  );
  expect(counts).toEqual([{ unproven: 0 }]);
  const again = await apply(email);
  expect(again.id).not.toBe(other.id);
  expect((await find(again.id)).status).toBe('pending');
});
