import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { becomePartner } from '../become-partner.ts';
import { type ConsoleBrowser, joinConsole, setUpConsole } from '../console-browser.ts';
import { startService, type TestProject, type TestService } from '../harness.ts';
import { TestMailer } from '../test-mailer.ts';

let service: TestService;
let mailer: TestMailer;
let project: TestProject;
let owner: ConsoleBrowser;
beforeAll(async () => {
  mailer = new TestMailer();
  service = await startService({ settings: { requiresTotp: false }, mailer });
  project = await service.newProject();
  ({ browser: owner } = await setUpConsole(service));
  const { workspaceId } = project;
  for (const role of ['operator', 'finance', 'viewer'] as const) {
    await joinConsole(owner, { workspaceId, role, email: `${role}@example.com` });
  }
  await put(`/v1/projects/${project.projectId}/mail-settings`, {
    sandboxMode: 'marked',
    sender: { name: 'Acme', address: 'rewards@example.com' },
    teamKinds: [
      'partner_application_received',
      'payout_batch_to_approve',
      'webhook_endpoint_failing',
    ],
  });
  mailer.sent.length = 0;
});
afterAll(() => service.close());

const put = async (path: string, body: object) => {
  const { projectId, key: as } = project;
  const answer = await service.call('PUT', path, { as, body: { projectId, ...body } });
  expect(answer.status).toBe(200);
};
const post = (path: string, body: object = {}) =>
  service.call('POST', path, { as: project.key, body: { projectId: project.projectId, ...body } });
/** Who was mailed about something since the last call. */
const sentAbout = (subject: string) => {
  const found = mailer.sent.filter((mail) => mail.subject === `[Sandbox] ${subject}`);
  return found.map(({ to }) => to).toSorted();
};

test('members who can approve a payout batch are mailed once about it', async () => {
  await service.sendMails();
  const subject = 'A payout batch waits for approval';
  expect(sentAbout(subject)).toEqual([]);
  await insertBatch();
  await service.sendMails();
  await service.sendMails();
  expect(sentAbout(subject)).toEqual(['ada@example.com', 'finance@example.com']);
  expect(mailer.sent.at(-1)?.text).toContain('$15.00');
});

test('members who can decide are mailed about an application, and the Partner is welcomed', async () => {
  const made = await becomePartner(service, project, 'grace@example.com');
  // The application was decided before anybody looked: nothing is left to do.
  await service.sendMails();
  expect(sentAbout('A partner application waits for your decision')).toEqual([]);
  await put(`/v1/programs/${made.programId}/mail-settings`, { kinds: ['partner_welcome'] });
  const application = await post('/v1/partner-applications', {
    programId: made.programId,
    name: 'Mary',
    email: 'mary@example.com',
    profileType: 'individual',
  });
  await service.sendMails();
  const token = mailer.linkTo('mary@example.com').searchParams.get('token') ?? '';
  const url = `${service.url}/partner-applications/verify`;
  const page = await (await fetch(`${url}?token=${token}`)).text();
  const digest = /name="digest" value="([^"]*)"/.exec(page)?.[1] ?? '';
  await fetch(url, { method: 'POST', body: new URLSearchParams({ token, digest }) });
  await service.sendMails();
  expect(sentAbout('A partner application waits for your decision')).toEqual([
    'ada@example.com',
    'operator@example.com',
  ]);
  const { id } = application.body.data;
  expect((await post(`/v1/partner-applications/${id}/approve`)).status).toBe(200);
  await service.sendMails();
  await service.sendMails();
  const welcome = mailer.sent.filter(({ to }) => to === 'mary@example.com').slice(1);
  expect(welcome).toMatchObject([{ subject: '[Sandbox] Welcome as a partner of Partners' }]);
  expect(welcome[0]?.text).toContain('https://refer.example.com/partner');
});

