import { afterAll, beforeAll, expect, test } from 'vitest';
import { unbindSecondFactor } from '../../src/accounts/users/sign-in/second-factor.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { ConsoleBrowser, codeOf, joinConsole, PASSWORD, setUpConsole } from '../console-browser.ts';
import { openService, ROOT_KEY, type TestService } from '../harness.ts';

let service: TestService;
let owner: ConsoleBrowser;
let workspaceId: string;
let secret: string;
let backupCodes: string[];
beforeAll(async () => {
  service = await openService();
  ({ browser: owner, workspaceId } = await setUpConsole(service));
  const totp = await owner.enableTotp();
  ({ secret, backupCodes } = totp);
  spent.add(totp.code);
});
afterAll(() => service.close());

/** One that was not used yet. The next half minute's is accepted, too, and stays so for longer than the last one's. */
const spent = new Set<string>();
function freshCode(of = secret): string {
  const code = [0, 30_000, -30_000]
    .map((offset) => codeOf(of, Date.now() + offset))
    .find((one) => !spent.has(one));
  if (code === undefined) throw new Error('All codes of this minute are spent.');
  spent.add(code);
  return code;
}
const wrongCode = () => String((Number(codeOf(secret)) + 1) % 1_000_000).padStart(6, '0');

test('a password alone signs nobody in who has a second factor', async () => {
  const browser = new ConsoleBrowser(service);
  const first = await browser.signIn('ada@example.com');
  expect(first.body).toMatchObject({ twoFactorRedirect: true, twoFactorMethods: ['totp'] });
  expect([...browser.cookies.keys()]).toEqual(['__Host-goodword.two_factor']);
  expect((await browser.session()).status).toBe(401);
  expect((await browser.auth('/two-factor/verify-totp', { code: wrongCode() })).status).toBe(401);
  expect((await browser.session()).status).toBe(401);
  const verified = await browser.auth('/two-factor/verify-totp', { code: freshCode() });
  expect(verified.status).toBe(200);
  expect((await browser.session()).body.data.mustSetUpTotp).toBe(false);
  const { data } = (await browser.get('/v1/audit-log', { workspaceId })).body;
  const actions = data.map(({ action }: { action: string }) => action);
  expect(actions.slice(0, 2)).toEqual(['user.sign_in', 'user.wrong_code']);
  expect(actions).toContain('user.totp_enable');
  expect(data[0].changes).toEqual({ method: 'password', hasTotp: true });
});

test('a code opens one session: whoever saw it being typed cannot use it again', async () => {
  const code = freshCode();
  const use = async () => {
    const browser = new ConsoleBrowser(service);
    await browser.signIn('ada@example.com');
    const { status, body } = await browser.auth('/two-factor/verify-totp', { code });
    return [status, body.code, (await browser.session()).status];
  };
  expect(await use()).toEqual([200, undefined, 200]);
  expect(await use()).toEqual([401, 'INVALID_CODE', 401]);
});

test('setting one up ends the sessions that were begun without', async () => {
  const email = 'early@example.com';
  const early = await joinConsole(owner, { workspaceId, role: 'viewer', email });
  const later = new ConsoleBrowser(service);
  await later.signIn(email);
  expect((await later.session()).status).toBe(200);
  await early.enableTotp();
  expect((await early.session()).status).toBe(200);
  expect((await later.session()).status).toBe(401);
});

