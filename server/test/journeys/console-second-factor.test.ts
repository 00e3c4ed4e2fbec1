import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConsoleBrowser, codeOf, joinConsole, PASSWORD, setUpConsole } from '../console-browser.ts';
import { startService, type TestService } from '../harness.ts';

let service: TestService;
let owner: ConsoleBrowser;
let workspaceId: string;
let secret: string;
let backupCodes: string[];
beforeAll(async () => {
  service = await startService();
  ({ browser: owner, workspaceId } = await setUpConsole(service));
  ({ secret, backupCodes } = await owner.enableTotp());
});
afterAll(() => service.close());

const wrongCode = () => String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, '0');

test('a password alone signs nobody in who has a second factor', async () => {
  const browser = new ConsoleBrowser(service);
  const first = await browser.signIn('ada@example.com');
  expect(first.body).toMatchObject({ twoFactorRedirect: true, twoFactorMethods: ['totp'] });
  expect([...browser.cookies.keys()]).toEqual(['__Host-goodword.two_factor']);
  expect((await browser.session()).status).toBe(401);
  expect((await browser.auth('/two-factor/verify-totp', { code: wrongCode() })).status).toBe(401);
  expect((await browser.session()).status).toBe(401);
  const verified = await browser.auth('/two-factor/verify-totp', { code: codeOf(secret) });
  expect(verified.status).toBe(200);
  expect((await browser.session()).body.data.mustSetUpTotp).toBe(false);
  const { data } = (await browser.get('/v1/audit-log', { workspaceId })).body;
  const actions = data.map(({ action }: { action: string }) => action);
  expect(actions.slice(0, 2)).toEqual(['user.sign_in', 'user.wrong_code']);
  expect(actions).toContain('user.totp_enable');
  expect(data[0].changes).toEqual({ method: 'password', hasTotp: true });
});

test('five wrong codes end the attempt, and the right one is too late then', async () => {
  const browser = new ConsoleBrowser(service);
  await browser.signIn('ada@example.com');
  for (let n = 0; n < 5; n += 1) {
    expect((await browser.auth('/two-factor/verify-totp', { code: wrongCode() })).status).toBe(401);
  }
  const late = await browser.auth('/two-factor/verify-totp', { code: codeOf(secret) });
  expect(late.status).toBe(400);
  expect((await browser.session()).status).toBe(401);
});

test('a device is never trusted to leave the second factor out', async () => {
  const browser = new ConsoleBrowser(service);
  await browser.signIn('ada@example.com');
  await browser.auth('/two-factor/verify-totp', { code: codeOf(secret), trustDevice: true });
  expect((await browser.session()).status).toBe(200);
  await browser.auth('/sign-out', {});
  expect((await browser.session()).status).toBe(401);
  expect((await browser.signIn('ada@example.com')).body.twoFactorRedirect).toBe(true);
});

test('a backup code stands for the device, once', async () => {
  const [code] = backupCodes;
  const use = async () => {
    const browser = new ConsoleBrowser(service);
    await browser.signIn('ada@example.com');
    const { status } = await browser.auth('/two-factor/verify-backup-code', { code });
    return [status, (await browser.session()).status];
  };
  expect(await use()).toEqual([200, 200]);
  expect(await use()).toEqual([401, 401]);
});

test('whoever gets a role that needs one must set it up before anything else', async () => {
  const grace = await joinConsole(owner, { workspaceId, role: 'viewer' });
  expect((await grace.get('/v1/workspaces')).status).toBe(200);
  const { id } = (await grace.session()).body.data.user;
  const role = (name: string) =>
    owner.call('PATCH', `/v1/users/${id}`, { body: { workspaceId, role: name } });
  await role('finance');
  const refused = await grace.get('/v1/workspaces');
  expect([refused.status, refused.body.error.reason]).toEqual([403, 'totp_required']);
  expect((await grace.session()).body.data.mustSetUpTotp).toBe(true);
  await grace.enableTotp();
  expect((await grace.get('/v1/workspaces')).status).toBe(200);
  expect((await grace.auth('/two-factor/disable', { password: 'not the one' })).status).toBe(400);
  expect((await grace.auth('/two-factor/disable', { password: PASSWORD })).status).toBe(200);
  expect((await grace.get('/v1/workspaces')).status).toBe(403);
});

test('secrets and backup codes are not readable in the database', async () => {
  const rows = await service.database.reads.query('select * from user_two_factors');
  const text = JSON.stringify(rows);
  expect(text).not.toContain(secret);
  for (const code of backupCodes) expect(text).not.toContain(code);
});
