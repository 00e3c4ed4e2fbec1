import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '../../src/platform/http/access/permissions.ts';
import {
  ConsoleBrowser,
  joinConsole,
  PASSWORD,
  setUpConsole,
  tokenOf as tokenIn,
} from '../console-browser.ts';
import { startService, type TestService } from '../harness.ts';
import { TestMailer } from '../test-mailer.ts';

const HOUR_MS = 3_600_000;

let service: TestService;
let mailer: TestMailer;
let owner: ConsoleBrowser;
let ownerId: string;
beforeAll(async () => {
  mailer = new TestMailer();
  service = await startService({ settings: { requiresTotp: false }, mailer });
  ({ browser: owner, userId: ownerId } = await setUpConsole(service));
});
afterAll(() => service.close());

/** A Workspace for each test; and people whose names are nobody else's. */
let workspaceId: string;
let tests = 0;
const at = (name: string) => `${name}.${tests}@example.com`;
beforeEach(async () => {
  tests += 1;
  mailer.sent.length = 0;
  mailer.failure = null;
  await owner.signIn('ada@example.com');
  workspaceId = (await owner.post('/v1/workspaces', { name: `Acme ${tests}` })).body.data.id;
});
const member = (role: Role, email = at(role)) => joinConsole(owner, { workspaceId, role, email });

const invite = (email: string, role = 'viewer', by = owner) =>
  by.post('/v1/invitations', { workspaceId, email, role });
const tokenOf = (invited: { body: Parameters<typeof tokenIn>[1] }) =>
  tokenIn(service, invited.body);
const accept = (browser: ConsoleBrowser, token: string, more: object = {}) =>
  browser.post('/v1/invitations/accept', { token, ...more });
const newcomer = { name: 'Grace', password: PASSWORD };
const idOf = async (browser: ConsoleBrowser) => (await browser.session()).body.data.user.id;
const change = (by: ConsoleBrowser, userId: string, role: string) =>
  by.call('PATCH', `/v1/users/${userId}`, { body: { workspaceId, role } });
const remove = (by: ConsoleBrowser, userId: string) =>
  by.call('DELETE', `/v1/users/${userId}`, { query: { workspaceId } });