test('no answer has the token of a session: it is in the cookie, which no script sees', async () => {
  const browser = await joinConsole(owner, {
    workspaceId,
    role: 'viewer',
    email: 'eva@example.com',
  });
  const signedIn = await browser.signIn('eva@example.com');
  expect(signedIn.body).toMatchObject({ user: { email: 'eva@example.com' } });
  const [, cookie = ''] = [...browser.cookies].find(([name]) => name.endsWith('token')) ?? [];
  const [token = ''] = decodeURIComponent(cookie).split('.');
  expect(token.length).toBeGreaterThan(20);
  expect(JSON.stringify(signedIn.body)).not.toContain(token);
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
  const email = 'trusting@example.com';
  const browser = await joinConsole(owner, { workspaceId, role: 'viewer', email });
  const theirs = await browser.enableTotp();
  spent.add(theirs.code);
  await browser.signIn(email);
  const code = freshCode(theirs.secret);
  await browser.auth('/two-factor/verify-totp', { code, trustDevice: true });
  expect((await browser.session()).status).toBe(200);
  await browser.auth('/sign-out', {});
  expect((await browser.session()).status).toBe(401);
  expect((await browser.signIn(email)).body.twoFactorRedirect).toBe(true);
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

interface FactorRow {
  readonly user_id: string;
  readonly secret: string;
  readonly backup_codes: string;
}
const factorsOf = async (email: string) => {
  const [row] = await service.database.reads.query<FactorRow & Record<string, unknown>>(
    `select f.* from user_two_factors f join users u on u.id = f.user_id where u.email = $1`,
    [email],
  );
  if (!row) throw new Error(`${email} has no second factor.`);
  return row;
};
const keepFactors = (email: string, { secret, backup_codes }: Omit<FactorRow, 'user_id'>) =>
  service.database.transaction((tx) =>
    tx.query(
      `update user_two_factors set secret = $2, backup_codes = $3
       where user_id = (select id from users where email = $1)`,
      [email, secret, backup_codes],
    ),
  );

test('a second factor that is copied to the row of somebody else opens nothing', async () => {
  const [mine, theirs] = ['mallory@example.com', 'victim@example.com'];
  const mallory = await joinConsole(owner, { workspaceId, role: 'viewer', email: mine });
  const { secret: known, backupCodes: codes } = await mallory.enableTotp();
  const victim = await joinConsole(owner, { workspaceId, role: 'viewer', email: theirs });
  const original = await victim.enableTotp();
  const before = await factorsOf(theirs);
  await keepFactors(theirs, await factorsOf(mine));
  const thief = new ConsoleBrowser(service);
  await thief.signIn(theirs);
  const byCode = await thief.auth('/two-factor/verify-totp', { code: freshCode(known) });
  const byBackup = await thief.auth('/two-factor/verify-backup-code', { code: codes[0] });
  expect([byCode.status, byBackup.status]).not.toContain(200);
  expect((await thief.session()).status).toBe(401);
  // Nor do codes in the place of the secret, which the same key would open.
  await keepFactors(theirs, { secret: before.backup_codes, backup_codes: before.secret });
  await thief.signIn(theirs);
  expect((await thief.auth('/two-factor/verify-totp', { code: '000000' })).status).not.toBe(200);
  await keepFactors(theirs, before);
  const again = new ConsoleBrowser(service);
  await again.signIn(theirs);
  spent.add(original.code);
  const code = freshCode(original.secret);
  expect((await again.auth('/two-factor/verify-totp', { code })).status).toBe(200);
});

test('one that was kept before they were bound goes on working, and is bound when it is used', async () => {
  const email = 'veteran@example.com';
  const veteran = await joinConsole(owner, { workspaceId, role: 'viewer', email });
  const { secret: theirs, code: used, backupCodes: codes } = await veteran.enableTotp();
  spent.add(used);
  const keyring = createKeyring(ROOT_KEY);
  const bound = await factorsOf(email);
  const old = unbindSecondFactor(keyring, { ...bound }) as unknown as FactorRow;
  expect(old.secret).toMatch(/^[0-9a-f]+$/);
  await keepFactors(email, old);
  await veteran.signIn(email);
  const code = freshCode(theirs);
  expect((await veteran.auth('/two-factor/verify-totp', { code })).status).toBe(200);
  const rebound = await factorsOf(email);
  expect([rebound.secret, rebound.backup_codes].every((one) => one.startsWith('v1.'))).toBe(true);
  await keepFactors(email, old);
  await veteran.signIn(email);
  expect((await veteran.auth('/two-factor/verify-backup-code', { code: codes[1] })).status).toBe(
    200,
  );
  expect((await factorsOf(email)).backup_codes).toMatch(/^v1\./);
  await veteran.signIn(email);
  expect((await veteran.auth('/two-factor/verify-backup-code', { code: codes[1] })).status).toBe(
    401,
  );
});

test('of two who use one backup code at once, one comes in', async () => {
  const email = 'twice@example.com';
  const first = await joinConsole(owner, { workspaceId, role: 'viewer', email });
  const { backupCodes: codes } = await first.enableTotp();
  const browsers = [new ConsoleBrowser(service), new ConsoleBrowser(service)];
  for (const browser of browsers) await browser.signIn(email);
  const answers = await Promise.all(
    browsers.map((browser) => browser.auth('/two-factor/verify-backup-code', { code: codes[0] })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('operators need one where the workspace says so, at once (D-ADM-2)', async () => {
  const path = `/v1/workspaces/${workspaceId}/team-settings`;
  const email = 'olga@example.com';
  const operator = await joinConsole(owner, { workspaceId, role: 'operator', email });
  const viewer = await joinConsole(owner, {
    workspaceId,
    role: 'viewer',
    email: 'vic@example.com',
  });
  const look = async (browser: ConsoleBrowser) => {
    const { status, body } = await browser.get('/v1/projects', { workspaceId });
    return [status, body.error?.reason ?? null];
  };
  expect((await owner.get(path)).body.data).toEqual({ workspaceId, operatorsNeedTotp: false });
  expect(await look(operator)).toEqual([200, null]);
  const set = (browser: ConsoleBrowser, operatorsNeedTotp: boolean) =>
    browser.call('PUT', path, { body: { operatorsNeedTotp } });
  expect((await set(operator, true)).status).toBe(403);
  for (const _ of ['once', 'again']) {
    const answer = await set(owner, true);
    expect(answer.body.data).toEqual({ workspaceId, operatorsNeedTotp: true });
  }
  expect(await look(operator)).toEqual([403, 'totp_required']);
  expect((await operator.session()).body.data.mustSetUpTotp).toBe(true);
  expect(await look(viewer)).toEqual([200, null]);
  const { data } = (await owner.get('/v1/audit-log', { workspaceId })).body;
  const changes = data.filter(
    ({ action }: { action: string }) => action === 'team_settings.change',
  );
  expect(changes).toMatchObject([{ changes: { operatorsNeedTotp: true } }]);
  await operator.enableTotp();
  expect(await look(operator)).toEqual([200, null]);
  const late = await joinConsole(owner, { workspaceId, role: 'operator', email: 'li@example.com' });
  expect(await look(late)).toEqual([403, 'totp_required']);
  expect((await set(owner, false)).status).toBe(200);
  expect(await look(late)).toEqual([200, null]);
});
