import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ConsoleBrowser, joinConsole, PASSWORD, setUpConsole } from '../console-browser.ts';
import { startService, type TestService } from '../harness.ts';
import { CLIENT, OidcProvider } from '../oidc-provider.ts';
import { TestMailer } from '../test-mailer.ts';

const HOUR_MS = 3_600_000;

let provider: OidcProvider;
let service: TestService;
let owner: ConsoleBrowser;
let workspaceId: string;
beforeAll(async () => {
  provider = await OidcProvider.start();
  service = await startService({
    settings: { oidc: { name: 'Acme', issuer: provider.issuer, ...CLIENT } },
  });
  ({ browser: owner, workspaceId } = await setUpConsole(service));
  await owner.enableTotp();
});
afterAll(async () => {
  await service.close();
  await provider.close();
});
afterEach(() => {
  provider.forgedClaims = {};
  provider.forgeToken = (token) => token;
  provider.otherUserInfo = null;
  provider.isDown = false;
});

const invite = (email: string, role = 'finance') =>
  owner.post('/v1/invitations', { workspaceId, email, role });

/** To the provider and back; returns where the browser ends. */
async function signInAt(browser: ConsoleBrowser, path = '/sign-in/social'): Promise<URL> {
  const begun = await browser.auth(path, { provider: 'oidc', callbackURL: '/console' });
  expect(begun.status).toBe(200);
  const back = provider.authorize(begun.body.url);
  expect(back.pathname).toBe('/console/auth/callback/oidc');
  const { status, headers } = await browser.auth(
    `${back.pathname.replace('/console/auth', '')}${back.search}`,
  );
  expect(status).toBe(302);
  return new URL(headers.get('location') ?? '', 'https://refer.example.com');
}

