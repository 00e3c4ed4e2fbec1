import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConsoleBrowser, joinConsole, PASSWORD, setUpConsole } from '../console-browser.ts';
import { startService, type TestService } from '../harness.ts';
import { TestMailer } from '../test-mailer.ts';

const HOUR_MS = 3_600_000;

let service: TestService;
let mailer: TestMailer;
let owner: ConsoleBrowser;
let ownerId: string;
let workspaceId: string;
beforeEach(async () => {
  mailer = new TestMailer();
  service = await startService({ settings: { requiresTotp: false }, mailer });
  ({ browser: owner, userId: ownerId, workspaceId } = await setUpConsole(service));
});
afterEach(() => service.close());

const invite = (email: string, role = 'viewer', by = owner) =>
  by.post('/v1/invitations', { workspaceId, email, role });
const tokenOf = (invited: { body: { link: string } }) => new URL(invited.body.link).hash.slice(1);
const accept = (browser: ConsoleBrowser, token: string, more: object = {}) =>
  browser.post('/v1/invitations/accept', { token, ...more });
const newcomer = { name: 'Grace', password: PASSWORD };
const idOf = async (browser: ConsoleBrowser) => (await browser.session()).body.data.user.id;
const change = (by: ConsoleBrowser, userId: string, role: string) =>
  by.call('PATCH', `/v1/users/${userId}`, { body: { workspaceId, role } });
const remove = (by: ConsoleBrowser, userId: string) =>
  by.call('DELETE', `/v1/users/${userId}`, { query: { workspaceId } });

