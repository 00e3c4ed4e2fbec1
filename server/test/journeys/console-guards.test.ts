import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConsoleBrowser, joinConsole, ORIGIN, PASSWORD, setUpConsole } from '../console-browser.ts';
import { ADMIN_TOKEN, startService, type TestProject, type TestService } from '../harness.ts';
import { TestMailer } from '../test-mailer.ts';

const WRONG = 'a narrow river in the south';

let service: TestService;
let mailer: TestMailer;
let project: TestProject;
let owner: ConsoleBrowser;
beforeAll(async () => {
  mailer = new TestMailer();
  service = await startService({ settings: { requiresTotp: false }, mailer });
  project = await service.newProject();
  ({ browser: owner } = await setUpConsole(service));
});
afterAll(() => service.close());

/** Another browser with the same cookies, such as one that shows another site's page. */
function copyOf(browser: ConsoleBrowser, headers: Record<string, string>): ConsoleBrowser {
  const copy = new ConsoleBrowser(browser.service);
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
  copy.headers = headers;
  return copy;
}

describe('what another site’s page asks for', () => {
  const make = (browser: ConsoleBrowser) => browser.post('/v1/workspaces', { name: 'Evil' });

  test.each([
    ['no origin at all', {}],
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin without a name', { origin: 'null' }],
    ['our host without https', { origin: 'http://refer.example.com' }],
    ['a neighbour of ours', { origin: ORIGIN, 'sec-fetch-site': 'same-site' }],
    ['another site', { origin: ORIGIN, 'sec-fetch-site': 'cross-site' }],
  ])('is refused with %s', async (_name, headers) => {
    const foreign = copyOf(owner, headers as Record<string, string>);
    const refused = await make(foreign);
    expect([refused.status, refused.body.error.reason]).toEqual([403, 'foreign_origin']);
    for (const path of ['/sign-out', '/revoke-sessions', '/sign-in/email']) {
      expect([path, (await foreign.auth(path, {})).status]).toEqual([path, 403]);
    }
    expect((await owner.session()).status).toBe(200);
  });

  test.each([
    ['our origin', { origin: ORIGIN }],
    ['the browser’s word for it', { 'sec-fetch-site': 'same-origin' }],
  ])('is taken with %s', async (_name, headers) => {
    expect((await make(copyOf(owner, headers))).status).toBe(200);
  });
});

test('the cookie counts for nothing beside a key or a token', async () => {
  const read = (headers: Record<string, string>) =>
    owner.call('GET', '/v1/workspaces', { headers });
  expect((await read({})).status).toBe(200);
  expect((await read({ 'x-api-key': 'rubbish' })).status).toBe(401);
  expect((await read({ 'x-api-key': project.key })).status).toBe(403);
  expect((await read({ authorization: 'Bearer rubbish' })).status).toBe(401);
  const other = await service.newProject();
  const all = await read({ authorization: `Bearer ${ADMIN_TOKEN}` });
  const ids = all.body.data.map(({ id }: { id: string }) => id);
  expect(ids).toContain(other.workspaceId);
});

test('a cookie that was tampered with signs nobody in', async () => {
  const [name, value] = [...owner.cookies][0] as [string, string];
  for (const bad of ['', 'rubbish', `session:${value}`, value.replace(/^.{32}/, 'A'.repeat(32))]) {
    const browser = new ConsoleBrowser(service);
    browser.cookies.set(name, bad);
    expect((await browser.session()).status).toBe(401);
    expect((await browser.auth('/list-sessions')).status).toBe(401);
  }
});