describe('a provider of OpenID Connect', () => {
  test('is offered by its name', async () => {
    const { body } = await new ConsoleBrowser(service).get('/v1/sign-in-options');
    expect(body.data.oidc).toEqual({ name: 'Acme' });
  });

  test('lets nobody in who was not invited', async () => {
    provider.identity = { sub: 'eve', email: 'eve@example.com', email_verified: true };
    const browser = new ConsoleBrowser(service);
    const end = await signInAt(browser);
    expect(end.pathname).toBe('/console/sign-in');
    expect(end.searchParams.get('error')).toBe('not_invited');
    expect((await browser.session()).status).toBe(401);
    const rows = await service.database.reads.query(
      `select 1 from users where email = 'eve@example.com'`,
    );
    expect(rows).toEqual([]);
  });

  test.each([[false], [undefined], ['true']])(
    'lets nobody in whose address it does not vouch for (%s)',
    async (verified) => {
      await invite('mallory@example.com');
      provider.identity = { sub: 'mal', email: 'mallory@example.com', email_verified: verified };
      const browser = new ConsoleBrowser(service);
      const end = await signInAt(browser);
      expect(end.searchParams.get('error')).toBe('email_not_verified');
      expect((await browser.session()).status).toBe(401);
    },
  );

  test('lets in whom a Workspace invited, without a password or a second factor of ours', async () => {
    await invite('Grace@example.com');
    provider.identity = {
      sub: 'grace',
      email: 'GRACE@example.com',
      email_verified: true,
      name: 'Grace Example',
    };
    const browser = new ConsoleBrowser(service);
    expect((await signInAt(browser)).pathname).toBe('/console');
    expect((await browser.session()).body.data).toMatchObject({
      user: { email: 'grace@example.com', name: 'Grace Example', totpEnabled: false },
      memberships: [{ workspaceId, role: 'finance' }],
      mustSetUpTotp: false,
    });
    expect((await browser.get('/v1/projects')).status).toBe(200);
    const open = (await owner.get('/v1/invitations', { workspaceId })).body.data;
    expect(open[0]).toMatchObject({ email: 'grace@example.com', status: 'accepted' });
    const log = (await owner.get('/v1/audit-log', { workspaceId })).body.data;
    const told = log.map(({ action }: { action: string }) => action);
    expect(told.slice(0, 2)).toEqual(['user.sign_in', 'invitation.accept']);
    expect(log[0].changes).toMatchObject({ method: 'oidc' });
    // And again, now that they are known.
    await browser.auth('/sign-out', {});
    expect((await browser.session()).status).toBe(401);
    expect((await signInAt(browser)).pathname).toBe('/console');
    expect((await browser.session()).status).toBe(200);
    // What the provider gave is not kept.
    const rows = await service.database.reads.query('select * from user_accounts');
    expect(JSON.stringify(rows)).not.toContain('example-access');
  });

  test('of two accounts with one address there, the second is not taken for the first', async () => {
    await invite('alan@example.com', 'viewer');
    provider.identity = { sub: 'alan-1', email: 'alan@example.com', email_verified: true };
    expect((await signInAt(new ConsoleBrowser(service))).pathname).toBe('/console');
    provider.identity = { sub: 'alan-2', email: 'alan@example.com', email_verified: true };
    const browser = new ConsoleBrowser(service);
    expect((await signInAt(browser)).searchParams.get('error')).toBe('account_not_linked');
    expect((await browser.session()).status).toBe(401);
  });

  test('whom it vouches for joins by signing in, the second time as the first', async () => {
    await invite('joan@example.com', 'viewer');
    provider.identity = { sub: 'joan', email: 'joan@example.com', email_verified: true };
    const browser = new ConsoleBrowser(service);
    await signInAt(browser);
    const second = (await owner.post('/v1/workspaces', { name: 'Second' })).body.data.id;
    await owner.post('/v1/invitations', {
      workspaceId: second,
      email: 'joan@example.com',
      role: 'admin',
    });
    await signInAt(browser);
    expect((await browser.session()).body.data.memberships).toHaveLength(2);
  });

  test('what was left half made when a process died is made whole', async () => {
    await invite('half@example.com', 'viewer');
    const at = service.clock.now;
    await service.database.transaction((tx) =>
      tx.query(
        `insert into users (id, email, name, email_verified, created_at, updated_at)
         values ('usr_half', 'half@example.com', 'Half', true, $1, $1)`,
        [at],
      ),
    );
    provider.identity = { sub: 'half', email: 'half@example.com', email_verified: true };
    const browser = new ConsoleBrowser(service);
    expect((await signInAt(browser)).pathname).toBe('/console');
    expect((await browser.session()).body.data.memberships).toHaveLength(1);
  });

  test('an invitation that ended counts no more', async () => {
    await invite('late@example.com');
    service.clock.advance(72 * HOUR_MS);
    provider.identity = { sub: 'late', email: 'late@example.com', email_verified: true };
    const browser = new ConsoleBrowser(service);
    expect((await signInAt(browser)).searchParams.get('error')).toBe('not_invited');
    await owner.signIn('ada@example.com');
  });

  test('is no way into an account with a password, unless its owner links it', async () => {
    service.clock.advance(1);
    const fresh = await startService({
      settings: {
        requiresTotp: false,
        oidc: { name: 'Acme', issuer: provider.issuer, ...CLIENT },
      },
    });
    try {
      const { browser: ada, workspaceId } = await setUpConsole(fresh);
      provider.identity = { sub: 'ada', email: 'ada@example.com', email_verified: true };
      const other = new ConsoleBrowser(fresh);
      const end = await signInAt(other);
      expect(end.searchParams.get('error')).toBe('account_not_linked');
      expect((await other.session()).status).toBe(401);
      expect((await signInAt(ada, '/link-social')).pathname).toBe('/console');
      const linked = await ada.get('/v1/audit-log', { workspaceId, action: 'user.provider_link' });
      expect(linked.body.data).toHaveLength(1);
      expect((await signInAt(other)).pathname).toBe('/console');
      expect((await other.session()).body.data.user.email).toBe('ada@example.com');
    } finally {
      await fresh.close();
    }
  });

  const nowSeconds = () => Math.floor(Date.now() / 1_000);
  const grace = { sub: 'grace', email: 'grace@example.com', email_verified: true };

  test.each<[string, () => Record<string, unknown>]>([
    ['for another service', () => ({ aud: 'another-client' })],
    ['for no service', () => ({ aud: undefined })],
    ['for several services, handed to another', () => ({ aud: [CLIENT.clientId, 'x'], azp: 'x' })],
    ['of another provider', () => ({ iss: 'https://evil.example' })],
    ['of no provider', () => ({ iss: undefined })],
    ['of another sign-in', () => ({ nonce: 'not-the-one' })],
    ['of no sign-in', () => ({ nonce: undefined })],
    ['that is over', () => ({ exp: nowSeconds() - 600, iat: nowSeconds() - 900 })],
    ['that never ends', () => ({ exp: undefined })],
    ['about nobody', () => ({ sub: undefined })],
  ])('a token %s is refused', async (_name, forged) => {
    provider.identity = grace;
    provider.forgedClaims = forged();
    await expectRefused();
  });

  const unsigned = (token: string) => {
    const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    return `${header}.${token.split('.')[1]}.`;
  };
  test.each<[string, (token: string) => string | undefined]>([
    ['no token', () => undefined],
    ['an empty token', () => ''],
    ['a token that is none', () => 'opaque'],
    ['an unsigned token', unsigned],
    ['a token without its signature', (token) => token.slice(0, token.lastIndexOf('.') + 1)],
    [
      'a token with the signature of another',
      (token) => {
        const [header, , signature] = token.split('.');
        const claims = JSON.stringify({ ...grace, sub: 'ada', iss: provider.issuer });
        return [header, Buffer.from(claims).toString('base64url'), signature].join('.');
      },
    ],
  ])('an answer with %s ends the sign-in, whatever userinfo says', async (_name, forge) => {
    provider.identity = grace;
    provider.forgeToken = forge;
    await expectRefused();
  });

  test('userinfo fills in what the token lacks, of the same person only', async () => {
    provider.identity = grace;
    provider.forgedClaims = { email: undefined, email_verified: undefined };
    const browser = new ConsoleBrowser(service);
    expect((await signInAt(browser)).pathname).toBe('/console');
    expect((await browser.session()).body.data.user.email).toBe('grace@example.com');
    provider.otherUserInfo = grace;
    provider.identity = { ...grace, sub: 'eve' };
    await expectRefused();
  });

  async function expectRefused() {
    const browser = new ConsoleBrowser(service);
    const end = await signInAt(browser);
    expect(end.pathname).toBe('/console/sign-in');
    expect(end.searchParams.get('error')).toBe('unable_to_get_user_info');
    expect((await browser.session()).status).toBe(401);
  }

  test('a code counts only in the browser that went for it', async () => {
    provider.identity = { sub: 'grace', email: 'grace@example.com', email_verified: true };
    const begun = await new ConsoleBrowser(service).auth('/sign-in/social', {
      provider: 'oidc',
      callbackURL: '/console',
    });
    const back = provider.authorize(begun.body.url);
    const victim = new ConsoleBrowser(service);
    const { headers } = await victim.auth(`/callback/oidc${back.search}`);
    expect(headers.get('location')).toContain('error=');
    expect((await victim.session()).status).toBe(401);
  });

  test('sends browsers nowhere but to pages of ours', async () => {
    for (const callbackURL of ['https://evil.example/', '//evil.example/']) {
      const begun = await new ConsoleBrowser(service).auth('/sign-in/social', {
        provider: 'oidc',
        callbackURL,
      });
      expect([callbackURL, begun.status]).toEqual([callbackURL, 403]);
    }
  });
});