describe('an invitation', () => {
  test('is answered once and mailed, lets somebody new in once, and signs them in', async () => {
    const invited = await invite('Grace@Example.com', 'finance');
    expect(invited.body).toMatchObject({
      data: { email: 'grace@example.com', role: 'finance', status: 'open' },
      mailed: true,
    });
    const { link } = invited.body;
    expect(link).toMatch(/^https:\/\/refer\.example\.com\/console\/invitation#[\w-]{43}$/);
    expect(mailer.sent).toHaveLength(1);
    expect(mailer.sent[0]).toMatchObject({ to: 'grace@example.com' });
    expect(mailer.sent[0]?.text).toContain(link);
    const list = await owner.get('/v1/invitations', { workspaceId });
    expect(JSON.stringify(list.body)).not.toContain(tokenOf(invited));
    const rows = await service.database.reads.query('select * from invitations');
    expect(JSON.stringify(rows)).not.toContain(tokenOf(invited));

    const browser = new ConsoleBrowser(service);
    const shown = await browser.post('/v1/invitations/preview', { token: tokenOf(invited) });
    expect(shown.body.data).toMatchObject({
      workspaceName: 'Acme',
      email: 'grace@example.com',
      role: 'finance',
      hasAccount: false,
    });
    expect((await accept(browser, tokenOf(invited))).status).toBe(400);
    expect((await accept(browser, tokenOf(invited), { ...newcomer, password: 'x' })).status).toBe(
      400,
    );
    expect((await accept(browser, tokenOf(invited), newcomer)).status).toBe(200);
    expect((await browser.session()).body.data).toMatchObject({
      user: { email: 'grace@example.com', name: 'Grace' },
      memberships: [{ workspaceId, role: 'finance', mayAdminister: false }],
    });
    const again = await accept(new ConsoleBrowser(service), tokenOf(invited), newcomer);
    expect(again.status).toBe(404);
    const after = await owner.get('/v1/invitations', { workspaceId });
    expect(after.body.data).toMatchObject([{ status: 'accepted', acceptedAt: service.clock.now }]);
  });

  test('of two who use it at once lets one in', async () => {
    const token = tokenOf(await invite('grace@example.com'));
    const answers = await Promise.all(
      [1, 2].map(() => accept(new ConsoleBrowser(service), token, newcomer)),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses[0]).toBe(200);
    expect([404, 409]).toContain(statuses[1]);
  });

  test('ends after 72 hours, when it is revoked, and when another takes its place', async () => {
    const first = tokenOf(await invite('grace@example.com'));
    const second = await invite('grace@example.com', 'operator');
    const stranger = new ConsoleBrowser(service);
    expect((await accept(stranger, first, newcomer)).status).toBe(404);
    service.clock.advance(72 * HOUR_MS - 1);
    const preview = () => stranger.post('/v1/invitations/preview', { token: tokenOf(second) });
    expect((await preview()).status).toBe(200);
    service.clock.advance(1);
    expect((await preview()).status).toBe(404);
    expect((await accept(stranger, tokenOf(second), newcomer)).status).toBe(404);
    await owner.signIn('ada@example.com');
    const third = await invite('grace@example.com');
    const revoked = await owner.post(`/v1/invitations/${third.body.data.id}/revoke`);
    expect(revoked.body.data.status).toBe('revoked');
    expect((await accept(stranger, tokenOf(third), newcomer)).status).toBe(404);
    const statuses = (await owner.get('/v1/invitations', { workspaceId })).body.data.map(
      ({ status }: { status: string }) => status,
    );
    expect(statuses).toEqual(['revoked', 'expired', 'revoked']);
  });

  test('of somebody with an account is for them alone, signed in and without a password', async () => {
    const second = await owner.post('/v1/workspaces', { name: 'Second' });
    const grace = await joinConsole(owner, {
      workspaceId,
      role: 'viewer',
      email: 'grace@example.com',
    });
    const eve = await joinConsole(owner, { workspaceId, role: 'viewer', email: 'eve@example.com' });
    const invited = await owner.post('/v1/invitations', {
      workspaceId: second.body.data.id,
      email: 'grace@example.com',
      role: 'admin',
    });
    const token = tokenOf(invited);
    const stranger = await accept(new ConsoleBrowser(service), token, newcomer);
    expect([stranger.status, stranger.body.error.reason]).toEqual([409, 'sign_in_first']);
    const other = await accept(eve, token);
    expect([other.status, other.body.error.reason]).toEqual([403, 'other_user']);
    expect((await accept(grace, token)).status).toBe(200);
    const { memberships } = (await grace.session()).body.data;
    expect(memberships).toMatchObject([
      { workspaceName: 'Acme', role: 'viewer' },
      { workspaceName: 'Second', role: 'admin' },
    ]);
    // What a role may in one Workspace, it may not in another.
    const keys = (id: string) => grace.get('/v1/api-keys', { workspaceId: id });
    expect((await keys(second.body.data.id)).status).toBe(200);
    expect((await keys(workspaceId)).status).toBe(403);
  });

  test('is refused for who is in the Workspace, and stands for somebody new only', async () => {
    const member = await invite('ADA@example.com');
    expect([member.status, member.body.error.reason]).toEqual([409, 'already_member']);
    expect((await invite('not an address')).status).toBe(400);
    expect((await invite('grace@example.com', 'king')).status).toBe(400);
  });

  test('is answered though its mail is not taken, and says so', async () => {
    mailer.failure = new Error('no');
    const invited = await invite('grace@example.com');
    expect([invited.status, invited.body.mailed]).toEqual([200, false]);
    expect((await accept(new ConsoleBrowser(service), tokenOf(invited), newcomer)).status).toBe(
      200,
    );
  });

  test('can be made by the operator of the installation', async () => {
    const invited = await service.call('POST', '/v1/invitations', {
      as: 'operator',
      body: { workspaceId, email: 'grace@example.com', role: 'owner' },
    });
    expect((await accept(new ConsoleBrowser(service), tokenOf(invited), newcomer)).status).toBe(
      200,
    );
  });
});

describe('the team', () => {
  test('is listed with roles, second factors and when they were last here', async () => {
    await joinConsole(owner, { workspaceId, role: 'viewer' });
    service.clock.advance(10 * 60_000);
    await owner.session();
    const { data } = (await owner.get('/v1/users', { workspaceId })).body;
    expect(data).toMatchObject([
      { email: 'viewer@example.com', role: 'viewer', totpEnabled: false, lastSeenAt: null },
      { email: 'ada@example.com', role: 'owner', lastSeenAt: service.clock.now },
    ]);
  });

  test('a changed role and a removal count from the next call on', async () => {
    const grace = await joinConsole(owner, { workspaceId, role: 'viewer' });
    const userId = await idOf(grace);
    const keys = () => grace.get('/v1/api-keys', { workspaceId });
    expect((await keys()).status).toBe(403);
    expect((await change(owner, userId, 'admin')).body.data.role).toBe('admin');
    expect((await keys()).status).toBe(200);
    expect((await change(owner, userId, 'operator')).status).toBe(200);
    expect((await keys()).status).toBe(403);
    expect((await remove(owner, userId)).body.data).toMatchObject({ id: userId });
    expect((await keys()).status).toBe(403);
    expect((await grace.get('/v1/workspaces')).body.data).toEqual([]);
    expect((await remove(owner, userId)).status).toBe(404);
  });

  test('admins manage everybody but owners', async () => {
    const admin = await joinConsole(owner, { workspaceId, role: 'admin' });
    const viewer = await joinConsole(owner, { workspaceId, role: 'viewer' });
    const viewerId = await idOf(viewer);
    expect((await change(admin, ownerId, 'viewer')).status).toBe(403);
    expect((await remove(admin, ownerId)).status).toBe(403);
    expect((await change(admin, viewerId, 'owner')).status).toBe(403);
    expect((await invite('new@example.com', 'owner', admin)).status).toBe(403);
    const ofOwner = await invite('boss@example.com', 'owner');
    const revoke = await admin.post(`/v1/invitations/${ofOwner.body.data.id}/revoke`);
    expect(revoke.status).toBe(403);
    expect((await change(admin, viewerId, 'admin')).status).toBe(200);
    expect((await remove(admin, viewerId)).status).toBe(200);
  });

  test('the last owner stays one, also when two go at once', async () => {
    const alone = await change(owner, ownerId, 'admin');
    expect([alone.status, alone.body.error.reason]).toEqual([409, 'last_owner']);
    expect((await remove(owner, ownerId)).status).toBe(409);
    const second = await joinConsole(owner, { workspaceId, role: 'owner' });
    const secondId = await idOf(second);
    const gone = await Promise.all([remove(owner, secondId), remove(second, ownerId)]);
    const left = await service.database.reads.query(
      `select 1 from memberships where role = 'owner'`,
    );
    expect(left).toHaveLength(1);
    expect(gone.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
  });

  test('who is removed does not come back by a link that is under way', async () => {
    const token = tokenOf(await invite('grace@example.com'));
    const grace = new ConsoleBrowser(service);
    await accept(grace, token, newcomer);
    // As if it were made while they accepted another.
    await service.database.transaction((tx) =>
      tx.query('update invitations set accepted_at = null'),
    );
    await remove(owner, await idOf(grace));
    expect((await accept(grace, token)).status).toBe(404);
  });

  test('is written down in the audit log, without addresses or secrets (D-ADM-3)', async () => {
    const grace = await joinConsole(owner, {
      workspaceId,
      role: 'viewer',
      email: 'grace@example.com',
    });
    const userId = await idOf(grace);
    await change(owner, userId, 'finance');
    await grace.auth('/sign-out', {});
    await grace.signIn('grace@example.com');
    await remove(owner, userId);
    const { data } = (await owner.get('/v1/audit-log', { workspaceId })).body;
    const told = data.map(
      ({ actorType, actorId, action }: Record<string, string>) =>
        `${actorType} ${actorId === ownerId ? 'Ada' : 'Grace'} ${action}`,
    );
    expect(told.toReversed()).toEqual([
      'user Ada workspace.create',
      'user Ada user.set_up',
      'user Ada invitation.create',
      'user Grace invitation.accept',
      'user Ada user.role',
      'user Grace user.sign_out',
      'user Grace user.sign_in',
      'user Ada user.remove',
    ]);
    expect(JSON.stringify(data)).not.toContain('grace@example.com');
  });
});
