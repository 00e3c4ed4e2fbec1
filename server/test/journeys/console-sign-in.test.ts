import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSetup } from '../../src/accounts/users/set-up.ts';
import { ConsoleBrowser, PASSWORD, setUpConsole } from '../console-browser.ts';
import { openService, startService, type TestService } from '../harness.ts';

const HOUR_MS = 3_600_000;

describe('the first run', () => {
  test('makes one owner, once, with the link that was printed last', async () => {
    const service = await startService();
    try {
      const browser = new ConsoleBrowser(service);
      expect((await browser.get('/v1/setup')).body.data).toEqual({
        isOpen: true,
        needsWorkspaceName: true,
      });
      expect((await browser.session()).status).toBe(401);
      const first = await openSetup(service);
      const second = await openSetup(service);
      const setUp = (token: string | null, more: object = {}) =>
        browser.post('/v1/setup', {
          token,
          email: 'Ada@Example.com',
          name: 'Ada',
          password: PASSWORD,
          workspaceName: 'Acme',
          ...more,
        });
      const old = await setUp(first);
      expect([old.status, old.body.error.reason]).toEqual([403, 'wrong_setup_token']);
      expect((await setUp(second, { password: 'short' })).status).toBe(400);
      expect((await setUp(second, { password: 'ada@example.com' })).status).toBe(400);
      expect((await setUp(second)).status).toBe(200);
      const session = await browser.session();
      expect(session.body.data).toMatchObject({
        user: { email: 'ada@example.com', name: 'Ada', totpEnabled: false },
        memberships: [{ workspaceName: 'Acme', role: 'owner', mayAdminister: true }],
        mustSetUpTotp: true,
      });
      expect((await browser.get('/v1/setup')).body.data).toEqual({
        isOpen: false,
        needsWorkspaceName: false,
      });
      const again = await setUp(second);
      expect([again.status, again.body.error.reason]).toEqual([409, 'setup_done']);
      expect(await openSetup(service)).toBeNull();
    } finally {
      await service.close();
    }
  });

  test('of two at once makes one owner', async () => {
    const service = await startService();
    try {
      const token = await openSetup(service);
      const answers = await Promise.all(
        ['ada', 'eve'].map((name) =>
          new ConsoleBrowser(service).post('/v1/setup', {
            token,
            email: `${name}@example.com`,
            name,
            password: PASSWORD,
            workspaceName: name,
          }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const users = await service.database.reads.query('select id from users');
      expect(users).toHaveLength(1);
    } finally {
      await service.close();
    }
  });

  test('gives whoever comes first the Workspaces that are there already', async () => {
    const service = await startService();
    try {
      const { workspaceId } = await service.newProject();
      const guest = new ConsoleBrowser(service);
      const state = await guest.get('/v1/setup');
      expect(state.body.data).toEqual({ isOpen: true, needsWorkspaceName: false });
      // A name that would go nowhere is refused, not dropped.
      const refused = await guest.post('/v1/setup', {
        token: await openSetup(service),
        email: 'ada@example.com',
        name: 'Ada',
        password: PASSWORD,
        workspaceName: 'Acme',
      });
      expect([refused.status, refused.body.error.details]).toMatchObject([
        400,
        [{ path: 'workspaceName' }],
      ]);
      const { browser } = await setUpConsole(service);
      const { body } = await browser.session();
      expect(body.data.memberships).toMatchObject([{ workspaceId, role: 'owner' }]);
    } finally {
      await service.close();
    }
  });
});

describe('signing in', () => {
  let service: TestService;
  let owner: ConsoleBrowser;
  beforeAll(async () => {
    service = await openService();
    ({ browser: owner } = await setUpConsole(service));
  });
  afterAll(() => service.close());

  test('gives a cookie that scripts do not see and that never leaves https', async () => {
    const browser = new ConsoleBrowser(service);
    const { status, headers } = await browser.signIn('ADA@example.com');
    expect(status).toBe(200);
    const [cookie = ''] = headers.getSetCookie().filter((line) => line.includes('session_token'));
    expect(cookie).toMatch(/^__Host-goodword\.session_token=/);
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/', 'Max-Age=604800']) {
      expect(cookie.split('; ')).toContain(attribute);
    }
    expect(cookie).not.toContain('Domain');
    expect((await browser.session()).status).toBe(200);
  });

  test('keeps neither the cookie nor the password: only hashes', async () => {
    const token = [...owner.cookies.values()][0]?.split('.')[0] as string;
    expect(token).toHaveLength(32);
    const rows = await service.database.reads.query(
      `select s.*, a.password from user_sessions s join user_accounts a on a.user_id = s.user_id`,
    );
    const text = JSON.stringify(rows);
    expect(text).not.toContain(token);
    expect(text).not.toContain(PASSWORD);
    expect(text).toContain('$argon2id$v=19$');
    expect(service.log.join('')).not.toContain(token);
  });

  test('refuses a wrong password and an unknown address in the same words', async () => {
    const browser = new ConsoleBrowser(service);
    const wrong = await browser.signIn('ada@example.com', 'a narrow river in the south');
    const unknown = await browser.signIn('nobody@example.com');
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wrong.body).toEqual(unknown.body);
    expect(browser.cookies.size).toBe(0);
  });

  test('nobody can register by themselves, and nothing else of the library is there', async () => {
    const browser = new ConsoleBrowser(service);
    for (const path of ['/sign-up/email', '/update-user', '/delete-user', '/change-email']) {
      const answer = await browser.auth(path, {
        email: 'eve@example.com',
        password: PASSWORD,
        name: 'Eve',
      });
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });

  test('an owner may do nothing before the second factor is set up (D-ADM-2)', async () => {
    const refused = await owner.get('/v1/workspaces');
    expect([refused.status, refused.body.error.reason]).toEqual([403, 'totp_required']);
    expect((await owner.auth('/list-sessions')).status).toBe(403);
    await owner.enableTotp();
    expect((await owner.session()).body.data).toMatchObject({
      user: { totpEnabled: true },
      mustSetUpTotp: false,
    });
    expect((await owner.get('/v1/workspaces')).status).toBe(200);
  });
});

test('a session ends 12 hours after its last use, and 7 days after it began at the latest', async () => {
  const service = await startService({ settings: { requiresTotp: false } });
  try {
    const { browser } = await setUpConsole(service);
    const twin = new ConsoleBrowser(service);
    await twin.signIn('ada@example.com');
    service.clock.advance(12 * HOUR_MS - 1);
    expect((await browser.session()).status).toBe(200);
    service.clock.advance(1);
    expect((await browser.session()).status).toBe(200);
    expect((await twin.session()).status).toBe(401);
    expect((await twin.auth('/list-sessions')).status).toBe(401);
    for (let hours = 12; hours < 7 * 24 - 8; hours += 8) {
      service.clock.advance(8 * HOUR_MS);
      expect((await browser.session()).status).toBe(200);
    }
    service.clock.advance(8 * HOUR_MS);
    expect((await browser.session()).status).toBe(401);
    expect((await browser.auth('/list-sessions')).status).toBe(401);
  } finally {
    await service.close();
  }
});