test('who only comes by the provider gets no password by mail, which would go past it', async () => {
  const mailer = new TestMailer();
  const fresh = await startService({
    mailer,
    settings: { requiresTotp: false, oidc: { name: 'Acme', issuer: provider.issuer, ...CLIENT } },
  });
  try {
    const { browser: ada, workspaceId: theirs } = await setUpConsole(fresh);
    const email = 'grace@example.com';
    await ada.post('/v1/invitations', { workspaceId: theirs, email, role: 'owner' });
    provider.identity = { sub: 'only', email, email_verified: true };
    const browser = new ConsoleBrowser(fresh);
    await signInAt(browser);
    expect((await browser.session()).status).toBe(200);
    mailer.sent.length = 0;
    expect((await browser.auth('/request-password-reset', { email })).status).toBe(200);
    await mailer.linkAfter('ada@example.com', () =>
      browser.auth('/request-password-reset', { email: 'ada@example.com' }),
    );
    expect(mailer.sent.map(({ to }) => to)).toEqual(['ada@example.com']);
  } finally {
    await fresh.close();
  }
});

test('a provider that is down keeps nobody with a password out, and is asked again later', async () => {
  provider.isDown = true;
  const fresh = await startService({
    settings: { requiresTotp: false, oidc: { name: 'Acme', issuer: provider.issuer, ...CLIENT } },
  });
  try {
    const { browser: ada, workspaceId: theirs } = await setUpConsole(fresh);
    const browser = new ConsoleBrowser(fresh);
    const begin = () =>
      browser.auth('/sign-in/social', { provider: 'oidc', callbackURL: '/console' });
    expect((await begin()).status).toBe(404);
    expect((await browser.signIn('ada@example.com', PASSWORD)).status).toBe(200);
    await joinConsole(ada, { workspaceId: theirs, role: 'viewer' });
    provider.isDown = false;
    expect((await begin()).status).toBe(200);
  } finally {
    await fresh.close();
  }
});