describe('an invitation', () => {
  test('is mailed, lets somebody new in once, and signs them in', async () => {
    const invited = await invite(at('GRACE'), 'finance');
    expect(invited.body).toMatchObject({
      data: { email: at('grace'), role: 'finance', status: 'open' },
      mailed: true,
      // Who accepts is who reads that address.
      link: null,
    });
    const link = mailer.linkTo(at('grace')).href;
    expect(link).toMatch(/^https:\/\/refer\.example\.com\/console\/invitation#[\w-]{43}$/);
    expect(mailer.sent).toHaveLength(1);
    expect(mailer.sent[0]).toMatchObject({ to: at('grace') });
    const list = await owner.get('/v1/invitations', { workspaceId });
    expect(JSON.stringify(list.body)).not.toContain(tokenOf(invited));
    const rows = await service.database.reads.query('select * from invitations');
    expect(JSON.stringify(rows)).not.toContain(tokenOf(invited));

    const browser = new ConsoleBrowser(service);
    const shown = await browser.post('/v1/invitations/preview', { token: tokenOf(invited) });
    expect(shown.body.data).toMatchObject({
      workspaceName: `Acme ${tests}`,
      email: at('grace'),
      role: 'finance',
      hasAccount: false,
    });
    expect((await accept(browser, tokenOf(invited))).status).toBe(400);
    expect((await accept(browser, tokenOf(invited), { ...newcomer, password: 'x' })).status).toBe(
      400,
    );
    expect((await accept(browser, tokenOf(invited), newcomer)).status).toBe(200);
    expect((await browser.session()).body.data).toMatchObject({
      user: { email: at('grace'), name: 'Grace' },
      memberships: [{ workspaceId, role: 'finance', mayAdminister: false }],
    });
    const again = await accept(new ConsoleBrowser(service), tokenOf(invited), newcomer);
    expect(again.status).toBe(404);
    const after = await owner.get('/v1/invitations', { workspaceId });
    expect(after.body.data).toMatchObject([{ status: 'accepted', acceptedAt: service.clock.now }]);
  });

  test('of two who use it at once lets one in', async () => {
    const token = tokenOf(await invite(at('grace')));
    const answers = await Promise.all(
      [1, 2].map(() => accept(new ConsoleBrowser(service), token, newcomer)),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses[0]).toBe(200);
    expect([404, 409]).toContain(statuses[1]);
  });

  test('ends after 72 hours, when it is revoked, and when another takes its place', async () => {
    const first = tokenOf(await invite(at('grace')));
    const second = await invite(at('grace'), 'operator');
    const stranger = new ConsoleBrowser(service);
    expect((await accept(stranger, first, newcomer)).status).toBe(404);
    service.clock.advance(72 * HOUR_MS - 1);
    const preview = () => stranger.post('/v1/invitations/preview', { token: tokenOf(second) });
    expect((await preview()).status).toBe(200);
    service.clock.advance(1);
    expect((await preview()).status).toBe(404);
    expect((await accept(stranger, tokenOf(second), newcomer)).status).toBe(404);
    await owner.signIn('ada@example.com');
    const third = await invite(at('grace'));
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
    const grace = await member('viewer', at('grace'));
    const eve = await member('viewer', at('eve'));
    const invited = await owner.post('/v1/invitations', {
      workspaceId: second.body.data.id,
      email: at('grace'),
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
      { workspaceName: `Acme ${tests}`, role: 'viewer' },
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
    expect((await invite(at('grace'), 'king')).status).toBe(400);
  });

  test('is answered though its mail is not taken, and says so', async () => {
    mailer.failure = new Error('no');
    const invited = await invite(at('grace'));
    expect([invited.status, invited.body.mailed]).toEqual([200, false]);
    expect((await accept(new ConsoleBrowser(service), tokenOf(invited), newcomer)).status).toBe(
      200,
    );
  });

  test('of two made at once for one address, one works', async () => {
    await Promise.all([1, 2, 3].map(() => invite(at('grace'))));
    const { data } = (await owner.get('/v1/invitations', { workspaceId })).body;
    const open = data.filter(({ status }: { status: string }) => status === 'open');
    expect([data.length, open.length]).toEqual([3, 1]);
  });

  test('into the owners’ circle is ended by owners alone', async () => {
    const admin = await member('admin');
    const invited = await invite(at('grace'), 'owner');
    expect((await invite(at('grace'), 'viewer', admin)).status).toBe(403);
    expect((await accept(new ConsoleBrowser(service), tokenOf(invited), newcomer)).status).toBe(
      200,
    );
  });

  test('ends with who sent it, when they are removed or manage the team no more', async () => {
    for (const end of [
      (userId: string) => remove(owner, userId),
      (userId: string) => change(owner, userId, 'operator'),
    ]) {
      const email = `admin.${Math.random()}@example.com`;
      const admin = await member('admin', email);
      const token = tokenOf(await invite(at('friend'), 'admin', admin));
      expect((await end(await idOf(admin))).status).toBe(200);
      expect((await accept(new ConsoleBrowser(service), token, newcomer)).status).toBe(404);
    }
  });

  test('can be made by the operator of the installation', async () => {
    const invited = await service.call('POST', '/v1/invitations', {
      as: 'operator',
      body: { workspaceId, email: at('grace'), role: 'owner' },
    });
    expect((await accept(new ConsoleBrowser(service), tokenOf(invited), newcomer)).status).toBe(
      200,
    );
  });
});

describe('the team', () => {
  test('is listed with roles, second factors and when they were last here', async () => {
    await member('viewer');
    const joined = service.clock.now;
    service.clock.advance(10 * 60_000);
    await owner.session();
    const { data } = (await owner.get('/v1/users', { workspaceId })).body;
    expect(data).toMatchObject([
      { email: at('viewer'), role: 'viewer', totpEnabled: false, lastSeenAt: joined },
      { email: 'ada@example.com', role: 'owner', lastSeenAt: service.clock.now },
    ]);
  });

  test('a changed role and a removal count from the next call on', async () => {
    const grace = await member('viewer');
    const userId = await idOf(grace);
    const keys = () => grace.get('/v1/api-keys', { workspaceId });
    expect((await keys()).status).toBe(403);
    expect((await change(owner, userId, 'admin')).body.data.role).toBe('admin');
    expect((await keys()).status).toBe(200);
    expect((await change(owner, userId, 'operator')).status).toBe(200);
    expect((await keys()).status).toBe(403);
    expect((await remove(owner, userId)).body.data).toMatchObject({ id: userId });
    expect((await keys()).status).toBe(401);
    expect((await remove(owner, userId)).status).toBe(404);
  });

  test('who leaves their last Workspace is forgotten, and comes back as somebody new', async () => {
    const grace = await member('viewer', at('grace'));
    const userId = await idOf(grace);
    const second = (await owner.post('/v1/workspaces', { name: 'Second' })).body.data.id;
    const invited = await owner.post('/v1/invitations', {
      workspaceId: second,
      email: at('grace'),
      role: 'viewer',
    });
    await accept(grace, tokenOf(invited));
    await remove(owner, userId);
    expect((await grace.session()).body.data.memberships).toMatchObject([{ workspaceId: second }]);
    await owner.call('DELETE', `/v1/users/${userId}`, { query: { workspaceId: second } });
    expect((await grace.session()).status).toBe(401);
    expect((await grace.signIn(at('grace'))).status).toBe(401);
    for (const table of ['user_accounts', 'user_sessions', 'memberships']) {
      const left = await service.database.reads.query(`select 1 from ${table} where user_id = $1`, [
        userId,
      ]);
      expect([table, left]).toEqual([table, []]);
    }
    const again = await member('viewer', at('grace'));
    expect(await idOf(again)).not.toBe(userId);
  });

  test('admins manage everybody but owners', async () => {
    const admin = await member('admin');
    const viewer = await member('viewer');
    const viewerId = await idOf(viewer);
    expect((await change(admin, ownerId, 'viewer')).status).toBe(403);
    expect((await remove(admin, ownerId)).status).toBe(403);
    expect((await change(admin, viewerId, 'owner')).status).toBe(403);
    expect((await invite(at('new'), 'owner', admin)).status).toBe(403);
    const ofOwner = await invite(at('boss'), 'owner');
    const revoke = await admin.post(`/v1/invitations/${ofOwner.body.data.id}/revoke`);
    expect(revoke.status).toBe(403);
    expect((await change(admin, viewerId, 'admin')).status).toBe(200);
    expect((await remove(admin, viewerId)).status).toBe(200);
  });

  test('the last owner stays one, also when two go at once', async () => {
    const alone = await change(owner, ownerId, 'admin');
    expect([alone.status, alone.body.error.reason]).toEqual([409, 'last_owner']);
    expect((await remove(owner, ownerId)).status).toBe(409);
    const second = await member('owner');
    const secondId = await idOf(second);
    const gone = await Promise.all([remove(owner, secondId), remove(second, ownerId)]);
    const left = await service.database.reads.query(
      `select 1 from memberships where role = 'owner' and workspace_id = $1`,
      [workspaceId],
    );
    expect(left).toHaveLength(1);
    expect(gone.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
  });

  test('who is removed does not come back by a link that is under way', async () => {
    const token = tokenOf(await invite(at('grace')));
    const grace = new ConsoleBrowser(service);
    await accept(grace, token, newcomer);
    // As if it were made while they accepted another.
    await service.database.transaction((tx) =>
      tx.query('update invitations set accepted_at = null where workspace_id = $1', [workspaceId]),
    );
    await remove(owner, await idOf(grace));
    expect((await accept(grace, token, newcomer)).status).toBe(404);
  });

  test('is written down in the audit log, without addresses or secrets (D-ADM-3)', async () => {
    const grace = await member('viewer', at('grace'));
    const userId = await idOf(grace);
    await change(owner, userId, 'finance');
    await grace.auth('/sign-out', {});
    await grace.signIn(at('grace'));
    await remove(owner, userId);
    const { data } = (await owner.get('/v1/audit-log', { workspaceId })).body;
    const told = data.map(
      ({ actorType, actorId, action }: Record<string, string>) =>
        `${actorType} ${actorId === ownerId ? 'Ada' : 'Grace'} ${action}`,
    );
    expect(told.toReversed()).toEqual([
      'user Ada workspace.create',
      'user Ada invitation.create',
      'user Grace invitation.accept',
      'user Ada user.role',
      'user Grace user.sign_out',
      'user Grace user.sign_in',
      'user Ada user.remove',
    ]);
    expect(JSON.stringify(data)).not.toContain(at('grace'));
  });
});