describe('guessing', () => {
  const from = (guarded: TestService, address: string) => {
    const browser = new ConsoleBrowser(guarded);
    browser.headers = { ...browser.headers, 'x-forwarded-for': address };
    return browser;
  };

  test('is slowed down by address and account; the account’s own people are not kept out', async () => {
    const guarded = await startService({ settings: { trustProxy: 1, signInsPerMinute: 5 } });
    try {
      await setUpConsole(guarded);
      const stranger = from(guarded, '203.0.113.7');
      const statuses = [];
      for (let n = 0; n < 7; n += 1) {
        statuses.push((await stranger.signIn('ada@example.com', WRONG)).status);
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
      const right = await stranger.signIn('ada@example.com');
      expect([right.status, right.headers.get('retry-after')]).toEqual([429, '12']);
      // Ada herself, elsewhere.
      expect((await from(guarded, '198.51.100.9').signIn('ada@example.com')).status).toBe(200);
      guarded.clock.advance(60_000);
      expect((await stranger.signIn('ada@example.com', WRONG)).status).toBe(401);
    } finally {
      await guarded.close();
    }
  });

  test('whatever a caller writes to the left of what the proxy adds is not believed', async () => {
    const guarded = await startService({ settings: { trustProxy: 1, signInsPerMinute: 3 } });
    try {
      await setUpConsole(guarded);
      const statuses = [];
      for (const forged of ['1.1.1.1', '2.2.2.2, 3.3.3.3', '<script>', 'x'.repeat(5_000), '::1']) {
        const stranger = from(guarded, `${forged}, 203.0.113.7`);
        statuses.push((await stranger.signIn('ada@example.com', WRONG)).status);
      }
      expect(statuses).toEqual([401, 401, 401, 429, 429]);
    } finally {
      await guarded.close();
    }
  });

  test('of one who knows the password costs nothing, and all of an IPv6 network is one', async () => {
    const guarded = await startService({ settings: { trustProxy: 1, signInsPerMinute: 3 } });
    try {
      await setUpConsole(guarded);
      const ada = from(guarded, '198.51.100.9');
      for (let n = 0; n < 6; n += 1) {
        expect((await ada.signIn('ada@example.com')).status).toBe(200);
      }
      const statuses = [];
      for (let n = 1; n < 6; n += 1) {
        const stranger = from(guarded, `2001:db8:1:2:${n}::${n}`);
        statuses.push((await stranger.signIn('ada@example.com', WRONG)).status);
      }
      expect(statuses).toEqual([401, 401, 401, 429, 429]);
      const neighbour = from(guarded, '2001:db8:1:3::1');
      expect((await neighbour.signIn('ada@example.com', WRONG)).status).toBe(401);
    } finally {
      await guarded.close();
    }
  });
});

test('a page whose session ended is told so, however much it asks for', async () => {
  const guarded = await startService({ settings: { failedAuthenticationsPerMinute: 2 } });
  try {
    const browser = new ConsoleBrowser(guarded);
    browser.cookies.set('__Host-goodword.session_token', `${'a'.repeat(32)}.signature`);
    for (let n = 0; n < 5; n += 1) {
      expect((await browser.get('/v1/workspaces')).status).toBe(401);
      expect((await browser.session()).status).toBe(401);
    }
  } finally {
    await guarded.close();
  }
});

describe('sessions', () => {
  test('are listed without their tokens, and each can be ended', async () => {
    const grace = await joinConsole(owner, { workspaceId: project.workspaceId, role: 'viewer' });
    const phone = new ConsoleBrowser(service);
    phone.headers = { ...phone.headers, 'user-agent': 'Phone' };
    await phone.signIn('viewer@example.com');
    const list = (await grace.auth('/list-sessions')).body;
    expect(list).toHaveLength(2);
    const current = (await grace.session()).body.data.sessionId;
    const [other] = list.filter(({ id }: { id: string }) => id !== current);
    expect(other).toMatchObject({ userAgent: 'Phone', ipAddress: '127.0.0.1' });
    for (const value of [...grace.cookies.values(), ...phone.cookies.values()]) {
      expect(JSON.stringify(list)).not.toContain(value.split('.')[0]);
    }
    // Not by somebody else.
    await owner.auth('/revoke-session', { token: other.token });
    expect((await phone.session()).status).toBe(200);
    await grace.auth('/revoke-session', { token: other.token });
    expect((await phone.session()).status).toBe(401);
    expect((await grace.session()).status).toBe(200);
    await phone.signIn('viewer@example.com');
    await grace.auth('/revoke-sessions', {});
    expect([(await phone.session()).status, (await grace.session()).status]).toEqual([401, 401]);
  });

  test('a handle of a session is no cookie', async () => {
    const list = (await owner.auth('/list-sessions')).body;
    const [name, value] = [...owner.cookies][0] as [string, string];
    const browser = new ConsoleBrowser(service);
    browser.cookies.set(name, value.replace(/^[^.]+/, encodeURIComponent(list[0].token)));
    expect((await browser.session()).status).toBe(401);
    expect((await browser.auth('/list-sessions')).status).toBe(401);
  });

  test('end with a new password, which must be a good one', async () => {
    const grace = await joinConsole(owner, {
      workspaceId: project.workspaceId,
      role: 'viewer',
      email: 'changer@example.com',
    });
    const phone = new ConsoleBrowser(service);
    await phone.signIn('changer@example.com');
    const change = (currentPassword: string, newPassword: string) =>
      grace.auth('/change-password', { currentPassword, newPassword, revokeOtherSessions: true });
    expect((await change(PASSWORD, 'changer@example.com')).status).toBe(400);
    expect((await change(PASSWORD, 'password1234')).status).toBe(400);
    expect((await change(WRONG, 'a better river than that')).status).toBe(400);
    expect((await change(PASSWORD, 'a better river than that')).status).toBe(200);
    expect((await phone.session()).status).toBe(401);
    expect((await grace.session()).status).toBe(200);
    expect((await phone.signIn('changer@example.com')).status).toBe(401);
    expect((await phone.signIn('changer@example.com', 'a better river than that')).status).toBe(
      200,
    );
  });
});

test('an address that is far too long, or cannot be stored, is refused before it is looked up or remembered', async () => {
  const stranger = new ConsoleBrowser(service);
  for (const email of [`${'x'.repeat(250_000)}@example.com`, 'a\u0000b@example.com']) {
    for (const path of ['/sign-in/email', '/request-password-reset']) {
      const { status, body } = await stranger.auth(path, { email, password: WRONG });
      expect([path, status, body.error?.details?.[0]?.path]).toEqual([path, 400, 'email']);
    }
  }
});

test('whoever asks again and again for a new password fills no mailbox, and is answered the same', async () => {
  const email = 'asked-often@example.com';
  await joinConsole(owner, { workspaceId: project.workspaceId, role: 'viewer', email });
  const stranger = new ConsoleBrowser(service);
  const ask = () => stranger.auth('/request-password-reset', { email });
  const count = () => mailer.sent.filter(({ to }) => to === email).length;
  const before = count();
  const answers = [];
  for (let n = 0; n < 10; n += 1) answers.push(await ask());
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  await expect.poll(count).toBe(before + 3);
  // One more fits in after a third of an hour, and what was held back does not follow.
  service.clock.advance(20 * 60_000);
  await mailer.linkAfter(email, ask);
  expect(count()).toBe(before + 4);
});

test('a forgotten password is replaced by a mailed link, once, and all sessions end', async () => {
  const grace = await joinConsole(owner, {
    workspaceId: project.workspaceId,
    role: 'viewer',
    email: 'forgetful@example.com',
  });
  const stranger = new ConsoleBrowser(service);
  const ask = (email: string) => stranger.auth('/request-password-reset', { email });
  const link = await mailer.linkAfter('forgetful@example.com', async () => {
    const known = await ask('forgetful@example.com');
    const unknown = await ask('nobody@example.com');
    expect(known.body).toEqual(unknown.body);
  });
  expect(link.href).toMatch(/^https:\/\/refer\.example\.com\/console\/reset-password#\w+$/);
  const token = link.hash.slice(1);
  const rows = await service.database.reads.query('select * from user_verifications');
  expect(JSON.stringify(rows)).not.toContain(token);
  const reset = (newPassword: string) => stranger.auth('/reset-password', { token, newPassword });
  expect((await reset('short')).status).toBe(400);
  expect((await reset('Forgetful@EXAMPLE.com')).status).toBe(400);
  expect((await reset('a new river altogether')).status).toBe(200);
  expect((await reset('a new river altogether')).status).toBe(400);
  expect((await grace.session()).status).toBe(401);
  expect((await grace.signIn('forgetful@example.com', 'a new river altogether')).status).toBe(200);
  const { workspaceId } = project;
  const log = await owner.get('/v1/audit-log', { workspaceId, action: 'user.password_reset' });
  expect(log.body.data).toHaveLength(1);
});

test('one link for a new password ends the others', async () => {
  const email = 'twice@example.com';
  await joinConsole(owner, { workspaceId: project.workspaceId, role: 'viewer', email });
  const stranger = new ConsoleBrowser(service);
  const ask = async () => {
    const link = await mailer.linkAfter(email, () =>
      stranger.auth('/request-password-reset', { email }),
    );
    return link.hash.slice(1);
  };
  const [first, second] = [await ask(), await ask()];
  expect(first).not.toBe(second);
  const reset = (token: string) =>
    stranger.auth('/reset-password', { token, newPassword: 'a new river altogether' });
  expect((await reset(first)).status).toBe(200);
  expect((await reset(second)).status).toBe(400);
});

test('another site’s page reads nothing either, by a link to us', async () => {
  const { projectId } = project;
  const read = (site: string) =>
    owner.call('GET', '/v1/exports/programs', {
      query: { projectId },
      headers: { 'sec-fetch-site': site },
    });
  expect((await read('same-origin')).status).toBe(200);
  const { status, body } = await read('cross-site');
  expect([status, body.error.reason]).toEqual([403, 'foreign_origin']);
});

test('what of signing in does not exist is not the console’s page either', async () => {
  const { status } = await new ConsoleBrowser(service).auth('/get-session');
  expect(status).toBe(404);
});

describe('how people can sign in', () => {
  test('is told to anybody', async () => {
    const { body } = await new ConsoleBrowser(service).get('/v1/sign-in-options');
    expect(body.data).toEqual({ password: true, oidc: null, passwordReset: true });
  });

  test('is not at all over plain http from other machines', async () => {
    const plain = await startService({ settings: { baseUrl: 'http://refer.example.com' } });
    try {
      const browser = new ConsoleBrowser(plain);
      browser.headers = { origin: 'http://refer.example.com' };
      const { status, body } = await browser.signIn('ada@example.com');
      expect([status, body.error.reason]).toEqual([403, 'https_required']);
    } finally {
      await plain.close();
    }
  });

  test('is over plain http on the same machine, with a cookie that says so', async () => {
    const local = await startService({ settings: { baseUrl: 'http://127.0.0.1:8080' } });
    try {
      const { openSetup } = await import('../../src/accounts/users/set-up.ts');
      const browser = new ConsoleBrowser(local);
      browser.headers = { origin: 'http://127.0.0.1:8080' };
      const { headers } = await browser.post('/v1/setup', {
        token: await openSetup(local),
        email: 'ada@example.com',
        name: 'Ada',
        password: PASSWORD,
        workspaceName: 'Acme',
      });
      const [cookie = ''] = headers.getSetCookie();
      expect(cookie).toMatch(/^goodword\.session_token=/);
      expect(cookie).not.toContain('Secure');
      expect((await browser.session()).status).toBe(200);
    } finally {
      await local.close();
    }
  });
});