test('a Partner is welcomed to each Program once, also to a second one', async () => {
  const email = 'second@example.com';
  const subjects = () => mailer.sent.filter(({ to }) => to === email).map((mail) => mail.subject);
  const welcome = '[Sandbox] Welcome as a partner of Partners';
  const welcomes = () => subjects().filter((subject) => subject === welcome).length;
  const first = await becomePartner(service, project, email);
  // It was not switched on when the Partner was admitted.
  service.clock.advance(1);
  await put(`/v1/programs/${first.programId}/mail-settings`, { kinds: ['partner_welcome'] });
  const second = await becomePartner(service, project, email, {
    beforeApproval: (programId) =>
      put(`/v1/programs/${programId}/mail-settings`, { kinds: ['partner_welcome'] }),
  });
  expect(second.participantId).toBe(first.participantId);
  await Promise.all([service.sendMails(), service.sendMails()]);
  await service.sendMails();
  const mails = await service.call('GET', '/v1/mails', {
    as: project.key,
    query: { projectId: project.projectId, recipientId: first.participantId },
  });
  expect(mails.body.data).toMatchObject([{ kind: 'partner_welcome', programId: second.programId }]);
  expect(welcomes()).toBe(1);
});

test('a Partner who was erased is not welcomed again', async () => {
  const { participantId } = await becomePartner(service, project, 'erased@example.com', {
    beforeApproval: (programId) =>
      put(`/v1/programs/${programId}/mail-settings`, { kinds: ['partner_welcome'] }),
  });
  const query = { projectId: project.projectId, recipientId: participantId };
  const mails = async () =>
    (await service.call('GET', '/v1/mails', { as: project.key, query })).body.data;
  await service.sendMails();
  expect(await mails()).toMatchObject([{ kind: 'partner_welcome' }]);
  const erased = await service.call('DELETE', `/v1/participants/${participantId}`, {
    as: project.key,
    query: { projectId: project.projectId, force: true },
  });
  expect(erased.status).toBe(200);
  await service.sendMails();
  expect(await mails()).toEqual([]);
});

test('members who can repair a failing endpoint are mailed once a week', async () => {
  const url = 'https://hooks.example.com/x';
  expect((await post('/v1/webhook-endpoints', { url })).status).toBe(200);
  await post('/v1/sources');
  const participant = { kind: 'individual', externalId: 'bob' };
  await service.call('PUT', '/v1/participants', {
    as: project.key,
    body: { projectId: project.projectId, participant },
  });
  await service.dispatch();
  await service.sendMails();
  await service.sendMails();
  const subject = 'A webhook endpoint is failing';
  expect(sentAbout(subject)).toEqual(['ada@example.com']);
  service.clock.advance(7 * DAY_MS);
  await service.sendMails();
  expect(sentAbout(subject)).toHaveLength(2);
});

test('a member can send themselves an example, and nobody else', async () => {
  await owner.signIn('ada@example.com');
  const { projectId } = project;
  const program = await post('/v1/programs', { kind: 'referral', name: 'Invite' });
  const path = `/v1/programs/${program.body.data.id}/mail-tests`;
  const answer = await owner.post(path, { projectId, kind: 'reward_earned', language: 'fr' });
  expect(answer.body.data).toEqual({ sentTo: 'ada@example.com' });
  expect(mailer.sent.at(-1)?.subject).toMatch(/^\[Test\] Vous avez gagné 25,00/);
  const byKey = await post(path, { kind: 'reward_earned' });
  expect([byKey.status, byKey.body.error.reason]).toEqual([409, 'sign_in_first']);
});

/** As `POST /v1/payout-batches` leaves one. */
async function insertBatch(): Promise<void> {
  const totals = [{ currency: 'USD', currencyExponent: 2, amountMinor: '1500', payoutCount: 1 }];
  await service.database.transaction(async (tx) => {
    tx.send(
      `insert into payout_batches (id, workspace_id, environment, project_ids, method, status,
         totals, created_by, created_at, updated_at)
       values ('pob_1', $1, 'sandbox', array[$2::text], 'manual_export', 'draft', $3::jsonb,
         'key_1', $4, $4)`,
      [project.workspaceId, project.projectId, JSON.stringify(totals), service.clock.now],
    );
  });
}
